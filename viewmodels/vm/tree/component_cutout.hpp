#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/pixel_region.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::vm {

/// A small picture of a component and its surroundings.
struct ComponentCutout {
    static constexpr std::uint32_t kInside = 1;  ///< marks
    static constexpr std::uint32_t kOutline = 2; ///< of the component, within it

    PixelRegion box;          ///< of the component, px of the image
    std::uint64_t pixels = 0; ///< of the component
    std::shared_ptr<const Image> levels;
    std::vector<std::uint32_t> marks; ///< one per pixel of levels; 0 outside
};

/// Cuts out a component with a margin of an eighth of its longer side, at least 2 px, subsampled to at most @p
/// longestSide px. One pass over the tree's pixels.
/// @param image of the tree's size
/// @throws Cancelled
[[nodiscard]] ComponentCutout cutOut(const ComponentTree& tree, const Image& image, std::uint32_t node,
                                     std::uint32_t longestSide, const JobControl& control = {});

} // namespace pollard::vm
