#pragma once

#include "base/error.hpp"
#include "cuda/device/fault_plan.hpp"

#include <cuda_runtime_api.h>

#include <string>

namespace pollard::cuda {

/// Throws what a failed status means; see check().
[[noreturn]] void fail(cudaError_t status, const std::string& operation);

/// Turns a CUDA status into an exception; @p operation says what was tried, with sizes: "upload 512 x 512 pixels".
/// CUDA's own record of the error is cleared. An error that ends the GPU context of the process is remembered, see
/// lostContextReason().
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

/// The same for a text that is not put together unless it is needed.
inline void check(cudaError_t status, const char* operation) {
    if (status == cudaSuccess && faults::operationsLeft.load(std::memory_order_relaxed) <= 0) {
        return;
    }
    check(status, std::string(operation));
}

/// Why no work of this process can run on the GPU any more, for a person; empty if nothing of the kind happened.
/// A kernel that reads where it must not, a hardware fault and their like end the context for good: only a new
/// process gets another.
[[nodiscard]] std::string lostContextReason();

/// Undoes what a test injected.
void forgetLostContext() noexcept;

} // namespace pollard::cuda
