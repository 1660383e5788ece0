#pragma once

#include "image/image.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::testing {

/// Columns that rise from row to row, with valleys between them: most of the nodes in the upper half reach over a seam
/// in the middle. At most 1024 px high.
inline Image combImage(std::uint32_t width, std::uint32_t height) {
    Image comb(PixelType::u16, width, height);
    for (std::size_t p = 0; p < comb.pixelCount(); ++p) {
        comb.pixels<std::uint16_t>()[p] = p % width % 2 == 0 ? static_cast<std::uint16_t>(1 + p / width * 60) : 0;
    }
    return comb;
}

} // namespace pollard::testing
