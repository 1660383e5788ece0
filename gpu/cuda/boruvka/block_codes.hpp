#pragma once

#include "cuda/boruvka/block_work.hpp"
#include "cuda/boruvka/build_state.hpp"

namespace pollard::cuda {

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

} // namespace pollard::cuda
