#pragma once

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Largest number of threads per block of the algorithm "strips".
inline constexpr std::uint32_t kMostStripThreads = 1024;

/// Parameters for the device.
struct StripTuning {
    std::size_t sharedBytes;               ///< per block, so that two fit on a multiprocessor
    std::uint32_t joinThreads = 1024;      ///< at most, per block that joins runs
    std::uint32_t numberThreads = 512;     ///< per block that numbers components
    std::uint32_t measureThreads = 512;    ///< per block that measures, a multiple of 32
    std::uint32_t groupBits = 5;           ///< 2^groupBits strips are joined before groups
    std::uint32_t fewStrips = 64;          ///< up to this many are joined at once: launches would cost more than long
                                           ///< chains
    std::uint32_t inCluster = 0;           ///< most strips, up to fewStrips, whose passes share one launch as a cluster
                                           ///< of blocks
    std::uint32_t inGrid = 0;              ///< the same for a cooperative grid
    std::uint32_t measureBlocks = 64;      ///< at least; a strip has several if there are few strips
    std::uint32_t borderSteps = 131'072;   ///< at least, unless a step would have less than a pixel
    std::uint32_t slotBits = 10;           ///< 2^slotBits parts of objects are matched per strip
    std::uint32_t volumeSlotBits = 9;      ///< 2^volumeSlotBits objects are summed per strip of a volume
    std::uint32_t measuredAtOnce = 65'536; ///< most components per round
    std::uint32_t fewPieces = 32;          ///< most pieces of a component measured by one thread; at least 9
    std::uint32_t largePieces = 256;       ///< if the largest component has more, it is not sorted; at least fewPieces
};

} // namespace pollard::cuda
