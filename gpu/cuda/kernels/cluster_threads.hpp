#pragma once

#include "cuda/kernels/kernel_threads.hpp"

namespace pollard::cuda {

/// Waits for all threads of all blocks of a launch that is one cluster; their earlier writes are then visible to all.
/// Faster than waiting for a cooperative grid.
#ifdef __CUDACC__
__device__ inline void meetCluster() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    cooperative_groups::this_cluster().sync();
#else
    __trap(); // there are no clusters
#endif
}
#else
inline void meetCluster(int line = __builtin_LINE()) { emulation::Emulator::running()->meetGrid(line); }
#endif

} // namespace pollard::cuda
