#pragma once

#include "base/job_control.hpp"

#include <cstddef>
#include <functional>
#include <stop_token>

namespace pollard::python {

/// Jobs on fewer pixels or nodes are too short for an interrupt, and run on the calling thread.
inline constexpr std::size_t kQuickJob = std::size_t{1} << 16;
/// Size of jobs whose time does not follow from a number of pixels.
inline constexpr std::size_t kLongJob = kQuickJob;

/// Runs @p work without Python's global lock. Work on many pixels runs on a thread of its own while the calling one
/// looks for signals, so that Ctrl+C stops it as JobControl says.
/// @param pixels or nodes of the work
/// @throws what @p work throws; py::error_already_set with the exception of a signal's handler: KeyboardInterrupt
void runStoppable(std::size_t pixels, const std::function<void(const std::stop_token&)>& work);

/// The same for work that takes a JobControl.
inline void runJob(std::size_t pixels, const std::function<void(const JobControl&)>& work) {
    runStoppable(pixels, [&](const std::stop_token& stop) { work(JobControl(stop)); });
}

} // namespace pollard::python
