#pragma once

#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>
#include <type_traits>

// What the passes of the build hand to each other. Everything is in device memory.

namespace pollard::cuda {

/// How many of what there are, as the first pass finds out.
struct RimCounts {
    std::uint32_t slots;
    std::uint32_t edges;
};

/// A slot as a word: its level above, its complemented number below. Of two slots of one level any may come to lie
/// above the other, as the canonical pixel is looked for afterwards; by number, neighbours in the image are neighbours
/// in memory (with the bits of the number reversed, a random order in effect, joins take longer). The word 0 stands
/// for "no slot".
struct SlotRecord {
    using Word = unsigned long long;
    static constexpr Word kNone = 0;

    /// @p slot is below 2^32 - 1
    [[nodiscard]] POLLARD_DEVICE static Word make(std::uint32_t level, std::uint32_t slot) {
        return static_cast<Word>(level) << 32U | ~slot;
    }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t level(Word word) {
        return static_cast<std::uint32_t>(word >> 32U);
    }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t slot(Word word) { return ~static_cast<std::uint32_t>(word); }
    /// Whether a link leads to a slot of this level or above.
    [[nodiscard]] POLLARD_DEVICE static bool isAtLeast(Word link, std::uint32_t ofLevel) {
        return link != kNone && level(link) >= ofLevel;
    }
};

/// The nodes of all tiles that may be joined with nodes of other tiles, in any order; a tile's lie together. Their
/// parents are among them.
template <class Level> struct RimForest {
    SlotRecord::Word* links;  ///< records of the parents
    std::uint32_t* canonical; ///< the last pixel of the slot's node in its tile; later of the joined node
    std::uint32_t* parents;   ///< the same; later the parent of that last pixel in the canonical parent image
    Level* levels;
};

/// Links of the forest while threads join it.
struct RimLinks {
    using Record = SlotRecord;
    using Word = SlotRecord::Word;
    Word* links;

    /// A link read long ago still names an ancestor.
    [[nodiscard]] POLLARD_DEVICE Word load(std::uint32_t slot) const { return loadCached(links + slot); }
    [[nodiscard]] POLLARD_DEVICE Word raise(std::uint32_t slot, Word parent) const {
        return raised(links + slot, parent);
    }
};
static_assert(std::is_trivially_copyable_v<RimCounts> && std::is_trivially_copyable_v<RimForest<std::uint8_t>>);

/// Two neighbours in different tiles that have to be joined.
struct RimEdge {
    std::uint32_t one, other; ///< pixels
};
static_assert(sizeof(RimEdge) == 8);

} // namespace pollard::cuda
