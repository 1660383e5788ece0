#pragma once

#include "cuda/device/host_device.hpp"

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

} // namespace pollard::cuda
