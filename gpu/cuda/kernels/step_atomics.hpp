#pragma once

#include "base/compiler.hpp"

#include <cstdint>

// Operations of steps (device_loop.cuh) on words that several indices of the same step change. On the device they are
// atomic; on the host steps run one index after another. (Kernels with blocks and barriers use kernel_threads.hpp.)

namespace pollard::cuda {

/// Adds modulo 2^64.
POLLARD_HOST_DEVICE inline void addInStep(std::uint64_t* sum, std::uint64_t value) noexcept {
#ifdef __CUDA_ARCH__
    atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
#else
    *sum += value;
#endif
}

/// Adds modulo 2^32.
POLLARD_HOST_DEVICE inline void addInStep(std::uint32_t* sum, std::uint32_t value) noexcept {
#ifdef __CUDA_ARCH__
    atomicAdd(sum, value);
#else
    *sum += value;
#endif
}

/// Raises a word to at least @p value. T: std::uint32_t or std::uint64_t.
template <class T> POLLARD_HOST_DEVICE inline void raiseInStep(T* word, T value) noexcept {
#ifdef __CUDA_ARCH__
    if (*static_cast<volatile T*>(word) >= value) { // it only rises
        return;
    }
    if constexpr (sizeof(T) == sizeof(unsigned long long)) {
        atomicMax(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(value));
    } else {
        atomicMax(word, value);
    }
#else
    *word = *word < value ? value : *word;
#endif
}

/// Lowers a word to at most @p value.
POLLARD_HOST_DEVICE inline void lowerInStep(std::uint32_t* word, std::uint32_t value) noexcept {
#ifdef __CUDA_ARCH__
    if (*static_cast<volatile std::uint32_t*>(word) > value) { // it only falls
        atomicMin(word, value);
    }
#else
    *word = value < *word ? value : *word;
#endif
}

} // namespace pollard::cuda
