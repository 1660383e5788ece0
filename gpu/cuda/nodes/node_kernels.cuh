#pragma once

#include "cuda/nodes/climb_team.hpp"
#include "cuda/nodes/tile_sums.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

// Kernels of NodeMachine besides the steps that launchEach() runs. Each launcher queues its work on @p stream; it
// allocates nothing and does not wait.

namespace pollard::cuda {

/// Runs a TileSums with one block of TileSums::kThreads threads per tile.
template <class Terms>
cudaError_t launchTileSums(const TileSums<Terms>& sums, std::uint32_t tiles, cudaStream_t stream);

/// Adds the terms of all pixels to the sums of their nodes, which must be 0.
/// @param nodes,pixels node and number of every pixel, sorted by node
template <class Terms> cudaError_t launchAddListed(const NodePlan& plan, const Terms& terms, const std::uint32_t* nodes,
                                                   const std::uint32_t* pixels, cudaStream_t stream);

/// sums[keys[i]] += values[i] for every i < count, modulo 2^32.
cudaError_t launchScatterAdd(const std::uint32_t* keys, const std::uint32_t* values, std::size_t count,
                             std::uint32_t* sums, cudaStream_t stream);

/// Lowers first[c] to the first pixel whose node has owner c + 1.
cudaError_t launchFirstPixels(const std::uint32_t* pixelNode, std::size_t pixels, const std::uint32_t* owner,
                              std::uint32_t* first, cudaStream_t stream);

/// Joining takes one barrier per step, so blocks are no larger than needed to fill a multiprocessor.
inline constexpr std::uint32_t kClimbThreads = 512;

/// Runs team.blocks blocks as a cooperative launch.
template <class Team> cudaError_t launchClimb(const Team& team, cudaStream_t stream);

/// Number of blocks of a team that can be resident at once; 0 if the device has no cooperative launches.
template <class Team> cudaError_t mostClimbBlocks(std::uint32_t& blocks);

} // namespace pollard::cuda
