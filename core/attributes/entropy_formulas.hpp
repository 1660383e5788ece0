#pragma once

// Entropy from counts, in integers, so that host and device agree for any order of summation.

#include "base/host_device.hpp"
#include "base/wide_integer.hpp"

#include <bit>
#include <cstdint>

namespace pollard {

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
