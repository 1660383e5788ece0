#pragma once

#include "cuda/nodes/tile_sums.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// Kernels of measuring besides the steps that launchEach() runs. Each launcher queues its work on @p stream; it
// allocates nothing and does not wait.

namespace pollard::cuda {

/// Runs a TileSums with one block of TileSums::kThreads threads per tile.
template <class Terms>
cudaError_t launchTileSums(const TileSums<Terms>& sums, std::uint32_t tiles, cudaStream_t stream);

/// Adds the terms of all pixels to the sums of their nodes, which must be 0.
/// @param nodes,pixels node and number of every pixel, sorted by node
template <class Terms> cudaError_t launchAddListed(const NodePlan& plan, const Terms& terms, const std::uint32_t* nodes,
                                                   const std::uint32_t* pixels, cudaStream_t stream);

} // namespace pollard::cuda
