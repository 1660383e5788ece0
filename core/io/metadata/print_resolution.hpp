#pragma once

#include "io/image_file.hpp"

#include <optional>
#include <string>

namespace pollard {

/// Pixel size in µm of a resolution in pixels per @p unitMicrometres, marked as one for printing where both numbers are
/// those of printers and screens (72 to 1200 dots an inch). Absent unless both are positive and finite.
[[nodiscard]] std::optional<PixelSize> pixelSizeOfResolution(double xPerUnit, double yPerUnit, double unitMicrometres,
                                                             const std::string& source);

} // namespace pollard
