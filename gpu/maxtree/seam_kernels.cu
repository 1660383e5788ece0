#include "maxtree/seam_kernels.cuh"

#include "maxtree/border_connection.hpp"
#include "maxtree/connection.hpp"

#include <algorithm>

namespace pollard::cuda {

namespace {

constexpr int kBlockSize = 256;
// More blocks than any present GPU holds at once, few enough that a thread sees many positions: a thread that is done
// with a short walk takes its next position while its neighbours still climb.
constexpr std::uint64_t kMaxBlocks = 132 * 8;

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

/// Starts connections between the slots that stand for the pixels in the border trees.
struct SlotEnds {
    using Machine = BorderConnection;
    BorderForest forest;

    __device__ void start(Machine& machine, EdgeEnds ends) const {
        machine.start(forest, forest.slotOfPixel(ends.u), forest.slotOfPixel(ends.v));
    }
    __device__ void step(Machine& machine) const { machine.step(forest); }
};

template <class Level, class Ends> __global__ void __launch_bounds__(kBlockSize)
    joinSeamKernel(LevelView<Level> image, SeamPositions seam, BoundaryRule rule, std::uint64_t first,
                   std::uint64_t end, Ends ends) {
    const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
    std::uint64_t next = first + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    SeamPosition at{};
    typename Ends::Machine machine;
    while (true) {
        if (!machine.active()) {
            if (at.kept == 0) {
                if (next >= end) {
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

unsigned blocksFor(std::uint64_t count) {
    return static_cast<unsigned>(std::min<std::uint64_t>((count + kBlockSize - 1) / kBlockSize, kMaxBlocks));
}

} // namespace

template <class Level> cudaError_t launchJoinSeam(LevelView<Level> image, SeamPositions seam, BoundaryRule rule,
                                                  std::uint64_t first, std::uint64_t count, PixelLinks links,
                                                  cudaStream_t stream) {
    if (count == 0) {
        return cudaSuccess;
    }
    joinSeamKernel<<<blocksFor(count), kBlockSize, 0, stream>>>(image, seam, rule, first, first + count,
                                                                PixelEnds<Level>{image, links});
    return cudaGetLastError();
}

template <class Level> cudaError_t launchJoinBorderSeam(LevelView<Level> image, SeamPositions seam, BoundaryRule rule,
                                                        std::uint64_t first, std::uint64_t count, BorderForest forest,
                                                        cudaStream_t stream) {
    if (count == 0) {
        return cudaSuccess;
    }
    joinSeamKernel<<<blocksFor(count), kBlockSize, 0, stream>>>(image, seam, rule, first, first + count,
                                                                SlotEnds{forest});
    return cudaGetLastError();
}

template cudaError_t launchJoinSeam(LevelView<std::uint8_t>, SeamPositions, BoundaryRule, std::uint64_t, std::uint64_t,
                                    PixelLinks, cudaStream_t);
template cudaError_t launchJoinSeam(LevelView<std::uint16_t>, SeamPositions, BoundaryRule, std::uint64_t, std::uint64_t,
                                    PixelLinks, cudaStream_t);
template cudaError_t launchJoinBorderSeam(LevelView<std::uint8_t>, SeamPositions, BoundaryRule, std::uint64_t,
                                          std::uint64_t, BorderForest, cudaStream_t);
template cudaError_t launchJoinBorderSeam(LevelView<std::uint16_t>, SeamPositions, BoundaryRule, std::uint64_t,
                                          std::uint64_t, BorderForest, cudaStream_t);

} // namespace pollard::cuda
