#pragma once

#include "cuda/boruvka/sorted_runs.hpp"
#include "cuda/boruvka/trunk.hpp"

#include <cstddef>
#include <cstdint>

// Pass 6 for a tree: the trunk's runs, numbered after those of the sorted pixels.

namespace pollard::cuda {

/// Writes the trunk's runs. One thread per level.
template <class Level> struct WriteTrunkRuns {
    Trunk trunk;
    const std::uint32_t* rank; ///< per level: number of lower levels of the trunk
    std::uint32_t firstRun;
    RunTable<Level> runs;
    std::uint32_t* firstOfBranch;
    std::uint32_t* endOfBranch;

    POLLARD_DEVICE void operator()(std::size_t level) const {
        if (trunk.first[level] == kNoPixel) {
            return;
        }
        const std::uint32_t run = firstRun + rank[level];
        const std::uint32_t branch = trunk.facts->branch;
        runs.pixel[run] = trunk.first[level];
        runs.level[run] = static_cast<Level>(level);
        runs.branch[run] = branch;
        if (run == firstRun) {
            firstOfBranch[branch] = run;
            endOfBranch[branch] = run + static_cast<std::uint32_t>(trunk.facts->levels);
        }
    }
};

/// Writes the runs of the trunk's pixels. One thread per pixel.
template <class Level> struct WriteTrunkPixels {
    TurnedLevels<Level> image;
    Trunk trunk;
    const std::uint32_t* rank;
    std::uint32_t firstRun;
    std::uint32_t lastPixel;
    std::uint32_t* runOfPixel; ///< by image pixel, not rotated

    POLLARD_DEVICE void operator()(std::size_t pixel) const {
        if (trunk.contains(pixel)) {
            runOfPixel[lastPixel - pixel] = firstRun + rank[image[pixel]];
        }
    }
};

} // namespace pollard::cuda
