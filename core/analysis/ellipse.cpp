#include "analysis/ellipse.hpp"

#include "attributes/formulas.hpp"

#include <algorithm>

namespace pollard {

PixelSums& PixelSums::operator+=(const PixelSums& other) noexcept {
    area += other.area;
    x += other.x;
    y += other.y;
    xx += other.xx;
    xy += other.xy;
    yy += other.yy;
    return *this;
}

PixelSums sumsOfRun(std::uint32_t first, std::uint32_t last, std::uint32_t y) noexcept {
    const std::uint64_t n = last - first;
    const std::uint64_t a = first;
    const std::uint64_t between = n * (n - 1) / 2; // 0 + 1 + .. + n-1
    // n (n-1) (2n-1) / 6, divided before it could pass 64 bits.
    const std::uint64_t squares = between % 3 == 0 ? between / 3 * (2 * n - 1) : between * ((2 * n - 1) / 3);
    PixelSums sums;
    sums.area = n;
    sums.x = n * a + between;
    sums.y = n * y;
    sums.xx = n * a * a + 2 * a * between + squares;
    sums.xy = sums.x * y;
    sums.yy = n * y * y;
    return sums;
}

bool pixelSumsFit(std::uint32_t width, std::uint32_t height) noexcept {
    const std::uint64_t side = std::max(width, height);
    const Int128 bound = Int128{std::uint64_t{width} * height} * Int128{side * side};
    return bound <= Int128{1} << 64;
}

Ellipse ellipseOf(const PixelSums& sums) noexcept {
    const SecondMoments m = secondMomentsOf(sums.area, ShiftedSums{sums.x, sums.y, sums.xx, sums.xy, sums.yy});
    const auto area = static_cast<double>(sums.area);
    Ellipse ellipse;
    ellipse.x = static_cast<double>(sums.x) / area;
    ellipse.y = static_cast<double>(sums.y) / area;
    ellipse.major = majorAxisOf(sums.area, m);
    ellipse.minor = minorAxisOf(sums.area, m);
    ellipse.angle = orientationOf(m);
    return ellipse;
}

} // namespace pollard
