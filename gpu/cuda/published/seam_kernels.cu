#include "cuda/published/tile_kernels.cuh"

#include "cuda/published/border_forest.hpp"
#include "cuda/published/link_record.hpp"

#include <algorithm>

namespace pollard::cuda {

namespace {

constexpr int kBlockSize = 256;
// Enough blocks to fill an H100 (132 multiprocessors of 2,048 threads), few enough that each thread gets many
// positions: it starts its next position while its neighbours still climb.
constexpr std::uint64_t kMaxBlocks = 132 * 8;
// Steps between two reads of the stop flag over the bus: some hundred microseconds.
constexpr std::uint32_t kTurnsPerLook = 1024;

/// Starts connections between pixels.
template <class Level> struct PixelEnds {
    using Machine = Connection<PixelLinks>;
    LevelView<Level> image;
    PixelLinks links;

    __device__ void start(Machine& machine, EdgeEnds ends) const {
        machine.start(links, PixelRecord::make(image[ends.u], ends.u), PixelRecord::make(image[ends.v], ends.v));
    }
    __device__ void step(Machine& machine) const { machine.step(links); }
};

/// Starts connections between the pixels' slots in the border trees.
struct SlotEnds {
    using Machine = BorderConnection<>;
    BorderForest forest;

    __device__ void start(Machine& machine, EdgeEnds ends) const {
        machine.start(forest, forest.slotOfPixel(ends.u), forest.slotOfPixel(ends.v));
    }
    __device__ void step(Machine& machine) const { machine.step(forest); }
};

template <class Level, class Ends> __global__ void __launch_bounds__(kBlockSize)
    joinSeamKernel(LevelView<Level> image, SeamPositions seam, BoundaryRule rule, std::uint64_t count, Ends ends,
                   const volatile std::uint32_t* stop) {
    const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
    std::uint64_t next = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    SeamPosition at{};
    typename Ends::Machine machine;
    for (std::uint32_t turn = 1;; ++turn) {
        if (turn % kTurnsPerLook == 0 && *stop != 0) {
            return;
        }
        if (!machine.active()) {
            if (at.kept == 0) {
                if (next >= count) {
                    return;
                }
                at = lookAtSeam(image, seam, rule, next);
                next += stride;
                if (at.kept == 0) {
                    continue;
                }
            }
            ends.start(machine, takeEdge(at));
        }
        ends.step(machine);
    }
}

template <class Level, class Ends> cudaError_t launch(LevelView<Level> image, SeamPositions seam, BoundaryRule rule,
                                                      Ends ends, const volatile std::uint32_t* stop,
                                                      cudaStream_t stream) {
    const std::uint64_t count = seam.count();
    if (count == 0) {
        return cudaSuccess;
    }
    const auto blocks =
        static_cast<unsigned>(std::min<std::uint64_t>((count + kBlockSize - 1) / kBlockSize, kMaxBlocks));
    joinSeamKernel<<<blocks, kBlockSize, 0, stream>>>(image, seam, rule, count, ends, stop);
    return cudaGetLastError();
}

} // namespace

template <class Level> cudaError_t launchJoinSeam(LevelView<Level> image, SeamPositions seam, BoundaryRule rule,
                                                  PixelLinks links, const volatile std::uint32_t* stop,
                                                  cudaStream_t stream) {
    return launch(image, seam, rule, PixelEnds<Level>{image, links}, stop, stream);
}

template <class Level> cudaError_t launchJoinBorderSeam(LevelView<Level> image, SeamPositions seam, BoundaryRule rule,
                                                        BorderForest forest, const volatile std::uint32_t* stop,
                                                        cudaStream_t stream) {
    return launch(image, seam, rule, SlotEnds{forest}, stop, stream);
}

template cudaError_t launchJoinSeam(LevelView<std::uint8_t>, SeamPositions, BoundaryRule, PixelLinks,
                                    const volatile std::uint32_t*, cudaStream_t);
template cudaError_t launchJoinSeam(LevelView<std::uint16_t>, SeamPositions, BoundaryRule, PixelLinks,
                                    const volatile std::uint32_t*, cudaStream_t);
template cudaError_t launchJoinBorderSeam(LevelView<std::uint8_t>, SeamPositions, BoundaryRule, BorderForest,
                                          const volatile std::uint32_t*, cudaStream_t);
template cudaError_t launchJoinBorderSeam(LevelView<std::uint16_t>, SeamPositions, BoundaryRule, BorderForest,
                                          const volatile std::uint32_t*, cudaStream_t);

} // namespace pollard::cuda
