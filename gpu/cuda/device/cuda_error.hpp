#pragma once

#include "base/error.hpp"
#include "cuda/device/fault_plan.hpp"

#include <cuda_runtime_api.h>

#include <string>

namespace pollard::cuda {

/// Throws the exception for a failed status; see check().
[[noreturn]] void fail(cudaError_t status, const std::string& operation);

/// Turns a CUDA status into an exception. @p operation names the work and its sizes: "upload 512 x 512 pixels". Clears
/// CUDA's last error. An error that ends the context of the process is recorded, see lostContextReason().
/// @throws Error(outOfMemory) for a failed device allocation, else Error(deviceFailed)
inline void check(cudaError_t status, const std::string& operation) {
    if (status == cudaSuccess) {
        if (!faults::operationFails()) {
            return;
        }
        status = faults::killsContext ? cudaErrorIllegalAddress : cudaErrorUnknown;
    }
    fail(status, operation);
}

/// Overload that builds no string unless the operation failed.
inline void check(cudaError_t status, const char* operation) {
    if (status == cudaSuccess && faults::operationsLeft.load(std::memory_order_relaxed) <= 0) {
        return;
    }
    check(status, std::string(operation));
}

/// Why this process can no longer use the GPU, as text for users; empty if it can. An illegal address, a hardware fault
/// and similar errors end the CUDA context, and only a new process gets another.
[[nodiscard]] std::string lostContextReason();

/// Undoes a failure injected by a test.
void forgetLostContext() noexcept;

} // namespace pollard::cuda
