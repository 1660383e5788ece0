#pragma once

#include "base/job_control.hpp"
#include "engine/engine.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard::python {

/// Jobs on fewer pixels or nodes run on the calling thread; they are too short to be interrupted.
inline constexpr std::size_t kQuickJob = std::size_t{1} << 16;
/// Size to state for jobs whose time does not depend on a number of pixels.
inline constexpr std::size_t kLongJob = kQuickJob;

/// What a thread of Python calls between enter() and leave(): another thread may cancel it and look at its progress.
class Job {
public:
    void enter();
    void leave();

    void cancel() { stop_.request_stop(); }
    [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }

    void report(double fraction) noexcept { progress_ = fraction; }
    /// Fraction of the present call, 0 to 1.
    [[nodiscard]] double progress() const noexcept { return progress_; }

private:
    std::stop_source stop_;
    std::atomic<double> progress_{0};
    Job* outer_ = nullptr; ///< of the thread, before enter()
};

/// Reports to the job of the calling thread; empty without one.
[[nodiscard]] JobControl::ProgressFunction progressOfJob();

/// Runs @p work without Python's global lock. Work on many pixels runs on a separate thread while the calling thread
/// checks for signals, so that Ctrl+C stops it as described in JobControl.
/// @param pixels or nodes of the work
/// @throws what @p work throws; Cancelled if the job of the thread is cancelled; py::error_already_set with the
///         exception of a signal's handler: KeyboardInterrupt
void runStoppable(std::size_t pixels, const std::function<void(const std::stop_token&)>& work);

/// As runStoppable(), for work that takes a JobControl.
inline void runJob(std::size_t pixels, const std::function<void(const JobControl&)>& work) {
    const JobControl::ProgressFunction progress = progressOfJob();
    runStoppable(pixels, [&](const std::stop_token& stop) { work(JobControl(stop, progress)); });
}

/// The engines of the module.
[[nodiscard]] std::vector<Engine*> allEngines();

/// The engine with this name, or with "auto" all usable engines, the preferred first.
/// @throws Error(invalidArgument) for an unknown name, Error(engineUnavailable)
[[nodiscard]] std::vector<Engine*> enginesNamed(const std::string& device);

/// Runs @p job on the first of enginesNamed() whose device does not fail. @throws as enginesNamed(); errors of @p job
void onDevice(const std::string& device, const std::function<void(Engine&)>& job);

} // namespace pollard::python
