#pragma once

#include "cuda/published/border_forest.hpp"

namespace pollard::cuda {

/// CONNECT by compare-and-swap (Blin 2021, listing 4.2; Blin et al. 2022, algorithm 7) in border trees, step by step as
/// in Connection.
/// @tparam Forest BorderForest, or a forest with observers
template <class Forest = BorderForest> class BorderConnection {
public:
    POLLARD_HOST_DEVICE void start(const Forest& forest, std::uint32_t one, std::uint32_t other) noexcept {
        forest.onStart(one, other);
        low_ = sideAt(forest, one);
        high_ = sideAt(forest, other);
        if (high_.level < low_.level) {
            swapSides();
        }
        active_ = true;
    }

    [[nodiscard]] POLLARD_HOST_DEVICE bool active() const noexcept { return active_; }

    /// Climbs one link on both sides, or joins them.
    POLLARD_HOST_DEVICE void step(const Forest& forest) noexcept {
        forest.beforeStep(low_.slot, high_.slot, low_.parent, high_.parent);
        const bool climbLow = parentAtLeast(forest, low_, low_.level);
        const bool climbHigh = parentAtLeast(forest, high_, low_.level);
        if (climbLow || climbHigh) {
            if (climbLow) {
                low_ = sideAt(forest, low_.parent);
            }
            if (climbHigh) {
                high_ = sideAt(forest, high_.parent);
            }
            return;
        }
        if (low_.slot == high_.slot) {
            forest.onMeeting(low_.slot);
            active_ = false;
            return;
        }
        if (low_.level == high_.level && forest.pixels[high_.slot] > forest.pixels[low_.slot]) {
            swapSides(); // at equal levels the later pixel is the lower one
        }
        const std::uint32_t before = forest.exchange(high_.slot, high_.parent, low_.slot);
        if (before != high_.parent) {
            high_.parent = before; // another thread was faster: retry with its parent
            return;
        }
        if (before == BorderForest::kNone) {
            active_ = false;
            return;
        }
        // The former parent is below the low side's level, so the sides swap.
        high_ = low_;
        low_ = sideAt(forest, before);
    }

private:
    struct Side {
        std::uint32_t slot;
        std::uint32_t parent; ///< may be outdated
        std::uint32_t level;
    };

    POLLARD_HOST_DEVICE static Side sideAt(const Forest& forest, std::uint32_t slot) noexcept {
        return {slot, forest.load(slot), forest.levels[slot]};
    }
    POLLARD_HOST_DEVICE static bool parentAtLeast(const Forest& forest, const Side& side,
                                                  std::uint32_t level) noexcept {
        return side.parent != BorderForest::kNone && forest.levels[side.parent] >= level;
    }
    POLLARD_HOST_DEVICE void swapSides() noexcept {
        const Side side = low_;
        low_ = high_;
        high_ = side;
    }

    Side low_{};
    Side high_{};
    bool active_ = false;
};

} // namespace pollard::cuda
