#include "cuda/rims/rim_kernels.cuh"

#include "cuda/kernels/device_loop.cuh"
#include "cuda/rims/engine_rim_shape.hpp"
#include "cuda/rims/rim_launch.cuh"

namespace pollard::cuda {

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
