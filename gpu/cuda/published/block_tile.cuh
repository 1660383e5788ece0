#pragma once

#include "cuda/published/image_tiling.hpp"
#include "cuda/published/tile_tree.hpp"

#include <cstdint>

namespace pollard::cuda {

/// The tile of the calling block.
template <class Level, int Width, int Height>
__device__ TileTree<Level, Width, Height> tileOfBlock(const ImageTiling& layout, Level* levels, std::uint32_t* links) {
    const std::uint32_t right = layout.width - blockIdx.x * Width;
    const std::uint32_t below = layout.height - blockIdx.y * Height;
    return {levels, {links}, right < Width ? right : Width, below < Height ? below : Height};
}

/// Global index of the tile's top left pixel.
__device__ inline std::size_t cornerOfBlock(const ImageTiling& layout) {
    return std::size_t{blockIdx.y} * layout.tileHeight * layout.width + blockIdx.x * layout.tileWidth;
}

} // namespace pollard::cuda
