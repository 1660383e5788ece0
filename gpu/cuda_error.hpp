#pragma once

#include "base/error.hpp"

#include <cuda_runtime_api.h>

#include <string>

namespace pollard::cuda {

/// Turns a CUDA status into an exception; @p operation says what was tried, with sizes: "invert 512 x 512 pixels".
/// @throws Error(outOfMemory) for a failed device allocation, else Error(deviceFailed)
inline void check(cudaError_t status, const std::string& operation) {
    if (status == cudaSuccess) {
        return;
    }
    cudaGetLastError(); // reported here, so it must not be reported again by the next call
    throw Error(status == cudaErrorMemoryAllocation ? ErrorCode::outOfMemory : ErrorCode::deviceFailed,
                operation + ": GPU: " + cudaGetErrorString(status));
}

} // namespace pollard::cuda
