#pragma once

#include "image/mask.hpp"

#include <bit>
#include <cstdint>

namespace pollard {

/// Bits of the pixels that differ from their left neighbour.
/// @param left 1 if the pixel left of the word is set, else 0
[[nodiscard]] constexpr Mask::Word edgesOf(Mask::Word word, Mask::Word left) noexcept {
    return word ^ (word << 1 | left);
}

/// Calls @p visit(first, last) for every run [first, last) of set (or unset) pixels of row @p y, from left to right.
/// O(words + runs).
template <class Visit> void forEachRun(const Mask& mask, std::uint32_t y, bool set, const Visit& visit) {
    const std::uint32_t width = mask.width();
    const Mask::Word flip = set ? 0 : ~Mask::Word{0};
    Mask::Word left = 0; // pixels outside the image count as unset
    std::uint32_t base = 0;
    std::uint32_t first = 0;
    bool within = false;
    for (const Mask::Word stored : mask.row(y)) {
        const Mask::Word word = stored ^ flip;
        for (Mask::Word edges = edgesOf(word, left); edges != 0; edges &= edges - 1) {
            const std::uint32_t x = base + static_cast<std::uint32_t>(std::countr_zero(edges));
            if (within) {
                visit(first, x);
            }
            first = x;
            within = !within;
        }
        left = word >> (Mask::kBitsPerWord - 1);
        base += Mask::kBitsPerWord;
    }
    if (within && first < width) {
        visit(first, width);
    }
}

/// Number of runs of set pixels of row @p y.
[[nodiscard]] inline std::uint32_t countRuns(const Mask& mask, std::uint32_t y) noexcept {
    std::uint32_t count = 0;
    Mask::Word left = 0;
    for (const Mask::Word word : mask.row(y)) {
        count += static_cast<std::uint32_t>(std::popcount(edgesOf(word, left) & word));
        left = word >> (Mask::kBitsPerWord - 1);
    }
    return count;
}

} // namespace pollard
