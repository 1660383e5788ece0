#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

// Launcher for the passes of the published labelling algorithms. Nothing is allocated or waited for. Instantiated in
// ha4_kernels.cu and tmk_kernels.cu for the passes of those rooms.

namespace pollard::cuda {

/// Runs a pass in @p count blocks of Pass::kThreads, with a Pass::Memory of shared memory each.
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
