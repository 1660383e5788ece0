#pragma once

#include "cuda/boruvka/tile_work.hpp"

namespace pollard::cuda {

/// Tile of the engine. Larger tiles leave fewer components to be joined in the image, but 64 x 64 px at 16 bits take 50
/// KiB of shared memory, and the oldest supported GPU has 64 KiB per block; eight pixels per thread let four blocks
/// share a multiprocessor of a recent GPU.
using EngineTile = TileShape<64, 64, 512>;

} // namespace pollard::cuda
