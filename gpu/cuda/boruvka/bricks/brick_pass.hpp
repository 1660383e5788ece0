#pragma once

#include "cuda/boruvka/block_codes.hpp"
#include "cuda/boruvka/block_forest.hpp"
#include "cuda/boruvka/block_hooking.hpp"
#include "cuda/boruvka/bricks/brick_ascent.hpp"
#include "cuda/boruvka/bricks/brick_leaving.hpp"
#include "cuda/boruvka/bricks/brick_work.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/turned_levels.hpp"

#include <cstddef>

namespace pollard::cuda {

/// Components on the faces of bricks: for each axis, the first and the last layer of voxels of each layer of bricks,
/// in raster order.
struct FaceLabels {
    std::uint32_t* ofAxis[3];
};

/// Writes the components on the faces of the brick.
template <class Work> POLLARD_DEVICE void writeFaceLabels(const Work& brick, const FaceLabels& labels) {
    using Shape = typename Work::Shape;
    const auto& memory = brick.memory;
    const Voxel& first = brick.first;
    const Extent& volume = brick.volume;
    brick.forShare(Shape::kBorder, [&](std::uint32_t i) {
        const auto face = BrickFacePlace::of<Shape>(i);
        if (!brick.has(face.at)) {
            return;
        }
        const std::uint32_t component = memory.firstFrozen + memory.basin[memory.label[Work::placeAt(face.at)]];
        const Voxel at{first.x + face.at.x, first.y + face.at.y, first.z + face.at.z};
        const std::size_t isFar = face.isFar ? 1 : 0;
        if (face.axis == 2) {
            const std::size_t layer = 2 * std::size_t{first.z / Shape::kDepth} + isFar;
            labels.ofAxis[2][(layer * volume.height + at.y) * volume.width + at.x] = component;
        } else if (face.axis == 1) {
            const std::size_t layer = 2 * std::size_t{first.y / Shape::kHeight} + isFar;
            labels.ofAxis[1][(layer * volume.slices + at.z) * volume.width + at.x] = component;
        } else {
            const std::size_t layer = 2 * std::size_t{first.x / Shape::kWidth} + isFar;
            labels.ofAxis[0][(layer * volume.slices + at.z) * volume.height + at.y] = component;
        }
    });
}

/// Pass 1 for volumes, one block per brick, as TilePass.
template <class Level, class Shape_, int kNeighbours> struct BrickPass {
    using Shape = Shape_;
    using Memory = BlockMemory<Level, Shape>;
    /// Blocks that share a multiprocessor, which has shared memory for no more.
    static constexpr int kMostBlocks = 3;

    TurnedLevels<Level> image;
    Extent volume;
    FoundBranches found;
    FaceLabels labels;

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const std::uint32_t columns = (volume.width + Shape::kWidth - 1) / Shape::kWidth;
        const std::uint32_t rows = (volume.height + Shape::kHeight - 1) / Shape::kHeight;
        const std::uint32_t row = blockOfGrid() / columns;
        const Voxel first{blockOfGrid() % columns * Shape::kWidth, row % rows * Shape::kHeight,
                          row / rows * Shape::kDepth};
        const Extent size{least(volume.width - first.x, Shape::kWidth), least(volume.height - first.y, Shape::kHeight),
                          least(volume.slices - first.z, Shape::kDepth)};
        BrickWork<Level, Shape, kNeighbours> brick{{memory, threadOfBlock()}, {}, {}, first, size, volume};
        loadBrick(brick, image);
        linkVoxelsUpwards(brick);
        followToMaxima(brick);
        collectEdges(brick);
        hookWithinBlock(brick, BrickLeavingEdges(brick));
        numberBranches(brick, found.counts);
        writeCodes(brick, found.codes, found.closedSaddles);
        writeFaceLabels(brick, labels);
        meetThreads();
        keepForest(brick);
        writeForest(brick, found.counts, found.edges);
    }

private:
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t least(std::uint32_t a, std::uint32_t b) noexcept {
        return a < b ? a : b;
    }
};

} // namespace pollard::cuda
