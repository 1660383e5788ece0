// Automatic thresholds against their definitions, evaluated on the list of pixels.

#include "base/error.hpp"
#include "components/threshold.hpp"
#include "support/random_images.hpp"
#include "support/ranked_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace pollard::testing {
namespace {

/// Levels with a peak and tails, sometimes with gaps; at least two levels.
std::vector<int> randomLevels(Random& random) {
    std::vector<int> levels(20 + random() % 300);
    const std::uint32_t range = 2 + random() % 60;
    const std::uint32_t step = 1 + random() % 200;
    const std::uint32_t offset = random() % 3 == 0 ? 0 : random() % 400;
    const bool bright = random() % 2 == 0;
    for (int& level : levels) {
        const std::uint32_t low = std::min({random() % range, random() % range, random() % range});
        level = static_cast<int>(offset + step * (bright ? range - 1 - low : low));
    }
    levels[1] = levels[0] + 1 + static_cast<int>(random() % 50);
    return levels;
}

int foundBy(ThresholdMethod method, const std::vector<int>& levels) {
    const auto image = makeImage(PixelType::u16, static_cast<std::uint32_t>(levels.size()), 1,
                                 [&](auto x, auto) { return static_cast<std::uint32_t>(levels[x]); });
    return automaticThreshold(method, *image, nullptr);
}

struct Classes {
    double counts[2] = {0, 0};
    double sums[2] = {0, 0};

    /// @param base level that counts as 0
    Classes(const std::vector<int>& levels, int threshold, int base = 0) {
        for (const int level : levels) {
            const int side = level >= threshold ? 1 : 0;
            ++counts[side];
            sums[side] += level - base;
        }
    }
    [[nodiscard]] double mean(int side) const { return sums[side] / counts[side]; }
    [[nodiscard]] double betweenVariance() const {
        return counts[0] == 0 || counts[1] == 0 ? -1 : counts[0] * counts[1] * std::pow(mean(0) - mean(1), 2);
    }
    /// Cross entropy of Li & Tam without constant terms.
    [[nodiscard]] double crossEntropy() const {
        const auto part = [this](int side) { return sums[side] == 0 ? 0 : sums[side] * std::log(mean(side)); };
        return -part(0) - part(1);
    }
};

TEST(AutoThreshold, OfOtsuSeparatesBest) {
    Random random(65);
    for (int repeat = 0; repeat < 150; ++repeat) {
        const std::vector<int> levels = randomLevels(random);
        const int threshold = foundBy(ThresholdMethod::otsu, levels);
        const double reached = Classes(levels, threshold).betweenVariance();
        for (int other = 1; other <= std::ranges::max(levels); ++other) {
            ASSERT_LE(Classes(levels, other).betweenVariance(), reached * (1 + 1e-12)) << other << ", " << threshold;
        }
        ASSERT_LT(Classes(levels, threshold - 1).betweenVariance(), reached * (1 - 1e-12)) << "the smallest of a gap";
    }
}

TEST(AutoThreshold, OfEquallyGoodSplitsIsTheSmallest) {
    // Both splits of three pixels have the variance 4.5 exactly; splits of four levels are symmetric.
    EXPECT_EQ(foundBy(ThresholdMethod::otsu, {0, 1, 2}), 1);
    EXPECT_EQ(foundBy(ThresholdMethod::otsu, {7, 9, 11}), 8);
    EXPECT_EQ(foundBy(ThresholdMethod::otsu, {0, 10, 20, 0, 10, 20}), 1);
    // Of two peaks of equal height the lower one is used. Its longer tail is the upper one, and the level farthest
    // below the line to its end is next to it; from the other peak it would be level 2.
    EXPECT_EQ(foundBy(ThresholdMethod::triangle, {0, 0, 0, 1, 2, 3, 3, 3, 5}), 2);
}

TEST(AutoThreshold, OfRootsSplitsSquaresAsOtsuSplitsTheirRoots) {
    Random random(70);
    for (int repeat = 0; repeat < 100; ++repeat) {
        std::vector<int> roots(20 + random() % 300);
        std::ranges::generate(roots, [&] { return static_cast<int>(std::min(random() % 256, random() % 256)); });
        roots[1] = roots[0] == 0 ? 1 : 0;
        std::vector<int> squares = roots;
        std::ranges::transform(squares, squares.begin(), [](int root) { return root * root; });
        const int ofRoots = foundBy(ThresholdMethod::otsu, roots);
        const int found = foundBy(ThresholdMethod::otsuRoot, squares);
        for (const int root : roots) {
            ASSERT_EQ(root * root >= found, root >= ofRoots) << root;
        }
        // The unit of the values makes no difference, and values below 0 are 0.
        const auto image = makeImage(PixelType::u16, static_cast<std::uint32_t>(squares.size()), 1,
                                     [&](auto x, auto) { return static_cast<std::uint32_t>(squares[x]); });
        const auto foundIn = [&](double offset, double step) {
            return automaticThreshold(ThresholdMethod::otsuRoot, *image, nullptr, {}, ValueMapping{offset, step});
        };
        ASSERT_EQ(foundIn(0, .25), found);
        ASSERT_EQ(foundIn(-65536, 1), std::ranges::min(squares) + 1) << "all are 0: the first split";
    }
    EXPECT_EQ(foundBy(ThresholdMethod::otsu, {0, 0, 0, 0, 60, 60, 200, 200}), 61);
    EXPECT_EQ(foundBy(ThresholdMethod::otsuRoot, {0, 0, 0, 0, 60, 60, 200, 200}), 1)
        << "dim objects beside bright ones";
}

/// The corner of the histogram from distances of points to a line.
int naiveTriangle(const std::vector<int>& levels) {
    const int first = std::ranges::min(levels);
    const int last = std::ranges::max(levels);
    const auto countAt = [&](int level) { return static_cast<double>(std::ranges::count(levels, level)); };
    int peak = first;
    for (int level = first; level <= last; ++level) {
        peak = countAt(level) > countAt(peak) ? level : peak;
    }
    const int end = last - peak > peak - first ? last : first;
    const double length = std::hypot(peak - end, countAt(peak));
    int corner = first;
    double farthest = -1e300;
    for (int level = first; level < last; ++level) {
        if (level < std::min(peak, end) || level > std::max(peak, end)) {
            continue;
        }
        // Signed distance from the line through (end, 0) and (peak, count of the peak).
        const double along = std::abs(level - end);
        const double distance = (along * countAt(peak) - std::abs(peak - end) * countAt(level)) / length;
        const bool nearer = std::abs(level - end) < std::abs(corner - end);
        if (distance > farthest + 1e-9 || (distance > farthest - 1e-9 && nearer)) {
            farthest = std::max(distance, farthest);
            corner = level;
        }
    }
    return corner + 1;
}

TEST(AutoThreshold, OfTheTriangleIsTheCornerOfTheHistogram) {
    Random random(66);
    for (int repeat = 0; repeat < 150; ++repeat) {
        std::vector<int> levels = randomLevels(random);
        for (int& level : levels) {
            level %= 700; // the oracle is slow
        }
        if (std::ranges::min(levels) < std::ranges::max(levels)) {
            ASSERT_EQ(foundBy(ThresholdMethod::triangle, levels), naiveTriangle(levels));
        }
    }
}

TEST(AutoThreshold, OfTheTriangleFindsWhereTheTailBegins) {
    // 1000 px of background around 10, and a tail of one pixel per level up to 100.
    std::vector<int> levels;
    for (int level = 8; level <= 12; ++level) {
        levels.insert(levels.end(), level == 10 ? 600 : 100, level);
    }
    for (int level = 13; level <= 100; ++level) {
        levels.push_back(level);
    }
    EXPECT_EQ(foundBy(ThresholdMethod::triangle, levels), 14);
    for (int& level : levels) {
        level = 200 - level; // dark objects
    }
    EXPECT_EQ(foundBy(ThresholdMethod::triangle, levels), 188);
}

TEST(AutoThreshold, OfLiIsAnEndOfItsIterationWithLessCrossEntropy) {
    Random random(67);
    for (int repeat = 0; repeat < 300; ++repeat) {
        const std::vector<int> levels = randomLevels(random);
        const int base = std::ranges::min(levels);
        // The iteration on the pixels.
        double split = std::accumulate(levels.begin(), levels.end(), 0.0) / static_cast<double>(levels.size()) - base;
        const double start = Classes(levels, static_cast<int>(split) + 1 + base, base).crossEntropy();
        int naive = 0;
        for (int step = 0; step < 1000; ++step) {
            naive = static_cast<int>(split) + 1 + base;
            const Classes classes(levels, naive, base);
            if (classes.mean(0) == 0) {
                break;
            }
            split = (classes.mean(1) - classes.mean(0)) / (std::log(classes.mean(1)) - std::log(classes.mean(0)));
        }
        const int threshold = foundBy(ThresholdMethod::li, levels);
        ASSERT_EQ(Classes(levels, threshold).counts[0], Classes(levels, naive).counts[0]);
        ASSERT_LE(Classes(levels, threshold, base).crossEntropy(), start + 1e-9 * std::abs(start));
        ASSERT_NE(std::ranges::find(levels, threshold - 1), levels.end()) << "the smallest of a gap";
    }
}

TEST(AutoThreshold, OfRanksOfWholeNumbersSplitsAsTheNumbers) {
    Random random(68);
    for (int repeat = 0; repeat < 100; ++repeat) {
        std::vector<int> levels = randomLevels(random);
        std::vector<int> numbers = levels;
        std::ranges::sort(numbers);
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        std::vector<float> samples(numbers.begin(), numbers.end());
        std::vector<int> ranks;
        for (const int level : levels) {
            ranks.push_back(static_cast<int>(std::ranges::lower_bound(numbers, level) - numbers.begin()));
        }
        const auto image = makeImage(PixelType::u16, static_cast<std::uint32_t>(ranks.size()), 1,
                                     [&](auto x, auto) { return static_cast<std::uint32_t>(ranks[x]); });
        for (const ThresholdMethod method : kThresholdMethods) {
            const int expected = foundBy(method, levels);
            const int found = automaticThreshold(method, *image, nullptr, {}, rankedMapping(ValueType::f32, samples));
            ASSERT_EQ(std::ranges::count_if(ranks, [&](int rank) { return rank < found; }),
                      std::ranges::count_if(levels, [&](int level) { return level < expected; }))
                << nameOf(method);
        }
    }
}

TEST(AutoThreshold, OfRanksIsNotRuinedByFarValues) {
    // 60,000 values of a sky, 900 of stars, and one of a cosmic ray.
    std::vector<float> samples;
    for (int i = 0; i < 60'900; ++i) {
        samples.push_back(i < 60'000 ? 0.01F + static_cast<float>(i) * 1e-7F
                                     : 0.2F + static_cast<float>(i - 60'000) * 1e-5F);
    }
    const auto thresholdOf = [&](ThresholdMethod method) {
        const auto image =
            makeImage(PixelType::u16, static_cast<std::uint32_t>(samples.size()), 1, [](auto x, auto) { return x; });
        return automaticThreshold(method, *image, nullptr, {}, rankedMapping(ValueType::f32, samples));
    };
    for (const ThresholdMethod method : {ThresholdMethod::otsu, ThresholdMethod::li}) {
        EXPECT_EQ(thresholdOf(method), 60'000) << nameOf(method);
    }
    samples.push_back(5e4F);
    for (const ThresholdMethod method : {ThresholdMethod::otsu, ThresholdMethod::li}) {
        EXPECT_EQ(thresholdOf(method), 60'000) << nameOf(method);
    }
}

TEST(AutoThreshold, OfRanksOfFloatsSplitsTheirValues) {
    Random random(69);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const std::vector<float> samples = unevenFloats(random, 30);
        const ValueMapping mapping = rankedMapping(ValueType::f32, samples);
        std::vector<std::uint32_t> ranks(200);
        for (std::uint32_t& rank : ranks) {
            rank = std::min(random() % 30, random() % 30);
        }
        const auto image = makeImage(PixelType::u16, static_cast<std::uint32_t>(ranks.size()), 1,
                                     [&](auto x, auto) { return ranks[x]; });
        const auto between = [&](std::uint32_t threshold) {
            double counts[2] = {0, 0};
            double sums[2] = {0, 0};
            for (const std::uint32_t rank : ranks) {
                ++counts[rank >= threshold ? 1 : 0];
                sums[rank >= threshold ? 1 : 0] += mapping.valueOf(rank);
            }
            return counts[0] == 0 || counts[1] == 0
                       ? -1
                       : counts[0] * counts[1] * std::pow(sums[0] / counts[0] - sums[1] / counts[1], 2);
        };
        const auto found = automaticThreshold(ThresholdMethod::otsu, *image, nullptr, {}, mapping);
        for (std::uint32_t other = 1; other < 30; ++other) {
            ASSERT_LE(between(other), between(found) * (1 + 1e-9)) << other << ", " << found;
        }
        // A line through other values: the split stays.
        const ValueMapping scaled = rankedMapping(ValueType::f32, samples, 0.125, 1000);
        for (const ThresholdMethod method : {ThresholdMethod::otsu, ThresholdMethod::triangle, ThresholdMethod::li}) {
            ASSERT_EQ(automaticThreshold(method, *image, nullptr, {}, scaled),
                      automaticThreshold(method, *image, nullptr, {}, mapping))
                << nameOf(method);
        }
    }
}

TEST(AutoThreshold, SplitsTwoLevelsAndNoFewer) {
    const auto flat = makeImage(PixelType::u8, 4, 4, [](auto, auto) { return 7; });
    for (const ThresholdMethod method : kThresholdMethods) {
        EXPECT_THROW((void)automaticThreshold(method, *flat, nullptr), Error);
        for (const int bright : {0, 1, 2, 3}) { // columns of 200
            const auto two =
                makeImage(PixelType::u8, 4, 4, [&](auto x, auto) { return static_cast<int>(x) < bright ? 200 : 10; });
            if (bright == 0) {
                EXPECT_THROW((void)automaticThreshold(method, *two, nullptr), Error);
                continue;
            }
            const int threshold = automaticThreshold(method, *two, nullptr);
            EXPECT_GT(threshold, 10) << nameOf(method);
            EXPECT_LE(threshold, 200) << nameOf(method);
            Mask valid(4, 4, true);
            for (std::uint32_t y = 0; y < 4; ++y) {
                for (std::uint32_t x = 0; x < 4; ++x) {
                    valid.set(x, y, static_cast<int>(x) >= bright);
                }
            }
            EXPECT_THROW((void)automaticThreshold(method, *two, &valid), Error) << "only the dark pixels count";
        }
        // Adjacent levels, and the ends of the range.
        for (const auto& [low, high] : {std::pair{11, 12}, std::pair{0, 65535}, std::pair{65534, 65535}}) {
            for (const int share : {1, 8}) {
                std::vector<int> levels(9, low);
                std::fill_n(levels.begin(), share, high);
                const int threshold = foundBy(method, levels);
                EXPECT_GT(threshold, low) << nameOf(method);
                EXPECT_LE(threshold, high) << nameOf(method);
            }
        }
        EXPECT_EQ(findThresholdMethod(nameOf(method)), method);
    }
    EXPECT_FALSE(findThresholdMethod("Otsu"));
}

} // namespace
} // namespace pollard::testing
