#pragma once

#include "image/image.hpp"
#include "tree/component_paint.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::vm {

/// A small picture of a component and its surroundings.
struct ComponentCutout {
    static constexpr std::uint32_t kInside = 1;  ///< marks
    static constexpr std::uint32_t kOutline = 2; ///< of the component, within it

    ComponentBox component;
    std::uint32_t slice = 0; ///< the cut one of a volume
    std::shared_ptr<const Image> levels;
    std::vector<std::uint32_t> marks; ///< one per pixel of levels; 0 outside
};

/// Cuts out a component with a margin of an eighth of its longer side, at least 2 px, subsampled to at most @p
/// longestSide px.
/// @param image of the tree's size
/// @param component of the node, see boxOfComponent()
/// @param slice of a volume
[[nodiscard]] ComponentCutout cutOut(const ComponentTree& tree, const Image& image, std::uint32_t node,
                                     const ComponentBox& component, std::uint32_t slice, std::uint32_t longestSide);

/// Slices of a component at equal steps, at most @p most, the first and the last one included.
[[nodiscard]] std::vector<std::uint32_t> slicesOf(const ComponentBox& component, std::uint32_t most);

} // namespace pollard::vm
