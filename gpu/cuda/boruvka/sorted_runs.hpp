#pragma once

#include "cuda/boruvka/sorted_pixels.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#include <cstdint>

// Pass 6: the runs of the sorted pixels, in order. A run stands for a node, and its first pixel is the canonical one.
// The lowest run of a branch is only an *alias* if the saddle at which the branch ends has the same level: its pixels
// belong to the node of the saddle.

namespace pollard::cuda {

constexpr std::uint32_t kNoRun = 0xffff'ffff;

/// Arrays per run.
template <class Level> struct RunTable {
    std::uint32_t* pixel; ///< the first one
    Level* level;
    std::uint32_t* branch;
};

/// Arrays per branch. Branches that lost all their pixels to others have no run.
struct BranchTable {
    std::uint32_t* first;  ///< its lowest run; kNoRun if there is none
    std::uint32_t* end;    ///< one past its highest run
    std::uint32_t* saddle; ///< run of the saddle at which its lowest run meets other branches; kNoRun for the root
    std::uint8_t* isAlias; ///< whether its lowest run is an alias
    std::uint32_t* attach; ///< the run, not an alias, to which its lowest run is attached or belongs; kNoRun for the
                           ///< root

    /// The lowest run that is a node; end[b] if there is none.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t lowest(std::uint32_t b) const noexcept {
        return first[b] + isAlias[b];
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool isAliasRun(std::uint32_t run, std::uint32_t b) const noexcept {
        return isAlias[b] != 0 && run == first[b];
    }
};

/// 1 at the start of a run; the inclusive sum numbers the runs from 1.
struct StartsRun {
    SortedPixels sorted;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t operator()(std::uint32_t k) const noexcept {
        return sorted.startsRun(k) ? 1 : 0;
    }
};

/// Writes the run of each pixel, the table of runs and the ends of the branches. One thread per place.
template <class Level> struct WriteRuns {
    SortedPixels sorted;
    const std::uint32_t* runsUpTo; ///< per place: inclusive sum of StartsRun
    std::uint32_t lastPlace;
    std::uint32_t lastPixel;
    std::uint32_t* runOfPixel; ///< by image pixel, not rotated
    RunTable<Level> runs;
    std::uint32_t* firstOfBranch; ///< kNoRun at the start
    std::uint32_t* endOfBranch;

    POLLARD_DEVICE void operator()(std::size_t k) const {
        const std::uint32_t run = runsUpTo[k] - 1;
        const std::uint32_t pixel = sorted.pixel(k);
        const std::uint32_t branch = sorted.branch(k);
        runOfPixel[lastPixel - pixel] = run;
        if (sorted.startsRun(k)) {
            runs.pixel[run] = pixel;
            runs.level[run] = static_cast<Level>(sorted.level(k));
            runs.branch[run] = branch;
            if (sorted.startsBranch(k)) {
                firstOfBranch[branch] = run;
            }
        }
        if (k == lastPlace || sorted.branch(k + 1) != branch) {
            endOfBranch[branch] = run + 1;
        }
    }
};

} // namespace pollard::cuda
