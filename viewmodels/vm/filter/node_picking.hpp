#pragma once

#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace pollard::vm {

/// Which component is meant by a pixel.
struct PickQuestion {
    std::uint32_t pixel = 0; ///< index y * width + x
    /// Only components that are no brighter (min-tree: no darker) than what is seen; all of them if not set.
    std::optional<std::uint16_t> shownLevel;
    std::span<const std::uint32_t> removed; ///< canonical pixels of components that are gone with all in them
};

/// The smallest component that holds the pixel, is large enough and is still seen; nothing if that is the root. One
/// walk along the branch of the pixel, at most as long as the tree is high.
/// @param isLargeEnough true from some component on towards the root
[[nodiscard]] std::optional<std::uint32_t> pickNode(const ComponentTree& tree, const PickQuestion& question,
                                                    const std::function<bool(std::uint32_t node)>& isLargeEnough);

/// The node with this canonical pixel; nothing if there is none.
[[nodiscard]] std::optional<std::uint32_t> nodeOfCanonical(const ComponentTree& tree, std::uint32_t canonical) noexcept;

/// Grey level that the filtered picture has where the difference to the picture is known.
[[nodiscard]] constexpr std::uint16_t filteredLevel(TreeKind kind, std::uint16_t level,
                                                    std::uint16_t residue) noexcept {
    return static_cast<std::uint16_t>(kind == TreeKind::max ? level - residue : level + residue);
}

} // namespace pollard::vm
