#pragma once

#include "cuda/tree/pixel_views.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace pollard::cuda {

/// Writes a picture row after row to device memory, (height, width) values. Queues one kernel on @p stream and returns
/// the launch status; nothing is allocated or waited for.
cudaError_t launchGather(const FrameView<std::uint8_t>& frame, std::uint8_t* out, cudaStream_t stream);
cudaError_t launchGather(const FrameView<std::uint16_t>& frame, std::uint16_t* out, cudaStream_t stream);

} // namespace pollard::cuda
