#pragma once

#include "branches/build_state.hpp"
#include "branches/edge_key.hpp"
#include "branches/sorted_pixels.hpp"
#include "device/kernel_threads.hpp"

#include <cstddef>

// Passes 5 to 7: from the sorted pixels to nodes and their parents. A run stands for a node, by the place of its first
// pixel in the sorted order; that pixel is the node's canonical one. But the lowest run of a branch is only an *alias*
// if the saddle it ends in has the same level: its pixels belong to the node of the saddle.

namespace pollard::cuda {

constexpr std::uint32_t kNoRun = 0xffff'ffff;

/// Per branch. Branches that lost all their pixels to others have none of these.
struct BranchTable {
    std::uint32_t* start;  ///< its lowest run; kNoRun if it has none
    std::uint32_t* saddle; ///< the run of its saddle; kNoRun for the root
    std::uint32_t* parent; ///< the branch of that run
    std::uint8_t* isAlias; ///< whether its lowest run is one
    std::uint32_t* attach; ///< the run, not an alias, that its lowest run hangs on or is part of; the root's: its own
};

/// Notes the run of every pixel. A thread a place.
struct WritePixelRuns {
    SortedPixels sorted;
    const std::uint32_t* runOfPlace; ///< by running maximum of RunStart
    std::uint32_t* runOfPixel;       ///< not turned: the image's own first pixel is at 0
    std::uint32_t lastPixel;
    std::uint32_t* branchStart; ///< all kNoRun

    POLLARD_DEVICE void operator()(std::size_t k) const {
        runOfPixel[lastPixel - sorted.pixel(k)] = runOfPlace[k];
        if (sorted.startsBranch(k)) {
            branchStart[sorted.branch(k)] = static_cast<std::uint32_t>(k);
        }
    }
};

/// Finds the run of every branch's saddle. A thread a branch.
struct LinkBranches {
    SortedPixels sorted;
    const std::uint32_t* runOfPixel; ///< not turned
    std::uint32_t lastPixel;
    const std::uint64_t* frozenHook;
    const std::uint32_t* closedSaddles;
    std::uint32_t frozenCount;
    BranchTable table;

    POLLARD_DEVICE void operator()(std::size_t b) const {
        const std::uint32_t start = table.start[b];
        const bool isFrozen = b < frozenCount;
        table.isAlias[b] = 0;
        table.parent[b] = static_cast<std::uint32_t>(b);
        table.saddle[b] = kNoRun;
        if (start == kNoRun || (isFrozen && frozenHook[b] == EdgeKey::kNone)) {
            return;
        }
        const std::uint32_t pixel = isFrozen ? EdgeKey::saddle(frozenHook[b]) : closedSaddles[b - frozenCount];
        const std::uint32_t run = runOfPixel[lastPixel - pixel];
        table.saddle[b] = run;
        table.parent[b] = sorted.branch(run);
        table.isAlias[b] = sorted.level(run) == sorted.level(start) ? 1 : 0;
    }
};

/// Sees through aliases of aliases. A thread a branch; the tree of branches is shallow.
struct AttachBranches {
    BranchTable table;

    POLLARD_DEVICE void operator()(std::size_t b) const {
        std::uint32_t run = table.saddle[b];
        if (run == kNoRun) {
            table.attach[b] = table.start[b];
            return;
        }
        std::uint32_t branch = table.parent[b];
        while (table.isAlias[branch] != 0 && run == table.start[branch]) {
            run = table.saddle[branch];
            branch = table.parent[branch];
        }
        table.attach[b] = run;
    }
};

/// The run that a run hangs on, or with the bit set, that it is an alias of.
struct ParentRun {
    static constexpr std::uint32_t kAliasBit = 0x8000'0000;
};

/// Finds the parents of the runs. A thread a place; only the starts of runs have one.
struct WriteParentRuns {
    SortedPixels sorted;
    const std::uint32_t* runOfPlace;
    BranchTable table;
    std::uint32_t* parentRun;

    POLLARD_DEVICE void operator()(std::size_t k) const {
        if (runOfPlace[k] != k) {
            return;
        }
        const std::uint32_t branch = sorted.branch(k);
        const bool isAlias = table.isAlias[branch] != 0;
        const std::uint32_t start = table.start[branch];
        if (k == start) {
            parentRun[k] = table.attach[branch] | (isAlias ? ParentRun::kAliasBit : 0U);
            return;
        }
        const std::uint32_t below = runOfPlace[k - 1];
        parentRun[k] = isAlias && below == start ? table.attach[branch] : below;
    }
};

/// Pass 8: turns the run of every pixel into its place in the canonical parent image. Both are those of the image
/// itself, not turned. A thread a pixel.
struct WriteParentPixels {
    SortedPixels sorted;
    const std::uint32_t* parentRun;
    std::uint32_t lastPixel;
    std::uint32_t* runThenParent;

    POLLARD_DEVICE void operator()(std::size_t pixel) const {
        std::uint32_t run = runThenParent[pixel];
        std::uint32_t above = parentRun[run];
        if ((above & ParentRun::kAliasBit) != 0) {
            run = above & ~ParentRun::kAliasBit;
            above = parentRun[run];
        }
        const std::uint32_t canonical = lastPixel - sorted.pixel(run);
        runThenParent[pixel] = canonical != pixel ? canonical : lastPixel - sorted.pixel(above);
    }
};

} // namespace pollard::cuda
