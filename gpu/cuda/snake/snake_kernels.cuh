#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// Launchers for the passes of snakes, in blocks of pass.state.threads threads with so much shared memory; loops are
// launched by launchEach() of tree/device_loop.cuh. Nothing is allocated or waited for.

namespace pollard::cuda {

/// Most threads of a block.
inline constexpr std::uint32_t kMostSnakeThreads = 256;
/// Blocks that a multiprocessor is to have room for where there is work for more.
inline constexpr std::uint32_t kDenseBlocks = 2;

template <class Pass>
cudaError_t launchSnakePass(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream);

/// Queues a pass in pass.blocks blocks that are at work at once and may wait for each other.
template <class Pass> cudaError_t launchSnakeTeam(const Pass& pass, std::size_t sharedBytes, cudaStream_t stream);

/// How many blocks of a pass one multiprocessor can have at work at once.
template <class Pass> cudaError_t blocksOfMultiprocessor(const Pass& pass, std::size_t sharedBytes, int& blocks);

} // namespace pollard::cuda
