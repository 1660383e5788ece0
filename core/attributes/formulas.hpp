#pragma once

#include "base/compiler.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>

// Formulas of the attributes from raw sums, as functions for host and device. Integers are exact; a double results from
// exact integers in a few operations, so that nothing cancels.

namespace pollard {

/// Bounding box in pixel coordinates, both ends included.
struct NodeBox {
    std::uint32_t left, top, right, bottom;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t width() const noexcept { return right - left + 1; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t height() const noexcept { return bottom - top + 1; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t area() const noexcept { return std::uint64_t{width()} * height(); }
    [[nodiscard]] POLLARD_HOST_DEVICE double diagonal() const noexcept {
        const double w = width();
        const double h = height();
        return std::sqrt(w * w + h * h);
    }
};

/// Smallest box that contains both.
[[nodiscard]] POLLARD_HOST_DEVICE inline NodeBox joined(const NodeBox& a, const NodeBox& b) noexcept {
    return {a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top, a.right > b.right ? a.right : b.right,
            a.bottom > b.bottom ? a.bottom : b.bottom};
}

/// Population variance of A numbers from their sum and sum of squares: (A S2 - S1^2) / A^2. For 2^32 pixels of 16 bits,
/// S1 < 2^48, S2 < 2^64 and both products < 2^96; for 2^40 pixels, S1 < 2^56, S2 < 2^72 and both products < 2^112.
/// @tparam Squares std::uint64_t, or UInt128 beyond 2^32 pixels
template <class Squares> [[nodiscard]] POLLARD_HOST_DEVICE inline double
varianceOf(std::uint64_t area, std::uint64_t sum, Squares sumOfSquares) noexcept {
    const UInt128 numerator = UInt128{area} * sumOfSquares - UInt128{sum} * sum;
    return toDouble(static_cast<Int128>(numerator)) / (static_cast<double>(area) * static_cast<double>(area));
}

/// 4 pi A / Pc^2 with Pc = P pi / 4.
[[nodiscard]] POLLARD_HOST_DEVICE inline double circularityOf(std::uint64_t area, std::uint64_t perimeter) noexcept {
    const auto p = static_cast<double>(perimeter);
    return 64.0 / std::numbers::pi * static_cast<double>(area) / (p * p);
}

/// (A(ancestor) - A) / A.
[[nodiscard]] POLLARD_HOST_DEVICE inline double stabilityOf(std::uint64_t area, std::uint64_t ancestorArea) noexcept {
    return static_cast<double>(ancestorArea - area) / static_cast<double>(area);
}

/// Sums over the pixel centres (x, y) of a component in image coordinates, as unsigned integers that wrap around. T =
/// std::uint64_t suffices for order p + q if n L^(p + q) < 2^63, with n pixels and the image's longer side L; otherwise
/// T is UInt128.
template <class T> struct MomentSums { T x, y, xx, xy, yy; };

/// Third-order sums, otherwise as MomentSums.
template <class T> struct ThirdMomentSums { T xxx, xxy, xyy, yyy; };

/// Signed value of a sum that wrapped around; the true value must fit.
[[nodiscard]] POLLARD_HOST_DEVICE inline Int128 signedOf(std::uint64_t sum) noexcept {
    return static_cast<std::int64_t>(sum);
}
[[nodiscard]] POLLARD_HOST_DEVICE inline Int128 signedOf(UInt128 sum) noexcept { return static_cast<Int128>(sum); }

/// Integer point nearest to the centroid, around which shifted sums are smallest.
template <class T> struct Origin { T x, y; };

template <class T> [[nodiscard]] POLLARD_HOST_DEVICE inline Origin<T>
nearestOrigin(std::uint64_t area, const MomentSums<T>& sums) noexcept {
    return {static_cast<T>((sums.x + area / 2) / area), static_cast<T>((sums.y + area / 2) / area)};
}

/// Sums around an Origin, exact.
struct ShiftedSums {
    Int128 x, y, xx, xy, yy;
};

template <class T> [[nodiscard]] POLLARD_HOST_DEVICE inline ShiftedSums
shifted(std::uint64_t area, const MomentSums<T>& s, Origin<T> o) noexcept {
    const T a = area;
    return {signedOf(static_cast<T>(s.x - o.x * a)), signedOf(static_cast<T>(s.y - o.y * a)),
            signedOf(static_cast<T>(s.xx - 2 * o.x * s.x + o.x * o.x * a)),
            signedOf(static_cast<T>(s.xy - o.x * s.y - o.y * s.x + o.x * o.y * a)),
            signedOf(static_cast<T>(s.yy - 2 * o.y * s.y + o.y * o.y * a))};
}

/// Normalised central moments n_pq = mu_pq / A^(1 + (p + q) / 2) of order 2 of the pixels as unit squares (which adds
/// A/12 to mu20 and mu02), combined as the formulas need them.
struct SecondMoments {
    double sum;        ///< n20 + n02 = (l1 + l2) / A, where l1 >= l2 are the eigenvalues of the covariance
    double difference; ///< n20 - n02
    double mixed;      ///< n11
    double smaller;    ///< l2 / A
};

/// An integer as the sum of two doubles, exact up to 96 bits.
struct TwoDoubles {
    double high, low;

    [[nodiscard]] POLLARD_HOST_DEVICE static TwoDoubles of(Int128 value) noexcept {
        constexpr int kLow = 43;
        const Int128 low = value & ((Int128{1} << kLow) - 1);
        return {toDouble(value - low), toDouble(low)};
    }
};

/// u w - v^2 divided by A^4, where (u, v; v, w) is A^2 times a covariance of points. Exact if the entries fit 64 bits;
/// beyond, products keep twice the bits of a double, since in long thin components the terms nearly cancel.
[[nodiscard]] POLLARD_HOST_DEVICE inline double determinantOf(Int128 u, Int128 v, Int128 w, double area) noexcept {
    constexpr int kHalf = 63;
    if (u >> kHalf == 0 && w >> kHalf == 0) { // |v| <= sqrt(u w) then fits, too
        return toDouble(u * w - v * v) / (area * area) / (area * area);
    }
    const TwoDoubles du = TwoDoubles::of(u);
    const TwoDoubles dv = TwoDoubles::of(v);
    const TwoDoubles dw = TwoDoubles::of(w);
    const double product = du.high * dw.high;
    const double square = dv.high * dv.high;
    const double rest = std::fma(du.high, dw.high, -product) - std::fma(dv.high, dv.high, -square) +
                        (du.high * dw.low + du.low * dw.high - 2 * dv.high * dv.low) +
                        (du.low * dw.low - dv.low * dv.low);
    const double difference = product - square + rest;
    return difference > 0 ? difference / (area * area) / (area * area) : 0;
}

[[nodiscard]] POLLARD_HOST_DEVICE inline SecondMoments secondMomentsOf(std::uint64_t area,
                                                                       const ShiftedSums& s) noexcept {
    const Int128 a = area;
    // A^2 times the covariance of the pixel centres.
    const Int128 u = a * s.xx - s.x * s.x;
    const Int128 v = a * s.xy - s.x * s.y;
    const Int128 w = a * s.yy - s.y * s.y;
    const auto d = static_cast<double>(area);
    const double a2 = d * d;
    SecondMoments m{};
    const double trace = toDouble(u + w) / a2; // of the covariance of the pixel centres
    m.sum = (trace + 1.0 / 6) / d;
    m.difference = toDouble(u - w) / a2 / d;
    m.mixed = toDouble(v) / a2 / d;
    const double spread = std::sqrt(m.difference * m.difference + 4 * m.mixed * m.mixed); // (l1 - l2) / A
    const double larger = (m.sum + spread) / 2;
    // From the product of the eigenvalues: a difference would cancel for thin components.
    const double determinant = determinantOf(u, v, w, d) + trace / 12 + 1.0 / 144;
    m.smaller = determinant / a2 / larger;
    return m;
}

/// (l1 - l2) / A.
[[nodiscard]] POLLARD_HOST_DEVICE inline double spreadOf(const SecondMoments& m) noexcept {
    return std::sqrt(m.difference * m.difference + 4 * m.mixed * m.mixed);
}
/// l1 / A.
[[nodiscard]] POLLARD_HOST_DEVICE inline double largerOf(const SecondMoments& m) noexcept {
    return (m.sum + spreadOf(m)) / 2;
}
[[nodiscard]] POLLARD_HOST_DEVICE inline double inertiaOf(const SecondMoments& m) noexcept { return m.sum; }
[[nodiscard]] POLLARD_HOST_DEVICE inline double majorAxisOf(std::uint64_t area, const SecondMoments& m) noexcept {
    return 4 * std::sqrt(largerOf(m) * static_cast<double>(area));
}
[[nodiscard]] POLLARD_HOST_DEVICE inline double minorAxisOf(std::uint64_t area, const SecondMoments& m) noexcept {
    return 4 * std::sqrt(m.smaller * static_cast<double>(area));
}
[[nodiscard]] POLLARD_HOST_DEVICE inline double elongationOf(const SecondMoments& m) noexcept {
    const double ratio = largerOf(m) / m.smaller;
    return ratio > 1 ? std::sqrt(ratio) : 1; // rounding can give slightly less than 1 for a disc
}
/// In (-pi/2, pi/2].
[[nodiscard]] POLLARD_HOST_DEVICE inline double orientationOf(const SecondMoments& m) noexcept {
    return std::atan2(2 * m.mixed, m.difference) / 2;
}
[[nodiscard]] POLLARD_HOST_DEVICE inline double eccentricityOf(const SecondMoments& m) noexcept {
    return std::sqrt(spreadOf(m) / largerOf(m));
}
[[nodiscard]] POLLARD_HOST_DEVICE inline double hu2Of(const SecondMoments& m) noexcept {
    return m.difference * m.difference + 4 * m.mixed * m.mixed;
}

/// Normalised central moments of order 3, combined for Hu's invariants. Unit squares and points have the same moments
/// of order 3.
struct ThirdMoments {
    double a; ///< n30 - 3 n12
    double b; ///< 3 n21 - n03
    double c; ///< n30 + n12
    double d; ///< n21 + n03
};

/// Third-order sums around an Origin, exact.
struct ShiftedThirdSums {
    Int128 xxx, xxy, xyy, yyy;
};

template <class T> [[nodiscard]] POLLARD_HOST_DEVICE inline ShiftedThirdSums
shifted(std::uint64_t area, const MomentSums<T>& s, const ThirdMomentSums<T>& t, Origin<T> o) noexcept {
    const T a = area;
    const T x = o.x;
    const T y = o.y;
    return {signedOf(static_cast<T>(t.xxx - 3 * x * s.xx + 3 * x * x * s.x - x * x * x * a)),
            signedOf(static_cast<T>(t.xxy - y * s.xx - 2 * x * s.xy + 2 * x * y * s.x + x * x * s.y - x * x * y * a)),
            signedOf(static_cast<T>(t.xyy - x * s.yy - 2 * y * s.xy + 2 * x * y * s.y + y * y * s.x - y * y * x * a)),
            signedOf(static_cast<T>(t.yyy - 3 * y * s.yy + 3 * y * y * s.y - y * y * y * a))};
}

/// From A^2 mu30 = A^2 Sxxx - 3 A Sx Sxx + 2 Sx^3 and so on, in Number = std::int64_t or Int128 (exact) or double.
template <class Number>
[[nodiscard]] POLLARD_HOST_DEVICE inline ThirdMoments combine(Number area, Number x, Number y, Number xx, Number xy,
                                                              Number yy, Number xxx, Number xxy, Number xyy, Number yyy,
                                                              double scale) noexcept {
    const Number m30 = area * (area * xxx - 3 * x * xx) + 2 * x * x * x;
    const Number m21 = area * (area * xxy - 2 * x * xy - y * xx) + 2 * x * x * y;
    const Number m12 = area * (area * xyy - 2 * y * xy - x * yy) + 2 * y * y * x;
    const Number m03 = area * (area * yyy - 3 * y * yy) + 2 * y * y * y;
    const auto scaled = [scale](Number value) {
        if constexpr (sizeof(Number) == sizeof(double)) {
            return static_cast<double>(value) / scale;
        } else {
            return toDouble(value) / scale;
        }
    };
    return {scaled(m30 - 3 * m12), scaled(3 * m21 - m03), scaled(m30 + m12), scaled(m21 + m03)};
}

[[nodiscard]] POLLARD_HOST_DEVICE inline ThirdMoments thirdMomentsOf(std::uint64_t area, const ShiftedSums& s,
                                                                     const ShiftedThirdSums& t) noexcept {
    const auto d = static_cast<double>(area);
    const double scale = d * d * std::sqrt(d) * (d * d); // A^(5/2) of mu_pq, times the A^2 of the combinations
    const Int128 all = (s.xx | s.yy) | (t.xxx < 0 ? ~t.xxx : t.xxx) | (t.xxy < 0 ? ~t.xxy : t.xxy) |
                       (t.xyy < 0 ? ~t.xyy : t.xyy) | (t.yyy < 0 ? ~t.yyy : t.yyy) | static_cast<Int128>(area);
    // Every product is at most A^2 times the largest sum, at most 12 are added, and |Sx|, |Sy| <= A / 2.
    if (area >> 14 == 0 && all >> 30 == 0) { // the common case: 2^28 * 2^30 * 2^4
        const auto small = [](Int128 sum) { return static_cast<std::int64_t>(sum); };
        return combine<std::int64_t>(small(static_cast<Int128>(area)), small(s.x), small(s.y), small(s.xx), small(s.xy),
                                     small(s.yy), small(t.xxx), small(t.xxy), small(t.xyy), small(t.yyy), scale);
    }
    if (2 * bitsOfMagnitude(area) + bitsOfMagnitude(all) + 4 < 127) {
        return combine<Int128>(area, s.x, s.y, s.xx, s.xy, s.yy, t.xxx, t.xxy, t.xyy, t.yyy, scale);
    }
    return combine<double>(d, toDouble(s.x), toDouble(s.y), toDouble(s.xx), toDouble(s.xy), toDouble(s.yy),
                           toDouble(t.xxx), toDouble(t.xxy), toDouble(t.xyy), toDouble(t.yyy), scale);
}

[[nodiscard]] POLLARD_HOST_DEVICE inline double hu3Of(const ThirdMoments& t) noexcept { return t.a * t.a + t.b * t.b; }
[[nodiscard]] POLLARD_HOST_DEVICE inline double hu4Of(const ThirdMoments& t) noexcept { return t.c * t.c + t.d * t.d; }
[[nodiscard]] POLLARD_HOST_DEVICE inline double hu5Of(const ThirdMoments& t) noexcept {
    const double c2 = t.c * t.c;
    const double d2 = t.d * t.d;
    return t.a * t.c * (c2 - 3 * d2) + t.b * t.d * (3 * c2 - d2);
}
[[nodiscard]] POLLARD_HOST_DEVICE inline double hu6Of(const SecondMoments& m, const ThirdMoments& t) noexcept {
    return m.difference * (t.c * t.c - t.d * t.d) + 4 * m.mixed * t.c * t.d;
}
[[nodiscard]] POLLARD_HOST_DEVICE inline double hu7Of(const ThirdMoments& t) noexcept {
    const double c2 = t.c * t.c;
    const double d2 = t.d * t.d;
    return t.b * t.c * (c2 - 3 * d2) - t.a * t.d * (3 * c2 - d2);
}

/// Number of bits set among bits 0, 2, 4 and 6.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr int cornerCount(unsigned bits) noexcept {
    const unsigned halves = (bits & 0x11U) + (bits >> 2 & 0x11U);
    return static_cast<int>((halves + (halves >> 4)) & 7U);
}

/// Change of the Euler number when a pixel joins the present ones. Bits of @p neighbours tell which are present: 0
/// east, 1 south-east, 2 south, clockwise to 7 north-east. Sum over the pixel's four bit quads (Gray 1971).
[[nodiscard]] POLLARD_HOST_DEVICE constexpr int eulerChange(unsigned neighbours, bool eight) noexcept {
    // Every other bit is a corner; the three words tell whether its first side, its diagonal and its second side are
    // present.
    const unsigned side = neighbours & 0x55U;
    const unsigned diagonal = neighbours >> 1 & 0x55U;
    const unsigned next = (neighbours >> 2 | neighbours << 6) & 0x55U;
    const int likewise =
        cornerCount(~(side | diagonal | next)) + cornerCount(side & diagonal & next);               // quads of 1 or 3
    const int pairs = cornerCount(diagonal & ~side & ~next) - cornerCount(side & next & ~diagonal); // diagonal pairs
                                                                                                    // closed, opened
    return (2 * likewise - 4 + (eight ? -2 : 2) * pairs) / 4;
}

/// Change of the number of exposed pixel sides when a pixel joins; @p neighbours as in eulerChange().
[[nodiscard]] POLLARD_HOST_DEVICE constexpr int perimeterChange(unsigned neighbours) noexcept {
    const unsigned sides = (neighbours & 1U) + (neighbours >> 2 & 1U) + (neighbours >> 4 & 1U) + (neighbours >> 6 & 1U);
    return 4 - 2 * static_cast<int>(sides);
}

/// Sums over the faces between the pixels p of a component and the pixels q outside it; a face of an image is a side of
/// a pixel. Each is times the weight of its face, see faceWeights(); the pixels beyond the border of the image are not
/// counted. Modulo 2^64; for 2^32 voxels the sums are below 2^60.
struct BorderSums {
    std::uint64_t faces; ///< weights alone
    std::uint64_t steps; ///< |f(p) - f(q)|
    std::uint64_t outer; ///< f(q)

    POLLARD_HOST_DEVICE BorderSums& operator+=(const BorderSums& other) noexcept {
        faces += other.faces;
        steps += other.steps;
        outer += other.outer;
        return *this;
    }
};

/// Value of an attribute where it is undefined.
inline constexpr double kUndefinedAttribute = std::numeric_limits<double>::quiet_NaN();

/// Without faces, as the root, undefined.
[[nodiscard]] POLLARD_HOST_DEVICE inline double meanOverFaces(std::uint64_t sum, std::uint64_t faces) noexcept {
    return faces == 0 ? kUndefinedAttribute : static_cast<double>(sum) / static_cast<double>(faces);
}

/// Change of BorderSums when a pixel joins, by one of its faces of weight 1. A neighbour of a lower level (in a
/// min-tree: of a higher one) is outside; one of the other levels is in the component already, and was outside before.
struct FaceChange {
    std::int32_t faces, steps, outer;
};
/// @param sign 1 in a max-tree, -1 in a min-tree
/// @return 1 if the neighbour is outside, -1 if its smallest component is smaller, else 0
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::int32_t sideOf(std::int32_t level, std::int32_t neighbour,
                                                                std::int32_t sign) noexcept {
    const std::int32_t step = sign < 0 ? neighbour - level : level - neighbour;
    return static_cast<std::int32_t>(step > 0) - static_cast<std::int32_t>(step < 0);
}
/// @param side result of sideOf() for the levels
/// @param value,neighbour the numbers to sum: the levels, or numbers of the levels
[[nodiscard]] POLLARD_HOST_DEVICE constexpr FaceChange faceChange(std::int32_t side, std::int32_t value,
                                                                  std::int32_t neighbour, std::int32_t sign) noexcept {
    // No products: SSE2 has none of signed 32-bit numbers.
    const std::int32_t step = sign < 0 ? neighbour - value : value - neighbour;
    return {side, step, side > 0 ? neighbour : side < 0 ? -value : 0};
}

/// Perimeter and Euler number packed into one integer, so that one addition updates both. A component of A < 2^32
/// pixels has at most 2 A + 2 < 2^33 sides and fewer than A / 2 holes. Terms of single pixels may be negative, the
/// total perimeter is not.
inline constexpr int kOutlineSideBits = 33;
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint64_t packOutline(std::int64_t perimeter,
                                                                      std::int64_t euler) noexcept {
    return (static_cast<std::uint64_t>(euler) << kOutlineSideBits) + static_cast<std::uint64_t>(perimeter);
}
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint64_t perimeterOf(std::uint64_t outline) noexcept {
    return outline & ((std::uint64_t{1} << kOutlineSideBits) - 1);
}
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::int32_t eulerOf(std::uint64_t outline) noexcept {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(outline) >> kOutlineSideBits);
}

/// Neighbours of pixel (x, y), bits as in eulerChange(), that come before it in the order of decreasing node index, and
/// in raster order within a node.
/// @param nodes (height, width) node indices
[[nodiscard]] POLLARD_HOST_DEVICE inline unsigned neighboursBefore(const std::uint32_t* nodes, std::size_t width,
                                                                   std::size_t height, std::size_t x,
                                                                   std::size_t y) noexcept {
    const std::uint32_t* at = nodes + y * width + x;
    const std::uint32_t node = *at;
    const bool left = x > 0;
    const bool right = x + 1 < width;
    const bool up = y > 0;
    const bool down = y + 1 < height;
    const std::uint32_t* above = up ? at - width : at;
    const std::uint32_t* below = down ? at + width : at;
    unsigned bits = right && at[1] > node ? 1U : 0U;
    bits |= right && down && below[1] > node ? 1U << 1U : 0U;
    bits |= down && below[0] > node ? 1U << 2U : 0U;
    bits |= left && down && below[-1] > node ? 1U << 3U : 0U;
    bits |= left && at[-1] >= node ? 1U << 4U : 0U;
    bits |= left && up && above[-1] >= node ? 1U << 5U : 0U;
    bits |= up && above[0] >= node ? 1U << 6U : 0U;
    bits |= right && up && above[1] >= node ? 1U << 7U : 0U;
    return bits;
}

// Entropy from counts, in integers, so that host and device agree for any order of summation.

inline constexpr std::uint32_t kEntropyBins = 256;

/// Bins of equal width from the level of the root to the farthest level; one level each if there are at most
/// kEntropyBins.
struct EntropyBins {
    std::uint32_t levels; ///< distance of the farthest level + 1

    /// @param distance from the root's level
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t of(std::uint32_t distance) const noexcept {
        return levels <= kEntropyBins ? distance : distance * kEntropyBins / levels;
    }
};

/// c log2 c in multiples of 2^-62, for c > 0; error within c 2^-52, 0 for powers of two. With c = m 2^e and m in
/// [1/sqrt(2), sqrt(2)], the series of log((1 + z) / (1 - z)) gives log m, in operations with results fixed by IEEE
/// 754.
[[nodiscard]] POLLARD_HOST_DEVICE inline Int128 informationOf(std::uint32_t count) noexcept {
#ifdef __CUDA_ARCH__
    const int shift = __clz(static_cast<int>(count));
#else
    const int shift = std::countl_zero(count);
#endif
    int exponent = 31 - shift;
    double mantissa = static_cast<double>(count << shift) * 0x1p-31; // in [1, 2)
    constexpr double kSqrt2 = 1.41421356237309505;
    if (mantissa > kSqrt2) {
        mantissa /= 2;
        ++exponent;
    }
    const double z = (mantissa - 1) / (mantissa + 1); // |z| < 0.172
    const double square = z * z;
    // 1 + s / 3 + ... + s^10 / 21, in pairs: shorter dependency chains than Horner's rule. The remainder is below
    // 2^-60.
    const double two = square * square;
    const double four = two * two;
    const double low = (1 + square * (1.0 / 3)) + two * (1.0 / 5 + square * (1.0 / 7));
    const double middle = (1.0 / 9 + square * (1.0 / 11)) + two * (1.0 / 13 + square * (1.0 / 15));
    const double high = (1.0 / 17 + square * (1.0 / 19)) + two * (1.0 / 21);
    const double sum = low + four * (middle + four * high);
    constexpr double kTwoOverLog2 = 2.88539008177792681;
    const auto fraction = static_cast<std::int64_t>(kTwoOverLog2 * z * sum * 0x1p62);
    return (static_cast<Int128>(exponent) * (std::int64_t{1} << 62) + fraction) * count;
}

/// Shannon entropy of a component, in bits.
/// @param missing informationOf() of the area minus the sum of informationOf() over the bins
[[nodiscard]] POLLARD_HOST_DEVICE inline double entropyOf(Int128 missing, std::uint32_t area) noexcept {
    return toDouble(missing) * 0x1p-62 / area;
}

} // namespace pollard
