#pragma once

#include "device/kernel_threads.hpp"
#include "maxtree/link_record.hpp"

#include <cstdint>
#include <type_traits>

// What the passes of the build hand to each other. Everything is in device memory.

namespace pollard::cuda {

/// How many of what there are, as the first pass finds out.
struct RimCounts {
    std::uint32_t slots;
    std::uint32_t edges;
};

/// The nodes of all tiles that may be joined with nodes of other tiles, in any order; a tile's lie together. Their
/// parents are among them. Links are records (PixelRecord) of slots instead of pixels: which of two slots of one level
/// comes to lie above the other does not matter, as the canonical pixel is looked for afterwards.
template <class Level> struct RimForest {
    unsigned long long* links;
    std::uint32_t* canonical; ///< the last pixel of the slot's node in its tile; later of the joined node
    std::uint32_t* parents;   ///< the same; later the parent of that last pixel in the canonical parent image
    Level* levels;
};

/// Links of the forest while threads join it, for Connection.
struct RimLinks {
    using Record = PixelRecord;
    using Word = PixelRecord::Word;
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
