#pragma once

#include "cuda/components/strips/strip_state.hpp"
#include "cuda/components/threshold_pass.hpp"

#include <cstdint>

// Sources of a strip's words for pass 1.

namespace pollard::cuda {

/// Reads the mask.
struct MaskWords {
    /// Called by all threads of the block, which need a barrier afterwards.
    /// @param to shared memory, without padding
    template <class State> POLLARD_DEVICE void load(const State& state, std::uint32_t strip, std::uint32_t* to) const {
        const std::uint32_t top = strip << state.rowBits;
        for (std::uint32_t i = threadOfBlock(); i < state.rowsOf(strip) * state.wordsOfRow; i += state.threads) {
            to[i] = state.mask.word(i % state.wordsOfRow, top + i / state.wordsOfRow);
        }
    }
};

/// Makes the words from grey levels and stores the mask for later passes: a separate kernel would cost a launch and
/// would not overlap computation with the loads of levels. Blocks must have a multiple of 32 threads.
template <class Level> struct LevelWords {
    ThresholdPass<Level> threshold;

    template <class State> POLLARD_DEVICE void load(const State& state, std::uint32_t strip, std::uint32_t* to) const {
        constexpr std::uint32_t kAtOnce = ThresholdPass<Level>::kWordsOfWarp;
        const auto stride = static_cast<std::uint32_t>(threshold.stride());
        const std::uint64_t first = (std::uint64_t{strip} << state.rowBits) * stride;
        const std::uint32_t count = state.rowsOf(strip) * stride;
        const std::uint32_t lane = threadOfBlock() % 32;
        for (std::uint32_t at = threadOfBlock() / 32 * kAtOnce; at < count; at += state.threads / 32 * kAtOnce) {
            const std::uint32_t word = threshold.make(first + at, first + count);
            const std::uint32_t x = (at + lane) % stride;
            if (lane < kAtOnce && at + lane < count && x < state.wordsOfRow) {
                to[(at + lane) / stride * state.wordsOfRow + x] = word;
            }
        }
    }
};

} // namespace pollard::cuda
