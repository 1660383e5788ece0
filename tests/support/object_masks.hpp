#pragma once

#include "image/mask.hpp"
#include "support/random_images.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

// Difficult masks for labelling algorithms, and labels by flooding.

namespace pollard::testing {

inline Mask makeMask(std::uint32_t width, std::uint32_t height,
                     const std::function<bool(std::uint32_t, std::uint32_t)>& isSet) {
    Mask mask(width, height, false);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask.set(x, y, isSet(x, y));
        }
    }
    return mask;
}

/// Squares of @p granularity px, each set with a probability of @p density percent.
inline Mask granularMask(Random& random, std::uint32_t width, std::uint32_t height, std::uint32_t granularity,
                         std::uint32_t density) {
    const std::uint32_t columns = (width - 1) / granularity + 1;
    const std::uint32_t rows = (height - 1) / granularity + 1;
    std::vector<bool> squares(std::size_t{columns} * rows);
    for (std::size_t i = 0; i < squares.size(); ++i) {
        squares[i] = random() % 100 < density;
    }
    return makeMask(width, height, [&](std::uint32_t x, std::uint32_t y) {
        return squares[std::size_t{y / granularity} * columns + x / granularity];
    });
}

/// A one-pixel spiral from the upper left corner to the middle.
inline Mask spiralMask(std::uint32_t width, std::uint32_t height) {
    Mask mask(width, height, false);
    int left = 0;
    int top = 0;
    int right = static_cast<int>(width) - 1;
    int bottom = static_cast<int>(height) - 1;
    const auto fill = [&mask](int x0, int x1, int y0, int y1) {
        for (int y = std::max(std::min(y0, y1), 0); y <= std::max(y0, y1); ++y) {
            for (int x = std::max(std::min(x0, x1), 0); x <= std::max(x0, x1); ++x) {
                mask.set(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), true);
            }
        }
    };
    while (left <= right && top <= bottom) {
        fill(left - 2, right, top, top);
        fill(right, right, top, bottom);
        if (top + 1 >= bottom || left + 1 >= right) {
            break;
        }
        fill(right, left, bottom, bottom);
        if (top + 2 < bottom) {
            fill(left, left, bottom, top + 2);
        }
        left += 2;
        top += 2;
        right -= 2;
        bottom -= 2;
    }
    return mask;
}

/// All set, all clear, checkerboard, rings, combs with teeth down, up and to the side, serpentines along rows and
/// columns, spiral, dots, one pixel.
inline std::vector<Mask> hardMasks(std::uint32_t width, std::uint32_t height) {
    using Rule = std::function<bool(std::uint32_t, std::uint32_t)>;
    const std::vector<Rule> rules{
        [](auto, auto) { return true; },
        [](auto, auto) { return false; },
        [](auto x, auto y) { return (x + y) % 2 == 0; },
        [&](auto x, auto y) {
            return std::min({x, y, width - 1 - x, height - 1 - y}) % 2 == 0;
        },
        [&](auto x, auto y) { return x % 2 == 0 || y + 1 == height; },
        [](auto x, auto y) { return x % 2 == 0 || y == 0; },
        [&](auto x, auto y) { return y % 2 == 0 || x + 1 == width; },
        [&](auto x, auto y) { return y % 2 == 0 || x == (y % 4 == 1 ? width - 1 : 0); },
        [&](auto x, auto y) { return x % 2 == 0 || y == (x % 4 == 1 ? height - 1 : 0); },
        [](auto x, auto y) { return x % 2 == 0 && y % 2 == 0; },
        [&](auto x, auto y) { return x == width / 2 && y == height / 2; },
    };
    std::vector<Mask> masks;
    for (const Rule& rule : rules) {
        masks.push_back(makeMask(width, height, rule));
    }
    masks.push_back(spiralMask(width, height));
    return masks;
}

/// Labels 1 .. n in raster order of first appearance, by flooding with connectivity 4 or 8.
inline std::vector<std::uint32_t> floodedLabels(const Mask& mask, bool eight = false) {
    const std::uint32_t width = mask.width();
    std::vector<std::uint32_t> labels(std::size_t{width} * mask.height());
    std::vector<std::uint32_t> front;
    std::uint32_t count = 0;
    for (std::uint32_t start = 0; start < labels.size(); ++start) {
        const auto take = [&](std::uint32_t x, std::uint32_t y) {
            std::uint32_t& label = labels[std::size_t{y} * width + x];
            if (mask.test(x, y) && label == 0) {
                label = count;
                front.push_back(y * width + x);
            }
        };
        if (labels[start] != 0 || !mask.test(start % width, start / width)) {
            continue;
        }
        ++count;
        take(start % width, start / width);
        while (!front.empty()) {
            const std::uint32_t x = front.back() % width;
            const std::uint32_t y = front.back() / width;
            front.pop_back();
            const std::uint32_t left = x == 0 ? 0 : x - 1;
            const std::uint32_t right = std::min(x + 1, width - 1);
            for (std::uint32_t row = y == 0 ? 0 : y - 1; row <= std::min(y + 1, mask.height() - 1); ++row) {
                for (std::uint32_t column = left; column <= right; ++column) {
                    if (eight || column == x || row == y) {
                        take(column, row);
                    }
                }
            }
        }
    }
    return labels;
}

} // namespace pollard::testing
