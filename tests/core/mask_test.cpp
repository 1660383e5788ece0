#include "image/mask.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace pollard {
namespace {

TEST(Mask, StartsFullOrEmptyAtEveryWidth) {
    for (std::uint32_t width = 1; width <= 130; ++width) {
        const Mask full(width, 3, true);
        EXPECT_EQ(full.count(), std::uint64_t{width} * 3) << width;
        EXPECT_EQ(Mask(width, 3, false).count(), 0U);
        EXPECT_EQ(full.row(1).size(), (width + 63) / 64);
    }
}

TEST(Mask, KeepsBitsBeyondTheWidthClear) {
    Mask mask(70, 2, false);
    mask.setRun(0, 70, 0, true);
    EXPECT_EQ(mask.row(0)[1], (Mask::Word{1} << 6) - 1);
    EXPECT_EQ(mask, [] {
        Mask other(70, 2, true);
        other.setRun(0, 70, 1, false);
        return other;
    }());
}

TEST(Mask, SetsRunsAndPixelsAsAPlainArrayDoes) {
    constexpr std::uint32_t kWidth = 200;
    constexpr std::uint32_t kHeight = 5;
    std::mt19937 random(7);
    Mask mask(kWidth, kHeight, false);
    std::vector<bool> plain(kWidth * kHeight);
    for (int step = 0; step < 2000; ++step) {
        const auto y = static_cast<std::uint32_t>(random() % kHeight);
        const auto first = static_cast<std::uint32_t>(random() % (kWidth + 1));
        const auto last = first + static_cast<std::uint32_t>(random() % (kWidth + 1 - first));
        const bool value = random() % 2 == 0;
        if (step % 3 == 0 && first < kWidth) {
            mask.set(first, y, value);
            plain[y * kWidth + first] = value;
        } else {
            mask.setRun(first, last, y, value);
            for (std::uint32_t x = first; x < last; ++x) {
                plain[y * kWidth + x] = value;
            }
        }
    }
    std::uint64_t count = 0;
    for (std::uint32_t y = 0; y < kHeight; ++y) {
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            ASSERT_EQ(mask.test(x, y), plain[y * kWidth + x]) << x << ", " << y;
            count += plain[y * kWidth + x] ? 1U : 0U;
        }
    }
    EXPECT_EQ(mask.count(), count);
}

TEST(Mask, RefusesAnEmptySide) {
    EXPECT_THROW(Mask(0, 3, true), Error);
    EXPECT_THROW(Mask(3, 0, true), Error);
}

} // namespace
} // namespace pollard
