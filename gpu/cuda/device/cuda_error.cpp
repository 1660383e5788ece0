#include "cuda/device/cuda_error.hpp"

#include <atomic>

namespace pollard::cuda {

FaultInjection::FaultInjection(const FaultPlan& plan) noexcept {
    faults::failureOccurred = false;
    faults::killsContext = plan.failureKillsContext;
    faults::interopRefused = plan.refuseInterop;
    faults::probe = plan.probe;
    faults::allocationsLeft = plan.failAllocation;
    faults::operationsLeft = plan.failOperation;
}

FaultInjection::~FaultInjection() {
    faults::allocationsLeft = 0;
    faults::operationsLeft = 0;
    faults::interopRefused = false;
    faults::probe = ProbeFault::none;
    if (faults::killsContext.exchange(false) && faults::failureOccurred) {
        forgetLostContext(); // only simulated
    }
}

bool FaultInjection::failureOccurred() const noexcept { return faults::failureOccurred; }

namespace {

// The CUDA context belongs to the process, and so does the error that ended it.
std::atomic<cudaError_t> lostBy{cudaSuccess};

/// Errors that end the CUDA context: every later call in this process fails with the same error.
bool endsContext(cudaError_t status) {
    switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed:
        return true;
    default:
        return false;
    }
}

} // namespace

void fail(cudaError_t status, const std::string& operation) {
    cudaGetLastError(); // clear the last error, or a later check reports it again
    if (endsContext(status)) {
        lostBy = status;
    }
    throw Error(status == cudaErrorMemoryAllocation ? ErrorCode::outOfMemory : ErrorCode::deviceFailed,
                operation + ": GPU: " + cudaGetErrorString(status));
}

std::string lostContextReason() {
    const cudaError_t status = lostBy;
    if (status == cudaSuccess) {
        return {};
    }
    return std::string("the GPU failed in this run of the program (") + cudaGetErrorString(status) +
           "); it can be used again after a restart";
}

void forgetLostContext() noexcept { lostBy = cudaSuccess; }

} // namespace pollard::cuda
