#pragma once

#include "image/mask.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace pollard {

/// Calls @p visit(first, last) for every run [first, last) of pixels of row @p y that are set (or not set), from left
/// to right. Takes a step a word or a run, not a pixel.
template <class Visit> void forEachRun(const Mask& mask, std::uint32_t y, bool set, const Visit& visit) {
    const auto words = mask.row(y);
    const std::uint32_t width = mask.width();
    // Position of the first pixel from `from` on whose bit is `value`; the width if there is none.
    const auto find = [&](std::uint32_t from, bool value) {
        while (from < width) {
            const std::uint32_t bit = from % Mask::kBitsPerWord;
            const Mask::Word word = words[from / Mask::kBitsPerWord];
            const Mask::Word left = (value ? word : ~word) >> bit;
            if (left != 0) {
                return std::min(width, from + static_cast<std::uint32_t>(std::countr_zero(left)));
            }
            from += Mask::kBitsPerWord - bit;
        }
        return width;
    };
    for (std::uint32_t first = find(0, set); first < width;) {
        const std::uint32_t last = find(first, !set);
        visit(first, last);
        first = find(last, set);
    }
}

} // namespace pollard
