#include "cuda/components/strips/strip_kernels.cuh"
#include "cuda/components/strips/strip_paint.hpp"
#include "cuda/components/volumes/slice_contacts.hpp"
#include "cuda/components/volumes/volume_features.hpp"
#include "cuda/components/volumes/volume_layout.hpp"
#include "cuda/kernels/device_loop.cuh"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

namespace strip_launch {

template <Connectivity kNeighbours, class Level> struct Threads<MeasureVolume<kNeighbours, Level>> {
    static constexpr int kMost = 512;
    static constexpr int kBlocks = 2;
};

} // namespace strip_launch

#define POLLARD_INSTANTIATE_BLOCKS(...)                                                                                \
    template cudaError_t launchBlocks(const __VA_ARGS__&, std::uint32_t, std::size_t, cudaStream_t)
#define POLLARD_INSTANTIATE_EACH(...) template cudaError_t launchEach(const __VA_ARGS__&, std::size_t, cudaStream_t)

#define POLLARD_INSTANTIATE(kNeighbours)                                                                               \
    POLLARD_INSTANTIATE_EACH(JoinSlices<kNeighbours>);                                                                 \
    POLLARD_INSTANTIATE_BLOCKS(MeasureVolume<kNeighbours, void>);                                                      \
    POLLARD_INSTANTIATE_BLOCKS(MeasureVolume<kNeighbours, std::uint8_t>);                                              \
    POLLARD_INSTANTIATE_BLOCKS(MeasureVolume<kNeighbours, std::uint16_t>)
POLLARD_INSTANTIATE(Connectivity::six);
POLLARD_INSTANTIATE(Connectivity::eighteen);
POLLARD_INSTANTIATE(Connectivity::twentySix);
#undef POLLARD_INSTANTIATE

POLLARD_INSTANTIATE_EACH(PadSlices);
POLLARD_INSTANTIATE_EACH(ShortenBeforeSlices);
POLLARD_INSTANTIATE_EACH(StartVolumeRecords);
POLLARD_INSTANTIATE_EACH(PaintLabels<std::uint16_t, RowsOfSlices>);

} // namespace pollard::cuda
