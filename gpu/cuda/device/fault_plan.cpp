#include "cuda/device/fault_plan.hpp"

#include "cuda/device/cuda_error.hpp"

namespace pollard::cuda {

FaultInjection::FaultInjection(const FaultPlan& plan) noexcept {
    faults::struck = false;
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
    if (faults::killsContext.exchange(false) && faults::struck) {
        forgetLostContext(); // only simulated
    }
}

bool FaultInjection::struck() const noexcept { return faults::struck; }

} // namespace pollard::cuda
