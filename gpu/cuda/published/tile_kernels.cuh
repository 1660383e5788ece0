#pragma once

#include "cuda/device/levels.hpp"
#include "cuda/published/kept_edges.hpp"
#include "cuda/published/link_record.hpp"
#include "cuda/published/tile_layout.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace pollard::cuda {

// Sizes of the tiles, px. 64 columns are two warps in the column algorithm; more rows mean fewer boundaries but longer
// walks by one thread.
constexpr std::uint32_t kColumnTileWidth = 64;
constexpr std::uint32_t kColumnTileHeight = 32;
// One thread a pixel: the largest block there is.
constexpr std::uint32_t kBaseTileWidth = 64;
constexpr std::uint32_t kBaseTileHeight = 16;

/// Tree of every tile of the layout, which must have the tile size of the algorithm: one thread a column ("columns") or
/// one thread a pixel ("base"). Writes the links of all pixels, flat within their tile. Queues one kernel and returns
/// the launch status.
template <class Level> cudaError_t launchColumnTiles(LevelView<Level> image, TileLayout layout, BoundaryRule rule,
                                                     PixelLinks links, cudaStream_t stream);
template <class Level> cudaError_t launchBaseTiles(LevelView<Level> image, TileLayout layout, BoundaryRule rule,
                                                   PixelLinks links, cudaStream_t stream);

} // namespace pollard::cuda
