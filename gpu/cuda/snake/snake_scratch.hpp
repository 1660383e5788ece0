#pragma once

#include "cuda/snake/warp_sums.hpp"
#include "snake/region_sums.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Shared memory for reductions over a block.
struct SnakeScratch {
    RegionSums* parts;     ///< eight per warp
    std::uint32_t* counts; ///< one per warp
    std::uint32_t threads; ///< of the block, a power of two

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t warpsOf(std::uint32_t threads) noexcept {
        return (threads + kWarpThreads - 1) / kWarpThreads;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t bytes(std::uint32_t threads) noexcept {
        const std::size_t all = warpsOf(threads) * (kPartsOfWarp * sizeof(RegionSums) + sizeof(std::uint32_t));
        return (all + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t) * sizeof(std::uint64_t);
    }
    POLLARD_DEVICE SnakeScratch(std::uint32_t* memory, std::uint32_t threadsOfBlock)
        : parts(reinterpret_cast<RegionSums*>(memory)),
          counts(reinterpret_cast<std::uint32_t*>(parts + warpsOf(threadsOfBlock) * kPartsOfWarp)),
          threads(threadsOfBlock) {}

    [[nodiscard]] POLLARD_DEVICE std::uint32_t warps() const { return warpsOf(threads); }

    static constexpr std::size_t kPartsOfWarp = 8;
};

/// Sums, and a count.
struct CountedSums {
    RegionSums sums;
    std::uint32_t count = 0;
};

/// The sum over the threads of a block, returned to all. Called by all threads; contains barriers.
[[nodiscard]] POLLARD_DEVICE inline CountedSums sumOfBlock(const CountedSums& value, const SnakeScratch& scratch) {
    const RegionSums ofWarp = sumOfLanes(value.sums, 1);
    std::uint32_t count = value.count;
    for (std::uint32_t distance = 1; distance < kWarpThreads; distance *= 2) {
        count += fromLane(count, laneOfWarp() ^ distance);
    }
    if (laneOfWarp() == 0) {
        scratch.parts[warpOfBlock()] = ofWarp;
        scratch.counts[warpOfBlock()] = count;
    }
    meetThreads();
    CountedSums all;
    for (std::uint32_t warp = 0; warp < scratch.warps(); ++warp) {
        all.sums += scratch.parts[warp];
        all.count += scratch.counts[warp];
    }
    meetThreads();
    return all;
}
[[nodiscard]] POLLARD_DEVICE inline RegionSums sumOfBlock(const RegionSums& value, const SnakeScratch& scratch) {
    return sumOfBlock(CountedSums{value, 0}, scratch).sums;
}

[[nodiscard]] POLLARD_DEVICE inline std::int64_t sumOfBlock(std::int64_t value, const SnakeScratch& scratch) {
    return sumOfBlock(RegionSums{value, 0, 0}, scratch).pixels;
}

/// Bitwise or over the warps of a block, returned to all. Called by all threads; contains barriers.
/// @param bits uniform over the warp
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t bitsOfBlock(std::uint32_t bits, const SnakeScratch& scratch) {
    if (laneOfWarp() == 0) {
        scratch.counts[warpOfBlock()] = bits;
    }
    meetThreads();
    std::uint32_t all = 0;
    for (std::uint32_t warp = 0; warp < scratch.warps(); ++warp) {
        all |= scratch.counts[warp];
    }
    meetThreads();
    return all;
}

} // namespace pollard::cuda
