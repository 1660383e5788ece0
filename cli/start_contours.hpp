#pragma once

#include "snake/contour.hpp"

#include <string>
#include <vector>

namespace pollard::cli {

/// "x,y,w,h" as a rectangle, else the polygons in the file of this name, see readContours().
/// @throws UsageError for a rectangle without an area; Error, naming the file
[[nodiscard]] std::vector<Contour> parseStart(const std::string& text);

} // namespace pollard::cli
