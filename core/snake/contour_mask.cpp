#include "snake/contour_mask.hpp"

#include "snake/edge_rows.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pollard {

Image contourMask(const Contour& contour, std::uint32_t width, std::uint32_t height, const JobControl& control) {
    // Where edges cross each row.
    std::vector<std::vector<std::uint32_t>> crossings(height);
    for (std::size_t i = 0; i < contour.size(); ++i) {
        ContourNode upper = contour[i];
        ContourNode lower = contour[i + 1 < contour.size() ? i + 1 : 0];
        if (upper.y == lower.y) {
            continue;
        }
        if (upper.y > lower.y) {
            std::swap(upper, lower);
        }
        EdgeRows rows(upper, lower);
        for (std::int32_t y = upper.y; y < lower.y; ++y, rows.goDown()) {
            crossings[static_cast<std::size_t>(y)].push_back(static_cast<std::uint32_t>(rows.count()));
        }
    }
    Image mask(PixelType::u8, width, height);
    std::uint8_t* const pixels = mask.pixels<std::uint8_t>().data();
    constexpr std::size_t kRowsPerTask = 64;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, height, kRowsPerTask), [&](const auto& rows) {
        control.throwIfStopped();
        for (std::size_t y = rows.begin(); y != rows.end(); ++y) {
            std::uint8_t* const row = pixels + y * width;
            std::fill(row, row + width, std::uint8_t{0});
            std::vector<std::uint32_t>& places = crossings[y];
            std::sort(places.begin(), places.end());
            for (std::size_t k = 0; k + 1 < places.size(); k += 2) {
                std::fill(row + places[k], row + places[k + 1], std::uint8_t{255});
            }
        }
    });
    return mask;
}

} // namespace pollard
