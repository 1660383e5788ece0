#pragma once

#include "cuda/boruvka/tile_work.hpp"

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

} // namespace pollard::cuda
