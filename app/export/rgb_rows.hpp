#pragma once

#include <cstdint>
#include <vector>

class QImage;

namespace pollard {
class RgbWriter;
}

namespace pollard::app {

/// All rows of an RGB888 image, of shape (height, width, 3).
[[nodiscard]] std::vector<std::uint8_t> rgbOf(const QImage& rows);

/// Writes all rows of an RGB888 image to a writer of the same width.
/// @throws Error(writeFailed)
void writeRows(RgbWriter& writer, const QImage& rows);

} // namespace pollard::app
