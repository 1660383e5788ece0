#pragma once

#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace pollard::vm {

/// Query for the component at a pixel.
struct PickQuestion {
    std::uint32_t pixel = 0; ///< index, see Extent
    /// Only components that are no brighter (min-tree: no darker) than the displayed level; all of them if not set.
    std::optional<std::uint16_t> shownLevel;
    std::span<const std::uint32_t> removed; ///< canonical pixels of components removed with their descendants
};

/// The smallest component that contains the pixel, is large enough and is visible; empty if that is the root. One walk
/// along the branch of the pixel, at most as long as the depth of the tree.
/// @param isLargeEnough monotonic: true for all ancestors of a large enough component
[[nodiscard]] std::optional<std::uint32_t> pickNode(const ComponentTree& tree, const PickQuestion& question,
                                                    const std::function<bool(std::uint32_t node)>& isLargeEnough);

/// Grey level of the filtered picture from its difference to the picture.
[[nodiscard]] constexpr std::uint16_t filteredLevel(TreeKind kind, std::uint16_t level,
                                                    std::uint16_t residue) noexcept {
    return static_cast<std::uint16_t>(kind == TreeKind::max ? level - residue : level + residue);
}

} // namespace pollard::vm
