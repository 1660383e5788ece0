#pragma once

#include "cuda/boruvka/tile_work.hpp"

namespace pollard::cuda {

/// The highest edge that leaves the tile from each border pixel, distributed over the threads.
template <class Work> struct LeavingEdges {
    using Shape = typename Work::Shape;
    static constexpr int kShare = static_cast<int>((Shape::kPerimeter + Shape::kThreads - 1) / Shape::kThreads);

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
        if (i >= Shape::kPerimeter || x >= tile.width || y >= tile.height) {
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

/// Proposes all edges within the tile to the components they connect, and removes those within one component.
/// @param rootOf the root of a place
template <class Work, class RootOf> POLLARD_DEVICE void proposeInnerEdges(Work& tile, const RootOf& rootOf) {
    tile.flags.forEach(Work::kEdges, [&](int k, int bit) {
        const std::uint32_t place = tile.placeOfShare(k);
        const std::uint32_t direction = Work::ownDirection(bit - Work::kFirstEdgeBit);
        if (!tile.propose(place, direction, rootOf(place), rootOf(Work::moved(place, Work::step(direction))))) {
            tile.flags.remove(k, 1U << bit);
        }
    });
}

/// The component to hook @p root to by its edge @p edge within the tile: the one at the other end. If the edge is the
/// highest of both, the lower root stays one and gets itself.
template <class Work, class RootOf> [[nodiscard]] POLLARD_DEVICE std::uint32_t
partnerOf(const Work& tile, std::uint32_t root, std::uint32_t edge, const RootOf& rootOf) {
    const std::uint32_t one = rootOf(Work::placeOf(Work::lowerEnd(edge)));
    const std::uint32_t partner = one == root ? rootOf(Work::placeOf(Work::higherEnd(edge))) : one;
    return tile.memory.best[partner] == edge && root < partner ? root : partner;
}

/// Rounds of Boruvka's algorithm: each component is hooked to the one at the other end of its highest edge, unless that
/// edge leaves the tile, which freezes the component. The component and edge that a maximum was hooked by stay in
/// `into` and `best`: these are the branches. A frozen component stays frozen: components are hooked to it by edges
/// lower than the one that leaves.
template <class Work> POLLARD_DEVICE void hookWithinTile(Work& tile) {
    auto& memory = tile.memory;
    const auto rootOf = [&memory](std::uint32_t place) -> std::uint32_t { return memory.label[memory.basin[place]]; };
    const LeavingEdges<Work> leaving(tile);
    while (true) {
        tile.flags.forEach(Work::kRoot, [&](int k, int) { memory.best[tile.placeOfShare(k)] = Work::kNoEdge; });
        meetThreads();
        proposeInnerEdges(tile, rootOf);
        leaving.propose(tile);
        meetThreads();
        bool hooked = false;
        tile.flags.forEach(Work::kRoot, [&](int k, int) {
            const std::uint32_t place = tile.placeOfShare(k);
            const std::uint32_t edge = memory.best[place];
            if (edge != Work::kNoEdge && tile.owns(Work::lowerEnd(edge)) && tile.owns(Work::higherEnd(edge))) {
                const std::uint32_t partner = partnerOf(tile, place, edge, rootOf);
                if (partner != place) {
                    memory.into[place] = static_cast<std::uint16_t>(partner);
                    hooked = true;
                }
            }
        });
        if (!anyThread(hooked)) {
            break;
        }
        // Labels of former roots serve as buffers for the shortened links.
        for (bool open = true; open;) {
            open = false;
            tile.flags.forEach(Work::kRoot, [&](int k, int) {
                const std::uint32_t place = tile.placeOfShare(k);
                memory.label[place] = Work::follow(memory.into, memory.into[place], open);
            });
            open = anyThread(open);
            tile.flags.forEach(Work::kRoot, [&](int k, int) {
                const std::uint32_t place = tile.placeOfShare(k);
                memory.into[place] = memory.label[place];
            });
            if (open) {
                meetThreads();
            }
        }
        tile.flags.forEach(Work::kMaximum, [&](int k, int) {
            const std::uint32_t place = tile.placeOfShare(k);
            const std::uint16_t before = memory.label[place];
            const std::uint16_t root = memory.label[before];
            if (root != before) {
                memory.label[place] = root;
            }
        });
        tile.flags.forEach(Work::kRoot, [&](int k, int) {
            const std::uint32_t place = tile.placeOfShare(k);
            if (memory.label[place] != place) {
                tile.flags.remove(k, Work::kRoot);
            }
        });
    }
    tile.forEachPixel([&](int k, std::uint32_t place) {
        if ((tile.flags.get(k) & Work::kMaximum) == 0) {
            memory.label[place] = memory.label[memory.basin[place]];
        }
    });
    meetThreads();
}

} // namespace pollard::cuda
