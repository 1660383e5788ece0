#pragma once

#include "cuda/boruvka/bricks/brick_work.hpp"

namespace pollard::cuda {

/// Brick of the engine: as many voxels as the engine's tile has pixels. At 16 bits it takes 61 KiB of shared memory,
/// and the oldest supported GPU has 64 KiB per block.
using EngineBrick = BrickShape<16, 16, 16, 512>;

} // namespace pollard::cuda
