#pragma once

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Most threads of a block of the algorithm "strips".
inline constexpr std::uint32_t kMostStripThreads = 1024;

/// What a device can do, and what suits it.
struct StripTuning {
    std::size_t sharedBytes;               ///< of a block, so that two have room in a multiprocessor
    std::uint32_t joinThreads = 1024;      ///< at most, of a block that joins runs
    std::uint32_t numberThreads = 512;     ///< of a block that numbers components
    std::uint32_t measureThreads = 512;    ///< of a block that measures, a multiple of 32
    std::uint32_t groupBits = 5;           ///< 2^groupBits strips are joined before the next ones
    std::uint32_t fewStrips = 64;          ///< so many are joined at once: launches would take longer than chains
    std::uint32_t inCluster = 0;           ///< strips at most, no more than fewStrips, whose passes share one launch as
                                           ///< a cluster of blocks
    std::uint32_t inGrid = 0;              ///< the same as a cooperative grid
    std::uint32_t measureBlocks = 64;      ///< at least: a strip has several where there are few strips
    std::uint32_t borderSteps = 131'072;   ///< at least, unless a step would have less than a pixel
    std::uint32_t slotBits = 10;           ///< 2^slotBits parts of objects are looked for in a strip
    std::uint32_t measuredAtOnce = 65'536; ///< components, at most
    std::uint32_t fewPieces = 32;          ///< of runs, of a component that one thread measures; at least 9
    std::uint32_t largePieces = 256;       ///< more: the largest component of a strip is not sorted; at least fewPieces
};

} // namespace pollard::cuda
