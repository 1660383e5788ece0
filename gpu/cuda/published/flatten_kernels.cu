#include "cuda/published/flatten_kernels.cuh"

#include "cuda/published/flatten.hpp"

namespace pollard::cuda {

namespace {

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
