#pragma once

#include "cuda/components/ha4/segment_bits.hpp"

#include <cstdint>

namespace pollard::cuda::ha4 {

// The forest of equivalent segments is stored in the label image: a segment is named by the number of its first pixel
// (y * width + x), and that pixel holds the number of a segment that is not larger. Other pixels are unset. Numbers
// only decrease, so a stale one still belongs to the same tree.

/// Follows the forest to its root.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t rootOf(const std::uint32_t* labels, std::uint32_t label) {
    std::uint32_t up = loadCached(labels + label);
    while (up != label) {
        label = up;
        up = loadCached(labels + label);
    }
    return label;
}

/// Joins two trees (algorithm 2; from Playne & Hawick 2018, after Komura 2015): links the larger root to the smaller
/// one.
POLLARD_DEVICE inline void join(std::uint32_t* labels, std::uint32_t a, std::uint32_t b) {
    while (a != b) {
        const std::uint32_t up = loadCached(labels + a);
        if (up == a) {
            break;
        }
        a = up;
    }
    while (a != b) {
        const std::uint32_t up = loadCached(labels + b);
        if (up == b) {
            break;
        }
        b = up;
    }
    while (a != b) {
        if (a < b) {
            const std::uint32_t larger = b;
            b = a;
            a = larger;
        }
        const std::uint32_t before = lowered(labels + a, b);
        a = before == a ? b : before; // if it was no longer a root, its parent remains to be joined
    }
}

/// Joins the segments of two adjacent rows that touch in the calling thread's pixel, if one of them starts there;
/// otherwise the preceding pixels touch as well.
/// @param first number of the first pixel of the word in the lower row
/// @param ownReach,aboveReach number of consecutive set pixels just before the first pixel of the word
template <class Word> POLLARD_DEVICE void joinRows(std::uint32_t* labels, Word own, Word above, std::uint32_t lane,
                                                   std::uint32_t first, std::uint32_t width, std::uint32_t ownReach,
                                                   std::uint32_t aboveReach) {
    const Word both = own & above;
    const std::uint32_t at = pixelOf(both, lane);
    if (!isSet(both, at)) {
        return;
    }
    const std::uint32_t ownDistance = at == 0 ? ownReach : startDistance(own, at);
    const std::uint32_t aboveDistance = at == 0 ? aboveReach : startDistance(above, at);
    if (ownDistance == 0 || aboveDistance == 0) {
        join(labels, first + at - ownDistance, first + at - width - aboveDistance);
    }
}

} // namespace pollard::cuda::ha4
