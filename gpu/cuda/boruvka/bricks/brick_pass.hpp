#pragma once

#include "cuda/boruvka/block_steps.hpp"
#include "cuda/boruvka/bricks/brick_work.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"

#include <cstddef>

namespace pollard::cuda {

/// Loads the levels of the brick and its halo. Outside the volume they are 0 and never used.
template <class Work, class Levels> POLLARD_DEVICE void loadBrick(Work& brick, const Levels& image) {
    brick.forShare(Work::Shape::kHaloPixels, [&](std::uint32_t halo) {
        const Voxel at = Work::voxelOfHalo(halo);
        const std::uint32_t x = brick.first.x + at.x;
        const std::uint32_t y = brick.first.y + at.y;
        const std::uint32_t z = brick.first.z + at.z;
        const bool isInside = x < brick.volume.width && y < brick.volume.height && z < brick.volume.slices;
        brick.memory.levels[halo] = isInside
                                        ? image[(std::size_t{z} * brick.volume.height + y) * brick.volume.width + x]
                                        : typename Work::Level{0};
    });
    if (brick.thread == 0) {
        brick.memory.frozenCount = brick.memory.closedCount = brick.memory.keptCount = 0;
    }
    meetThreads();
}

/// The neighbours within the brick, a bit for each direction.
template <class Work> [[nodiscard]] POLLARD_DEVICE std::uint32_t neighboursInBrick(const Work& brick, const Voxel& at) {
    std::uint32_t bits = 0;
    Work::Neighbours::forEach([&]<std::uint32_t kDirection>() {
        constexpr int kX = SpaceDirection::x(kDirection);
        constexpr int kY = SpaceDirection::y(kDirection);
        constexpr int kZ = SpaceDirection::z(kDirection);
        const bool isInside = at.x + static_cast<std::uint32_t>(kX) < brick.size.width &&
                              at.y + static_cast<std::uint32_t>(kY) < brick.size.height &&
                              at.z + static_cast<std::uint32_t>(kZ) < brick.size.slices;
        bits |= isInside ? 1U << kDirection : 0U;
    });
    return bits;
}

/// Links each voxel to its highest neighbour in the brick, and flags the maxima. Leaves the directions of the edges
/// that a voxel has as their lower end in `best`, but for superfluous ones.
template <class Work> POLLARD_DEVICE void linkVoxelsUpwards(Work& brick) {
    using Neighbours = typename Work::Neighbours;
    auto& memory = brick.memory;
    brick.forEachPixel([&](int k, std::uint32_t place) {
        std::uint32_t highest = place;
        std::uint32_t edges = 0;
        if (brick.contains(place)) {
            const std::uint32_t inside = neighboursInBrick(brick, Work::voxelOf(place));
            const std::uint32_t halo = Work::haloOf(place);
            const std::uint32_t own = brick.key(halo);
            std::uint32_t highestKey = own;
            std::uint32_t above = 0;
            Neighbours::forEach([&]<std::uint32_t kDirection>() {
                const std::uint32_t key = brick.key(Work::haloMoved(halo, kDirection));
                if (key > own && (inside >> kDirection & 1U) != 0) {
                    above |= 1U << kDirection;
                    if (key > highestKey) {
                        highestKey = key;
                        highest = Work::moved(place, kDirection);
                    }
                }
            });
            Neighbours::forEach([&]<std::uint32_t kDirection>() {
                constexpr std::uint32_t kDetours = Neighbours::detours(kDirection);
                edges |= (above & kDetours) == 0 ? above & 1U << kDirection : 0U;
            });
            brick.flags.add(k, highest == place ? Work::kMaximum | Work::kRoot : 0U);
        }
        memory.best[place] = edges;
        memory.basin[place] = static_cast<std::uint16_t>(highest);
        memory.into[place] = static_cast<std::uint16_t>(place);
    });
    meetThreads();
}

/// Collects the edges between different maxima as the threads' own. (The others are the majority.)
template <class Work> POLLARD_DEVICE void collectEdges(Work& brick) {
    const auto& memory = brick.memory;
    brick.forEachPixel([&](int k, std::uint32_t place) {
        if (!brick.contains(place)) {
            return;
        }
        const std::uint32_t inside = neighboursInBrick(brick, Work::voxelOf(place));
        const std::uint32_t here = memory.best[place];
        std::uint32_t own = 0;
        for (int n = 0; n < Work::kOwnEdges; ++n) {
            const std::uint32_t direction = Work::ownDirection(n);
            const std::uint32_t other = Work::moved(place, direction);
            if ((inside >> direction & 1U) != 0 && memory.basin[other] != memory.basin[place] &&
                ((here >> direction | memory.best[other] >> SpaceDirection::opposite(direction)) & 1U) != 0) {
                own |= 1U << n;
            }
        }
        brick.edges.add(k, own);
    });
    meetThreads();
}

/// The highest edge that leaves the brick from each voxel on a face, distributed over the threads.
template <class Work> struct BrickLeavingEdges {
    using Shape = typename Work::Shape;
    static constexpr int kShare = static_cast<int>((Shape::kBorder + Shape::kThreads - 1) / Shape::kThreads);

    std::uint32_t edge[kShare];  ///< Work::kNoEdge if none leaves
    std::uint16_t basin[kShare]; ///< of the voxel

    POLLARD_DEVICE explicit BrickLeavingEdges(const Work& brick) {
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int n = 0; n < kShare; ++n) {
            edge[n] = Work::kNoEdge;
            basin[n] = 0;
            const std::uint32_t i = brick.thread + static_cast<std::uint32_t>(n) * Shape::kThreads;
            if (i < Shape::kBorder) {
                const auto face = BrickFacePlace::of<Shape>(i);
                if (brick.has(face.at)) {
                    const std::uint32_t place = Work::placeAt(face.at);
                    basin[n] = brick.memory.basin[place];
                    edge[n] = highest(brick, face, Work::haloOf(place));
                }
            }
        }
    }

    /// Proposes these edges to the components of their voxels.
    POLLARD_DEVICE void propose(Work& brick) const {
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int n = 0; n < kShare; ++n) {
            if (edge[n] != Work::kNoEdge) {
                raiseTo(&brick.memory.best[brick.memory.label[basin[n]]], edge[n]);
            }
        }
    }

private:
    /// The highest edge across the face: the lower one of the voxel and its highest neighbour there.
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t highest(const Work& brick, const BrickFacePlace& face,
                                                              std::uint32_t halo) {
        const Extent& volume = brick.volume;
        const Voxel at{brick.first.x + face.at.x, brick.first.y + face.at.y, brick.first.z + face.at.z};
        // Across the face, and along it: u before v.
        const bool isX = face.axis == 0;
        const bool isZ = face.axis == 2;
        const std::uint32_t outside = (isX ? at.x : isZ ? at.z : at.y) + (face.isFar ? 1U : ~0U);
        if (outside >= (isX ? volume.width : isZ ? volume.slices : volume.height)) {
            return Work::kNoEdge;
        }
        const std::uint32_t u = isX ? at.y : at.x;
        const std::uint32_t v = isZ ? at.y : at.z;
        const std::uint32_t lengthU = isX ? volume.height : volume.width;
        const std::uint32_t lengthV = isZ ? volume.height : volume.slices;
        const std::uint32_t stepU = isX ? Shape::kPitch : 1;
        const std::uint32_t stepV = isZ ? Shape::kPitch : Shape::kHaloSlice;
        const std::uint32_t across = isX ? 1 : isZ ? Shape::kHaloSlice : Shape::kPitch;
        const std::uint32_t beyond = face.isFar ? halo + across : halo - across;
        std::uint32_t key = Work::kNoEdge;
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int t = 0; t < 9; ++t) {
            const int alongU = t % 3 - 1;
            const int alongV = t / 3 - 1;
            if (Work::Neighbours::has(alongU, alongV, 1) && u + static_cast<std::uint32_t>(alongU) < lengthU &&
                v + static_cast<std::uint32_t>(alongV) < lengthV) {
                const std::uint32_t other = brick.key(beyond + static_cast<std::uint32_t>(alongU) * stepU +
                                                      static_cast<std::uint32_t>(alongV) * stepV);
                key = other > key ? other : key;
            }
        }
        return Work::lower(key, brick.key(halo));
    }
};

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

    RotatedLevels<Level> image;
    Extent volume;
    BranchOutput found;
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
