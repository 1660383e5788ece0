#pragma once

#include "base/job_control.hpp"
#include "image/pixel_region.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// Where the pixels of a component are.
struct ComponentBox {
    PixelRegion box;          ///< the smallest one around them
    std::uint64_t pixels = 0; ///< their number
};

/// Looks at every pixel of the image, in parallel over rows: for one component, where no attribute is at hand.
/// @throws Cancelled
[[nodiscard]] ComponentBox boxOfComponent(const ComponentTree& tree, std::uint32_t node,
                                          const JobControl& control = {});

} // namespace pollard
