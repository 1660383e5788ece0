#pragma once

#include "cuda/components/warp_sum.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>

namespace pollard::cuda {

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

/// The same for one value. @param scratch kBlockSumWords words
[[nodiscard]] POLLARD_DEVICE inline BlockSum sumOfEarlierThreads(std::uint32_t value, std::uint32_t threads,
                                                                 std::uint32_t* scratch) {
    const std::uint32_t values[] = {value};
    return sumsOfEarlierThreads(values, threads, scratch).of[0];
}

} // namespace pollard::cuda
