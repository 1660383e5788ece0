#pragma once

#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>

// Reductions over the threads of a warp or a block. All threads call a function together, and each gets the result.

namespace pollard::cuda {

#ifdef __CUDACC__

namespace warp {

template <class Join> [[nodiscard]] __device__ inline std::uint32_t joined(std::uint32_t value, const Join& join) {
    namespace cg = cooperative_groups;
    return cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), value, join);
}

} // namespace warp

[[nodiscard]] __device__ inline std::uint32_t sumOfWarp(std::uint32_t value) {
    return warp::joined(value, cooperative_groups::plus<std::uint32_t>());
}
[[nodiscard]] __device__ inline std::uint32_t leastOfWarp(std::uint32_t value) {
    return warp::joined(value, cooperative_groups::less<std::uint32_t>());
}
[[nodiscard]] __device__ inline std::uint32_t mostOfWarp(std::uint32_t value) {
    return warp::joined(value, cooperative_groups::greater<std::uint32_t>());
}
[[nodiscard]] __device__ inline std::uint32_t bitsOfWarp(std::uint32_t value) {
    return warp::joined(value, cooperative_groups::bit_or<std::uint32_t>());
}

#else

namespace warp {

template <class Join>
[[nodiscard]] inline std::uint32_t joined(std::uint32_t value, std::uint32_t result, int line, const Join& join) {
    for (const std::uint64_t given : emulation::Emulator::running()->meetWarp(value, line)) {
        result = join(result, static_cast<std::uint32_t>(given));
    }
    return result;
}

} // namespace warp

[[nodiscard]] inline std::uint32_t sumOfWarp(std::uint32_t value, int line = __builtin_LINE()) {
    return warp::joined(value, 0, line, [](std::uint32_t a, std::uint32_t b) { return a + b; });
}
[[nodiscard]] inline std::uint32_t leastOfWarp(std::uint32_t value, int line = __builtin_LINE()) {
    return warp::joined(value, value, line, [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; });
}
[[nodiscard]] inline std::uint32_t mostOfWarp(std::uint32_t value, int line = __builtin_LINE()) {
    return warp::joined(value, value, line, [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; });
}
[[nodiscard]] inline std::uint32_t bitsOfWarp(std::uint32_t value, int line = __builtin_LINE()) {
    return warp::joined(value, 0, line, [](std::uint32_t a, std::uint32_t b) { return a | b; });
}

#endif

/// Words of shared memory for sumOfEarlierThreads(): blocks have at most 32 warps, and emulated ones fewer threads than
/// this.
inline constexpr std::uint32_t kBlockSumWords = 64;

struct BlockSum {
    std::uint32_t before; ///< over the threads with lower numbers
    std::uint32_t all;
};

/// Several block sums with one pair of barriers.
template <std::uint32_t kCount> struct BlockSums { BlockSum of[kCount]; };

/// Block-wide exclusive prefix sums and totals of kCount values per thread. Called by all threads of the block;
/// contains barriers, so the scratch may be reused at once.
/// @param threads of the block, a multiple of 32 on the device
/// @param scratch kCount * kBlockSumWords words
template <std::uint32_t kCount> [[nodiscard]] POLLARD_DEVICE inline BlockSums<kCount>
sumsOfEarlierThreads(const std::uint32_t (&values)[kCount], std::uint32_t threads, std::uint32_t* scratch) {
    BlockSums<kCount> sums;
#ifdef __CUDACC__
    constexpr std::uint32_t kAll = 0xffff'ffffU;
    const std::uint32_t lane = threadIdx.x % 32;
    const std::uint32_t warp = threadIdx.x / 32;
#pragma unroll
    for (std::uint32_t i = 0; i < kCount; ++i) {
        std::uint32_t upTo = values[i];
#pragma unroll
        for (std::uint32_t distance = 1; distance < 32; distance *= 2) {
            const std::uint32_t lower = __shfl_up_sync(kAll, upTo, distance);
            upTo += lane >= distance ? lower : 0;
        }
        if (lane == 31) {
            scratch[i * kBlockSumWords + warp] = upTo;
        }
        sums.of[i].before = upTo - values[i];
    }
    __syncthreads();
#pragma unroll
    for (std::uint32_t i = 0; i < kCount; ++i) { // computed by every warp, which saves a barrier
        const std::uint32_t ofWarp = lane < threads / 32 ? scratch[i * kBlockSumWords + lane] : 0;
        sums.of[i].all = sumOfWarp(ofWarp);
        sums.of[i].before += sumOfWarp(lane < warp ? ofWarp : 0);
    }
    __syncthreads();
#else
    for (std::uint32_t i = 0; i < kCount; ++i) {
        scratch[i * kBlockSumWords + threadOfBlock()] = values[i];
        sums.of[i] = {0, 0};
    }
    meetThreads();
    for (std::uint32_t i = 0; i < kCount; ++i) {
        for (std::uint32_t thread = 0; thread < threads; ++thread) {
            const std::uint32_t value = scratch[i * kBlockSumWords + thread];
            sums.of[i].before += thread < threadOfBlock() ? value : 0;
            sums.of[i].all += value;
        }
    }
    meetThreads();
#endif
    return sums;
}

/// Prefix sum and total of one value per thread. @param scratch kBlockSumWords words
[[nodiscard]] POLLARD_DEVICE inline BlockSum sumOfEarlierThreads(std::uint32_t value, std::uint32_t threads,
                                                                 std::uint32_t* scratch) {
    const std::uint32_t values[] = {value};
    return sumsOfEarlierThreads(values, threads, scratch).of[0];
}

} // namespace pollard::cuda
