#pragma once

#include "base/job_control.hpp"
#include "base/stage_timer.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/staging.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cuda {

/// Copies between host and device for one session, the session's host threads, and the times of work without a report
/// of its own.
class HostTransfers {
public:
    /// @param threads number of host threads; 0 = all cores
    /// @throws Error(deviceFailed)
    HostTransfers(int threads, std::shared_ptr<DeviceMemory> memory);

    /// upload() and download() wait until the copy is done. @throws Error(deviceFailed), Cancelled
    void upload(void* device, const void* host, std::size_t bytes, const JobControl& control,
                const std::string& operation);
    void download(void* host, const void* device, std::size_t bytes, const JobControl& control,
                  const std::string& operation);

    /// Runs work on the session's host threads.
    template <class Work> decltype(auto) onHost(const Work& work) { return arena_.execute(work); }

    void addTime(const std::string& stage, double milliseconds);
    void addTimes(const std::vector<StageTime>& stages);
    /// All times since the last call, stages of equal name summed.
    [[nodiscard]] std::vector<StageTime> takeTimes() { return std::exchange(times_, {}); }

private:
    std::optional<tbb::global_control> moreThreads_; ///< allows more oneTBB threads than cores
    tbb::task_arena arena_;
    Staging staging_;
    std::vector<StageTime> times_;
};

/// Runs work; host memory exhaustion becomes Error(outOfMemory).
template <class Work> decltype(auto) withHostMemory(const std::string& operation, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, operation + ": no memory left on the host");
    }
}

} // namespace pollard::cuda
