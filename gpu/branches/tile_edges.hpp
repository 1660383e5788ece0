#pragma once

#include "branches/tile_work.hpp"

namespace pollard::cuda {

/// Whether the edge from a pixel in @p direction is lower than the one beside it, @p aside, which connects the same
/// two maxima.
template <class Work> [[nodiscard]] POLLARD_DEVICE bool isBelowTwin(const Work& tile, std::uint32_t place,
                                                                    std::uint32_t direction, std::uint32_t aside) {
    const std::uint32_t twin = Work::moved(place, Work::step(aside));
    const int step = Work::step(direction);
    const auto& basin = tile.memory.basin;
    if (basin[twin] != basin[place] || basin[Work::moved(twin, step)] != basin[Work::moved(place, step)]) {
        return false;
    }
    return tile.edge(Work::haloOf(place), direction) < tile.edge(Work::haloOf(twin), direction);
}

/// Forgets edges that never join two components: those within the pixels of one maximum, which are most, and of those
/// side by side between the same two maxima all but the highest.
template <class Work> POLLARD_DEVICE void forgetIdleEdges(Work& tile) {
    using Shape = typename Work::Shape;
    const auto& basin = tile.memory.basin;
    tile.forEachPixel([&](int k, std::uint32_t place) {
        const std::uint32_t flags = tile.flags.get(k);
        const std::uint32_t here = basin[place];
        std::uint32_t idle = 0;
        for (int n = 0; n < Work::kOwnEdges; ++n) {
            const std::uint32_t bit = Work::kEdge0 << n;
            if ((flags & bit) != 0 && basin[Work::moved(place, Work::step(Work::ownDirection(n)))] == here) {
                idle |= bit;
            }
        }
        tile.flags.remove(k, idle);
    });
    constexpr std::uint32_t kStraight = 3 * Work::kEdge0; // to the east and to the south
    tile.flags.forEach(kStraight, [&](int k, int bit) {
        const std::uint32_t place = tile.placeOfShare(k);
        const bool isEast = bit == Work::kFirstEdgeBit;
        const std::uint32_t direction = isEast ? kEast : kSouth;
        const std::uint32_t along = isEast ? place / Shape::kWidth : place % Shape::kWidth;
        const std::uint32_t length = isEast ? tile.height : tile.width;
        if ((along > 0 && isBelowTwin(tile, place, direction, isEast ? kNorth : kWest)) ||
            (along + 1 < length && isBelowTwin(tile, place, direction, isEast ? kSouth : kEast))) {
            tile.flags.remove(k, 1U << bit);
        }
    });
}

} // namespace pollard::cuda
