#pragma once

#include "cuda/device/host_device.hpp"

#include <cstdint>

namespace pollard::cuda {

/// No element: the end of the tour, or not linked.
inline constexpr std::uint32_t kNoElement = 0xffff'ffffU;

/// The Euler tour visits each node twice: element 2v enters node v, element 2v + 1 leaves it.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t entering(std::uint32_t node) noexcept { return 2 * node; }
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t leaving(std::uint32_t node) noexcept { return 2 * node + 1; }
[[nodiscard]] POLLARD_HOST_DEVICE constexpr bool enters(std::uint32_t element) noexcept { return element % 2 == 0; }

/// Successor of @p element, whose entry in the linked list is @p next. A leaf is left as soon as it is entered and
/// needs no link.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t following(std::uint32_t element,
                                                                    std::uint32_t next) noexcept {
    return next == kNoElement && enters(element) ? element + 1 : next;
}

/// Cuts the tour of a tree into segments that threads follow in parallel.
///
/// A bijection hashes the elements to 2^bits values; an element whose hash is a slot number starts a segment. The slot
/// of an element and the element of a slot are both computed, so no list of split points is needed. The hash spreads
/// split points evenly in any order of the list: a segment has 2^(bits - slotBits) elements on average and is longer
/// than k times that with probability e^-k.
class TourCut {
public:
    /// @param elements two per node, at least 2
    explicit constexpr TourCut(std::uint32_t elements) noexcept : elements_(elements) {
        while (bits_ < 32 && (std::uint64_t{1} << bits_) < elements) {
            ++bits_;
        }
        // Small trees are bound by the longest segment, so segments are short; large trees fill the device even with
        // longer ones.
        const std::uint32_t spread = bits_ > 19 ? bits_ - 19 : 0;
        segmentBits_ = spread < 3 ? 3 : spread > 6 ? 6 : spread;
        segmentBits_ = segmentBits_ < bits_ ? segmentBits_ : bits_;
        shift_ = (bits_ + 1) / 2;
        mask_ = static_cast<std::uint32_t>((std::uint64_t{1} << bits_) - 1);
    }

    [[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t elements() const noexcept { return elements_; }
    /// Number of hash slots. One further slot, headSlot(), starts at the head of the tour.
    [[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t slots() const noexcept {
        return static_cast<std::uint32_t>(std::uint64_t{1} << (bits_ - segmentBits_));
    }
    [[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t headSlot() const noexcept { return slots(); }
    [[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t slotCount() const noexcept { return slots() + 1; }

    /// Slot of an element; slots() or more if no segment starts at it.
    [[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t slotOf(std::uint32_t element) const noexcept {
        std::uint32_t x = element;
        x ^= x >> shift_;
        x = x * kMixOne & mask_;
        x ^= x >> shift_;
        x = x * kMixTwo & mask_;
        x ^= x >> shift_;
        return x;
    }
    /// Element of a slot; elements() or more if the slot has none.
    [[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t elementOf(std::uint32_t slot) const noexcept {
        std::uint32_t x = slot; // a xorshift by at least half of the bits is its own inverse
        x ^= x >> shift_;
        x = x * inverse(kMixTwo) & mask_;
        x ^= x >> shift_;
        x = x * inverse(kMixOne) & mask_;
        x ^= x >> shift_;
        return x;
    }

private:
    static constexpr std::uint32_t kMixOne = 0x7feb352dU; // the multipliers of Wellons' "lowbias32"
    static constexpr std::uint32_t kMixTwo = 0x846ca68bU;

    /// Inverse of an odd number modulo 2^32, and hence modulo any lower power of two (Newton's iteration).
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t inverse(std::uint32_t odd) noexcept {
        std::uint32_t x = odd;
        for (int i = 0; i < 4; ++i) {
            x *= 2U - odd * x;
        }
        return x;
    }

    std::uint32_t elements_;
    std::uint32_t bits_ = 1;
    std::uint32_t segmentBits_ = 0;
    std::uint32_t shift_ = 0;
    std::uint32_t mask_ = 0;
};

/// Distance from the start of a segment to the start of the next, or over several joined segments.
struct alignas(16) TourSegment {
    std::uint32_t next;    ///< slot of the next segment; kNoElement at the end of the tour
    std::uint32_t steps;   ///< number of elements
    std::uint32_t entered; ///< number of elements that enter a node
    std::uint32_t unused;
};

/// First element of the segment of @p slot; kNoElement if the slot is unused.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t startOf(const TourCut& cut, std::uint32_t slot,
                                                                  std::uint32_t head) noexcept {
    if (slot == cut.headSlot()) {
        return head;
    }
    const std::uint32_t element = cut.elementOf(slot);
    return element < cut.elements() && element != head ? element : kNoElement;
}

/// First pass: measures the segment of each slot.
struct MeasureSegment {
    TourCut cut;
    const std::uint32_t* root; ///< one node
    const std::uint32_t* next; ///< per element
    TourSegment* segments;     ///< per slot

    POLLARD_HOST_DEVICE void operator()(std::size_t slot) const noexcept {
        TourSegment segment{kNoElement, 0, 0, 0};
        std::uint32_t element = startOf(cut, static_cast<std::uint32_t>(slot), entering(*root));
        while (element != kNoElement) {
            ++segment.steps;
            segment.entered += enters(element) ? 1 : 0;
            element = following(element, next[element]);
            if (element != kNoElement) {
                const std::uint32_t here = cut.slotOf(element);
                if (here < cut.slots()) {
                    segment.next = here;
                    break;
                }
            }
        }
        segments[slot] = segment;
    }
};

/// Joins each segment with its successors. After k rounds a segment covers (kSegmentsJoined + 1)^k segments or reaches
/// the end of the tour; then `steps` and `entered` count from its start to the end.
struct JoinSegments {
    static constexpr int kSegmentsJoined = 8;

    const TourSegment* from; ///< per slot
    TourSegment* to;         ///< per slot, another array

    POLLARD_HOST_DEVICE void operator()(std::size_t slot) const noexcept {
        TourSegment segment = from[slot];
        for (int i = 0; i < kSegmentsJoined && segment.next != kNoElement; ++i) {
            const TourSegment after = from[segment.next];
            segment.next = after.next;
            segment.steps += after.steps;
            segment.entered += after.entered;
        }
        to[slot] = segment;
    }

    /// Rounds after which all segments reach the end.
    [[nodiscard]] static constexpr int rounds(std::uint32_t slotCount) noexcept {
        int rounds = 0;
        for (std::uint64_t reach = 1; reach < slotCount; reach *= kSegmentsJoined + 1) {
            ++rounds;
        }
        return rounds;
    }
};

/// Second pass: overwrites next[2v] with the preorder number of node v and next[2v + 1] with one past the last number
/// in its subtree. Each element is in exactly one segment, so no other thread reads an overwritten entry.
/// @return largest depth in the segment
struct NumberSegment {
    TourCut cut;
    const std::uint32_t* root;   ///< one node
    std::uint32_t* next;         ///< per element
    const TourSegment* segments; ///< joined up to the end of the tour

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t slot) const noexcept {
        std::uint32_t element = startOf(cut, static_cast<std::uint32_t>(slot), entering(*root));
        if (element == kNoElement) {
            return 0;
        }
        std::uint32_t number = cut.elements() / 2 - segments[slot].entered;
        // Nodes entered and not yet left: entered so far minus left so far.
        std::uint32_t depth = 2 * number - (cut.elements() - segments[slot].steps);
        std::uint32_t deepest = 0;
        do {
            const std::uint32_t after = following(element, next[element]);
            next[element] = number;
            if (enters(element)) {
                deepest = deepest < depth ? depth : deepest;
                ++number;
                ++depth;
            } else {
                --depth;
            }
            element = after;
        } while (element != kNoElement && cut.slotOf(element) >= cut.slots());
        return deepest;
    }
};

} // namespace pollard::cuda
