#pragma once

#include "cuda/boruvka/tile_work.hpp"

namespace pollard::cuda {

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

} // namespace pollard::cuda
