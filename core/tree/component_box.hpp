#pragma once

#include "base/job_control.hpp"
#include "image/pixel_region.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>

namespace pollard {

/// Position and size of a component.
struct ComponentBox {
    PixelRegion box;          ///< smallest rectangle that contains it
    std::uint64_t pixels = 0; ///< area, px
};

/// Scans the image, in parallel over rows: for a single component without computed attributes.
/// @throws Cancelled
[[nodiscard]] ComponentBox boxOfComponent(const ComponentTree& tree, std::uint32_t node,
                                          const JobControl& control = {});

} // namespace pollard
