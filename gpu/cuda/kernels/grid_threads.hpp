#pragma once

#include "cuda/kernels/kernel_threads.hpp"

namespace pollard::cuda {

/// Waits for all threads of all blocks of a cooperative launch; their earlier writes are then visible to all.
#ifdef __CUDACC__
__device__ inline void meetGrid() { cooperative_groups::this_grid().sync(); }
#else
inline void meetGrid(int line = __builtin_LINE()) { emulation::Emulator::running()->meetGrid(line); }
#endif

} // namespace pollard::cuda
