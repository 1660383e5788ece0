#pragma once

#include "cuda/boruvka/block_steps.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/boruvka/tile_work.hpp"

#include <cstddef>

namespace pollard::cuda {

/// Loads the levels of the tile and its halo. Outside the image they are 0 and never used.
template <class Work, class Levels> POLLARD_DEVICE void loadTile(Work& tile, const Levels& image) {
    using Shape = typename Work::Shape;
    tile.forShare(Shape::kPitch * (Shape::kHeight + 2), [&](std::uint32_t halo) {
        const std::uint32_t x = tile.left + halo % Shape::kPitch - 1;
        const std::uint32_t y = tile.top + halo / Shape::kPitch - 1;
        tile.memory.levels[halo] = x < tile.imageWidth && y < tile.imageHeight
                                       ? image[std::size_t{y} * tile.imageWidth + x]
                                       : typename Work::Level{0};
    });
    if (tile.thread == 0) {
        tile.memory.frozenCount = tile.memory.closedCount = tile.memory.keptCount = 0;
    }
    meetThreads();
}

/// Whether the diagonal in @p direction is the only connection of its ends, within its square of four pixels, at the
/// height of the lower end: both other pixels are lower. Other diagonals are redundant to straight edges.
template <class Work>
[[nodiscard]] POLLARD_DEVICE bool diagonalMatters(const Work& tile, std::uint32_t halo, std::uint32_t direction) {
    const std::uint32_t own = tile.key(halo);
    const std::uint32_t other = tile.key(Work::moved(halo, Work::haloStep(direction)));
    const std::uint32_t beside = tile.key(Work::moved(halo, stepRight(direction)));
    const std::uint32_t below =
        tile.key(Work::moved(halo, stepDown(direction) * static_cast<int>(Work::Shape::kPitch)));
    const std::uint32_t low = own < other ? own : other;
    return beside < low && below < low;
}

/// Links each pixel to its highest neighbour in the tile, and flags maxima and edges.
template <class Work> POLLARD_DEVICE void linkUpwards(Work& tile) {
    using Shape = typename Work::Shape;
    auto& memory = tile.memory;
    tile.forEachPixel([&](int k, std::uint32_t place) {
        std::uint32_t highest = place;
        if (tile.contains(place)) {
            const std::uint32_t x = place % Shape::kWidth;
            const std::uint32_t y = place / Shape::kWidth;
            const std::uint32_t halo = Work::haloOf(place);
            std::uint32_t highestKey = tile.key(halo);
            for (std::uint32_t direction = 0; direction < 8; direction += Work::kEight ? 1 : 2) {
                if (x + static_cast<std::uint32_t>(stepRight(direction)) < tile.width &&
                    y + static_cast<std::uint32_t>(stepDown(direction)) < tile.height) {
                    const std::uint32_t key = tile.key(Work::moved(halo, Work::haloStep(direction)));
                    if (key > highestKey) {
                        highestKey = key;
                        highest = Work::moved(place, Work::step(direction));
                    }
                }
            }
            std::uint32_t flags = highest == place ? Work::kMaximum | Work::kRoot : 0U;
            for (int n = 0; n < Work::kOwnEdges; ++n) {
                const std::uint32_t direction = Work::ownDirection(n);
                if (x + static_cast<std::uint32_t>(stepRight(direction)) < tile.width &&
                    y + static_cast<std::uint32_t>(stepDown(direction)) < tile.height &&
                    (n < 2 || diagonalMatters(tile, halo, direction))) {
                    flags |= Work::kEdge0 << n;
                }
            }
            tile.flags.add(k, flags);
        }
        memory.basin[place] = static_cast<std::uint16_t>(highest);
        memory.into[place] = static_cast<std::uint16_t>(place);
    });
    meetThreads();
}

/// The highest edge that leaves the tile from each border pixel, distributed over the threads.
template <class Work> struct LeavingEdges {
    using Shape = typename Work::Shape;
    static constexpr int kShare = static_cast<int>((Shape::kBorder + Shape::kThreads - 1) / Shape::kThreads);

    std::uint32_t edge[kShare];  ///< Work::kNoEdge if none leaves
    std::uint16_t basin[kShare]; ///< of the pixel

    POLLARD_DEVICE explicit LeavingEdges(const Work& tile) {
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int n = 0; n < kShare; ++n) {
            find(tile, n, tile.thread + static_cast<std::uint32_t>(n) * Shape::kThreads);
        }
    }

    /// Proposes these edges to the components of their pixels.
    POLLARD_DEVICE void propose(Work& tile) const {
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int n = 0; n < kShare; ++n) {
            if (edge[n] != Work::kNoEdge) {
                raiseTo(&tile.memory.best[tile.memory.label[basin[n]]], edge[n]);
            }
        }
    }

private:
    POLLARD_DEVICE void find(const Work& tile, int n, std::uint32_t i) {
        edge[n] = Work::kNoEdge;
        basin[n] = 0;
        // The two rows, then the two columns; `outwards` is the direction out of the tile.
        const bool isRow = i < 2 * Shape::kWidth;
        const std::uint32_t ofColumns = i - 2 * Shape::kWidth;
        std::uint32_t x = isRow ? i % Shape::kWidth : 0;
        std::uint32_t y = isRow ? 0 : ofColumns % Shape::kHeight;
        std::uint32_t outwards = isRow ? kNorth : kWest;
        if (isRow ? i >= Shape::kWidth : ofColumns >= Shape::kHeight) {
            outwards = opposite(outwards);
            (isRow ? y : x) = (isRow ? tile.height : tile.width) - 1;
        }
        if (i >= Shape::kBorder || x >= tile.width || y >= tile.height) {
            return;
        }
        const std::uint32_t place = y * Shape::kWidth + x;
        basin[n] = tile.memory.basin[place];
        for (std::uint32_t turn = Work::kEight ? 7 : 8; turn <= (Work::kEight ? 9 : 8); ++turn) {
            const std::uint32_t direction = (outwards + turn) % 8;
            if (tile.isInImage(x, y, direction)) {
                const std::uint32_t candidate = tile.edge(Work::haloOf(place), direction);
                edge[n] = candidate > edge[n] ? candidate : edge[n];
            }
        }
    }
};

/// Removes the edges between pixels of one maximum, which are the majority: a uniform loop does this faster than the
/// rounds of hookWithinBlock(). (Also removing the lower ones of adjacent edges between the same two maxima costs more
/// than it saves.)
template <class Work> POLLARD_DEVICE void removeInnerEdges(Work& tile) {
    const auto& basin = tile.memory.basin;
    tile.forEachPixel([&](int k, std::uint32_t place) {
        const std::uint32_t flags = tile.flags.get(k);
        const std::uint32_t here = basin[place];
        std::uint32_t inner = 0;
        for (int n = 0; n < Work::kOwnEdges; ++n) {
            const std::uint32_t bit = Work::kEdge0 << n;
            if ((flags & bit) != 0 && basin[Work::moved(place, Work::step(Work::ownDirection(n)))] == here) {
                inner |= bit;
            }
        }
        tile.flags.remove(k, inner);
    });
}

/// Writes the components along the border of the tile.
template <class Work> POLLARD_DEVICE void writeBorderLabels(const Work& tile, const BorderLabels& labels) {
    using Shape = typename Work::Shape;
    const auto& memory = tile.memory;
    const auto componentOf = [&](std::uint32_t x, std::uint32_t y) {
        return memory.firstFrozen + memory.basin[memory.label[y * Shape::kWidth + x]];
    };
    const std::size_t row = 2 * std::size_t{tile.top / Shape::kHeight};
    tile.forShare(tile.width, [&](std::uint32_t x) {
        labels.rows[row * tile.imageWidth + tile.left + x] = componentOf(x, 0);
        labels.rows[(row + 1) * tile.imageWidth + tile.left + x] = componentOf(x, tile.height - 1);
    });
    const std::size_t column = 2 * std::size_t{tile.left / Shape::kWidth};
    tile.forShare(tile.height, [&](std::uint32_t y) {
        labels.columns[column * tile.imageHeight + tile.top + y] = componentOf(0, y);
        labels.columns[(column + 1) * tile.imageHeight + tile.top + y] = componentOf(tile.width - 1, y);
    });
}

/// Pass 1, one block per tile: finds all branches that end within the tile, and the edges to be joined between tiles.
/// Each pixel gets the code of its branch (BranchCode) as known within the tile.
template <class Level, class Shape_, bool kEight> struct TilePass {
    using Shape = Shape_;
    using Memory = BlockMemory<Level, Shape>;

    RotatedLevels<Level> image;
    std::uint32_t width, height; ///< of the image, px
    std::uint32_t tileColumns;
    BranchCounts* counts; ///< 0 at the start
    std::uint32_t* codes; ///< per pixel
    std::uint32_t* closedSaddles;
    EdgeList edges;
    BorderLabels labels;

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const std::uint32_t left = blockOfGrid() % tileColumns * Shape::kWidth;
        const std::uint32_t top = blockOfGrid() / tileColumns * Shape::kHeight;
        TileWork<Level, Shape, kEight> tile{{memory, threadOfBlock()},
                                            {},
                                            left,
                                            top,
                                            width - left < Shape::kWidth ? width - left : Shape::kWidth,
                                            height - top < Shape::kHeight ? height - top : Shape::kHeight,
                                            width,
                                            height};
        loadTile(tile, image);
        linkUpwards(tile);
        followToMaxima(tile);
        removeInnerEdges(tile);
        hookWithinBlock(tile, LeavingEdges(tile));
        numberBranches(tile, counts);
        writeCodes(tile, codes, closedSaddles);
        writeBorderLabels(tile, labels);
        meetThreads();
        keepForest(tile);
        writeForest(tile, counts, edges);
    }
};

} // namespace pollard::cuda
