#pragma once

#include "base/job_control.hpp"
#include "cuda/device/cuda_stream.hpp"

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>
#include <vector>

namespace pollard::cuda {

/// Splits the device time of the work on one stream into named, consecutive stages without making the host wait:
/// StageTimer for queued work.
class StageClock {
public:
    /// Starts before the work queued after this call.
    /// @throws Error(deviceFailed)
    explicit StageClock(cudaStream_t stream);

    /// Ends the current stage and records it as @p name.
    /// @throws Error(deviceFailed)
    void finish(std::string_view name);

    /// Waits for the end of the last stage and returns all stages in the order in which their names first ended; stages
    /// of equal name are summed. Restarts the clock.
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

/// Sum of all stages, ms.
[[nodiscard]] double totalMilliseconds(const std::vector<StageTime>& stages) noexcept;

} // namespace pollard::cuda
