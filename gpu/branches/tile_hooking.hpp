#pragma once

#include "branches/tile_work.hpp"

namespace pollard::cuda {

/// Proposes to the components along the border of the tile the edges that leave it.
template <class Work> POLLARD_DEVICE void proposeLeavingEdges(Work& tile) {
    using Shape = typename Work::Shape;
    tile.forShare(Shape::kPerimeter, [&](std::uint32_t i) {
        // The two rows, then the two columns; `outwards` is the straight way out.
        const bool isRow = i < 2 * Shape::kWidth;
        const std::uint32_t ofColumns = i - 2 * Shape::kWidth;
        std::uint32_t x = isRow ? i % Shape::kWidth : 0;
        std::uint32_t y = isRow ? 0 : ofColumns % Shape::kHeight;
        std::uint32_t outwards = isRow ? kNorth : kWest;
        if (isRow ? i >= Shape::kWidth : ofColumns >= Shape::kHeight) {
            outwards = opposite(outwards);
            (isRow ? y : x) = (isRow ? tile.height : tile.width) - 1;
        }
        if (x >= tile.width || y >= tile.height) {
            return;
        }
        const std::uint32_t place = y * Shape::kWidth + x;
        for (std::uint32_t turn = Work::kEight ? 7 : 8; turn <= (Work::kEight ? 9 : 8); ++turn) {
            const std::uint32_t direction = (outwards + turn) % 8;
            if (tile.isInImage(x, y, direction)) {
                raiseTo(&tile.memory.best[tile.memory.label[place]], tile.edge(Work::haloOf(place), direction));
            }
        }
    });
}

/// Proposes all edges within the tile to the components that they connect, given the root of a place, and forgets
/// those that connect none.
template <class Work, class RootOf> POLLARD_DEVICE void proposeInnerEdges(Work& tile, const RootOf& rootOf) {
    tile.forEachPixel([&](int k, std::uint32_t place) {
        const std::uint32_t flags = tile.flags.get(k);
        if ((flags & Work::kEdges) == 0) {
            return;
        }
        const std::uint32_t here = rootOf(place);
        for (int n = 0; n < Work::kOwnEdges; ++n) {
            if ((flags & (Work::kEdge0 << n)) != 0) {
                const std::uint32_t direction = Work::ownDirection(n);
                if (!tile.propose(place, direction, here, rootOf(Work::moved(place, Work::step(direction))))) {
                    tile.flags.remove(k, Work::kEdge0 << n);
                }
            }
        }
    });
}

/// The component that @p root is to be hooked to by its edge @p edge within the tile: that at the other end. Of two
/// that want to be hooked to each other the first stays (and gets itself).
template <class Work, class RootOf> [[nodiscard]] POLLARD_DEVICE std::uint32_t
partnerOf(const Work& tile, std::uint32_t root, std::uint32_t edge, const RootOf& rootOf) {
    const std::uint32_t one = rootOf(Work::placeOf(Work::lowerEnd(edge)));
    const std::uint32_t partner = one == root ? rootOf(Work::placeOf(Work::higherEnd(edge))) : one;
    return tile.memory.best[partner] == edge && root < partner ? root : partner;
}

/// Rounds of Boruvka's algorithm: every component is hooked to the one at the other end of its highest edge, unless
/// that edge leaves the tile, which freezes the component. What a maximum was hooked to, and by which edge, stays in
/// `into` and `best`: together these are the branches. A frozen component stays so: whatever is hooked to it comes by
/// a lower edge than the one that leaves.
template <class Work> POLLARD_DEVICE void hookWithinTile(Work& tile) {
    auto& memory = tile.memory;
    const auto labelOf = [&memory](std::uint32_t place) -> std::uint32_t { return memory.label[place]; };
    while (true) {
        tile.forEachPixel([&](int k, std::uint32_t place) {
            if ((tile.flags.get(k) & Work::kRoot) != 0) {
                memory.best[place] = Work::kNoEdge;
            }
        });
        meetThreads();
        proposeInnerEdges(tile, labelOf);
        proposeLeavingEdges(tile);
        meetThreads();
        bool hooked = false;
        tile.forEachPixel([&](int k, std::uint32_t place) {
            const std::uint32_t edge = (tile.flags.get(k) & Work::kRoot) != 0 ? memory.best[place] : Work::kNoEdge;
            if (edge != Work::kNoEdge && tile.owns(Work::lowerEnd(edge)) && tile.owns(Work::higherEnd(edge))) {
                const std::uint32_t partner = partnerOf(tile, place, edge, labelOf);
                if (partner != place) {
                    memory.into[place] = static_cast<std::uint16_t>(partner);
                    hooked = true;
                }
            }
        });
        if (!anyThread(hooked)) {
            return;
        }
        tile.forEachPixel([&](int k, std::uint32_t place) {
            if ((tile.flags.get(k) & Work::kRoot) != 0 && loadFresh(&memory.into[place]) != place) {
                static_cast<void>(tile.settle(place));
                tile.flags.remove(k, Work::kRoot);
            }
        });
        meetThreads();
        tile.forEachPixel([&](int, std::uint32_t place) { memory.label[place] = memory.into[memory.label[place]]; });
    }
}

} // namespace pollard::cuda
