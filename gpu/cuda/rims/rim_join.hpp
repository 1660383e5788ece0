#pragma once

#include "cuda/rims/rim_forest.hpp"

namespace pollard::cuda {

/// Connection for the links of a rim forest. Its steps are bound by the latency of the L2 cache, so all loads that a
/// step may need are issued together.
class RimJoin {
    using Record = RimLinks::Record;
    using Word = RimLinks::Word;

public:
    /// Starts with the records of two slots.
    POLLARD_DEVICE void start(const RimLinks& links, Word one, Word other) {
        low_ = one < other ? one : other;
        high_ = one < other ? other : one;
        lowParent_ = links.load(Record::slot(low_));
        highParent_ = links.load(Record::slot(high_));
        active_ = true;
    }

    [[nodiscard]] POLLARD_DEVICE bool active() const { return active_; }

    /// Climbs one link on both sides, or joins them; see Connection::step().
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
        // Usually the link has not changed since it was read.
        const Word expected = highParent_;
        const Word further = expected == Record::kNone ? expected : links.load(Record::slot(expected));
        const Word before = links.raise(Record::slot(high_), low_);
        if (before == Record::kNone) {
            active_ = false;
            return;
        }
        const Word beyond = before == expected ? further : links.load(Record::slot(before));
        // Whether raised or not, the former parent must still be joined with the low side.
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
    Word low_ = 0;        ///< the side of lower level: climbs to the root of its level
    Word high_ = 0;       ///< the other side: climbs to the last node at or above that level
    Word lowParent_ = 0;  ///< link of low_, may be outdated
    Word highParent_ = 0; ///< link of high_, may be outdated
    bool active_ = false;
};

} // namespace pollard::cuda
