#pragma once

#include "base/compiler.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/published/image_tiling.hpp"

#include <cstdint>
#include <type_traits>

#ifndef __CUDA_ARCH__
#include <atomic>
#endif

namespace pollard::cuda {

/// A pixel as one unsigned word: the grey level in the upper bits, the complemented index in the lower. Comparing words
/// compares pixels in the total order of Blin et al. 2022, s. 2.2: p < q iff f(p) < f(q), or f(p) = f(q) and index(p) >
/// index(q). Hence an atomic maximum selects the right parent, and the canonical pixel of a node is its smallest word.
/// The word 0 means "no pixel" and is less than all others.
template <class WordType, int IndexBits> struct LinkRecord {
    static_assert(std::is_unsigned_v<WordType>);
    using Word = WordType;
    static constexpr Word kNone = 0;
    static constexpr std::uint32_t kIndexMask = static_cast<std::uint32_t>((std::uint64_t{1} << IndexBits) - 1);

    /// @pre @p index is less than kIndexMask
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr Word make(std::uint32_t level, std::uint32_t index) noexcept {
        return (static_cast<Word>(level) << IndexBits) | (kIndexMask - index);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t level(Word word) noexcept {
        return static_cast<std::uint32_t>(word >> IndexBits);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t index(Word word) noexcept {
        return kIndexMask - (static_cast<std::uint32_t>(word) & kIndexMask);
    }
};

/// Pixels of one tile: 16-bit levels, up to 65,535 pixels.
using TileRecord = LinkRecord<std::uint32_t, 16>;
/// Pixels of an image: 16-bit levels, up to 2^32 - 1 pixels.
using PixelRecord = LinkRecord<unsigned long long, 32>;

/// The forest under construction: for each pixel the record of its parent, or kNone. A parent's record is smaller than
/// its pixel's and only grows, so a stale value still names an ancestor: threads climb on stale links, and raise()
/// returns the current one. Links in global memory (@p Global) are therefore read through the L1 cache, which is not
/// coherent with writes by other multiprocessors.
template <class RecordType, bool Global> struct LinkArray {
    using Record = RecordType;
    using Word = typename Record::Word;
    Word* links;

    [[nodiscard]] POLLARD_HOST_DEVICE Word load(std::uint32_t index) const noexcept {
#ifdef __CUDA_ARCH__
        if constexpr (Global) {
            return __ldca(links + index);
        } else {
            return *static_cast<volatile const Word*>(links + index);
        }
#else
        return std::atomic_ref<Word>(links[index]).load(std::memory_order_relaxed);
#endif
    }
    /// Raises the link of @p index to @p parent if that is larger; returns the previous link.
    POLLARD_HOST_DEVICE Word raise(std::uint32_t index, Word parent) const noexcept {
#ifdef __CUDA_ARCH__
        return atomicMax(links + index, parent);
#else
        const std::atomic_ref<Word> link(links[index]);
        Word before = link.load(std::memory_order_relaxed);
        while (before < parent && !link.compare_exchange_weak(before, parent, std::memory_order_relaxed)) {
        }
        return before;
#endif
    }
    /// Access to a link that no other thread changes concurrently.
    [[nodiscard]] POLLARD_HOST_DEVICE Word operator[](std::uint32_t index) const noexcept { return links[index]; }
    POLLARD_HOST_DEVICE void set(std::uint32_t index, Word parent) const noexcept { links[index] = parent; }

    // Observer hooks of Connection; empty here.
    POLLARD_HOST_DEVICE static void onStart(Word, Word) noexcept {}
    POLLARD_HOST_DEVICE static void beforeStep(Word, Word, Word, Word) noexcept {}
    POLLARD_HOST_DEVICE static void onMeeting(Word) noexcept {}

    /// Climbs from @p node while the level stays equal: the canonical pixel of its level according to the links.
    [[nodiscard]] POLLARD_HOST_DEVICE Word levelRoot(Word node) const noexcept {
        Word parent = load(Record::index(node));
        while (parent != Record::kNone && Record::level(parent) == Record::level(node)) {
            node = parent;
            parent = load(Record::index(node));
        }
        return node;
    }
};

using TileLinks = LinkArray<TileRecord, false>;
using PixelLinks = LinkArray<PixelRecord, true>;
static_assert(std::is_trivially_copyable_v<TileLinks> && std::is_trivially_copyable_v<PixelLinks>);

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

/// Links are numbered as the pixels of the image.
struct SamePixels {
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t toLinks(std::uint32_t pixel) const noexcept { return pixel; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t fromLinks(std::uint32_t pixel) const noexcept { return pixel; }
};

/// Links are numbered as the pixels of the widened image.
struct HaloPixels {
    HaloLayout halo;
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t toLinks(std::uint32_t pixel) const noexcept {
        return halo.toHalo(pixel);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t fromLinks(std::uint32_t pixel) const noexcept {
        return halo.fromHalo(pixel);
    }
};

/// The canonical parent of a pixel after all tiles are joined.
template <class Level, class Pixels>
[[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t canonicalParent(const LevelView<Level>& image, const Pixels& map,
                                                                const PixelLinks& links, std::uint32_t pixel) noexcept {
    const PixelRecord::Word root = links.levelRoot(PixelRecord::make(image[pixel], map.toLinks(pixel)));
    const std::uint32_t canonical = map.fromLinks(PixelRecord::index(root));
    // Compared as image pixels: in a halo, another copy of the pixel may be the canonical one.
    if (canonical != pixel) {
        return canonical;
    }
    const PixelRecord::Word parent = links.load(PixelRecord::index(root));
    return parent == PixelRecord::kNone ? pixel : map.fromLinks(PixelRecord::index(links.levelRoot(parent)));
}

} // namespace pollard::cuda
