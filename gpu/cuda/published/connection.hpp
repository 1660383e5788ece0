#pragma once

#include "cuda/published/link_record.hpp"

namespace pollard::cuda {

/// One run of CONNECT (Blin et al. 2022, algorithm 6): joins the trees of two adjacent pixels while other threads do so
/// in the same forest.
///
/// A state machine of uniform steps instead of nested loops, each with at most two independent loads or one atomic
/// operation: a thread that has finished starts its next pair without waiting for its warp.
template <class Links> class Connection {
    using Record = typename Links::Record;
    using Word = typename Links::Word;

public:
    /// Starts with the records of two pixels.
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

    /// Climbs one link on both sides, or joins them and continues with the former link.
    POLLARD_HOST_DEVICE void step(const Links& links) noexcept {
        links.beforeStep(low_, high_, lowParent_, highParent_);
        const std::uint32_t level = Record::level(low_);
        // kNone has level 0 and must not pass for a parent at level 0.
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
        // Whether raised or not, the former parent must still be joined with the low side.
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

    Word low_ = 0;        ///< the side of lower level: climbs to the root of its level
    Word high_ = 0;       ///< the other side: climbs to the last node at or above that level
    Word lowParent_ = 0;  ///< link of low_, may be outdated
    Word highParent_ = 0; ///< link of high_, may be outdated
    bool active_ = false;
};

} // namespace pollard::cuda
