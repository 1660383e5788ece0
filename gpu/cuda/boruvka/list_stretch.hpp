#pragma once

#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>

namespace pollard::cuda {

/// A block's stretch of a long list: a piece per warp, processed in turns with one place per thread. The places of a
/// warp's turn are adjacent, so that one bit for each makes one word.
/// @tparam kThreads_ threads of a block, whole warps
template <std::uint32_t kThreads_> struct ListStretch {
    static constexpr std::uint32_t kThreads = kThreads_;
    static constexpr std::uint32_t kWarp = 32;
    static constexpr std::uint32_t kWarps = kThreads / kWarp;
    static constexpr std::uint32_t kTurns = 4;
    static constexpr std::uint32_t kOfWarp = kTurns * kWarp;
    static constexpr std::uint32_t kOfBlock = kTurns * kThreads;
    static_assert(kThreads % kWarp == 0);

    std::uint32_t begin; ///< index in the list
    std::uint32_t left;  ///< places from there to the end; the block takes at most kOfBlock
    std::uint32_t warp, lane;

    POLLARD_DEVICE ListStretch(std::uint32_t count, std::uint32_t block)
        : begin(block * kOfBlock), left(count - begin), warp(threadOfBlock() / kWarp), lane(threadOfBlock() % kWarp) {}

    /// First place of the warp's turn in the list, and whether the thread has a place in that turn.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t firstOf(std::uint32_t turn) const {
        return begin + warp * kOfWarp + turn * kWarp;
    }
    [[nodiscard]] POLLARD_DEVICE bool hasPlace(std::uint32_t turn) const {
        return warp * kOfWarp + turn * kWarp + lane < left;
    }
    /// Mask of the lower lanes.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t earlierLanes() const { return (std::uint32_t{1} << lane) - 1; }

    /// Number of blocks for a list of @p count places.
    [[nodiscard]] static constexpr std::uint32_t blocks(std::uint32_t count) noexcept {
        return count / kOfBlock + (count % kOfBlock != 0 ? 1 : 0);
    }
};

} // namespace pollard::cuda
