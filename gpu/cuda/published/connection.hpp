#pragma once

#include "cuda/published/link_record.hpp"

namespace pollard::cuda {

/// One run of CONNECT (Blin et al. 2022, algorithm 6): joins the trees that hold two neighbouring pixels, while any
/// number of other threads do the same in the same forest.
///
/// Instead of loops within a loop it is a machine of equal steps, each with at most two independent loads or one
/// atomic operation: a thread that is done can take up its next pair at once instead of waiting for its warp.
template <class Links> class Connection {
    using Record = typename Links::Record;
    using Word = typename Links::Word;

public:
    /// Starts with two pixels, given by their own records.
    POLLARD_HOST_DEVICE void start(const Links& links, Word one, Word other) noexcept {
        links.onStart(one, other);
        low_ = one;
        high_ = other;
        if (Record::level(high_) < Record::level(low_)) {
            swapSides();
        }
        lowParent_ = links.load(Record::index(low_));
        highParent_ = links.load(Record::index(high_));
        active_ = true;
    }

    [[nodiscard]] POLLARD_HOST_DEVICE bool active() const noexcept { return active_; }

    /// Climbs one link on both sides, or, when both stand where they must be joined, joins and goes on with what
    /// the link held before.
    POLLARD_HOST_DEVICE void step(const Links& links) noexcept {
        links.beforeStep(low_, high_, lowParent_, highParent_);
        const std::uint32_t level = Record::level(low_);
        // kNone has level 0, which a climb to level 0 must not take for a parent.
        const bool climbLow = lowParent_ != Record::kNone && Record::level(lowParent_) >= level;
        const bool climbHigh = highParent_ != Record::kNone && Record::level(highParent_) >= level;
        if (climbLow || climbHigh) {
            if (climbLow) {
                low_ = lowParent_;
            }
            if (climbHigh) {
                high_ = highParent_;
            }
            lowParent_ = climbLow ? links.load(Record::index(low_)) : lowParent_;
            highParent_ = climbHigh ? links.load(Record::index(high_)) : highParent_;
            return;
        }
        if (low_ == high_) {
            links.onMeeting(low_);
            active_ = false;
            return;
        }
        if (high_ < low_) { // only at equal levels
            swapSides();
        }
        const Word before = links.raise(Record::index(high_), low_);
        if (before == Record::kNone) {
            active_ = false;
            return;
        }
        // Raised or not, what the link held before must become an ancestor of, or descend from, the low side.
        high_ = before;
        if (Record::level(high_) < Record::level(low_)) {
            high_ = low_;
            highParent_ = lowParent_;
            low_ = before;
            lowParent_ = links.load(Record::index(low_));
        } else {
            highParent_ = links.load(Record::index(high_));
        }
    }

private:
    POLLARD_HOST_DEVICE void swapSides() noexcept {
        const Word node = low_;
        low_ = high_;
        high_ = node;
        const Word parent = lowParent_;
        lowParent_ = highParent_;
        highParent_ = parent;
    }

    Word low_ = 0;        ///< the side of the lower level: climbs to the root of its level
    Word high_ = 0;       ///< the other side: climbs to the last node at or above that level
    Word lowParent_ = 0;  ///< the link of low_, perhaps outdated
    Word highParent_ = 0; ///< the link of high_, perhaps outdated
    bool active_ = false;
};

} // namespace pollard::cuda
