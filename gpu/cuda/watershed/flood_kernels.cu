#include "cuda/components/ha4/pass_launch.cuh"
#include "cuda/kernels/device_loop.cuh"
#include "cuda/watershed/flood_build.hpp"
#include "cuda/watershed/flood_rules.hpp"
#include "cuda/watershed/flood_tile.hpp"

#include <cstdint>

namespace pollard::cuda {

template cudaError_t launchEach(const StartRounds&, std::size_t, cudaStream_t);

#define POLLARD_INSTANTIATE_FLOOD(Level, Shape, neighbours)                                                            \
    template cudaError_t launchPass(const SettleTiles<TimeRule<Level, neighbours>, Shape>&, std::uint32_t,             \
                                    cudaStream_t);                                                                     \
    template cudaError_t launchPass(const SettleTiles<LabelRule<Level, neighbours>, Shape>&, std::uint32_t,            \
                                    cudaStream_t)
#define POLLARD_INSTANTIATE(Level)                                                                                     \
    template cudaError_t launchEach(const PlaceSeeds<Level, EngineFloodShape>&, std::size_t, cudaStream_t);            \
    template cudaError_t launchEach(const PlaceSeeds<Level, EngineFloodBox>&, std::size_t, cudaStream_t);              \
    template cudaError_t launchMaximum(const RoundOfPixel<Level>&, std::size_t, unsigned long long*, cudaStream_t);    \
    POLLARD_INSTANTIATE_FLOOD(Level, EngineFloodShape, 4);                                                             \
    POLLARD_INSTANTIATE_FLOOD(Level, EngineFloodShape, 8);                                                             \
    POLLARD_INSTANTIATE_FLOOD(Level, EngineFloodBox, 6);                                                               \
    POLLARD_INSTANTIATE_FLOOD(Level, EngineFloodBox, 18);                                                              \
    POLLARD_INSTANTIATE_FLOOD(Level, EngineFloodBox, 26)
POLLARD_INSTANTIATE(std::uint8_t);
POLLARD_INSTANTIATE(std::uint16_t);
#undef POLLARD_INSTANTIATE
#undef POLLARD_INSTANTIATE_FLOOD

#define POLLARD_INSTANTIATE(neighbours)                                                                                \
    template cudaError_t launchEach(const WriteLabels<neighbours>&, std::size_t, cudaStream_t)
POLLARD_INSTANTIATE(4);
POLLARD_INSTANTIATE(8);
POLLARD_INSTANTIATE(6);
POLLARD_INSTANTIATE(18);
POLLARD_INSTANTIATE(26);
#undef POLLARD_INSTANTIATE

} // namespace pollard::cuda
