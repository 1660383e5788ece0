#pragma once

#include "snake/contour.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace pollard::cli {

/// The outer ring of the first polygon in a GeoJSON text: a geometry, a feature or a collection of features.
/// Coordinates are px along the edges of pixels, y pointing down; they are rounded to whole ones, and nodes that fall
/// onto the one before are left out.
/// @throws Error(fileDamaged) for what is no GeoJSON or has no polygon, or a coordinate that is no number of px
[[nodiscard]] Contour contourIn(std::string_view geojson);

/// "x,y,w,h" as a rectangle, else what contourIn() finds in the file of this name.
/// @throws UsageError for a rectangle without an area; Error, naming the file
[[nodiscard]] Contour parseContour(const std::string& text);

/// The contour as a GeoJSON feature: a Polygon whose ring has positive area in these numbers.
[[nodiscard]] std::string geojsonOf(const Contour& contour);

} // namespace pollard::cli
