#pragma once

#include "attributes/formulas.hpp"
#include "base/compiler.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "cuda/nodes/pixel_steps.hpp"
#include "cuda/tree/ranked_nodes.hpp"

#include <cstddef>
#include <cstdint>

#if !defined(__CUDACC__)
#include <bit>
#endif

// Terms of pixels, summed by TileSums: first in a few 32-bit words over a node's pixels in a tile, with coordinates
// from the tile's corner, then in global memory. Terms have
//  - kWords, and `TermWords<kWords> at(x, y, dx, dy)`, the terms of pixel (x, y) at (dx, dy) in its tile;
//  - `std::uint32_t join(a, b)`, the sum of two words, and `joinInto(word, value)`, an atomic join in shared memory;
//  - `void commit(node, words, left, top)`, which adds a node's words of the tile with this corner to global memory;
//  - kInVolumes: whether they are terms of voxels (volume_terms.hpp). Then `height` is the height of a slice, and at()
//    takes the slice after x and y, commit() after left and top.
// Terms of moments also have kRows, their number of rows, and `TermValues<kRows> ofPixel(x, y)`, for a list of pixels
// (launchAddListed()); in a volume y counts the rows of all slices. Sums in global memory are modulo 2^64.

namespace pollard::cuda {

template <int Count> struct TermWords { std::uint32_t of[Count]; };

/// Terms whose words are sums.
struct AddedWords {
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t join(std::uint32_t a, std::uint32_t b) { return a + b; }
    POLLARD_DEVICE static void joinInto(std::uint32_t* word, std::uint32_t value) {
        static_cast<void>(addTo(word, value));
    }
};

/// Values for the rows of one node.
template <int kRows> struct TermValues { std::uint64_t of[kRows]; };

/// Rows of sums, one row of nodes + 1 elements per term.
struct TermRows {
    std::uint64_t* sums;
    std::size_t stride;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t* at(std::size_t row, std::uint32_t node) const noexcept {
        return sums + row * stride + node;
    }
    POLLARD_DEVICE void add(std::size_t row, std::uint32_t node, std::uint64_t value) const {
        if (value != 0) {
            addWide(at(row, node), value);
        }
    }
    template <int kRows> POLLARD_DEVICE void add(std::uint32_t node, const TermValues<kRows>& values) const {
        for (int k = 0; k < kRows; ++k) {
            add(static_cast<std::size_t>(k), node, values.of[k]);
        }
    }
};

/// Sums over a node's pixels in a tile, in tile coordinates. Words: the number of pixels (lower 11 bits) and the
/// squares of dx; dx and dy; dx dy; the squares of dy.
struct TileMoments {
    static constexpr int kWords = 4;
    std::uint64_t n, x, y, xx, xy, yy;

    [[nodiscard]] POLLARD_DEVICE static TermWords<kWords> wordsAt(std::uint32_t dx, std::uint32_t dy) {
        return {{1U + (dx * dx << kPixelBits), dx + (dy << kHalf), dx * dy, dy * dy}};
    }
    [[nodiscard]] POLLARD_DEVICE static TileMoments of(const std::uint32_t* words) {
        return {words[0] & ((1U << kPixelBits) - 1),
                words[1] & ((1U << kHalf) - 1),
                words[1] >> kHalf,
                words[0] >> kPixelBits,
                words[2],
                words[3]};
    }

private:
    static constexpr unsigned kPixelBits = 11;
    static constexpr unsigned kHalf = 16;
    static_assert(kTileSide * kTileSide < 1U << kPixelBits && kTileSide * kTileSide * (kTileSide - 1) < 1U << kHalf &&
                  kTileSide * kTileSide * (kTileSide - 1) * (kTileSide - 1) < 1U << (32 - kPixelBits));
};

/// Members of MomentSums, in order.
struct MomentTerms : AddedWords {
    static constexpr bool kInVolumes = false;
    static constexpr int kRows = 5;
    static constexpr int kWords = TileMoments::kWords;

    TermRows rows;

    [[nodiscard]] POLLARD_DEVICE static TermWords<kWords> at(std::uint32_t, std::uint32_t, std::uint32_t dx,
                                                             std::uint32_t dy) {
        return TileMoments::wordsAt(dx, dy);
    }
    POLLARD_DEVICE void commit(std::uint32_t node, const std::uint32_t* words, std::uint64_t left,
                               std::uint64_t top) const {
        const TileMoments m = TileMoments::of(words);
        rows.add(node, TermValues<kRows>{{m.n * left + m.x, m.n * top + m.y, m.n * left * left + 2 * left * m.x + m.xx,
                                          m.n * left * top + left * m.y + top * m.x + m.xy,
                                          m.n * top * top + 2 * top * m.y + m.yy}});
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static TermValues<kRows> ofPixel(std::uint64_t x, std::uint64_t y) noexcept {
        return {{x, y, x * x, x * y, y * y}};
    }
};

/// Sums of order 3 in 64 bits, in the order of the members of ThirdMomentSums.
struct NarrowThirdSums {
    using Number = std::uint64_t;
    static constexpr int kRows = 4;

    [[nodiscard]] POLLARD_HOST_DEVICE static TermValues<kRows> split(Number a, Number b, Number c, Number d) noexcept {
        return {{a, b, c, d}};
    }
};
/// The same for images so large that the sums exceed 64 bits: the upper, then the lower 32 bits of each sum.
struct WideThirdSums {
    using Number = UInt128;
    static constexpr int kRows = 8;

    [[nodiscard]] POLLARD_HOST_DEVICE static TermValues<kRows> split(Number a, Number b, Number c, Number d) noexcept {
        return {{upper(a), lower(a), upper(b), lower(b), upper(c), lower(c), upper(d), lower(d)}};
    }

private:
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint64_t upper(Number value) noexcept {
        return static_cast<std::uint64_t>(value >> 32U);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint64_t lower(Number value) noexcept {
        return static_cast<std::uint32_t>(value);
    }
};
template <class Thirds> struct ThirdMomentTerms : AddedWords {
    static constexpr bool kInVolumes = false;
    using Number = typename Thirds::Number;
    static constexpr int kRows = Thirds::kRows;
    static constexpr int kWords = TileMoments::kWords + 4;

    TermRows rows;

    [[nodiscard]] POLLARD_DEVICE static TermWords<kWords> at(std::uint32_t, std::uint32_t, std::uint32_t dx,
                                                             std::uint32_t dy) {
        const auto second = TileMoments::wordsAt(dx, dy);
        return {{second.of[0], second.of[1], second.of[2], second.of[3], dx * dx * dx, dx * dx * dy, dx * dy * dy,
                 dy * dy * dy}};
    }
    POLLARD_DEVICE void commit(std::uint32_t node, const std::uint32_t* words, std::uint64_t left,
                               std::uint64_t top) const {
        const TileMoments m = TileMoments::of(words);
        const std::uint32_t* thirds = words + TileMoments::kWords;
        rows.add(node, Thirds::split(cube(left, m.n, m.x, m.xx, thirds[0]),
                                     product(left, top, m.n, m.x, m.y, m.xx, m.xy, thirds[1]),
                                     product(top, left, m.n, m.y, m.x, m.yy, m.xy, thirds[2]),
                                     cube(top, m.n, m.y, m.yy, thirds[3])));
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static TermValues<kRows> ofPixel(std::uint64_t x, std::uint64_t y) noexcept {
        return Thirds::split(Number{x} * x * x, Number{x} * x * y, Number{x} * y * y, Number{y} * y * y);
    }

private:
    /// Sum of (o + x)^3.
    [[nodiscard]] POLLARD_DEVICE static Number cube(Number o, std::uint64_t n, std::uint64_t x, std::uint64_t xx,
                                                    std::uint64_t xxx) {
        return o * (o * (o * n + 3 * x) + 3 * xx) + xxx;
    }
    /// Sum of (o + x)^2 (p + y).
    [[nodiscard]] POLLARD_DEVICE static Number product(Number o, Number p, std::uint64_t n, std::uint64_t x,
                                                       std::uint64_t y, std::uint64_t xx, std::uint64_t xy,
                                                       std::uint64_t xxy) {
        return o * (o * (p * n + y) + 2 * (p * x + xy)) + p * xx + xxy;
    }
};

/// packOutline() of the pixels' changes.
struct OutlineTerms : AddedWords {
    static constexpr bool kInVolumes = false;
    static constexpr int kWords = 1;

    NodePlan plan;
    TermRows rows;

    [[nodiscard]] POLLARD_DEVICE TermWords<kWords> at(std::uint32_t x, std::uint32_t y, std::uint32_t,
                                                      std::uint32_t) const {
        const unsigned before = neighboursBefore(plan.pixelNode, plan.width, plan.height, x, y);
        const int euler = eulerChange(before, plan.connectivity == Connectivity::eight);
        return {{(static_cast<std::uint32_t>(euler) << kHalf) + static_cast<std::uint32_t>(perimeterChange(before))}};
    }
    POLLARD_DEVICE void commit(std::uint32_t node, const std::uint32_t* words, std::uint64_t, std::uint64_t) const {
        const auto perimeter = static_cast<std::int16_t>(words[0]);
        const auto euler = static_cast<std::int16_t>((words[0] - static_cast<std::uint32_t>(perimeter)) >> kHalf);
        rows.add(0, node, packOutline(perimeter, euler));
    }

private:
    static constexpr unsigned kHalf = 16; // both halves are signed, at most 4 per pixel in absolute value
};

/// Words of the columns of a tile in which a node has pixels, one bit per column, and of the rows.
struct TileSides {
    static constexpr int kWords = 2;

    [[nodiscard]] POLLARD_DEVICE static TermWords<kWords> wordsAt(std::uint32_t dx, std::uint32_t dy) {
        return {{1U << dx, 1U << dy}};
    }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t join(std::uint32_t a, std::uint32_t b) { return a | b; }
    POLLARD_DEVICE static void joinInto(std::uint32_t* word, std::uint32_t value) {
        if ((loadFresh(word) & value) != value) {
            static_cast<void>(withBitsSet(word, value));
        }
    }

protected:
    POLLARD_DEVICE static void lower(std::uint32_t* side, std::uint32_t value) {
        if (loadFresh(side) > value) {
            lowerTo(side, value);
        }
    }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t highestBit(std::uint32_t word) {
#ifdef __CUDACC__
        return 31U - static_cast<std::uint32_t>(__clz(static_cast<int>(word)));
#else
        return 31U - static_cast<std::uint32_t>(std::countl_zero(word));
#endif
    }
};

/// Extends the boxes that StartBoxes has started.
struct BoxTerms : TileSides {
    static constexpr bool kInVolumes = false;

    NodeBox* boxes;

    [[nodiscard]] POLLARD_DEVICE static TermWords<kWords> at(std::uint32_t, std::uint32_t, std::uint32_t dx,
                                                             std::uint32_t dy) {
        return wordsAt(dx, dy);
    }
    POLLARD_DEVICE void commit(std::uint32_t node, const std::uint32_t* words, std::uint32_t left,
                               std::uint32_t top) const {
        // Sides only move outwards, so a stale value is safe. The bottom is the row of the canonical pixel, the last.
        NodeBox* box = boxes + node;
        lower(&box->left, left + static_cast<std::uint32_t>(lowestBit(words[0])));
        lower(&box->top, top + static_cast<std::uint32_t>(lowestBit(words[1])));
        raiseTo(&box->right, left + highestBit(words[0]));
    }
};

} // namespace pollard::cuda
