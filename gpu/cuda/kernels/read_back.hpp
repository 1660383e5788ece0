#pragma once

#include "base/job_control.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/wait.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace pollard::cuda {

/// Waits for the work queued on the memory's stream and copies some values to the host.
/// @throws Error(deviceFailed) naming @p operation, Cancelled
template <class T> void readBack(T* to, const T* from, std::size_t count, DeviceMemory& memory,
                                 const JobControl& control, const std::string& operation) {
    static_assert(std::is_trivially_copyable_v<T>);
    waitFor(memory, control, operation);
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, memory.stream()), operation);
    check(cudaStreamSynchronize(memory.stream()), operation);
}

} // namespace pollard::cuda
