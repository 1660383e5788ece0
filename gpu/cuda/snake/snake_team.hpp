#pragma once

#include "cuda/kernels/kernel_threads.hpp"
#include "snake/region_law.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

// Operations of a warp. All of its threads call them.

namespace pollard::cuda {

inline constexpr std::uint32_t kWarpThreads = 32;

[[nodiscard]] POLLARD_DEVICE inline std::uint32_t laneOfWarp() { return threadOfBlock() % kWarpThreads; }
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t warpOfBlock() { return threadOfBlock() / kWarpThreads; }

[[nodiscard]] POLLARD_DEVICE inline RegionSums fromLane(const RegionSums& given, std::uint32_t lane) {
    return {static_cast<std::int64_t>(fromLane(static_cast<std::uint64_t>(given.pixels), lane)),
            static_cast<std::int64_t>(fromLane(static_cast<std::uint64_t>(given.levels), lane)),
            static_cast<std::int64_t>(fromLane(static_cast<std::uint64_t>(given.squares), lane))};
}
[[nodiscard]] POLLARD_DEVICE inline double fromLane(double given, std::uint32_t lane) {
#ifdef __CUDACC__
    return __longlong_as_double(
        static_cast<long long>(fromLane(static_cast<std::uint64_t>(__double_as_longlong(given)), lane)));
#else
    return std::bit_cast<double>(fromLane(std::bit_cast<std::uint64_t>(given), lane));
#endif
}

/// Sum over the lanes that are congruent modulo @p period, a power of two; returned to every lane.
[[nodiscard]] POLLARD_DEVICE inline RegionSums sumOfLanes(RegionSums value, std::uint32_t period) {
    for (std::uint32_t distance = period; distance < kWarpThreads; distance *= 2) {
        value += fromLane(value, laneOfWarp() ^ distance);
    }
    return value;
}

/// Index of the set bit that has @p before set bits below it; must exist.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t setBitAfter(std::uint32_t bits, std::uint32_t before) {
    for (; before > 0; --before) {
        bits &= bits - 1;
    }
    return static_cast<std::uint32_t>(lowestBit(bits));
}

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

// The team that works on one contour: one block, or all blocks of a cooperative launch. Each block has a copy of the
// contour and reaches the same decisions; the team exchanges the rest. If there are several blocks, the last one has no
// nodes and writes to the host, so that the others do not wait for host memory.

class BlockTeam {
public:
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t blocks() { return 1; }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t block() { return 0; }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t workers() { return 1; }
    [[nodiscard]] POLLARD_DEVICE static bool writesToHost() { return true; }
    POLLARD_DEVICE static void meet() { meetThreads(); }
    template <class Meanwhile> [[nodiscard]] POLLARD_DEVICE static std::uint32_t
    unite(std::uint32_t bits, const SnakeScratch& scratch, const Meanwhile& meanwhile) {
        const std::uint32_t all = bitsOfBlock(bits, scratch);
        meanwhile();
        return all;
    }
    [[nodiscard]] POLLARD_DEVICE static bool anyOf(bool yes, const SnakeScratch& /*scratch*/) { return anyThread(yes); }
};

class GridTeam {
public:
    static constexpr std::uint32_t kFlags = 3;

    /// @param flags kFlags words of device memory, 0 at the start of the kernel
    POLLARD_DEVICE GridTeam(std::uint32_t blocks, std::uint32_t* flags) : blocks_(blocks), flags_(flags) {}

    [[nodiscard]] POLLARD_DEVICE std::uint32_t blocks() const { return blocks_; }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t block() { return blockOfGrid(); }
    /// Blocks that have nodes, the first ones.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t workers() const { return blocks_ > 1 ? blocks_ - 1 : 1; }
    /// Whether this block writes to the host.
    [[nodiscard]] POLLARD_DEVICE bool writesToHost() const { return block() + 1 == blocks_; }
    POLLARD_DEVICE static void meet() { meetGrid(); }
    /// Bitwise or over all warps of the team; a barrier for all its threads.
    /// @param bits uniform over the warp
    /// @param meanwhile called after the barrier, to overlap with the load of the result
    template <class Meanwhile> [[nodiscard]] POLLARD_DEVICE std::uint32_t
    unite(std::uint32_t bits, const SnakeScratch& scratch, const Meanwhile& meanwhile) {
        std::uint32_t* const flag = flags_ + asked_ % kFlags;
        ++asked_;
        const std::uint32_t own = bitsOfBlock(bits, scratch);
        if (threadOfBlock() == 0) {
            if (own != 0) {
                static_cast<void>(withBitsSet(flag, own));
            }
            if (block() == 0) {
                storeFresh(flags_ + asked_ % kFlags, std::uint32_t{0}); // every block has read its value of two calls
                                                                        // ago
            }
        }
        meetGrid();
        const std::uint32_t all = loadFresh(flag);
        meanwhile();
        return all;
    }
    /// Whether any warp of the team passes true; a barrier for all its threads.
    [[nodiscard]] POLLARD_DEVICE bool anyOf(bool yes, const SnakeScratch& scratch) {
        return unite(yes ? 1 : 0, scratch, [] {}) != 0;
    }

private:
    std::uint32_t blocks_;
    std::uint32_t* flags_;
    std::uint32_t asked_ = 0;
};

} // namespace pollard::cuda
