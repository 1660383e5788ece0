#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "image/region_shape.hpp"
#include "snake/contour/contour.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard {

/// A closed polygon with fewer nodes along the same way: from the first one on, a node stays if it is at least
/// @p spacing px from the one before by the larger of both extents. Where that crosses itself, leaves less than three
/// nodes or changes the area by more than a fourth, half the spacing is tried, and so on down to 1, which is the
/// polygon itself.
/// @param ring a simple polygon
/// @param mostNodes of the result
/// @throws Error(invalidArgument) if it cannot be thinned to @p mostNodes or less and stay a simple polygon
[[nodiscard]] Contour thinned(const Contour& ring, std::uint32_t spacing, std::size_t mostNodes);

/// A shape as a polygon on the corners of pixels: every corner at the nearest one, ellipses with a node about every
/// @p spacing px. Neighbouring corners that fall together are one node.
[[nodiscard]] Contour contourOf(const RegionShape& shape, std::uint32_t spacing, std::uint32_t width,
                                std::uint32_t height);

/// The border of what is set in a mask, along the edges of pixels: of several parts (joined at corners, or not at all)
/// that of the one with the largest area within its border; holes are left out. Only nodes where it turns.
/// @param offset of the mask in the image, px
/// @throws Error(invalidArgument) for an empty mask; Cancelled
[[nodiscard]] Contour outlineOf(const Mask& mask, ContourNode offset, const JobControl& control = {});

} // namespace pollard
