#pragma once

#include "cuda/nodes/climb_team.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace pollard::cuda {

/// Joining takes one barrier per step, so blocks are no larger than needed to fill a multiprocessor.
inline constexpr std::uint32_t kClimbThreads = 512;

/// Queues a cooperative launch of team.blocks blocks. Allocates nothing and does not wait. Instantiated in
/// climb_kernels.cu.
template <class Team> cudaError_t launchClimb(const Team& team, cudaStream_t stream);

/// Number of blocks of a team that can be resident at once; 0 if the device has no cooperative launches.
template <class Team> cudaError_t mostClimbBlocks(std::uint32_t& blocks);

} // namespace pollard::cuda
