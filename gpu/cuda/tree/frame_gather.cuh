#pragma once

#include "cuda/tree/pixel_views.hpp"
#include "image/volume_plane.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace pollard::cuda {

/// Writes an image of (height, width) values to device memory, row-major. Queues one kernel on @p stream and returns
/// the launch status; allocates nothing and does not wait.
cudaError_t launchGather(const FrameView<std::uint8_t>& frame, std::uint8_t* out, cudaStream_t stream);
cudaError_t launchGather(const FrameView<std::uint16_t>& frame, std::uint16_t* out, cudaStream_t stream);

/// Writes the values of a plane of a volume, row-major.
cudaError_t launchGather(const FrameView<std::uint8_t>& frame, const PlaneVoxels& plane, std::uint8_t* out,
                         cudaStream_t stream);
cudaError_t launchGather(const FrameView<std::uint16_t>& frame, const PlaneVoxels& plane, std::uint16_t* out,
                         cudaStream_t stream);

} // namespace pollard::cuda
