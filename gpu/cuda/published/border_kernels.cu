#include "cuda/published/tile_kernels.cuh"

#include "cuda/published/block_tile.cuh"
#include "cuda/published/border_tile.hpp"

namespace pollard::cuda {

namespace {

template <class Level> __global__ void __launch_bounds__(kColumnTileWidth)
    borderTilesKernel(LevelView<Level> image, BoundaryRule rule, PixelLinks links, BorderForest forest) {
    constexpr int kWidth = kColumnTileWidth;
    constexpr int kHeight = kColumnTileHeight;
    constexpr int kPixels = kWidth * kHeight;
    __shared__ Level levels[kPixels];
    __shared__ std::uint32_t tileLinks[kPixels];
    __shared__ std::uint32_t slotOf[kPixels];
    __shared__ std::uint16_t pixelOf[kPixels];
    __shared__ std::uint32_t count;
    __shared__ std::uint32_t firstSlot;
    using Tile = TileTree<Level, kWidth, kHeight>;
    const ImageTiling& layout = forest.layout;
    const Tile tile = tileOfBlock<Level, kWidth, kHeight>(layout, levels, tileLinks);
    const std::size_t corner = cornerOfBlock(layout);
    const BorderTile<Tile> border{
        tile, slotOf, pixelOf, &count, forest.hasTopRow(blockIdx.y), forest.hasBottomRow(blockIdx.y)};
    const std::uint32_t x = threadIdx.x;
    if (x < tile.width) {
        tile.loadColumn(image, corner, layout.width, x);
        tile.buildColumn(x);
    }
    if (x == 0) {
        count = border.rowSlots();
    }
    __syncthreads();
    if (x + 1 < tile.width) {
        tile.joinColumns(x, rule);
    }
    __syncthreads();

    // slotOf holds the flat links until all threads have computed theirs.
    if (x < tile.width) {
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            const std::uint32_t index = tile.indexOf(x, y);
            slotOf[index] = tile.flatParent(index);
        }
    }
    __syncthreads();
    if (x < tile.width) {
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            const std::uint32_t index = tile.indexOf(x, y);
            tileLinks[index] = slotOf[index];
            links.links[corner + std::size_t{y} * layout.width + x] =
                tile.imageRecord(slotOf[index], corner, layout.width);
            slotOf[index] = BorderTile<Tile>::kUntaken;
        }
    }
    __syncthreads();
    if (x < tile.width) {
        border.takeRows(x);
    }
    __syncthreads();
    if (x < tile.width) {
        border.takeAncestors(x);
    }
    __syncthreads();

    if (x == 0) {
        firstSlot = forest.columnStart(blockIdx.x) + atomicAdd(forest.columnSize + blockIdx.x, count);
        forest.tileStart[blockIdx.y * layout.columns() + blockIdx.x] = firstSlot;
    }
    __syncthreads();
    for (std::uint32_t slot = x; slot < count; slot += kWidth) {
        border.writeSlot(slot, firstSlot, corner, forest);
    }
}

constexpr int kCommitBlockSize = 256;
constexpr unsigned kCommitBlocks = 32; // per column of tiles; threads loop over the rest

__global__ void __launch_bounds__(kCommitBlockSize) commitBorderKernel(BorderForest forest, PixelLinks links) {
    const std::uint32_t start = forest.columnStart(blockIdx.x);
    const std::uint32_t end = start + forest.columnSize[blockIdx.x];
    const std::uint32_t stride = gridDim.y * blockDim.x;
    for (std::uint32_t slot = start + blockIdx.y * blockDim.x + threadIdx.x; slot < end; slot += stride) {
        links.links[forest.pixels[slot]] = forest.imageRecord(slot);
    }
}

} // namespace

template <class Level> cudaError_t launchBorderTiles(LevelView<Level> image, BoundaryRule rule, PixelLinks links,
                                                     BorderForest forest, cudaStream_t stream) {
    const ImageTiling& layout = forest.layout;
    borderTilesKernel<<<dim3(layout.columns(), layout.rows()), kColumnTileWidth, 0, stream>>>(image, rule, links,
                                                                                              forest);
    return cudaGetLastError();
}

cudaError_t launchCommitBorder(BorderForest forest, PixelLinks links, cudaStream_t stream) {
    commitBorderKernel<<<dim3(forest.layout.columns(), kCommitBlocks), kCommitBlockSize, 0, stream>>>(forest, links);
    return cudaGetLastError();
}

template cudaError_t launchBorderTiles(LevelView<std::uint8_t>, BoundaryRule, PixelLinks, BorderForest, cudaStream_t);
template cudaError_t launchBorderTiles(LevelView<std::uint16_t>, BoundaryRule, PixelLinks, BorderForest, cudaStream_t);

} // namespace pollard::cuda
