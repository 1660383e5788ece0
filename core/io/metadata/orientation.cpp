#include "io/metadata/orientation.hpp"

#include <algorithm>
#include <tbb/parallel_for.h>

namespace pollard {

namespace {

/// Side of the blocks of the transposition, small enough that rows of both images stay in the cache.
constexpr std::uint32_t kSquare = 64;

struct Position {
    std::uint32_t x;
    std::uint32_t y;
};

/// Stored position of pixel (x, y) of the upright image, for a stored image of width x height px.
constexpr Position storedAt(std::uint32_t x, std::uint32_t y, int orientation, std::uint32_t width,
                            std::uint32_t height) noexcept {
    const bool swapped = swapsSides(orientation);
    const std::uint32_t column = swapped ? y : x;
    const std::uint32_t row = swapped ? x : y;
    // First stored column on the right (2, 3) or, transposed, at the bottom (7, 8).
    const bool columnsBack = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    // First stored row at the bottom (3, 4) or, transposed, on the right (6, 7).
    const bool rowsBack = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    return {columnsBack ? width - 1 - column : column, rowsBack ? height - 1 - row : row};
}

} // namespace

PixelRegion storedRegion(const PixelRegion& upright, int orientation, std::uint32_t storedWidth,
                         std::uint32_t storedHeight) noexcept {
    const Position a = storedAt(upright.x, upright.y, orientation, storedWidth, storedHeight);
    const Position b =
        storedAt(upright.x + upright.width - 1, upright.y + upright.height - 1, orientation, storedWidth, storedHeight);
    const std::uint32_t width = swapsSides(orientation) ? upright.height : upright.width;
    const std::uint32_t height = swapsSides(orientation) ? upright.width : upright.height;
    return {std::min(a.x, b.x), std::min(a.y, b.y), width, height};
}

Image uprightImage(const Image& stored, int orientation, const JobControl& control) {
    const bool swapped = swapsSides(orientation);
    const std::uint32_t width = swapped ? stored.height() : stored.width();
    const std::uint32_t height = swapped ? stored.width() : stored.height();
    Image upright(stored.type(), width, height);
    dispatch(stored.type(), [&]<class T>(T) {
        const T* in = stored.pixels<T>().data();
        T* out = upright.pixels<T>().data();
        tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, (height - 1) / kSquare + 1), [&](const auto& bands) {
            control.throwIfStopped();
            const std::uint32_t top = bands.begin() * kSquare;
            const auto bottom =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(height, std::uint64_t{bands.end()} * kSquare));
            for (std::uint32_t left = 0; left < width; left += std::min(kSquare, width - left)) {
                const std::uint32_t right = left + std::min(kSquare, width - left);
                for (std::uint32_t y = top; y < bottom; ++y) {
                    for (std::uint32_t x = left; x < right; ++x) {
                        const Position from = storedAt(x, y, orientation, stored.width(), stored.height());
                        out[std::size_t{y} * width + x] = in[std::size_t{from.y} * stored.width() + from.x];
                    }
                }
            }
        });
    });
    return upright;
}

Mask uprightMask(const Mask& stored, int orientation) {
    const bool swapped = swapsSides(orientation);
    Mask upright(swapped ? stored.height() : stored.width(), swapped ? stored.width() : stored.height(), false);
    for (std::uint32_t y = 0; y < upright.height(); ++y) {
        for (std::uint32_t x = 0; x < upright.width(); ++x) {
            const Position from = storedAt(x, y, orientation, stored.width(), stored.height());
            upright.set(x, y, stored.test(from.x, from.y));
        }
    }
    return upright;
}

} // namespace pollard
