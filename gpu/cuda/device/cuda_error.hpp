#pragma once

#include "base/error.hpp"

#include <atomic>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <string>

namespace pollard::cuda {

/// Result that the probe is made to report.
enum class ProbeFault : std::uint8_t {
    none,
    noDriver,     ///< no NVIDIA driver is installed
    noDevice,     ///< a driver but no GPU
    driverTooOld, ///< the driver supports only an earlier CUDA
    busy,         ///< another process holds the GPU exclusively
    noCode,       ///< this build has no code for the GPU
};

/// Failures injected by a test. Numbers count from 1, from the start of the FaultInjection; 0 = never.
struct FaultPlan {
    std::int64_t failAllocation = 0;  ///< number of the allocation of device or pinned memory that fails
    std::int64_t failOperation = 0;   ///< number of the checked CUDA operation that fails
    bool failureKillsContext = false; ///< the failing operation reports an error that ends the context
    bool refuseInterop = false;       ///< registering OpenGL textures fails
    ProbeFault probe = ProbeFault::none;
};

/// Applies a plan to the whole process during its lifetime. At most one exists at a time.
class FaultInjection {
public:
    explicit FaultInjection(const FaultPlan& plan) noexcept;
    ~FaultInjection();
    FaultInjection(const FaultInjection&) = delete;
    FaultInjection& operator=(const FaultInjection&) = delete;

    /// Whether a planned failure occurred.
    [[nodiscard]] bool failureOccurred() const noexcept;
};

/// State of the current plan. A check costs one relaxed load if no failure is planned.
namespace faults {

inline std::atomic<std::int64_t> allocationsLeft{0};
inline std::atomic<std::int64_t> operationsLeft{0};
inline std::atomic<bool> killsContext{false};
inline std::atomic<bool> interopRefused{false};
inline std::atomic<bool> failureOccurred{false};
inline std::atomic<ProbeFault> probe{ProbeFault::none};

/// Counts down; true when the planned failure is due.
[[nodiscard]] inline bool isDue(std::atomic<std::int64_t>& left) noexcept {
    if (left.load(std::memory_order_relaxed) <= 0 || left.fetch_sub(1) != 1) {
        return false;
    }
    failureOccurred = true;
    return true;
}

[[nodiscard]] inline bool allocationFails() noexcept { return isDue(allocationsLeft); }
[[nodiscard]] inline bool operationFails() noexcept { return isDue(operationsLeft); }
[[nodiscard]] inline bool interopIsRefused() noexcept { return interopRefused.load(std::memory_order_relaxed); }

} // namespace faults

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

/// A size as text for users, rounded up: "17 MiB".
[[nodiscard]] inline std::string mebibytes(std::uint64_t bytes) {
    constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
    return std::to_string(bytes / kMebibyte + (bytes % kMebibyte != 0 ? 1 : 0)) + " MiB";
}

} // namespace pollard::cuda
