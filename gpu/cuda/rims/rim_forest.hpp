#pragma once

#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>
#include <type_traits>

// Data passed between the passes of the build, in device memory.

namespace pollard::cuda {

/// Counters of the tile pass.
struct RimCounts {
    std::uint32_t slots;
    std::uint32_t edges;
};

/// A slot as a word: its level in the upper half, its complemented number in the lower. Slots of equal level may be
/// linked in any order, since the canonical pixel is determined afterwards; the order by number keeps neighbours in the
/// image adjacent in memory (with the bits of the number reversed, joins take longer). The word 0 means "no slot".
struct SlotRecord {
    using Word = unsigned long long;
    static constexpr Word kNone = 0;

    /// @pre @p slot is less than 2^32 - 1
    [[nodiscard]] POLLARD_DEVICE static Word make(std::uint32_t level, std::uint32_t slot) {
        return static_cast<Word>(level) << 32U | ~slot;
    }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t level(Word word) {
        return static_cast<std::uint32_t>(word >> 32U);
    }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t slot(Word word) { return ~static_cast<std::uint32_t>(word); }
    /// Whether a link leads to a slot at this level or above.
    [[nodiscard]] POLLARD_DEVICE static bool isAtLeast(Word link, std::uint32_t ofLevel) {
        return link != kNone && level(link) >= ofLevel;
    }
};

/// The nodes of all tiles that may be joined with nodes of other tiles, in any order but contiguous per tile. Their
/// parents are among them.
template <class Level> struct RimForest {
    SlotRecord::Word* links;  ///< records of the parents
    std::uint32_t* canonical; ///< last pixel of the slot's node in its tile; after pass 4 the joined node's
    std::uint32_t* parents;   ///< at first as canonical; after pass 4 the canonical parent of that pixel
    Level* levels;
};

/// Links of the forest while threads join it.
struct RimLinks {
    using Record = SlotRecord;
    using Word = SlotRecord::Word;
    Word* links;

    /// A stale link still names an ancestor.
    [[nodiscard]] POLLARD_DEVICE Word load(std::uint32_t slot) const { return loadCached(links + slot); }
    [[nodiscard]] POLLARD_DEVICE Word raise(std::uint32_t slot, Word parent) const {
        return raised(links + slot, parent);
    }
};
static_assert(std::is_trivially_copyable_v<RimCounts> && std::is_trivially_copyable_v<RimForest<std::uint8_t>>);

/// Two adjacent pixels in different tiles that must be joined.
struct RimEdge {
    std::uint32_t one, other; ///< pixels
};
static_assert(sizeof(RimEdge) == 8);

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
