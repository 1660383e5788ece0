#pragma once

#include "device/kernel_threads.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Connection for the links of one tile, with the few instructions that PlaceRecord takes for a step: it makes most of
/// the tile pass.
template <class Record> class TileJoin {
    using Word = typename Record::Word;

public:
    /// Starts with two pixels, given by their own records.
    POLLARD_DEVICE void start(const Word* links, Word one, Word other) {
        low_ = one < other ? one : other;
        high_ = one < other ? other : one;
        lowParent_ = loadFresh(links + Record::place(low_));
        highParent_ = loadFresh(links + Record::place(high_));
        active_ = true;
    }

    [[nodiscard]] POLLARD_DEVICE bool active() const { return active_; }

    /// Climbs one link on both sides, or joins; see Connection::step().
    POLLARD_DEVICE void step(Word* links) {
        const Word floor = Record::floor(low_);
        const bool climbLow = lowParent_ >= floor;
        const bool climbHigh = highParent_ >= floor;
        if (climbLow || climbHigh) {
            if (climbLow) {
                low_ = lowParent_;
                lowParent_ = loadFresh(links + Record::place(low_));
            }
            if (climbHigh) {
                high_ = highParent_;
                highParent_ = loadFresh(links + Record::place(high_));
            }
            return;
        }
        if (low_ == high_) {
            active_ = false;
            return;
        }
        if (high_ < low_) { // only at equal levels
            const Word node = low_;
            low_ = high_;
            high_ = node;
            lowParent_ = highParent_;
        }
        const Word before = raised(links + Record::place(high_), low_);
        if (before == Record::kNone) {
            active_ = false;
            return;
        }
        // Raised or not, what the link held before must become an ancestor of, or descend from, the low side.
        if (before < floor) {
            high_ = low_;
            highParent_ = lowParent_;
            low_ = before;
            lowParent_ = loadFresh(links + Record::place(low_));
        } else {
            high_ = before;
            highParent_ = loadFresh(links + Record::place(high_));
        }
    }

private:
    Word low_ = 0;        ///< the side of the lower level: climbs to the root of its level
    Word high_ = 0;       ///< the other side: climbs to the last node at or above that level
    Word lowParent_ = 0;  ///< the link of low_, perhaps outdated
    Word highParent_ = 0; ///< the link of high_, perhaps outdated
    bool active_ = false;
};

} // namespace pollard::cuda
