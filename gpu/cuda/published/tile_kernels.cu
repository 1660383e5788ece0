#include "cuda/published/tile_kernels.cuh"

#include "cuda/published/block_tile.cuh"
#include "cuda/published/link_record.hpp"

namespace pollard::cuda {

namespace {

template <class Level> __global__ void __launch_bounds__(kColumnTileWidth)
    columnTilesKernel(LevelView<Level> image, ImageTiling layout, BoundaryRule rule, PixelLinks links) {
    constexpr int kWidth = kColumnTileWidth;
    constexpr int kHeight = kColumnTileHeight;
    __shared__ Level levels[kWidth * kHeight];
    __shared__ std::uint32_t tileLinks[kWidth * kHeight];
    const auto tile = tileOfBlock<Level, kWidth, kHeight>(layout, levels, tileLinks);
    const std::size_t corner = cornerOfBlock(layout);
    const std::uint32_t x = threadIdx.x;
    if (x < tile.width) {
        tile.loadColumn(image, corner, layout.width, x);
        tile.buildColumn(x);
    }
    __syncthreads();
    if (x + 1 < tile.width) {
        tile.joinColumns(x, rule);
    }
    __syncthreads();
    if (x < tile.width) {
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            links.links[corner + std::size_t{y} * layout.width + x] =
                tile.imageRecord(tile.flatParent(tile.indexOf(x, y)), corner, layout.width);
        }
    }
}

template <class Level> __global__ void __launch_bounds__(kBaseTileWidth* kBaseTileHeight)
    baseTilesKernel(LevelView<Level> image, ImageTiling layout, BoundaryRule rule, PixelLinks links) {
    constexpr int kWidth = kBaseTileWidth;
    constexpr int kHeight = kBaseTileHeight;
    __shared__ Level levels[kWidth * kHeight];
    __shared__ std::uint32_t tileLinks[kWidth * kHeight];
    const auto tile = tileOfBlock<Level, kWidth, kHeight>(layout, levels, tileLinks);
    const std::size_t corner = cornerOfBlock(layout);
    const std::uint32_t x = threadIdx.x % kWidth;
    const std::uint32_t y = threadIdx.x / kWidth;
    const bool inside = x < tile.width && y < tile.height;
    const std::size_t pixel = corner + std::size_t{y} * layout.width + x;
    if (inside) {
        levels[tile.indexOf(x, y)] = image[pixel];
        tile.isolate(tile.indexOf(x, y));
    }
    __syncthreads();
    if (inside) {
        tile.joinPixel(x, y, rule);
    }
    __syncthreads();
    if (inside) {
        links.links[pixel] = tile.imageRecord(tile.flatParent(tile.indexOf(x, y)), corner, layout.width);
    }
}

constexpr int kBlockSize = 256; // memory-bound kernels: any size that fills a multiprocessor works

template <class Level, class Pixels> __global__ void __launch_bounds__(kBlockSize)
    flattenKernel(LevelView<Level> image, std::uint64_t count, Pixels map, PixelLinks links, std::uint32_t* parent) {
    const std::uint64_t p = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (p >= count) {
        return;
    }
    parent[p] = canonicalParent(image, map, links, static_cast<std::uint32_t>(p));
}

template <class Level> __global__ void __launch_bounds__(kBlockSize)
    widenImageKernel(LevelView<Level> image, HaloLayout halo, std::uint64_t count, Level* widened) {
    const std::uint64_t p = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (p < count) {
        widened[p] = image[halo.fromHalo(static_cast<std::uint32_t>(p))];
    }
}

unsigned blocksFor(std::uint64_t count) { return static_cast<unsigned>((count + kBlockSize - 1) / kBlockSize); }

} // namespace

template <class Level> cudaError_t launchColumnTiles(LevelView<Level> image, ImageTiling layout, BoundaryRule rule,
                                                     PixelLinks links, cudaStream_t stream) {
    columnTilesKernel<<<dim3(layout.columns(), layout.rows()), kColumnTileWidth, 0, stream>>>(image, layout, rule,
                                                                                              links);
    return cudaGetLastError();
}

template <class Level> cudaError_t launchBaseTiles(LevelView<Level> image, ImageTiling layout, BoundaryRule rule,
                                                   PixelLinks links, cudaStream_t stream) {
    baseTilesKernel<<<dim3(layout.columns(), layout.rows()), kBaseTileWidth * kBaseTileHeight, 0, stream>>>(
        image, layout, rule, links);
    return cudaGetLastError();
}

template cudaError_t launchColumnTiles(LevelView<std::uint8_t>, ImageTiling, BoundaryRule, PixelLinks, cudaStream_t);
template cudaError_t launchColumnTiles(LevelView<std::uint16_t>, ImageTiling, BoundaryRule, PixelLinks, cudaStream_t);
template cudaError_t launchBaseTiles(LevelView<std::uint8_t>, ImageTiling, BoundaryRule, PixelLinks, cudaStream_t);
template cudaError_t launchBaseTiles(LevelView<std::uint16_t>, ImageTiling, BoundaryRule, PixelLinks, cudaStream_t);

template <class Level> cudaError_t launchFlatten(LevelView<Level> image, std::uint64_t pixels, PixelLinks links,
                                                 std::uint32_t* parent, cudaStream_t stream) {
    flattenKernel<<<blocksFor(pixels), kBlockSize, 0, stream>>>(image, pixels, SamePixels{}, links, parent);
    return cudaGetLastError();
}

template <class Level> cudaError_t launchFlattenHalo(LevelView<Level> image, HaloLayout halo, PixelLinks links,
                                                     std::uint32_t* parent, cudaStream_t stream) {
    const std::uint64_t pixels = std::uint64_t{halo.width} * halo.height;
    flattenKernel<<<blocksFor(pixels), kBlockSize, 0, stream>>>(image, pixels, HaloPixels{halo}, links, parent);
    return cudaGetLastError();
}

template <class Level>
cudaError_t launchWidenImage(LevelView<Level> image, HaloLayout halo, Level* widened, cudaStream_t stream) {
    const std::uint64_t pixels = halo.tiles().pixels();
    widenImageKernel<<<blocksFor(pixels), kBlockSize, 0, stream>>>(image, halo, pixels, widened);
    return cudaGetLastError();
}

template cudaError_t launchFlatten(LevelView<std::uint8_t>, std::uint64_t, PixelLinks, std::uint32_t*, cudaStream_t);
template cudaError_t launchFlatten(LevelView<std::uint16_t>, std::uint64_t, PixelLinks, std::uint32_t*, cudaStream_t);
template cudaError_t launchFlattenHalo(LevelView<std::uint8_t>, HaloLayout, PixelLinks, std::uint32_t*, cudaStream_t);
template cudaError_t launchFlattenHalo(LevelView<std::uint16_t>, HaloLayout, PixelLinks, std::uint32_t*, cudaStream_t);
template cudaError_t launchWidenImage(LevelView<std::uint8_t>, HaloLayout, std::uint8_t*, cudaStream_t);
template cudaError_t launchWidenImage(LevelView<std::uint16_t>, HaloLayout, std::uint16_t*, cudaStream_t);

} // namespace pollard::cuda
