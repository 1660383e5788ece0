#pragma once

#include "cuda/boruvka/block_work.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"

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

/// Rounds of Boruvka's algorithm: hooks each component to the component at the other end of its highest edge, unless
/// that edge leaves the tile or brick, which freezes the component. The component and edge that a maximum was hooked by
/// stay in `into` and `best`: these are the branches. A frozen component stays frozen, because other components are
/// hooked to it by edges that are lower than its leaving edge.
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

/// Numbers the branches of the tile or brick: closed branches and frozen components.
template <class Work> POLLARD_DEVICE void numberBranches(Work& tile, BranchCounts* counts) {
    auto& memory = tile.memory;
    // One counter at a time: threads of a warp that take places together must take them from one list.
    tile.flags.forEach(Work::kRoot, [&](int k, int) {
        const std::uint32_t place = tile.placeOfShare(k);
        const std::uint32_t number = takePlace(&memory.frozenCount);
        memory.basin[place] = static_cast<std::uint16_t>(number);
        memory.frozen[number] = static_cast<std::uint16_t>(place);
    });
    tile.flags.forEach(Work::kMaximum, [&](int k, int) {
        if ((tile.flags.get(k) & Work::kRoot) == 0) {
            memory.basin[tile.placeOfShare(k)] = static_cast<std::uint16_t>(takePlace(&memory.closedCount));
        }
    });
    meetThreads();
    if (tile.thread == 0) {
        memory.firstFrozen = addTo(&counts->frozen, memory.frozenCount);
        memory.firstClosed = addTo(&counts->closed, memory.closedCount);
    }
    meetThreads();
}

/// Writes the code of each pixel's branch, and the saddle of each branch closed there.
template <class Work> POLLARD_DEVICE void writeCodes(Work& tile, std::uint32_t* codes, std::uint32_t* closedSaddles) {
    const auto& memory = tile.memory;
    tile.forEachPixel([&](int k, std::uint32_t place) {
        if (!tile.contains(place)) {
            return;
        }
        const std::uint32_t flags = tile.flags.get(k);
        const bool isMaximum = (flags & Work::kMaximum) != 0;
        const std::uint32_t key = tile.key(Work::haloOf(place));
        // From the maximum through the components it was hooked to, as long as the hook is not below the pixel; at most
        // one link per round.
        std::uint32_t branch = isMaximum ? place : memory.basin[place];
        std::uint32_t next = memory.into[branch];
        while (next != branch && Work::reaches(memory.best[branch], key)) {
            branch = next;
            next = memory.into[branch];
        }
        codes[tile.pixelOf(place)] = next == branch ? BranchCode::frozen(memory.firstFrozen + memory.basin[branch])
                                                    : memory.firstClosed + memory.basin[branch];
        if (isMaximum && (flags & Work::kRoot) == 0) {
            closedSaddles[memory.firstClosed + memory.basin[place]] =
                tile.pixelOf(Work::placeOf(Work::lowerEnd(memory.best[place])));
        }
    });
}

/// Finds a maximum spanning forest of the edges between the frozen components of a tile or brick, since no other edges
/// matter to the image: Boruvka's algorithm again, without the leaving edges. Lists the forest in `kept`; overwrites
/// `into` of the roots.
template <class Work> POLLARD_DEVICE void keepForest(Work& tile) {
    using Shape = typename Work::Shape;
    constexpr std::uint32_t kShare = (Shape::kBorder + Shape::kThreads - 1) / Shape::kThreads;
    constexpr std::uint16_t kNowhere = 0xffff;
    auto& memory = tile.memory;
    const auto rootOf = [&memory](std::uint32_t place) -> std::uint32_t { return memory.into[memory.label[place]]; };
    const std::uint32_t count = memory.frozenCount;
    bool isHooked = count > 1;
    while (isHooked) {
        tile.forShare(count, [&](std::uint32_t i) {
            const std::uint32_t place = memory.frozen[i];
            if (memory.into[place] == place) {
                memory.best[place] = Work::kNoEdge;
            }
        });
        meetThreads();
        tile.proposeInnerEdges(rootOf);
        meetThreads();
        // Hooks are written after all threads have read the roots of this round.
        std::uint16_t partners[kShare];
        isHooked = false;
#ifdef __CUDACC__
#pragma unroll
#endif
        for (std::uint32_t n = 0; n < kShare; ++n) {
            const std::uint32_t i = tile.thread + n * Shape::kThreads;
            partners[n] = kNowhere;
            if (i >= count) {
                continue;
            }
            const std::uint32_t place = memory.frozen[i];
            const std::uint32_t edge = memory.into[place] == place ? memory.best[place] : Work::kNoEdge;
            if (edge == Work::kNoEdge) {
                continue;
            }
            const std::uint32_t partner = tile.partnerOf(place, edge, rootOf);
            if (partner != place) {
                partners[n] = static_cast<std::uint16_t>(partner);
                memory.kept[takePlace(&memory.keptCount)] = tile.forestEdge(edge, place, partner, rootOf);
                isHooked = true;
            }
        }
        isHooked = anyThread(isHooked);
#ifdef __CUDACC__
#pragma unroll
#endif
        for (std::uint32_t n = 0; n < kShare; ++n) {
            if (partners[n] != kNowhere) {
                memory.into[memory.frozen[tile.thread + n * Shape::kThreads]] = partners[n];
            }
        }
        meetThreads();
        for (bool open = isHooked; open;) {
            open = false;
#ifdef __CUDACC__
#pragma unroll
#endif
            for (std::uint32_t n = 0; n < kShare; ++n) {
                const std::uint32_t i = tile.thread + n * Shape::kThreads;
                if (i < count) {
                    partners[n] = Work::follow(memory.into, memory.into[memory.frozen[i]], open);
                }
            }
            open = anyThread(open);
#ifdef __CUDACC__
#pragma unroll
#endif
            for (std::uint32_t n = 0; n < kShare; ++n) {
                const std::uint32_t i = tile.thread + n * Shape::kThreads;
                if (i < count) {
                    memory.into[memory.frozen[i]] = partners[n];
                }
            }
            meetThreads();
        }
    }
}

/// Appends the edges of the forest to the list of the image.
template <class Work> POLLARD_DEVICE void writeForest(Work& tile, BranchCounts* counts, const EdgeList& edges) {
    auto& memory = tile.memory;
    if (tile.thread == 0) {
        memory.firstEdge = addTo(&counts->edges[0], memory.keptCount);
    }
    meetThreads();
    const auto componentOf = [&](std::uint32_t halo) {
        return memory.firstFrozen + memory.basin[memory.label[Work::placeOf(halo)]];
    };
    tile.forShare(memory.keptCount, [&](std::uint32_t i) {
        const std::uint32_t edge = memory.kept[i];
        const std::uint32_t low = Work::lowerEnd(edge);
        const std::uint32_t at = memory.firstEdge + i;
        edges.one[at] = componentOf(low);
        edges.other[at] = componentOf(Work::higherEnd(edge));
        edges.key[at] = EdgeKey::make(memory.levels[low], tile.pixelOf(Work::placeOf(low)), Work::directionOf(edge));
    });
}

} // namespace pollard::cuda
