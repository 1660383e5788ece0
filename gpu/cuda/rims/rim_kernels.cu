#include "cuda/rims/rim_kernels.cuh"

#include "cuda/kernels/device_loop.cuh"
#include "cuda/rims/rim_steps.hpp"
#include "cuda/rims/rim_tile.hpp"
#include "cuda/rims/rim_tile_pass.hpp"

#include <algorithm>

namespace pollard::cuda {

namespace {

// Resident threads per multiprocessor of the tile pass: as many as shared memory allows; the compiler limits the
// registers accordingly.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
constexpr int kTileThreads = 512;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
constexpr int kTileThreads = 1280;
#else
constexpr int kTileThreads = 768;
#endif

template <class Pass> __global__ void __launch_bounds__(Pass::Shape::kThreads, kTileThreads / Pass::Shape::kThreads)
    tilesKernel(Pass pass) {
    __shared__ typename Pass::Memory memory;
    pass(memory);
}

constexpr unsigned kJoinBlock = 128;
// Enough blocks to fill an H100 (132 multiprocessors of 2,048 threads), few enough that each thread gets several edges:
// it starts its next edge while its neighbours still climb.
constexpr std::uint64_t kMostJoinBlocks = 132 * 16;

template <class Pass> __global__ void __launch_bounds__(kJoinBlock) joinKernel(Pass pass) {
    pass(blockIdx.x * kJoinBlock + threadIdx.x, gridDim.x * kJoinBlock);
}

} // namespace

template <class Pass> cudaError_t launchRimTiles(const Pass& pass, std::uint32_t count, cudaStream_t stream) {
    const cudaError_t status = cudaFuncSetAttribute(tilesKernel<Pass>, cudaFuncAttributePreferredSharedMemoryCarveout,
                                                    sizeof(typename Pass::Memory) > 1 ? cudaSharedmemCarveoutMaxShared
                                                                                      : cudaSharedmemCarveoutDefault);
    if (status != cudaSuccess) {
        return status;
    }
    tilesKernel<<<count, Pass::Shape::kThreads, 0, stream>>>(pass);
    return cudaGetLastError();
}

template <class Pass> cudaError_t launchRimJoin(const Pass& pass, std::uint64_t most, cudaStream_t stream) {
    if (most == 0) {
        return cudaSuccess;
    }
    const std::uint64_t blocks = (most + (kJoinBlock - 1)) / kJoinBlock;
    joinKernel<<<static_cast<unsigned>(std::min(blocks, kMostJoinBlocks)), kJoinBlock, 0, stream>>>(pass);
    return cudaGetLastError();
}

#define POLLARD_INSTANTIATE(Level)                                                                                     \
    template cudaError_t launchRimTiles(const RimTilePass<Level, EngineRimShape, false>&, std::uint32_t,               \
                                        cudaStream_t);                                                                 \
    template cudaError_t launchRimTiles(const RimTilePass<Level, EngineRimShape, true>&, std::uint32_t, cudaStream_t); \
    template cudaError_t launchRimTiles(const WriteRimParents<Level, EngineRimShape>&, std::uint32_t, cudaStream_t);   \
    template cudaError_t launchRimJoin(const JoinRims<Level, EngineRimShape>&, std::uint64_t, cudaStream_t);           \
    template cudaError_t launchEachOf(const SettleRims<Level>&, const std::uint32_t*, std::uint32_t, cudaStream_t);    \
    template cudaError_t launchEachOf(const NameRims<Level>&, const std::uint32_t*, std::uint32_t, cudaStream_t)
POLLARD_INSTANTIATE(std::uint8_t);
POLLARD_INSTANTIATE(std::uint16_t);
#undef POLLARD_INSTANTIATE

} // namespace pollard::cuda
