#pragma once

#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/boruvka/sorted_runs.hpp"

// Pass 7: attaches the branches to each other.

namespace pollard::cuda {

/// Finds the run of each branch's saddle. Returns 1 if the branch's lowest run is an alias. One thread per branch.
template <class Level> struct LinkBranches {
    RunTable<Level> runs;
    const std::uint32_t* runOfPixel; ///< by image pixel, not rotated
    std::uint32_t lastPixel;
    const std::uint64_t* frozenHook;
    const std::uint32_t* closedSaddles;
    std::uint32_t frozenCount;
    BranchTable branches;

    POLLARD_DEVICE std::uint32_t operator()(std::size_t b) const {
        const std::uint32_t first = branches.first[b];
        const bool isFrozen = b < frozenCount;
        branches.isAlias[b] = 0;
        branches.saddle[b] = kNoRun;
        if (first == kNoRun || (isFrozen && frozenHook[b] == EdgeKey::kNone)) {
            return 0;
        }
        const std::uint32_t pixel = isFrozen ? EdgeKey::saddle(frozenHook[b]) : closedSaddles[b - frozenCount];
        const std::uint32_t run = runOfPixel[lastPixel - pixel];
        branches.saddle[b] = run;
        const std::uint32_t isAlias = runs.level[run] == runs.level[first] ? 1 : 0;
        branches.isAlias[b] = static_cast<std::uint8_t>(isAlias);
        return isAlias;
    }
};

/// Follows chains of aliases to a run that is a node. One thread per branch; the tree of branches is shallow.
struct AttachBranches {
    const std::uint32_t* branchOfRun;
    BranchTable branches;

    POLLARD_DEVICE void operator()(std::size_t b) const {
        std::uint32_t run = branches.saddle[b];
        while (run != kNoRun) {
            const std::uint32_t branch = branchOfRun[run];
            if (!branches.isAliasRun(run, branch)) {
                break;
            }
            run = branches.saddle[branch];
        }
        branches.attach[b] = run;
    }
};

} // namespace pollard::cuda
