#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// Grey levels over which the attribute `stability` looks: 5 at 8 bits, the same part of the range at 16 bits.
[[nodiscard]] constexpr std::uint16_t defaultStabilityDelta(PixelType type) noexcept {
    return type == PixelType::u8 ? 5 : 5 * 257;
}

/// Per node the lowest ancestor whose level is within @p delta of the node's: the node itself if its parent is farther
/// away. This is the component, around the node, of the level set delta levels lower (min-tree: higher), or the root
/// where that level set is the whole image. O(nodes log delta), parallel.
/// @throws Cancelled, std::bad_alloc
[[nodiscard]] Buffer<std::uint32_t> ancestorsWithin(const ComponentTree& tree, std::uint16_t delta,
                                                    const JobControl& control = {});

/// (A(ancestor) - A) / A with the ancestors of ancestorsWithin(); NaN where that is the node itself, the root included.
/// @param area the area of every node
[[nodiscard]] Buffer<double> stabilitiesOf(const ComponentTree& tree, std::span<const std::uint32_t> area,
                                           std::uint16_t delta, const JobControl& control = {});

} // namespace pollard
