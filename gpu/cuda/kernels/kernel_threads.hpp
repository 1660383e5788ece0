#pragma once

#include <bit>
#include <cstdint>

#ifdef __CUDACC__
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_pipeline.h>
#define POLLARD_DEVICE __device__
#else
#include "cuda/emulation/emulator.hpp"
#include <cstring>
#define POLLARD_DEVICE
#endif

/// Before a loop with a constant number of turns.
#ifdef __CUDA_ARCH__
#define POLLARD_UNROLL _Pragma("unroll")
#else
#define POLLARD_UNROLL
#endif

// Operations of kernels on their threads and on memory that several threads use concurrently. nvcc compiles them as
// device functions; other compilers run them in the emulator, so that kernels are tested without a GPU. Only barriers
// and the ends of kernels order accesses to other memory.

namespace pollard::cuda {

/// Number of set bits.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t countBits(std::uint32_t bits) {
#ifdef __CUDACC__
    return static_cast<std::uint32_t>(__popc(static_cast<int>(bits)));
#else
    return static_cast<std::uint32_t>(std::popcount(bits));
#endif
}

#ifdef __CUDACC__

/// Number of the thread in its block, and of the block in the grid.
[[nodiscard]] __device__ inline std::uint32_t threadOfBlock() { return threadIdx.x; }
[[nodiscard]] __device__ inline std::uint32_t blockOfGrid() { return blockIdx.x; }

/// Waits for all threads of the block; their earlier writes are then visible to all.
__device__ inline void meetThreads() { __syncthreads(); }
/// A barrier like meetThreads(). @returns whether @p yes holds in any thread
[[nodiscard]] __device__ inline bool anyThread(bool yes) { return __syncthreads_or(yes ? 1 : 0) != 0; }

/// A bit for each thread of the warp in which @p yes holds. All 32 must call it together.
[[nodiscard]] __device__ inline std::uint32_t ballot(bool yes) { return __ballot_sync(0xffffffffU, yes); }
/// The value given by thread @p lane of the warp. All 32 must call it together.
[[nodiscard]] __device__ inline std::uint32_t fromLane(std::uint32_t given, std::uint32_t lane) {
    return __shfl_sync(0xffffffffU, given, static_cast<int>(lane));
}
[[nodiscard]] __device__ inline std::uint64_t fromLane(std::uint64_t given, std::uint32_t lane) {
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    return __shfl_sync(0xffffffffU, static_cast<unsigned long long>(given), static_cast<int>(lane));
}

/// A thread that sees a later write of this thread also sees its earlier writes.
__device__ inline void orderWrites() { __threadfence(); }

/// Reads and writes a variable that other threads write at the same time: the memory itself, not a cached copy.
template <class T> [[nodiscard]] __device__ inline T loadFresh(const T* variable) {
    return *static_cast<const volatile T*>(variable);
}
template <class T> __device__ inline void storeFresh(T* variable, T value) {
    *static_cast<volatile T*>(variable) = value;
}

/// Writes a value that other threads may write at the same time: a plain access that the emulator does not report as a
/// race.
template <class T> __device__ inline void storeSame(T* variable, T value) { *variable = value; }

/// Index of the lowest set bit of a word that is not 0.
[[nodiscard]] __device__ inline int lowestBit(std::uint32_t word) { return __ffs(static_cast<int>(word)) - 1; }
[[nodiscard]] __device__ inline int lowestBit(std::uint64_t word) { return __ffsll(static_cast<long long>(word)) - 1; }

/// Raises a variable to at least @p value.
__device__ inline void raiseTo(std::uint32_t* variable, std::uint32_t value) {
    if (loadFresh(variable) < value) {
        atomicMax(variable, value);
    }
}
__device__ inline void raiseTo(std::uint64_t* variable, std::uint64_t value) {
    if (loadFresh(variable) < value) {
        static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
        atomicMax(reinterpret_cast<unsigned long long*>(variable), static_cast<unsigned long long>(value));
    }
}

/// Raises a variable to at least @p value and returns its earlier value.
[[nodiscard]] __device__ inline std::uint32_t raised(std::uint32_t* variable, std::uint32_t value) {
    return atomicMax(variable, value);
}
[[nodiscard]] __device__ inline unsigned long long raised(unsigned long long* variable, unsigned long long value) {
    return atomicMax(variable, value);
}

/// Lowers a variable to at most @p value.
__device__ inline void lowerTo(std::uint32_t* variable, std::uint32_t value) { atomicMin(variable, value); }
__device__ inline void lowerTo(unsigned long long* variable, unsigned long long value) { atomicMin(variable, value); }

/// Lowers a variable to at most @p value and returns its earlier value.
[[nodiscard]] __device__ inline std::uint32_t lowered(std::uint32_t* variable, std::uint32_t value) {
    return atomicMin(variable, value);
}

/// Writes @p value if the variable is @p expected, and returns its earlier value.
[[nodiscard]] __device__ inline std::uint32_t replaced(std::uint32_t* variable, std::uint32_t expected,
                                                       std::uint32_t value) {
    return atomicCAS(variable, expected, value);
}

/// Sets bits of a variable and returns its earlier value.
[[nodiscard]] __device__ inline std::uint32_t withBitsSet(std::uint32_t* variable, std::uint32_t bits) {
    return atomicOr(variable, bits);
}

/// Reads a variable in global memory that other threads write at the same time, possibly an earlier value.
[[nodiscard]] __device__ inline unsigned long long loadCached(const unsigned long long* variable) {
    return __ldca(variable);
}
[[nodiscard]] __device__ inline std::uint32_t loadCached(const std::uint32_t* variable) { return __ldca(variable); }

/// Adds to a sum.
__device__ inline void addWide(std::uint64_t* sum, std::uint64_t value) {
    static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
    atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
}

/// Adds to a counter and returns its earlier value.
[[nodiscard]] __device__ inline std::uint32_t addTo(std::uint32_t* counter, std::uint32_t count) {
    return atomicAdd(counter, count);
}

/// Takes the next free place of a list: addTo(counter, 1), with one atomic for all threads that call it
/// together.
[[nodiscard]] __device__ inline std::uint32_t takePlace(std::uint32_t* counter) {
    const auto together = cooperative_groups::coalesced_threads();
    std::uint32_t first = 0;
    if (together.thread_rank() == 0) {
        first = atomicAdd(counter, static_cast<std::uint32_t>(together.size()));
    }
    return together.shfl(first, 0) + static_cast<std::uint32_t>(together.thread_rank());
}

/// Adds to a counter, with one atomic for all threads that call it together with the same counter.
__device__ inline void addTogether(std::uint32_t* counter, std::uint32_t value) {
    const auto together = cooperative_groups::labeled_partition(cooperative_groups::coalesced_threads(),
                                                                reinterpret_cast<unsigned long long>(counter));
    const std::uint32_t sum = cooperative_groups::reduce(together, value, cooperative_groups::plus<std::uint32_t>());
    if (together.thread_rank() == 0) {
        atomicAdd(counter, sum);
    }
}
/// As above for a sum. The values of a warp add up to less than 2^32.
__device__ inline void addTogether(std::uint64_t* sum, std::uint32_t value) {
    const auto together = cooperative_groups::labeled_partition(cooperative_groups::coalesced_threads(),
                                                                reinterpret_cast<unsigned long long>(sum));
    const std::uint32_t all = cooperative_groups::reduce(together, value, cooperative_groups::plus<std::uint32_t>());
    if (together.thread_rank() == 0) {
        addWide(sum, all);
    }
}

#else

[[nodiscard]] inline std::uint32_t threadOfBlock() { return emulation::Emulator::running()->thread(); }
[[nodiscard]] inline std::uint32_t blockOfGrid() { return emulation::Emulator::running()->block(); }

inline void meetThreads(int line = __builtin_LINE()) {
    static_cast<void>(emulation::Emulator::running()->meet(false, line));
}
[[nodiscard]] inline bool anyThread(bool yes, int line = __builtin_LINE()) {
    return emulation::Emulator::running()->meet(yes, line);
}

[[nodiscard]] inline std::uint32_t ballot(bool yes, int line = __builtin_LINE()) {
    const auto& given = emulation::Emulator::running()->meetWarp(yes ? 1 : 0, line);
    std::uint32_t bits = 0;
    for (std::uint32_t lane = 0; lane < emulation::Emulator::kWarp; ++lane) {
        bits |= static_cast<std::uint32_t>(given[lane]) << lane;
    }
    return bits;
}
[[nodiscard]] inline std::uint32_t fromLane(std::uint32_t given, std::uint32_t lane, int line = __builtin_LINE()) {
    return static_cast<std::uint32_t>(emulation::Emulator::running()->meetWarp(given, line)[lane]);
}
[[nodiscard]] inline std::uint64_t fromLane(std::uint64_t given, std::uint32_t lane, int line = __builtin_LINE()) {
    return emulation::Emulator::running()->meetWarp(given, line)[lane];
}

inline void orderWrites() {} // the emulator shows writes in their order

template <class T> [[nodiscard]] POLLARD_UNSEEN inline T loadFresh(const T* variable) {
    emulation::declare(variable, emulation::Emulator::Access::declaredRead);
    return *variable;
}
template <class T> POLLARD_UNSEEN inline void storeFresh(T* variable, T value) {
    emulation::declare(variable, emulation::Emulator::Access::declaredWrite);
    *variable = value;
}

template <class T> POLLARD_UNSEEN inline void storeSame(T* variable, T value) {
    emulation::Emulator::running()->note(variable, sizeof(T), emulation::Emulator::Access::declaredWrite);
    *variable = value;
}

template <class Word> [[nodiscard]] inline int lowestBit(Word word) { return std::countr_zero(word); }

template <class T> POLLARD_UNSEEN inline void raiseTo(T* variable, T value) {
    if (loadFresh(variable) < value) {
        emulation::declare(variable, emulation::Emulator::Access::declaredWrite);
        if (*variable < value) {
            *variable = value;
        }
    }
}

template <class T> [[nodiscard]] POLLARD_UNSEEN inline T raised(T* variable, T value) {
    emulation::declare(variable, emulation::Emulator::Access::declaredWrite);
    const T before = *variable;
    *variable = before < value ? value : before;
    return before;
}

template <class T> POLLARD_UNSEEN inline void lowerTo(T* variable, T value) {
    emulation::declare(variable, emulation::Emulator::Access::declaredWrite);
    *variable = value < *variable ? value : *variable;
}

[[nodiscard]] POLLARD_UNSEEN inline std::uint32_t lowered(std::uint32_t* variable, std::uint32_t value) {
    emulation::declare(variable, emulation::Emulator::Access::declaredWrite);
    const std::uint32_t before = *variable;
    *variable = value < before ? value : before;
    return before;
}

[[nodiscard]] POLLARD_UNSEEN inline std::uint32_t replaced(std::uint32_t* variable, std::uint32_t expected,
                                                           std::uint32_t value) {
    emulation::declare(variable, emulation::Emulator::Access::declaredWrite);
    const std::uint32_t before = *variable;
    *variable = before == expected ? value : before;
    return before;
}

[[nodiscard]] POLLARD_UNSEEN inline std::uint32_t withBitsSet(std::uint32_t* variable, std::uint32_t bits) {
    emulation::declare(variable, emulation::Emulator::Access::declaredWrite);
    const std::uint32_t before = *variable;
    *variable |= bits;
    return before;
}

[[nodiscard]] inline unsigned long long loadCached(const unsigned long long* variable) { return loadFresh(variable); }
[[nodiscard]] inline std::uint32_t loadCached(const std::uint32_t* variable) { return loadFresh(variable); }

POLLARD_UNSEEN inline void addWide(std::uint64_t* sum, std::uint64_t value) {
    emulation::declare(sum, emulation::Emulator::Access::declaredWrite);
    *sum += value;
}

[[nodiscard]] POLLARD_UNSEEN inline std::uint32_t addTo(std::uint32_t* counter, std::uint32_t count) {
    emulation::declare(counter, emulation::Emulator::Access::declaredWrite);
    const std::uint32_t before = *counter;
    *counter += count;
    return before;
}
[[nodiscard]] inline std::uint32_t takePlace(std::uint32_t* counter) { return addTo(counter, 1); }
inline void addTogether(std::uint32_t* counter, std::uint32_t value) { static_cast<void>(addTo(counter, value)); }
inline void addTogether(std::uint64_t* sum, std::uint32_t value) { addWide(sum, value); }

#endif

/// Waits for all threads of all blocks of a cooperative launch; their earlier writes are then visible to all.
#ifdef __CUDACC__
__device__ inline void meetGrid() { cooperative_groups::this_grid().sync(); }
#else
inline void meetGrid(int line = __builtin_LINE()) { emulation::Emulator::running()->meetGrid(line); }
#endif

/// Waits for all threads of all blocks of a launch that is one cluster; their earlier writes are then visible to all.
/// Faster than waiting for a cooperative grid.
#ifdef __CUDACC__
__device__ inline void meetCluster() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    cooperative_groups::this_cluster().sync();
#else
    __trap(); // there are no clusters
#endif
}
#else
inline void meetCluster(int line = __builtin_LINE()) { emulation::Emulator::running()->meetGrid(line); }
#endif

// Asynchronous copies from global to shared memory: a thread starts many and waits for them later, and the data need
// no registers.

/// Begins to copy. @tparam bytes 4 or 8, to which both are aligned
template <std::size_t bytes> POLLARD_DEVICE inline void copyAhead(void* shared, const void* global) {
    static_assert(bytes == 4 || bytes == 8);
#ifdef __CUDACC__
    __pipeline_memcpy_async(shared, global, bytes);
#else
    std::memcpy(shared, global, bytes);
#endif
}

/// Waits for the copies that this thread began; other threads see them after meetThreads().
POLLARD_DEVICE inline void awaitCopies() {
#ifdef __CUDACC__
    __pipeline_commit();
    __pipeline_wait_prior(0);
#endif
}

} // namespace pollard::cuda
