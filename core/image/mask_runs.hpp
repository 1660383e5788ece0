#pragma once

#include "image/mask.hpp"

#include <bit>
#include <cstdint>

namespace pollard {

/// Bits of a word whose pixel differs from the one on its left.
/// @param left whether the pixel left of the word is set, 0 or 1
[[nodiscard]] constexpr Mask::Word edgesOf(Mask::Word word, Mask::Word left) noexcept {
    return word ^ (word << 1 | left);
}

/// Calls @p visit(first, last) for every run [first, last) of pixels of row @p y that are set (or not set), from left
/// to right. Takes a step a word and two a run, not a pixel.
template <class Visit> void forEachRun(const Mask& mask, std::uint32_t y, bool set, const Visit& visit) {
    const std::uint32_t width = mask.width();
    const Mask::Word flip = set ? 0 : ~Mask::Word{0};
    Mask::Word left = 0; // nothing is looked for outside
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
