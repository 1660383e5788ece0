#include "analysis/ellipse.hpp"

#include <algorithm>
#include <cmath>

namespace pollard {

namespace {

__extension__ using Wide = __int128;

/// area^2 * covariance, as an exact integer: area * sum(ab) - sum(a) * sum(b).
double scaledCovariance(std::uint64_t area, std::uint64_t sumAB, std::uint64_t sumA, std::uint64_t sumB) {
    const Wide difference =
        static_cast<Wide>(area) * static_cast<Wide>(sumAB) - static_cast<Wide>(sumA) * static_cast<Wide>(sumB);
    return static_cast<double>(difference);
}

} // namespace

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
    const Wide bound = static_cast<Wide>(std::uint64_t{width} * height) * static_cast<Wide>(side * side);
    return bound <= (static_cast<Wide>(1) << 64);
}

Ellipse ellipseOf(const PixelSums& sums) noexcept {
    const auto area = static_cast<double>(sums.area);
    const double xx = scaledCovariance(sums.area, sums.xx, sums.x, sums.x) / (area * area) + 1.0 / 12;
    const double yy = scaledCovariance(sums.area, sums.yy, sums.y, sums.y) / (area * area) + 1.0 / 12;
    const double xy = scaledCovariance(sums.area, sums.xy, sums.x, sums.y) / (area * area);
    const double middle = (xx + yy) / 2;
    const double spread = std::hypot((xx - yy) / 2, xy);
    const double large = middle + spread;
    // The product of both eigenvalues is the determinant: no cancellation for thin shapes.
    const double small = (xx * yy - xy * xy) / large;
    Ellipse ellipse;
    ellipse.x = static_cast<double>(sums.x) / area;
    ellipse.y = static_cast<double>(sums.y) / area;
    ellipse.major = 4 * std::sqrt(large);
    ellipse.minor = 4 * std::sqrt(std::max(small, 0.0));
    ellipse.angle = xy == 0 && xx == yy ? 0 : std::atan2(2 * xy, xx - yy) / 2;
    return ellipse;
}

} // namespace pollard
