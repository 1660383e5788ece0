#include "io/samples/sample_unpack.hpp"

#include <cstring>

namespace pollard {

void unpackSamples(const std::byte* row, int bits, std::size_t first, std::size_t stride, std::size_t count,
                   std::uint16_t* out) noexcept {
    if (bits == 8) {
        for (std::size_t i = 0; i < count; ++i) {
            out[i] = std::to_integer<std::uint16_t>(row[first + i * stride]);
        }
        return;
    }
    if (bits == 16) {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(out + i, row + 2 * (first + i * stride), 2);
        }
        return;
    }
    const auto width = static_cast<unsigned>(bits);
    const std::uint32_t mask = (1U << width) - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = (first + i * stride) * width;
        const std::size_t end = begin + width;
        const std::size_t lastByte = (end - 1) / 8;
        std::uint32_t word = 0;
        for (std::size_t b = begin / 8; b <= lastByte; ++b) {
            word = word << 8 | std::to_integer<std::uint32_t>(row[b]);
        }
        out[i] = static_cast<std::uint16_t>(word >> ((lastByte + 1) * 8 - end) & mask);
    }
}

} // namespace pollard
