#include "cuda/device/pinned_buffer.hpp"

#include "cuda/device/cuda_error.hpp"
#include "cuda/device/mebibytes.hpp"

#include <string>

namespace pollard::cuda {

void* allocatePinned(std::size_t bytes, const char* what) {
    if (bytes == 0) {
        return nullptr;
    }
    void* memory = nullptr;
    const cudaError_t status =
        faults::allocationFails() ? cudaErrorMemoryAllocation : cudaHostAlloc(&memory, bytes, cudaHostAllocPortable);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw Error(ErrorCode::outOfMemory, std::string("page-locked memory for ") + what + ": " + mebibytes(bytes) +
                                                " needed, the system refuses");
    }
    if (status != cudaSuccess) {
        fail(status, std::string("page-locked memory for ") + what);
    }
    return memory;
}

void freePinned(void* memory) noexcept {
    if (memory != nullptr && cudaFreeHost(memory) != cudaSuccess) {
        cudaGetLastError(); // fails only if the device is lost
    }
}

} // namespace pollard::cuda
