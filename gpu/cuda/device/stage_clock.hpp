#pragma once

#include "base/stage_timer.hpp"
#include "cuda/device/cuda_event.hpp"

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>
#include <vector>

namespace pollard::cuda {

/// Splits the time that work on one stream takes on the device into named, consecutive stages. The host never waits
/// between stages: the twin of StageTimer for queued work.
class StageClock {
public:
    /// Starts with the work queued from now on.
    /// @throws Error(deviceFailed)
    explicit StageClock(cudaStream_t stream);

    /// Ends the stage that runs since construction or the last call and files it under @p name.
    /// @throws Error(deviceFailed)
    void finish(std::string_view name);

    /// Waits for the end of the last stage and returns all in the order of their first end; stages of one name are
    /// summed. The clock starts anew with the work queued from now on.
    /// @throws Error(deviceFailed) if the work failed
    [[nodiscard]] std::vector<StageTime> take();

private:
    struct Mark {
        std::string name; ///< of the stage that ends here; empty at the start
        Event event;
    };
    void mark(std::string_view name);

    cudaStream_t stream_;
    std::vector<Mark> marks_;
};

/// Sum over stages, ms.
[[nodiscard]] double totalMilliseconds(const std::vector<StageTime>& stages) noexcept;

} // namespace pollard::cuda
