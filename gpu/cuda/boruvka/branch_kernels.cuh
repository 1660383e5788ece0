#pragma once

#include "cuda/boruvka/sorted_pixels.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// Launchers of `boruvka`. They allocate nothing and do not wait. launchEach() and launchEachOf() of
// kernels/device_loop.cuh launch its loops.

namespace pollard::cuda {

/// Runs a pass with blocks of Pass::Shape::kThreads threads.
template <class Pass> cudaError_t launchTiles(const Pass& pass, std::uint32_t count, cudaStream_t stream);

/// Sort keys, an optional number for each, and second buffers of equal size.
struct SortedKeys {
    std::uint64_t* keys;
    std::uint64_t* otherKeys;
    std::uint32_t* pixels;
    std::uint32_t* otherPixels;
    bool isInOther; ///< output: the result is in the other buffers
};

// With temp == nullptr the following functions only set @p tempBytes; otherwise they queue their work.

/// Stable sort by the given bits.
cudaError_t runKeySort(void* temp, std::size_t& tempBytes, SortedKeys& sorted, std::uint32_t count, SortedBits bits,
                       cudaStream_t stream);

/// sums[k] = starts(0) + ... + starts(k)
cudaError_t runRunsUpTo(void* temp, std::size_t& tempBytes, const StartsRun& starts, std::uint32_t* sums,
                        std::uint32_t count, cudaStream_t stream);

} // namespace pollard::cuda

#ifdef __CUDACC__

namespace pollard::cuda {

// Resident threads and blocks per multiprocessor; the compiler limits the registers accordingly.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
constexpr int kThreadsOfMultiprocessor = 1024;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
constexpr int kThreadsOfMultiprocessor = 2048;
#else
constexpr int kThreadsOfMultiprocessor = 1536;
#endif

template <class Pass> constexpr int residentBlocks() {
    constexpr int kBlocks = kThreadsOfMultiprocessor / static_cast<int>(Pass::Shape::kThreads);
    if constexpr (requires { Pass::kMostBlocks; }) {
        return kBlocks < Pass::kMostBlocks ? kBlocks : Pass::kMostBlocks;
    } else {
        return kBlocks;
    }
}

template <class Pass> __global__ void __launch_bounds__(Pass::Shape::kThreads, residentBlocks<Pass>())
    tilesKernel(Pass pass) {
    extern __shared__ __align__(16) unsigned char memory[];
    pass(*reinterpret_cast<typename Pass::Memory*>(memory));
}

template <class Pass> cudaError_t launchTiles(const Pass& pass, std::uint32_t count, cudaStream_t stream) {
    constexpr std::size_t kBytes = sizeof(typename Pass::Memory);
    static_assert(kBytes <= 64 * 1024, "the limit of a block on every GPU");
    const cudaError_t status =
        cudaFuncSetAttribute(tilesKernel<Pass>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(kBytes));
    if (status != cudaSuccess) {
        return status;
    }
    tilesKernel<<<count, Pass::Shape::kThreads, kBytes, stream>>>(pass);
    return cudaGetLastError();
}

} // namespace pollard::cuda

#endif
