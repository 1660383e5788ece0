#pragma once

#include <cstdint>
#include <vector>

class QImage;

namespace pollard {
class RgbWriter;
}

namespace pollard::app {

/// All rows of an image of the format RGB888, of shape (height, width, 3).
[[nodiscard]] std::vector<std::uint8_t> rgbOf(const QImage& rows);

/// Hands all rows of an image of the format RGB888 to a writer, whose width it has.
/// @throws Error(writeFailed)
void writeRows(RgbWriter& writer, const QImage& rows);

} // namespace pollard::app
