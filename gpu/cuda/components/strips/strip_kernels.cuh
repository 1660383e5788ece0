#pragma once

#include "cuda/components/strips/strip_layout.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Queues a pass of the algorithm "strips" in @p count blocks of pass.state.threads threads with dynamic shared memory.
/// Allocates nothing and does not wait. launchEach() of kernels/device_loop.cuh launches loops.
template <class Pass>
cudaError_t launchBlocks(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream);

/// Queues a pass in blocks that can wait for each other, as one cluster or one cooperative grid (Pass::kTogether). All
/// of its blocks must be resident at once.
template <class Pass>
cudaError_t launchTogether(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream);

/// Largest number of blocks of a cluster with @p threads threads and @p sharedBytes of shared memory each; 0 if the
/// device or the compiled code has no clusters.
[[nodiscard]] std::uint32_t mostInCluster(std::uint32_t threads, std::size_t sharedBytes);

} // namespace pollard::cuda

#ifdef __CUDACC__

namespace pollard::cuda {

namespace strip_launch {

#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
constexpr int kThreadsOfMultiprocessor = 2048;
#else
constexpr int kThreadsOfMultiprocessor = 1024; // or 1536
#endif

/// Most threads per block, and blocks to be resident at once: the compiler limits the registers accordingly.
template <class Pass> struct Threads {
    static constexpr int kMost = kMostStripThreads;
    static constexpr int kBlocks = 1;
};
template <class Pass> __global__ void __launch_bounds__(Threads<Pass>::kMost, Threads<Pass>::kBlocks)
    stripsKernel(Pass pass) {
    extern __shared__ __align__(16) std::uint32_t memory[];
    pass(memory);
}

/// Opts in to the device's largest shared memory per block. Done once per kernel, since it takes as long as labelling a
/// small image.
template <class Pass> cudaError_t allowMostSharedMemory() {
    int device = 0;
    int most = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess) {
        status = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    }
    return status != cudaSuccess
               ? status
               : cudaFuncSetAttribute(stripsKernel<Pass>, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
}

/// Opts in if a launch needs it.
template <class Pass> cudaError_t allow(std::size_t sharedBytes) {
    constexpr std::size_t kAlways = 48 * 1024; // available without an opt-in
    if (sharedBytes <= kAlways) {
        return cudaSuccess;
    }
    static const cudaError_t status = allowMostSharedMemory<Pass>();
    return status;
}

} // namespace strip_launch

template <class Pass>
cudaError_t launchBlocks(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream) {
    if (const cudaError_t status = strip_launch::allow<Pass>(sharedBytes); status != cudaSuccess) {
        return status;
    }
    strip_launch::stripsKernel<<<count, pass.state.threads, sharedBytes, stream>>>(pass);
    return cudaGetLastError();
}

} // namespace pollard::cuda

#endif
