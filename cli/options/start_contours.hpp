#pragma once

#include "snake/contour/contour_files.hpp"

#include <string>

namespace pollard::cli {

/// Parses "x,y,w,h" as a rectangle in px, else reads the polygons in the file of this name, see readFiledRings().
/// @throws UsageError for a rectangle without an area; Error, naming the file
[[nodiscard]] FiledRings parseStart(const std::string& text, GeoJsonIn unmarked);

} // namespace pollard::cli
