#pragma once

#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>

namespace pollard::cuda {

/// A block's stretch of a long list: a piece for each of its warps, which takes it in turns, a place a thread. The
/// places of a warp's turn stand side by side, so that a bit each makes one word.
/// @tparam kThreads_ of a block: whole warps
template <std::uint32_t kThreads_> struct ListStretch {
    static constexpr std::uint32_t kThreads = kThreads_;
    static constexpr std::uint32_t kWarp = 32;
    static constexpr std::uint32_t kWarps = kThreads / kWarp;
    static constexpr std::uint32_t kTurns = 4;
    static constexpr std::uint32_t kOfWarp = kTurns * kWarp;
    static constexpr std::uint32_t kOfBlock = kTurns * kThreads;
    static_assert(kThreads % kWarp == 0);

    std::uint32_t begin; ///< in the list
    std::uint32_t left;  ///< places from there on; the block takes kOfBlock at most
    std::uint32_t warp, lane;

    POLLARD_DEVICE ListStretch(std::uint32_t count, std::uint32_t block)
        : begin(block * kOfBlock), left(count - begin), warp(threadOfBlock() / kWarp), lane(threadOfBlock() % kWarp) {}

    /// The first place of the warp's turn, in the list, and whether the thread has a place there.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t firstOf(std::uint32_t turn) const {
        return begin + warp * kOfWarp + turn * kWarp;
    }
    [[nodiscard]] POLLARD_DEVICE bool hasPlace(std::uint32_t turn) const {
        return warp * kOfWarp + turn * kWarp + lane < left;
    }
    /// Bits of the threads of the warp before this one.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t earlierLanes() const { return (std::uint32_t{1} << lane) - 1; }

    /// Blocks that a list of @p count places is cut into.
    [[nodiscard]] static constexpr std::uint32_t blocks(std::uint32_t count) noexcept {
        return count / kOfBlock + (count % kOfBlock != 0 ? 1 : 0);
    }
};

} // namespace pollard::cuda
