#pragma once

#include "base/compiler.hpp"
#include "cuda/device/device_image.hpp"

#include <bit>
#include <cstddef>
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

// Steps of the numbering, each for one pixel or one node, so that tests can run them in a loop.

/// A set of pixels as a bit mask with the number of members before each word of 32 pixels. Gives the rank of a pixel
/// with two loads and a quarter of a byte per pixel, without an array of node indices per pixel.
struct RankIndex {
    const std::uint32_t* mask;   ///< bit p % 32 of word p / 32 is set if pixel p is a member
    const std::uint32_t* before; ///< per word: members in earlier words; one element more than there are words

    [[nodiscard]] POLLARD_HOST_DEVICE bool contains(std::size_t pixel) const noexcept {
        return ((mask[pixel / 32] >> (pixel % 32)) & 1U) != 0;
    }
    /// Number of members before @p pixel: the index of a member in raster order.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t rank(std::size_t pixel) const noexcept {
        const std::uint32_t earlier = mask[pixel / 32] & ((1U << (pixel % 32)) - 1U);
#ifdef __CUDA_ARCH__
        return before[pixel / 32] + static_cast<std::uint32_t>(__popc(earlier));
#else
        return before[pixel / 32] + static_cast<std::uint32_t>(std::popcount(earlier));
#endif
    }
};

[[nodiscard]] constexpr std::size_t wordsOf(std::size_t pixels) noexcept { return (pixels + 31) / 32; }

/// Whether a pixel is the canonical pixel of its node: it points to a lower level or, for the root, to itself.
template <class T> struct IsCanonical {
    LevelView<T> levels;
    const std::uint32_t* parentImage;

    [[nodiscard]] POLLARD_HOST_DEVICE bool operator()(std::size_t pixel) const noexcept {
        const std::uint32_t parent = parentImage[pixel];
        // The canonical pixel of a node is its last in raster order: a pixel that points back, or to itself, is
        // canonical.
        return parent <= pixel || levels[parent] < levels[pixel];
    }
};

/// Lists the canonical pixels in raster order. The v-th pixel stands for node v until the nodes are numbered.
struct ListNodes {
    RankIndex index;
    const std::uint32_t* parentImage;
    std::uint32_t nodeCount;
    std::uint32_t* canonical; ///< per node: pixel
    std::uint32_t* parent;    ///< per node: node; nodeCount for the root, so that it sorts behind all children
    std::uint32_t* node;      ///< v itself

    POLLARD_HOST_DEVICE void operator()(std::size_t pixel) const noexcept {
        if (!index.contains(pixel)) {
            return;
        }
        const std::uint32_t v = index.rank(pixel);
        const std::uint32_t up = parentImage[pixel];
        canonical[v] = static_cast<std::uint32_t>(pixel);
        parent[v] = up == pixel ? nodeCount : index.rank(up);
        node[v] = v;
    }
};

/// Links the tour, given the nodes sorted by parent and siblings by canonical pixel. `next` must be filled with
/// kNoElement.
struct LinkTour {
    const std::uint32_t* parent; ///< sorted
    const std::uint32_t* node;   ///< in the same order
    std::uint32_t nodeCount;
    std::uint32_t* next; ///< per element

    POLLARD_HOST_DEVICE void operator()(std::size_t k) const noexcept {
        const std::uint32_t up = parent[k];
        if (up == nodeCount) {
            return; // leaving the root ends the tour
        }
        const std::uint32_t v = node[k];
        if (k == 0 || parent[k - 1] != up) {
            next[entering(up)] = entering(v);
        }
        // The root is sorted last, so element k + 1 exists.
        next[leaving(v)] = parent[k + 1] == up ? entering(node[k + 1]) : leaving(up);
    }
};

/// Moves the data of each node to its preorder number.
/// @return 1 if the node is a leaf
template <class T> struct WriteNodes {
    RankIndex index;
    const std::uint32_t* parentImage;
    const std::uint32_t* canonicalOf; ///< per node in raster order
    const std::uint32_t* tour;        ///< as written by NumberSegment
    const T* pixels;                  ///< original grey levels
    std::uint32_t* parent;            ///< this and the following: indexed by number
    std::uint32_t* subtreeEnd;
    std::uint32_t* canonical;
    std::uint16_t* level;

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t v) const noexcept {
        const std::uint32_t number = tour[2 * v];
        const std::uint32_t end = tour[2 * v + 1];
        const std::uint32_t pixel = canonicalOf[v];
        parent[number] = tour[2 * std::size_t{index.rank(parentImage[pixel])}];
        subtreeEnd[number] = end;
        canonical[number] = pixel;
        level[number] = pixels[pixel];
        return end == number + 1 ? 1U : 0U;
    }
};

/// Replaces the parent image by the node index of each pixel, in place. A thread writes only its own pixel's entry,
/// and no other thread reads it.
struct WritePixelNodes {
    RankIndex index;
    const std::uint32_t* tour;
    std::uint32_t* parentImage;

    POLLARD_HOST_DEVICE void operator()(std::size_t pixel) const noexcept {
        const std::size_t canonical = index.contains(pixel) ? pixel : parentImage[pixel];
        parentImage[pixel] = tour[2 * std::size_t{index.rank(canonical)}];
    }
};

} // namespace pollard::cuda
