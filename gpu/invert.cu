#include "invert.cuh"

#include "level_order.hpp"

#include <algorithm>

namespace pollard::cuda {

namespace {

// A multiple of the warp that fills a multiprocessor of every supported GPU; the kernel is bound by memory.
constexpr int kBlockSize = 256;
// Enough blocks to fill any present GPU; larger images are covered by the stride.
constexpr std::size_t kMaxBlocks = 65536;

template <class T> __global__ void invertKernel(PixelView<T> pixels) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < pixels.size; i += stride) {
        pixels.data[i] = invertedLevel(pixels.data[i]);
    }
}

template <class T> cudaError_t launch(PixelView<T> pixels, cudaStream_t stream) {
    const std::size_t blocks = std::clamp<std::size_t>((pixels.size + kBlockSize - 1) / kBlockSize, 1, kMaxBlocks);
    invertKernel<<<static_cast<unsigned>(blocks), kBlockSize, 0, stream>>>(pixels);
    return cudaGetLastError();
}

} // namespace

cudaError_t launchInvert(PixelView<std::uint8_t> pixels, cudaStream_t stream) { return launch(pixels, stream); }
cudaError_t launchInvert(PixelView<std::uint16_t> pixels, cudaStream_t stream) { return launch(pixels, stream); }

cudaError_t invertAvailability() {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, invertKernel<std::uint16_t>);
}

} // namespace pollard::cuda
