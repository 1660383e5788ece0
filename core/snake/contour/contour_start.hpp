#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "image/region_shape.hpp"
#include "snake/contour/contour.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard {

/// Simplifies a polygon: a node stays if its larger extent from the previous kept node is at least @p spacing px,
/// starting at the first. If the result crosses itself, has fewer than three nodes or changes the area by more than a
/// fourth, the spacing is halved, down to 1, which returns the polygon itself.
/// @param ring a simple polygon
/// @param mostNodes largest number of nodes of the result
/// @throws Error(invalidArgument) if no simple polygon of at most @p mostNodes nodes is found
[[nodiscard]] Contour thinned(const Contour& ring, std::uint32_t spacing, std::size_t mostNodes);

/// A shape as a polygon of pixel corners: corners are rounded to the nearest one, ellipses have a node about every
/// @p spacing px. Equal neighbouring nodes are merged.
[[nodiscard]] Contour contourOf(const RegionShape& shape, std::uint32_t spacing, std::uint32_t width,
                                std::uint32_t height);

/// Outline of the set pixels along the edges of pixels: of several parts (disjoint, or joined at corners) the one with
/// the largest area inside; without holes. Nodes only at turns.
/// @param offset of the mask in the image, px
/// @throws Error(invalidArgument) for an empty mask; Cancelled
[[nodiscard]] Contour outlineOf(const Mask& mask, ContourNode offset, const JobControl& control = {});

} // namespace pollard
