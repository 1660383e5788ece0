#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

// Launcher for the passes of the published labelling algorithms and the threshold. Allocates nothing and does not wait.

namespace pollard::cuda {

/// Runs a pass in @p count blocks of Pass::kThreads threads, with a Pass::Memory in shared memory.
template <class Pass> cudaError_t launchPass(const Pass& pass, std::uint32_t count, cudaStream_t stream);

} // namespace pollard::cuda

#ifdef __CUDACC__

namespace pollard::cuda {

namespace passes {

template <class Pass> __global__ void __launch_bounds__(Pass::kThreads) passKernel(Pass pass) {
    __shared__ typename Pass::Memory memory;
    pass(memory);
}

} // namespace passes

template <class Pass> cudaError_t launchPass(const Pass& pass, std::uint32_t count, cudaStream_t stream) {
    if (count == 0) {
        return cudaSuccess;
    }
    passes::passKernel<<<count, Pass::kThreads, 0, stream>>>(pass);
    return cudaGetLastError();
}

} // namespace pollard::cuda

#endif
