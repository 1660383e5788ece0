#include "snake/contour/levels_inside.hpp"

#include "snake/contour/contour_rows.hpp"

#include <cstddef>

namespace pollard {

std::vector<std::uint64_t> levelsInside(const Image& image, const Contour& contour, const Mask* valid,
                                        const JobControl& control) {
    std::vector<std::uint64_t> counts(std::size_t{maxLevelOf(image.type())} + 1, 0);
    const ContourRows inside(contour);
    dispatch(image.type(), [&]<class T>(T) {
        const auto pixels = image.pixels<T>();
        for (std::int32_t y = inside.top(); y < inside.bottom(); ++y) {
            control.throwIfStopped();
            const auto row = static_cast<std::uint32_t>(y);
            const std::size_t start = std::size_t{row} * image.width();
            inside.forEachRun(y, [&](std::uint32_t first, std::uint32_t last) {
                for (std::uint32_t x = first; x < last; ++x) {
                    if (valid == nullptr || valid->test(x, row)) {
                        ++counts[pixels[start + x]];
                    }
                }
            });
        }
    });
    return counts;
}

} // namespace pollard
