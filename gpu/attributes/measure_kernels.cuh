#pragma once

#include "attributes/tile_sums.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// What measuring needs beside the steps of node_formulas.hpp, which measure_kernels.cu instantiates for launchEach().
// Each queues its work on @p stream; nothing is allocated or waited for.

namespace pollard::cuda {

/// Runs a TileSums with a block of TileSums::kThreads a tile.
template <class Terms>
cudaError_t launchTileSums(const TileSums<Terms>& sums, std::uint32_t tiles, cudaStream_t stream);

/// data[i] = data[0] + ... + data[i - 1], modulo 2^64, in place. Called with temp == nullptr it only sets
/// @p tempBytes.
cudaError_t runExclusiveSum(void* temp, std::size_t& tempBytes, std::uint64_t* data, std::uint32_t count,
                            cudaStream_t stream);

/// The same of @p count records of kSums numbers each, which lie one after another: 2, 4, 5 or 8.
template <int kSums> cudaError_t runExclusiveSums(void* temp, std::size_t& tempBytes, std::uint64_t* records,
                                                  std::uint32_t count, cudaStream_t stream);

} // namespace pollard::cuda
