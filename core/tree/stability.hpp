#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/grey_weights.hpp"
#include "image/value_mapping.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace pollard {

/// 5 grey levels at 8 bits, the same fraction of the range at 16 bits.
[[nodiscard]] constexpr std::uint16_t defaultStabilityDelta(PixelType type) noexcept {
    return type == PixelType::u8 ? 5 : 5 * 257;
}
/// Delta of the attribute `stability` and default delta of stable regions, in levels: defaultStabilityDelta() for
/// unsigned samples of 8 and 16 bits and without a mapping; else 5/255 of the range of the image's values within the
/// levels, rounded, at least 1. Only for mappings without ranks.
[[nodiscard]] std::uint16_t stabilityDelta(PixelType type, const std::optional<ValueMapping>& mapping) noexcept;

/// Per node the lowest ancestor whose level is within @p delta of the node's; the node itself if its parent is farther
/// away. This is the component around the node in the level set delta levels lower (min-tree: higher), or the root if
/// that level set is the whole image. O(nodes log delta), parallel.
/// @throws Cancelled, std::bad_alloc
[[nodiscard]] Buffer<std::uint32_t> ancestorsWithin(const ComponentTree& tree, std::uint16_t delta,
                                                    const JobControl& control = {});

/// (A(ancestor) - A) / A with the ancestors of ancestorsWithin(); NaN if the ancestor is the node itself, for example
/// the root.
/// @param area per node, px
/// @throws as ancestorsWithin()
[[nodiscard]] Buffer<double> stabilitiesOf(const ComponentTree& tree, std::span<const std::uint32_t> area,
                                           std::uint16_t delta, const JobControl& control = {});
/// As above, by distances of weights instead of levels.
[[nodiscard]] Buffer<double> stabilitiesOf(const ComponentTree& tree, std::span<const std::uint32_t> area,
                                           const GreyWeights& weights, std::uint64_t delta,
                                           const JobControl& control = {});

/// Memory that stabilitiesOf() takes at most, besides its result: a path of nodes per thread.
[[nodiscard]] std::uint64_t stabilityScratchBytes(const ComponentTree& tree) noexcept;

} // namespace pollard
