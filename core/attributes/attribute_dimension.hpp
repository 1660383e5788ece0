#pragma once

#include "attributes/attribute.hpp"
#include "image/length_unit.hpp"

namespace pollard {

/// How an attribute follows the size of a pixel: widths, positions, axes and perimeters are lengths; area, bbox_area
/// and extinction_area are areas. Others are neither: border counts pixels along an edge, volumes hold grey levels.
[[nodiscard]] Dimension dimensionOf(AttributeId id) noexcept;

} // namespace pollard
