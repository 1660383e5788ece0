#pragma once

#include "cuda/rims/rim_forest.hpp"

namespace pollard::cuda {

/// Connection for the links of a forest of rims. Its steps wait for the second-level cache, so whatever a step may need
/// is asked for at once.
class RimJoin {
    using Record = RimLinks::Record;
    using Word = RimLinks::Word;

public:
    /// Starts with two slots, given by their own records.
    POLLARD_DEVICE void start(const RimLinks& links, Word one, Word other) {
        low_ = one < other ? one : other;
        high_ = one < other ? other : one;
        lowParent_ = links.load(Record::slot(low_));
        highParent_ = links.load(Record::slot(high_));
        active_ = true;
    }

    [[nodiscard]] POLLARD_DEVICE bool active() const { return active_; }

    /// Climbs one link on both sides, or joins; see Connection::step().
    POLLARD_DEVICE void step(const RimLinks& links) {
        const std::uint32_t level = Record::level(low_);
        const bool climbLow = Record::isAtLeast(lowParent_, level);
        const bool climbHigh = Record::isAtLeast(highParent_, level);
        if (climbLow || climbHigh) {
            low_ = climbLow ? lowParent_ : low_;
            high_ = climbHigh ? highParent_ : high_;
            lowParent_ = climbLow ? links.load(Record::slot(low_)) : lowParent_;
            highParent_ = climbHigh ? links.load(Record::slot(high_)) : highParent_;
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
            const Word parent = lowParent_;
            lowParent_ = highParent_;
            highParent_ = parent;
        }
        // Most often the link holds what it held when it was read.
        const Word expected = highParent_;
        const Word further = expected == Record::kNone ? expected : links.load(Record::slot(expected));
        const Word before = links.raise(Record::slot(high_), low_);
        if (before == Record::kNone) {
            active_ = false;
            return;
        }
        const Word beyond = before == expected ? further : links.load(Record::slot(before));
        // Raised or not, what the link held before must become an ancestor of, or descend from, the low side.
        if (Record::level(before) < level) {
            high_ = low_;
            highParent_ = lowParent_;
            low_ = before;
            lowParent_ = beyond;
        } else {
            high_ = before;
            highParent_ = beyond;
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
