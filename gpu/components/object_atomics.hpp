#pragma once

#include "device/host_device.hpp"
#include "device/kernel_threads.hpp"

#include <bit>
#include <cstdint>

// What finding objects asks of memory beyond device/kernel_threads.hpp, for the device and the emulator.

namespace pollard::cuda {

/// Bits 0 .. @p bit.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t bitsUpTo(std::uint32_t bit) {
    return 0xffff'ffffU >> (31 - bit);
}

/// Moved at once.
struct alignas(16) FourWords {
    std::uint32_t words[4];
};

#ifdef __CUDACC__

/// Stores what nobody reads soon: it should not push other data out of the caches.
__device__ inline void storePassing(FourWords* to, const FourWords& four) {
    __stcs(reinterpret_cast<uint4*>(to), make_uint4(four.words[0], four.words[1], four.words[2], four.words[3]));
}

/// Number of the highest bit that is set; there is one.
[[nodiscard]] __device__ inline std::uint32_t highestBit(std::uint32_t word) {
    return 31 - static_cast<std::uint32_t>(__clz(static_cast<int>(word)));
}

#else

inline void storePassing(FourWords* to, const FourWords& four) { *to = four; }

[[nodiscard]] inline std::uint32_t highestBit(std::uint32_t word) {
    return 31 - static_cast<std::uint32_t>(std::countl_zero(word));
}

#endif

/// Adds to a sum of 64 bits in two words.
POLLARD_DEVICE inline void addToPair(std::uint32_t* low, std::uint32_t* high, std::uint64_t value) {
    const auto lower = static_cast<std::uint32_t>(value);
    const std::uint32_t before = addTo(low, lower);
    const std::uint32_t upper =
        static_cast<std::uint32_t>(value >> 32U) + (static_cast<std::uint32_t>(before + lower) < before ? 1 : 0);
    if (upper != 0) {
        static_cast<void>(addTo(high, upper));
    }
}

} // namespace pollard::cuda
