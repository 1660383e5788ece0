#pragma once

#include "base/job_control.hpp"

#include <cuda_runtime_api.h>

#include <string>

namespace pollard::cuda {

/// Waits for the work queued on @p stream. When a stop is asked for, waits for what is queued all the same, because
/// the memory it uses belongs to the caller, and then gives up.
/// @throws Error(deviceFailed) naming @p operation if the work failed; Cancelled
void waitFor(cudaStream_t stream, const JobControl& control, const std::string& operation);

} // namespace pollard::cuda
