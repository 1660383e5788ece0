#pragma once

#include <atomic>
#include <cstdint>

namespace pollard::cuda {

/// What the probe pretends to have found.
enum class ProbeFault : std::uint8_t {
    none,
    noDriver,     ///< no NVIDIA driver is installed
    noDevice,     ///< a driver, but no GPU
    driverTooOld, ///< a driver for an earlier CUDA
    busy,         ///< another process has the GPU for itself
    noCode,       ///< a GPU this build has no code for
};

/// Failures that a test wants to see. Numbers count from 1, starting when the plan is put in force; 0 = never.
struct FaultPlan {
    std::int64_t failAllocation = 0;  ///< which allocation of device or pinned memory fails
    std::int64_t failOperation = 0;   ///< which checked CUDA operation fails
    bool failureKillsContext = false; ///< that operation fails as one after which the GPU context is lost
    bool refuseInterop = false;       ///< OpenGL textures cannot be registered
    ProbeFault probe = ProbeFault::none;
};

/// Puts a plan in force for the whole process while it lives, and reports what came of it. One at a time.
class FaultInjection {
public:
    explicit FaultInjection(const FaultPlan& plan) noexcept;
    ~FaultInjection();
    FaultInjection(const FaultInjection&) = delete;
    FaultInjection& operator=(const FaultInjection&) = delete;

    /// Whether a planned allocation or operation was reached and failed.
    [[nodiscard]] bool struck() const noexcept;
};

/// The state of the plan in force. Looking at it costs one relaxed load where nothing is planned.
namespace faults {

inline std::atomic<std::int64_t> allocationsLeft{0};
inline std::atomic<std::int64_t> operationsLeft{0};
inline std::atomic<bool> killsContext{false};
inline std::atomic<bool> interopRefused{false};
inline std::atomic<bool> struck{false};
inline std::atomic<ProbeFault> probe{ProbeFault::none};

/// Whether the thing that is counted here must fail now.
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
