#pragma once

#include "cuda/boruvka/block_work.hpp"
#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"

namespace pollard::cuda {

/// Of the edges between the frozen components of a tile or brick, only a maximum spanning forest matters to the image:
/// Boruvka's algorithm again, without the edges that leave it. Lists the forest in `kept`; overwrites `into` of the
/// roots.
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

/// Appends the forest's edges to those of the image.
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
