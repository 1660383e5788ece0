#pragma once

#include "cuda/tree/pixel_views.hpp"
#include "engine/device_pixels.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace pollard::cuda {

/// Writes the part of an image covered by a tile to the tile's texture or layer, one texel per pixel. Queues one kernel
/// on @p stream and returns the launch status; allocates nothing and does not wait.
/// @param surface of an array with elements of the image's type, at least as wide and high as the tile
/// @param tile lies within the image
cudaError_t launchWriteSurface(const FrameView<std::uint8_t>& pixels, cudaSurfaceObject_t surface, const GlTile& tile,
                               cudaStream_t stream);
cudaError_t launchWriteSurface(const FrameView<std::uint16_t>& pixels, cudaSurfaceObject_t surface, const GlTile& tile,
                               cudaStream_t stream);
cudaError_t launchWriteSurface(const NodeView& pixels, cudaSurfaceObject_t surface, const GlTile& tile,
                               cudaStream_t stream);

} // namespace pollard::cuda
