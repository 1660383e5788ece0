#pragma once

#include "cuda/nodes/climb_team.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace pollard::cuda {

/// A step of joining the threads of a block is a barrier, so blocks are no larger than it takes to fill a
/// multiprocessor.
inline constexpr std::uint32_t kClimbThreads = 512;

/// Queues a ClimbTeam with team.blocks blocks. Nothing is allocated or waited for. Instantiated in climb_kernels.cu.
template <class Team> cudaError_t launchClimb(const Team& team, cudaStream_t stream);

/// How many blocks of a team can be at work at once; 0 where the device has no cooperative launches.
template <class Team> cudaError_t mostClimbBlocks(std::uint32_t& blocks);

} // namespace pollard::cuda
