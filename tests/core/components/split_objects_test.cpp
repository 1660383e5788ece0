#include "components/split_objects.hpp"

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/objects/object_rule.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <vector>

namespace pollard {
namespace {

using testing::makeImage;
using testing::Random;

/// Discs of radius @p radius at (@p first, 20) and (@p second, 20).
Mask twoDiscs(int first, int second, int radius) {
    Mask mask(80, 41, false);
    for (int y = 0; y != 41; ++y) {
        for (int x = 0; x != 80; ++x) {
            const auto isIn = [&](int centre) {
                return (x - centre) * (x - centre) + (y - 20) * (y - 20) <= radius * radius;
            };
            mask.set(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), isIn(first) || isIn(second));
        }
    }
    return mask;
}

std::uint32_t countIn(const Mask& mask, Connectivity connectivity = Connectivity::eight, std::uint32_t slices = 1) {
    ComponentsSpec spec;
    spec.connectivity = connectivity;
    spec.slices = slices;
    return labelComponents(mask, nullptr, spec).count;
}

TEST(SplitObjects, CutsANeckThatIsNarrowEnough) {
    const Mask discs = twoDiscs(25, 49, 14); // the neck is half as wide as a disc
    const TouchingObjects objects{discs, {80, 41}};
    EXPECT_EQ(countIn(discs), 1U);
    EXPECT_EQ(countIn(splitMask(objects, {SplitBy::shape, .7})), 2U);
    EXPECT_EQ(splitMask(objects, {SplitBy::shape, .4}), discs);
    const Buffer<std::uint32_t> parts = partsOf(objects, {SplitBy::shape, .7}, false);
    for (std::uint32_t y = 0; y != 41; ++y) {
        for (std::uint32_t x = 0; x != 80; ++x) {
            const std::uint32_t side = x < 36 ? 1 : x > 38 ? 2 : std::max(parts[y * 80 + x], 1U);
            ASSERT_EQ(parts[y * 80 + x], discs.test(x, y) ? side : 0U) << x << ", " << y;
        }
    }
}

TEST(SplitObjects, LeavesADiscWhole) {
    for (int radius = 1; radius != 20; ++radius) {
        const Mask disc = twoDiscs(30, 30, radius);
        EXPECT_EQ(splitMask({disc, {80, 41}}, {SplitBy::shape, 1}), disc) << radius;
    }
}

TEST(SplitObjects, CutsBetweenBrighterParts) {
    const auto image = makeImage(PixelType::u8, 80, 41, [](auto x, auto) {
        return 50 + static_cast<std::uint32_t>(50 * std::abs(std::cos((x + .5) * 3.14159 / 40)));
    });
    Mask all(80, 41, true);
    const TouchingObjects objects{all, {80, 41}, {}, image.get()};
    EXPECT_EQ(countIn(splitMask(objects, {SplitBy::brightness, .8})), 3U) << "maxima at 0, 40 and 79";
    EXPECT_EQ(countIn(splitMask(objects, {SplitBy::brightness, 0})), 3U) << "the minima are the lowest levels";
    const TouchingObjects dark{all, {80, 41}, {}, image.get(), true};
    EXPECT_EQ(countIn(splitMask(dark, {SplitBy::brightness, .8})), 2U) << "minima at 20 and 60";
}

TEST(SplitObjects, PartsOfRandomMasksAreTheComponentsOfTheSplitMask) {
    Random random(520);
    for (int i = 0; i != 300; ++i) {
        const bool isVolume = i % 3 == 0;
        const Extent extent{1 + random() % 20, 1 + random() % 20, isVolume ? 2 + random() % 4 : 1};
        const auto image = testing::randomVolume(random, extent);
        Mask mask(extent.width, static_cast<std::uint32_t>(extent.rows()), true);
        for (std::uint32_t y = 0; y != mask.height(); ++y) {
            for (std::uint32_t x = 0; x != mask.width(); ++x) {
                mask.set(x, y, random() % 6 != 0);
            }
        }
        const Connectivity connectivity = isVolume ? Connectivity::twentySix : Connectivity::eight;
        const TouchingObjects objects{mask, extent, {1, 1, 1.5}, image.get(), random() % 2 == 0, connectivity};
        const ObjectSplit split{kAllSplits[random() % 2], random() % 5 / 4.};
        const Buffer<std::uint32_t> parts = partsOf(objects, split, false);
        const Buffer<std::uint32_t> apart = partsOf(objects, split, true);
        const Mask lined = splitMask(objects, split);
        std::set<std::uint32_t> labels;
        for (std::size_t p = 0; p != extent.pixelCount(); ++p) {
            const auto x = static_cast<std::uint32_t>(p % extent.width);
            const auto y = static_cast<std::uint32_t>(p / extent.width);
            ASSERT_EQ(parts[p] != 0, mask.test(x, y));
            ASSERT_EQ(apart[p] != 0, lined.test(x, y));
            ASSERT_TRUE(apart[p] == 0 || apart[p] == parts[p]);
            labels.insert(apart[p]);
        }
        labels.erase(0);
        ASSERT_GE(countIn(lined, connectivity, extent.slices), labels.size()) << "no component has two labels";
    }
}

TEST(SplitObjects, TheRuleSplitsTheMaskOfItsThreshold) {
    const Mask discs = twoDiscs(25, 49, 14);
    const auto image = makeImage(PixelType::u8, 80, 41, [&](auto x, auto y) { return discs.test(x, y) ? 200 : 10; });
    ObjectRule rule = ObjectSettings{}.rule;
    EXPECT_TRUE(rule.isThreshold());
    rule.split = ObjectSplit{};
    EXPECT_FALSE(rule.isThreshold());
    EXPECT_EQ(countIn(rule.maskOf(*image, rule.levelsOf(*image, nullptr, {}), nullptr, {})), 2U);
    ObjectRule same = rule;
    EXPECT_TRUE(rule.findsSameObjectsAs(same));
    same.split->strength = .1;
    EXPECT_FALSE(rule.findsSameObjectsAs(same));
}

TEST(SplitObjects, RefusesOtherStrengthsAndMissingImages) {
    const Mask discs = twoDiscs(25, 49, 14);
    const TouchingObjects objects{discs, {80, 41}};
    for (const double strength : {-.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW((void)splitMask(objects, {SplitBy::shape, strength}), Error) << strength;
    }
    EXPECT_THROW((void)splitMask(objects, {SplitBy::brightness, .5}), Error);
}

} // namespace
} // namespace pollard
