#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

// Launchers of the build by rims; its loops are launched by launchEachOf() of kernels/device_loop.cuh. They allocate
// nothing and do not wait.

namespace pollard::cuda {

/// Runs a RimTilePass or WriteRimParents with one block of Pass::Shape::kThreads threads per tile.
template <class Pass> cudaError_t launchRimTiles(const Pass& pass, std::uint32_t count, cudaStream_t stream);

/// Runs a JoinRims for at most @p most edges.
template <class Pass> cudaError_t launchRimJoin(const Pass& pass, std::uint64_t most, cudaStream_t stream);

} // namespace pollard::cuda
