#pragma once

#include "cuda/boruvka/sorted_runs.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// Launchers of `boruvka`; its loops are launched by launchEach() and launchEachOf() of
// kernels/device_loop.cuh. They allocate nothing and do not wait.

namespace pollard::cuda {

/// Runs a pass with blocks of Pass::Shape::kThreads threads.
template <class Pass> cudaError_t launchTiles(const Pass& pass, std::uint32_t count, cudaStream_t stream);

/// Sort keys, an optional number for each, and second buffers of equal size.
struct SortedKeys {
    std::uint64_t* keys;
    std::uint64_t* otherKeys;
    std::uint32_t* pixels;
    std::uint32_t* otherPixels;
    bool isInOther; ///< output: the result is in the other buffers
};

// With temp == nullptr these only set @p tempBytes; otherwise they queue their work.

/// Stable sort by the given bits.
cudaError_t runKeySort(void* temp, std::size_t& tempBytes, SortedKeys& sorted, std::uint32_t count, SortedBits bits,
                       cudaStream_t stream);

/// sums[k] = starts(0) + ... + starts(k)
cudaError_t runRunsUpTo(void* temp, std::size_t& tempBytes, const StartsRun& starts, std::uint32_t* sums,
                        std::uint32_t count, cudaStream_t stream);

} // namespace pollard::cuda
