#pragma once

#include <cstdint>

// POLLARD_ASAN: set when compiled with AddressSanitizer. g++ defines a macro, clang has a feature.

#if defined(__SANITIZE_ADDRESS__)
#define POLLARD_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POLLARD_ASAN
#endif
#endif

// Marks functions for host and device, so that g++ and its sanitizers compile the same formulas.
#ifdef __CUDACC__
#define POLLARD_HOST_DEVICE __host__ __device__
#else
#define POLLARD_HOST_DEVICE
#endif

namespace pollard {

// 128-bit integers of g++, clang and nvcc, for exact sums and products beyond 64 bits.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// Nearest double; fast for values that fit 64 bits.
[[nodiscard]] POLLARD_HOST_DEVICE inline double toDouble(Int128 value) noexcept {
    const auto low = static_cast<std::int64_t>(value);
    return low == value ? static_cast<double>(low) : static_cast<double>(value);
}

/// Bit length of the magnitude: 0 for 0, 1 for 1 and -1, 2 for 2 and 3 ...
[[nodiscard]] POLLARD_HOST_DEVICE inline int bitsOfMagnitude(Int128 value) noexcept {
    UInt128 magnitude = value < 0 ? ~static_cast<UInt128>(value) + 1 : static_cast<UInt128>(value);
    int bits = 0;
    for (int step = 64; step > 0; step /= 2) {
        if (magnitude >> step != 0) {
            magnitude >>= step;
            bits += step;
        }
    }
    return bits + static_cast<int>(magnitude);
}

} // namespace pollard
