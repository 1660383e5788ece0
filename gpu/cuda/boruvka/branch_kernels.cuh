#pragma once

#include "cuda/boruvka/sorted_runs.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// Launchers for the build by branches. Its loops are launched by launchEach() and launchEachOf() of
// tree/device_loop.cuh. Nothing is allocated or waited for.

namespace pollard::cuda {

/// Runs a TilePass with a block of Pass::Shape::kThreads a tile.
template <class Pass> cudaError_t launchTiles(const Pass& pass, std::uint32_t count, cudaStream_t stream);

/// Sort keys, a number that goes with each or nullptr, and as much room again.
struct SortedKeys {
    std::uint64_t* keys;
    std::uint64_t* otherKeys;
    std::uint32_t* pixels;
    std::uint32_t* otherPixels;
    bool isInOther; ///< set: whether the result is in the others
};

// Called with temp == nullptr these only set @p tempBytes; else they queue their work.

/// Sorts by these bits; equal keys keep their order.
cudaError_t runKeySort(void* temp, std::size_t& tempBytes, SortedKeys& sorted, std::uint32_t count, SortedBits bits,
                       cudaStream_t stream);

/// sums[k] = starts(0) + ... + starts(k)
cudaError_t runRunsUpTo(void* temp, std::size_t& tempBytes, const StartsRun& starts, std::uint32_t* sums,
                        std::uint32_t count, cudaStream_t stream);

} // namespace pollard::cuda
