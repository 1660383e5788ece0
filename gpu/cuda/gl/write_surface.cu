#include "cuda/gl/write_surface.cuh"

#include <type_traits>

namespace pollard::cuda {

namespace {

// A warp writes 32 texels of a row; a block has eight rows, since textures are stored in two-dimensional tiles.
constexpr unsigned kBlockWidth = 32;
constexpr unsigned kBlockHeight = 8;
/// CUDA's limit of blocks in y; threads loop over the rows beyond.
constexpr unsigned kMostBlocksDown = 65535;

static_assert(std::is_trivially_copyable_v<GlTile>);

template <class View> __global__ void __launch_bounds__(kBlockWidth* kBlockHeight)
    writeSurfaceKernel(View pixels, cudaSurfaceObject_t surface, GlTile tile) {
    const unsigned x = blockIdx.x * kBlockWidth + threadIdx.x;
    if (x >= tile.width) {
        return;
    }
    for (unsigned y = blockIdx.y * kBlockHeight + threadIdx.y; y < tile.height; y += gridDim.y * kBlockHeight) {
        const auto value = pixels.value(std::size_t{tile.y + y} * pixels.width + tile.x + x);
        surf2Dwrite(value, surface, static_cast<int>(x * sizeof value), static_cast<int>(y));
    }
}

template <class View>
cudaError_t launch(const View& pixels, cudaSurfaceObject_t surface, const GlTile& tile, cudaStream_t stream) {
    if (tile.width == 0 || tile.height == 0) {
        return cudaSuccess;
    }
    const unsigned across = (tile.width + kBlockWidth - 1) / kBlockWidth;
    const unsigned down = (tile.height + kBlockHeight - 1) / kBlockHeight;
    const dim3 grid(across, down < kMostBlocksDown ? down : kMostBlocksDown);
    writeSurfaceKernel<<<grid, dim3(kBlockWidth, kBlockHeight), 0, stream>>>(pixels, surface, tile);
    return cudaGetLastError();
}

} // namespace

cudaError_t launchWriteSurface(const FrameView<std::uint8_t>& pixels, cudaSurfaceObject_t surface, const GlTile& tile,
                               cudaStream_t stream) {
    return launch(pixels, surface, tile, stream);
}

cudaError_t launchWriteSurface(const FrameView<std::uint16_t>& pixels, cudaSurfaceObject_t surface, const GlTile& tile,
                               cudaStream_t stream) {
    return launch(pixels, surface, tile, stream);
}

cudaError_t launchWriteSurface(const NodeView& pixels, cudaSurfaceObject_t surface, const GlTile& tile,
                               cudaStream_t stream) {
    return launch(pixels, surface, tile, stream);
}

} // namespace pollard::cuda
