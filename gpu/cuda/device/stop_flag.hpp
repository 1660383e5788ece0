#pragma once

#include "cuda/device/pinned_buffer.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Tells kernels that run long to end early. It lies in host memory: a kernel reads it over the bus, so it should look
/// only now and then.
class StopFlag {
public:
    /// @throws Error(outOfMemory), Error(deviceFailed)
    StopFlag() : flag_(1, "the stop flag") { lower(); }

    void raise() noexcept { *static_cast<volatile std::uint32_t*>(flag_.data()) = 1; }
    void lower() noexcept { *static_cast<volatile std::uint32_t*>(flag_.data()) = 0; }
    /// Not zero: stop. Readable by kernels.
    [[nodiscard]] const volatile std::uint32_t* view() const noexcept { return flag_.data(); }

private:
    PinnedBuffer<std::uint32_t> flag_;
};

} // namespace pollard::cuda
