#pragma once

#include "io/image_file.hpp"

#include <optional>
#include <string>

namespace pollard {

/// Pixel size in µm for a resolution in pixels per @p unitMicrometres, marked as print resolution if both numbers are
/// typical of printers and screens (72 to 1200 dpi). Nothing unless both are positive and finite.
[[nodiscard]] std::optional<PixelSize> pixelSizeOfResolution(double xPerUnit, double yPerUnit, double unitMicrometres,
                                                             const std::string& source);

} // namespace pollard
