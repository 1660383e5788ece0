#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

// Launchers for the build by rims. Its loops are launched by launchEachOf() of tree/device_loop.cuh. Nothing is
// allocated or waited for.

namespace pollard::cuda {

/// Runs a RimTilePass or WriteRimParents with a block of Pass::Shape::kThreads a tile.
template <class Pass> cudaError_t launchRimTiles(const Pass& pass, std::uint32_t count, cudaStream_t stream);

/// Runs a JoinRims for at most @p most edges.
template <class Pass> cudaError_t launchRimJoin(const Pass& pass, std::uint64_t most, cudaStream_t stream);

} // namespace pollard::cuda
