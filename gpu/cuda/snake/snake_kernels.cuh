#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// Launchers of the snake passes, in blocks of pass.state.threads threads with dynamic shared memory; loops are launched
// by launchEach() of kernels/device_loop.cuh. They allocate nothing and do not wait.

namespace pollard::cuda {

/// Largest number of threads per block.
inline constexpr std::uint32_t kMostSnakeThreads = 256;
/// Resident blocks per multiprocessor that dense kernels are compiled for.
inline constexpr std::uint32_t kDenseBlocks = 2;

template <class Pass>
cudaError_t launchSnakePass(const Pass& pass, std::uint32_t count, std::size_t sharedBytes, cudaStream_t stream);

/// Queues a cooperative launch of pass.blocks blocks, which can wait for each other.
template <class Pass> cudaError_t launchSnakeTeam(const Pass& pass, std::size_t sharedBytes, cudaStream_t stream);

/// Number of blocks of a pass that can be resident on one multiprocessor.
template <class Pass> cudaError_t blocksOfMultiprocessor(const Pass& pass, std::size_t sharedBytes, int& blocks);

} // namespace pollard::cuda
