#pragma once

#include "cuda/boruvka/sorted_runs.hpp"
#include "cuda/boruvka/trunk.hpp"

#include <cstddef>
#include <cstdint>

// Pass 6 for a tree: the trunk's runs, numbered behind those of the sorted pixels.

namespace pollard::cuda {

/// A thread a level.
template <class Level> struct WriteTrunkRuns {
    Trunk trunk;
    const std::uint32_t* rank; ///< per level: levels of the trunk below it
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

/// Tells the trunk's pixels their runs. A thread a pixel.
template <class Level> struct WriteTrunkPixels {
    TurnedLevels<Level> image;
    Trunk trunk;
    const std::uint32_t* rank;
    std::uint32_t firstRun;
    std::uint32_t lastPixel;
    std::uint32_t* runOfPixel; ///< not turned

    POLLARD_DEVICE void operator()(std::size_t pixel) const {
        if (trunk.contains(pixel)) {
            runOfPixel[lastPixel - pixel] = firstRun + rank[image[pixel]];
        }
    }
};

} // namespace pollard::cuda
