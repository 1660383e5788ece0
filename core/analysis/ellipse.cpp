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
