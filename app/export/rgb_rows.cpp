#include "export/rgb_rows.hpp"

#include "io/write/rgb_writer.hpp"

#include <QImage>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard::app {

std::vector<std::uint8_t> rgbOf(const QImage& rows) {
    // Rows of a QImage are padded to multiples of four bytes.
    const std::size_t rowBytes = static_cast<std::size_t>(rows.width()) * 3;
    std::vector<std::uint8_t> bytes(rowBytes * static_cast<std::size_t>(rows.height()));
    for (int y = 0; y < rows.height(); ++y) {
        std::copy_n(rows.constScanLine(y), rowBytes, bytes.data() + rowBytes * static_cast<std::size_t>(y));
    }
    return bytes;
}

void writeRows(RgbWriter& writer, const QImage& rows) { writer.write(rgbOf(rows)); }

} // namespace pollard::app
