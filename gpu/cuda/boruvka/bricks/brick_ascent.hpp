#pragma once

#include "cuda/boruvka/bricks/brick_work.hpp"

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

} // namespace pollard::cuda
