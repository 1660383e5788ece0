#pragma once

#include "cuda/device/pinned_buffer.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Asks long kernels to end early. Lies in pinned host memory: each read by a kernel crosses the bus, so kernels poll
/// it rarely.
class StopFlag {
public:
    /// @throws Error(outOfMemory), Error(deviceFailed)
    StopFlag() : flag_(1, "the stop flag") { lower(); }

    void raise() noexcept { *static_cast<volatile std::uint32_t*>(flag_.data()) = 1; }
    void lower() noexcept { *static_cast<volatile std::uint32_t*>(flag_.data()) = 0; }
    /// Nonzero: stop. Device-accessible.
    [[nodiscard]] const volatile std::uint32_t* view() const noexcept { return flag_.data(); }

private:
    PinnedBuffer<std::uint32_t> flag_;
};

} // namespace pollard::cuda
