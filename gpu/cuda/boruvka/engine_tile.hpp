#pragma once

#include "cuda/boruvka/tile_work.hpp"

namespace pollard::cuda {

/// The tile of the engine. Larger ones leave fewer components to be joined in the image, but 64 x 64 px take 50 KiB of
/// shared memory at 16 bits, of which the oldest supported GPU gives a block 64 KiB; eight pixels a thread let four
/// blocks share a multiprocessor of a recent one.
using EngineTile = TileShape<64, 64, 512>;

} // namespace pollard::cuda
