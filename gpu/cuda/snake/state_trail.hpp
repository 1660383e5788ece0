#pragma once

#include "cuda/kernels/kernel_threads.hpp"
#include "snake/snake_run.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

// Accepted states reach the host while the kernel runs, as 64-bit words in host memory. Half of each word is a tag that
// marks it as written, so neither fences nor ordered writes are needed.

namespace pollard::cuda {

/// Words of a state: these, and two per node.
inline constexpr std::uint32_t kStateWords = 12;

[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint64_t trailWords(std::uint64_t nodes) noexcept {
    return kStateWords + 2 * nodes;
}

/// A state without its nodes.
struct StateHead {
    SnakeStep kind;
    std::uint32_t round;
    std::uint32_t reach;
    std::uint32_t count; ///< nodes
    double energy;
    RegionSums inside;
};

/// Writes a state; called by all @p threads of a block.
POLLARD_DEVICE inline void writeState(std::uint64_t* words, const StateHead& state, const ContourNode* nodes,
                                      std::uint32_t threads) {
    const std::uint64_t tag = std::uint64_t{state.round + 1} << 32U;
    const auto put = [&](std::uint64_t at, std::uint64_t half) { storeFresh(words + at, tag | (half & 0xffff'ffffU)); };
    const auto putWide = [&](std::uint64_t at, std::uint64_t value) {
        put(at, value);
        put(at + 1, value >> 32U);
    };
    if (threadOfBlock() == 0) {
        put(0, state.count);
        put(1, static_cast<std::uint64_t>(state.kind));
        put(2, state.reach);
        put(3, state.round);
#ifdef __CUDACC__
        putWide(4, static_cast<std::uint64_t>(__double_as_longlong(state.energy)));
#else
        putWide(4, std::bit_cast<std::uint64_t>(state.energy));
#endif
        putWide(6, static_cast<std::uint64_t>(state.inside.pixels));
        putWide(8, static_cast<std::uint64_t>(state.inside.levels));
        putWide(10, static_cast<std::uint64_t>(state.inside.squares));
    }
    for (std::uint32_t i = threadOfBlock(); i < state.count; i += threads) {
        put(trailWords(i), static_cast<std::uint32_t>(nodes[i].x));
        put(trailWords(i) + 1, static_cast<std::uint32_t>(nodes[i].y));
    }
}

/// Reads states one after another while they are written.
class TrailReader {
public:
    /// @param words @p size words, 0 or left from earlier states
    /// @param all sums of inside and outside together
    TrailReader(const std::uint64_t* words, std::uint64_t size, const RegionSums& all) noexcept
        : words_(words), size_(size), all_(all) {}

    /// The writer starts again at the first word.
    void rewind() noexcept { at_ = 0; }

    /// Words read since the start or the last rewind().
    [[nodiscard]] std::uint64_t position() const noexcept { return at_; }

    /// The state of @p round, if it is complete.
    [[nodiscard]] std::optional<SnakeState> read(std::uint32_t round) {
        if (at_ + trailWords(0) > size_) {
            return std::nullopt;
        }
        SnakeState state;
        std::uint32_t count = 0;
        std::uint32_t kind = 0;
        std::uint64_t energy = 0;
        const bool isThere = get(round, 0, count) && get(round, 1, kind) && get(round, 2, state.reach) &&
                             get(round, 3, state.round) && getWide(round, 4, energy) &&
                             getSigned(round, 6, state.inside.pixels) && getSigned(round, 8, state.inside.levels) &&
                             getSigned(round, 10, state.inside.squares);
        if (!isThere || at_ + trailWords(count) > size_) {
            return std::nullopt;
        }
        state.nodes.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            std::uint32_t x = 0;
            std::uint32_t y = 0;
            if (!get(round, trailWords(i), x) || !get(round, trailWords(i) + 1, y)) {
                return std::nullopt;
            }
            state.nodes[i] = {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
        }
        state.kind = static_cast<SnakeStep>(kind);
        state.energy = std::bit_cast<double>(energy);
        state.outside = all_ - state.inside;
        at_ += trailWords(count);
        return state;
    }

private:
    [[nodiscard]] bool get(std::uint32_t round, std::uint64_t at, std::uint32_t& half) const noexcept {
        const std::uint64_t word = __atomic_load_n(words_ + at_ + at, __ATOMIC_RELAXED);
        half = static_cast<std::uint32_t>(word);
        return word >> 32U == std::uint64_t{round} + 1;
    }
    [[nodiscard]] bool getWide(std::uint32_t round, std::uint64_t at, std::uint64_t& value) const noexcept {
        std::uint32_t low = 0;
        std::uint32_t high = 0;
        const bool isThere = get(round, at, low) && get(round, at + 1, high);
        value = std::uint64_t{high} << 32U | low;
        return isThere;
    }
    [[nodiscard]] bool getSigned(std::uint32_t round, std::uint64_t at, std::int64_t& value) const noexcept {
        std::uint64_t bits = 0;
        const bool isThere = getWide(round, at, bits);
        value = static_cast<std::int64_t>(bits);
        return isThere;
    }

    const std::uint64_t* words_;
    std::uint64_t size_;
    RegionSums all_;
    std::uint64_t at_ = 0;
};

} // namespace pollard::cuda
