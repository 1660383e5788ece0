#pragma once

#include <cstdint>

namespace pollard {

/// Sums over the pixels of a set, with integer coordinates of their centres.
struct PixelSums {
    std::uint64_t area = 0;
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    std::uint64_t xx = 0;
    std::uint64_t xy = 0;
    std::uint64_t yy = 0;

    PixelSums& operator+=(const PixelSums& other) noexcept;
    bool operator==(const PixelSums&) const = default;
};

/// Sums of the pixels [first, last) of row @p y; first < last.
[[nodiscard]] constexpr PixelSums sumsOfRun(std::uint32_t first, std::uint32_t last, std::uint32_t y) noexcept {
    const std::uint64_t n = last - first;
    const std::uint64_t a = first;
    const std::uint64_t between = n * (n - 1) / 2; // 0 + 1 + .. + n-1
    // n (n-1) (2n-1) / 6, divided first to stay within 64 bits.
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

/// Whether the sums of every set of pixels fit 64 bits: up to 65,536 x 65,536 px, and else if the number of pixels
/// times the square of the longer side is below 2^64.
[[nodiscard]] bool pixelSumsFit(std::uint32_t width, std::uint32_t height) noexcept;

/// Ellipse with the second moments of a set of pixels as unit squares (which adds 1/12 px^2).
struct Ellipse {
    double x = 0; ///< centre, px
    double y = 0;
    double major = 0; ///< full length of the major axis: 4 sqrt(largest eigenvalue of the covariance), px
    double minor = 0;
    double angle = 0; ///< atan2(2 mu11, mu20 - mu02) / 2 in (-pi/2, pi/2]: from the x axis to the major axis, positive
                      ///< towards y, which points down; 0 if both axes are equal
};

/// Uses the formulas of the attributes `major`, `minor` and `orientation`.
/// @param sums of at least one pixel
[[nodiscard]] Ellipse ellipseOf(const PixelSums& sums) noexcept;

} // namespace pollard
