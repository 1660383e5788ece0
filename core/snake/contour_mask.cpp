#include "snake/contour_mask.hpp"

#include "snake/contour_rows.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>

namespace pollard {

Image contourMask(const Contour& contour, std::uint32_t width, std::uint32_t height, const JobControl& control) {
    const ContourRows inside(contour);
    Image mask(PixelType::u8, width, height);
    std::uint8_t* const pixels = mask.pixels<std::uint8_t>().data();
    constexpr std::size_t kRowsPerTask = 64;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, height, kRowsPerTask), [&](const auto& rows) {
        control.throwIfStopped();
        for (std::size_t y = rows.begin(); y != rows.end(); ++y) {
            std::uint8_t* const row = pixels + y * width;
            std::fill(row, row + width, std::uint8_t{0});
            inside.forEachRun(static_cast<std::int32_t>(y), [row](std::uint32_t first, std::uint32_t last) {
                std::fill(row + first, row + last, std::uint8_t{255});
            });
        }
    });
    return mask;
}

} // namespace pollard
