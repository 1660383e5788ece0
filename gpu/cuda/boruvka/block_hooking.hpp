#pragma once

#include "cuda/boruvka/block_work.hpp"

// Steps within a tile or a brick: Work is TileWork or BrickWork, which have the edges.

namespace pollard::cuda {

/// Follows the links of all pixels to their neighbours, in `basin`, up to the maxima. Every maximum becomes a
/// component.
template <class Work> POLLARD_DEVICE void followToMaxima(Work& tile) {
    auto& memory = tile.memory;
    std::uint16_t* links = memory.basin;
    std::uint16_t* longer = memory.label;
    for (bool open = true; open;) {
        open = false;
        tile.forEachPixel([&](int, std::uint32_t place) { longer[place] = Work::follow(links, links[place], open); });
        open = anyThread(open);
        std::uint16_t* const done = longer;
        longer = links;
        links = done;
    }
    tile.forEachPixel([&](int, std::uint32_t place) {
        memory.basin[place] = links[place];
        memory.label[place] = static_cast<std::uint16_t>(place);
    });
    meetThreads();
}

/// Rounds of Boruvka's algorithm: each component is hooked to the one at the other end of its highest edge, unless that
/// edge leaves the tile or brick, which freezes the component. The component and edge that a maximum was hooked by stay
/// in `into` and `best`: these are the branches. A frozen component stays frozen: components are hooked to it by edges
/// lower than the one that leaves.
template <class Work, class Leaving> POLLARD_DEVICE void hookWithinBlock(Work& tile, const Leaving& leaving) {
    auto& memory = tile.memory;
    const auto rootOf = [&memory](std::uint32_t place) -> std::uint32_t { return memory.label[memory.basin[place]]; };
    while (true) {
        tile.flags.forEach(Work::kRoot, [&](int k, int) { memory.best[tile.placeOfShare(k)] = Work::kNoEdge; });
        meetThreads();
        tile.proposeInnerEdges(rootOf);
        leaving.propose(tile);
        meetThreads();
        bool hooked = false;
        tile.flags.forEach(Work::kRoot, [&](int k, int) {
            const std::uint32_t place = tile.placeOfShare(k);
            const std::uint32_t edge = memory.best[place];
            if (edge != Work::kNoEdge && !tile.leaves(edge)) {
                const std::uint32_t partner = tile.partnerOf(place, edge, rootOf);
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
