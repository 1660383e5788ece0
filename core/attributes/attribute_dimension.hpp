#pragma once

#include "attributes/attribute.hpp"
#include "image/length_unit.hpp"

namespace pollard {

/// How an attribute scales with the pixel size: widths, positions, axes and perimeters are lengths; area, bbox_area and
/// extinction_area are areas. All others have no dimension: border counts pixels along an edge, volumes contain grey
/// levels.
[[nodiscard]] Dimension dimensionOf(AttributeId id) noexcept;

} // namespace pollard
