#pragma once

#include "device/kernel_threads.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Words of shared memory that sumOfEarlierThreads() works in: blocks have at most 32 warps, emulated ones fewer
/// threads than this.
inline constexpr std::uint32_t kBlockSumWords = 64;

struct BlockSum {
    std::uint32_t before; ///< of the threads with lower numbers
    std::uint32_t all;
};

/// Sums of the values of all threads of a block, which all call this. The scratch may be used again at once.
/// @param threads of the block, a multiple of 32 on the device
[[nodiscard]] POLLARD_DEVICE inline BlockSum sumOfEarlierThreads(std::uint32_t value, std::uint32_t threads,
                                                                 std::uint32_t* scratch) {
#ifdef __CUDACC__
    constexpr std::uint32_t kAll = 0xffff'ffffU;
    const std::uint32_t lane = threadIdx.x % 32;
    const std::uint32_t warp = threadIdx.x / 32;
    std::uint32_t upTo = value;
    for (std::uint32_t distance = 1; distance < 32; distance *= 2) {
        const std::uint32_t lower = __shfl_up_sync(kAll, upTo, distance);
        upTo += lane >= distance ? lower : 0;
    }
    if (lane == 31) {
        scratch[warp] = upTo;
    }
    __syncthreads();
    if (warp == 0) {
        std::uint32_t ofWarps = lane < threads / 32 ? scratch[lane] : 0;
        for (std::uint32_t distance = 1; distance < 32; distance *= 2) {
            const std::uint32_t lower = __shfl_up_sync(kAll, ofWarps, distance);
            ofWarps += lane >= distance ? lower : 0;
        }
        scratch[lane] = ofWarps;
    }
    __syncthreads();
    const BlockSum sum{upTo - value + (warp == 0 ? 0 : scratch[warp - 1]), scratch[31]};
    __syncthreads();
    return sum;
#else
    scratch[threadOfBlock()] = value;
    meetThreads();
    BlockSum sum{0, 0};
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        sum.before += thread < threadOfBlock() ? scratch[thread] : 0;
        sum.all += scratch[thread];
    }
    meetThreads();
    return sum;
#endif
}

} // namespace pollard::cuda
