#pragma once

#include <atomic>
#include <cstdint>

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
    [[nodiscard]] bool struck() const noexcept;
};

/// State of the current plan. A check costs one relaxed load if no failure is planned.
namespace faults {

inline std::atomic<std::int64_t> allocationsLeft{0};
inline std::atomic<std::int64_t> operationsLeft{0};
inline std::atomic<bool> killsContext{false};
inline std::atomic<bool> interopRefused{false};
inline std::atomic<bool> struck{false};
inline std::atomic<ProbeFault> probe{ProbeFault::none};

/// Counts down; true when the planned failure is due.
[[nodiscard]] inline bool strikes(std::atomic<std::int64_t>& left) noexcept {
    if (left.load(std::memory_order_relaxed) <= 0 || left.fetch_sub(1) != 1) {
        return false;
    }
    struck = true;
    return true;
}

[[nodiscard]] inline bool allocationFails() noexcept { return strikes(allocationsLeft); }
[[nodiscard]] inline bool operationFails() noexcept { return strikes(operationsLeft); }
[[nodiscard]] inline bool interopIsRefused() noexcept { return interopRefused.load(std::memory_order_relaxed); }

} // namespace faults

} // namespace pollard::cuda
