#pragma once

#include "base/compiler.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Memory operations for finding objects beyond kernels/kernel_threads.hpp, for the device and the emulator.

namespace pollard::cuda {

/// Mask of bits 0 .. @p bit.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t bitsUpTo(std::uint32_t bit) {
    return 0xffff'ffffU >> (31 - bit);
}

/// Moved in one access: compilers move the members of other structures one by one.
struct alignas(16) FourWords {
    std::uint32_t words[4];
};

/// Aligned to 8 bytes in memory.
struct FourNumbers {
    std::uint16_t numbers[4];
};

#ifdef __CUDACC__

/// Stores data that are not read soon, with the streaming cache hint.
__device__ inline void storePassing(FourWords* to, const FourWords& four) {
    __stcs(reinterpret_cast<uint4*>(to), make_uint4(four.words[0], four.words[1], four.words[2], four.words[3]));
}

/// Minimum of the lower halves, and of the upper halves.
[[nodiscard]] __device__ inline std::uint32_t leastOfHalves(std::uint32_t one, std::uint32_t other) {
    return __vminu2(one, other);
}

__device__ inline void storeFour(FourWords* to, const FourWords& four) {
    *reinterpret_cast<uint4*>(to) = make_uint4(four.words[0], four.words[1], four.words[2], four.words[3]);
}
[[nodiscard]] __device__ inline FourWords loadFour(const FourWords* from) {
    const uint4 four = *reinterpret_cast<const uint4*>(from);
    return {{four.x, four.y, four.z, four.w}};
}
[[nodiscard]] __device__ inline FourNumbers loadFour(const std::uint16_t* from) {
    const uint2 four = *reinterpret_cast<const uint2*>(from);
    return {{static_cast<std::uint16_t>(four.x), static_cast<std::uint16_t>(four.x >> 16U),
             static_cast<std::uint16_t>(four.y), static_cast<std::uint16_t>(four.y >> 16U)}};
}

/// Index of the highest set bit; @p word must not be 0.
[[nodiscard]] __device__ inline std::uint32_t highestBit(std::uint32_t word) {
    return 31 - static_cast<std::uint32_t>(__clz(static_cast<int>(word)));
}

#else

inline void storePassing(FourWords* to, const FourWords& four) { *to = four; }
[[nodiscard]] inline std::uint32_t leastOfHalves(std::uint32_t one, std::uint32_t other) {
    const std::uint32_t lower = (one & 0xffffU) < (other & 0xffffU) ? one & 0xffffU : other & 0xffffU;
    return (one >> 16U < other >> 16U ? one >> 16U : other >> 16U) << 16U | lower;
}
inline void storeFour(FourWords* to, const FourWords& four) { *to = four; }
[[nodiscard]] inline FourWords loadFour(const FourWords* from) { return *from; }
[[nodiscard]] inline FourNumbers loadFour(const std::uint16_t* from) { return {{from[0], from[1], from[2], from[3]}}; }

[[nodiscard]] inline std::uint32_t highestBit(std::uint32_t word) {
    return 31 - static_cast<std::uint32_t>(std::countl_zero(word));
}

#endif

/// Stores a structure, on the device four words at a time.
template <class T> POLLARD_DEVICE inline void storeByFour(T* to, const T& value) {
    static_assert(sizeof(T) % sizeof(FourWords) == 0 && alignof(T) % alignof(FourWords) == 0);
#ifdef __CUDACC__
    FourWords pieces[sizeof(T) / sizeof(FourWords)];
    std::memcpy(pieces, &value, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T) / sizeof(FourWords); ++i) {
        storeFour(reinterpret_cast<FourWords*>(to) + i, pieces[i]);
    }
#else
    std::memcpy(static_cast<void*>(to), &value, sizeof(T));
#endif
}
template <class T> [[nodiscard]] POLLARD_DEVICE inline T loadByFour(const T* from) {
    static_assert(sizeof(T) % sizeof(FourWords) == 0 && alignof(T) % alignof(FourWords) == 0);
    T value;
#ifdef __CUDACC__
    FourWords pieces[sizeof(T) / sizeof(FourWords)];
    for (std::size_t i = 0; i < sizeof(T) / sizeof(FourWords); ++i) {
        pieces[i] = loadFour(reinterpret_cast<const FourWords*>(from) + i);
    }
    std::memcpy(static_cast<void*>(&value), pieces, sizeof(T));
#else
    std::memcpy(static_cast<void*>(&value), from, sizeof(T));
#endif
    return value;
}

/// Adds to a 64-bit sum stored in two words.
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
