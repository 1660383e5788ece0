// Starts of contours from shapes and masks, and statistics of a contour's regions.
#include "snake/contour/contour_rows.hpp"
#include "snake/contour/contour_starts.hpp"
#include "snake/contour_levels.hpp"

#include "base/error.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace pollard {
namespace {

using testing::Random;

/// A mask of random rectangles.
Mask randomMask(Random& random, std::uint32_t width, std::uint32_t height) {
    Mask mask(width, height, false);
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t x = random() % width;
        const std::uint32_t y = random() % height;
        for (std::uint32_t v = y; v < std::min(height, y + 1 + random() % 20); ++v) {
            mask.setRun(x, std::min(width, x + 1 + random() % 20), v, true);
        }
    }
    return mask;
}

TEST(ContourStart, TheOutlineHoldsThePixelsOfTheLargestPart) {
    Random random(3);
    for (int round = 0; round < 50; ++round) {
        const Mask mask = randomMask(random, 40, 30);
        const Contour outline = outlineOf(mask, {5, 7});
        ASSERT_TRUE(isSimple(outline));
        const Image inside = contourMask(outline, 60, 50);
        std::uint64_t held = 0;
        std::uint64_t area = 0;
        for (std::uint32_t y = 0; y < 30; ++y) {
            for (std::uint32_t x = 0; x < 40; ++x) {
                const bool in = inside.level((y + 7) * 60 + x + 5) != 0;
                area += in ? 1 : 0;
                held += in && mask.test(x, y) ? 1 : 0;
            }
        }
        EXPECT_EQ(static_cast<std::int64_t>(2 * area), twiceSignedArea(outline)) << "nothing of it lies elsewhere";
        EXPECT_GT(held, 0U);
        EXPECT_LE(held, mask.count());
    }
    EXPECT_THROW(static_cast<void>(outlineOf(Mask(4, 4, false), {})), Error);
}

TEST(ContourStart, ThinnedOutlinesAreSimpleAndKeepTheirDistance) {
    Random random(5);
    for (int round = 0; round < 50; ++round) {
        const Contour outline = outlineOf(randomMask(random, 60, 60), {});
        const Contour all = thinned(outline, 1, 100000);
        EXPECT_EQ(all, outline);
        const Contour nodes = thinned(outline, 8, 100000);
        ASSERT_TRUE(isSimple(nodes));
        ASSERT_LE(nodes.size(), outline.size());
        if (nodes.size() < outline.size() / 4) {
            for (std::size_t i = 1; i < nodes.size(); ++i) {
                EXPECT_GE(std::max(std::abs(nodes[i].x - nodes[i - 1].x), std::abs(nodes[i].y - nodes[i - 1].y)), 2);
            }
        }
    }
    const Contour square{{0, 0}, {40, 0}, {40, 40}, {0, 40}};
    EXPECT_EQ(thinned(square, 8, 4), square);
    EXPECT_EQ(thinned(square, 1000, 4), square) << "half the spacing until there are three";
    EXPECT_THROW(static_cast<void>(thinned(square, 8, 3)), Error);
}

TEST(ContourStart, StairsGetANodeForEveryLengthOfEdge) {
    Contour stairs;
    for (std::int32_t i = 0; i < 100; ++i) {
        stairs.push_back({i, i});
        stairs.push_back({i + 1, i});
    }
    stairs.push_back({0, 100});
    const Contour nodes = thinned(stairs, 10, 1000);
    ASSERT_TRUE(isSimple(nodes));
    EXPECT_LE(nodes.size(), 13U);
    EXPECT_GE(nodes.size(), 10U);
}

TEST(ContourStart, ShapesBecomePolygonsWithinTheImage) {
    using Kind = RegionShape::Kind;
    EXPECT_EQ(contourOf({Kind::rectangle, {{50, 60}, {-3, 4.6}}}, 8, 40, 30),
              (Contour{{0, 5}, {40, 5}, {40, 30}, {0, 30}}));
    EXPECT_EQ(contourOf({Kind::polygon, {{1, 1}, {1.2, 0.9}, {9, 1}, {9, 9}, {1.1, 1.1}}}, 8, 40, 30),
              (Contour{{1, 1}, {9, 1}, {9, 9}}));
    const Contour ellipse = contourOf({Kind::ellipse, {{10, 10}, {110, 70}}}, 4, 200, 200);
    ASSERT_TRUE(isSimple(ellipse));
    EXPECT_NEAR(static_cast<double>(twiceSignedArea(ellipse)) / 2, 3.14159 * 50 * 30, 60);
    EXPECT_NEAR(static_cast<double>(ellipse.size()), 3.14159 * 80 / 4, 2);
}

TEST(LevelsInside, AreThoseOfThePixelsOfTheMask) {
    Random random(11);
    for (int round = 0; round < 40; ++round) {
        const auto image = testing::randomImage(random, 30 + random() % 20, 20 + random() % 20);
        Contour contour;
        for (std::uint32_t i = 0; i < 3 + random() % 6; ++i) {
            contour.push_back({static_cast<std::int32_t>(random() % (image->width() + 1)),
                               static_cast<std::int32_t>(random() % (image->height() + 1))});
        }
        Mask valid(image->width(), image->height(), true);
        valid.setRun(0, image->width() / 2, image->height() / 2, false);
        const Image mask = contourMask(contour, image->width(), image->height());
        for (const Mask* counted : {static_cast<const Mask*>(nullptr), static_cast<const Mask*>(&valid)}) {
            std::vector<std::uint64_t> expected(std::size_t{maxLevelOf(image->type())} + 1);
            for (std::size_t i = 0; i < image->pixelCount(); ++i) {
                const auto x = static_cast<std::uint32_t>(i % image->width());
                const auto y = static_cast<std::uint32_t>(i / image->width());
                if (mask.level(i) != 0 && (counted == nullptr || counted->test(x, y))) {
                    ++expected[image->level(i)];
                }
            }
            ASSERT_EQ(levelsInside(*image, contour, counted), expected);
        }
    }
}

TEST(FittedLaw, HasTheMassOneAndTheMeanOfTheRegion) {
    // 1,000 px of mean 40 and variance 100
    const RegionSums sums{1000, 40000, 1000 * (1600 + 100)};
    EXPECT_EQ(meanOf(sums), 40);
    EXPECT_EQ(varianceOf(sums), 100);
    for (const RegionLaw law : kRegionLaws) {
        const FittedLaw fitted(law, sums);
        double mass = 0;
        double mean = 0;
        double square = 0;
        for (int level = 0; level < 1000; ++level) {
            mass += fitted.density(level);
            mean += level * fitted.density(level);
            square += level * level * fitted.density(level);
        }
        EXPECT_NEAR(mass, 1, 1e-3) << nameOf(law);
        if (law == RegionLaw::rayleigh) {
            EXPECT_NEAR(square, 1700, 1) << "its scale is that of the squares";
        } else {
            EXPECT_NEAR(mean, 40, 1e-2) << nameOf(law);
        }
        if (law == RegionLaw::gaussian || law == RegionLaw::gamma) {
            EXPECT_NEAR(square - mean * mean, 100, 0.1) << nameOf(law);
        }
    }
}

TEST(FittedLaw, OfAConstantRegionIsFinite) {
    for (const RegionLaw law : kRegionLaws) {
        for (const std::int64_t level : {0, 7}) {
            const FittedLaw fitted(law, {50, 50 * level, 50 * level * level});
            for (int x = 0; x < 20; ++x) {
                EXPECT_TRUE(std::isfinite(fitted.density(x))) << nameOf(law) << " of " << level << " at " << x;
            }
        }
    }
}

/// The pixels inside a contour.
std::int64_t pixelsIn(const Contour& contour, std::uint32_t width, std::uint32_t height) {
    return RowCounts(Mask(width, height, true)).inside(contour);
}

TEST(ContourWithoutPixels, KeepsTheLargestPart) {
    const Contour square{{10, 10}, {50, 10}, {50, 50}, {10, 50}};
    Mask taken(60, 60, false);
    taken.set(5, 5, true);
    EXPECT_EQ(withoutPixels(square, taken, {}), square) << "nothing is taken inside";
    for (std::uint32_t y = 0; y < 60; ++y) {
        taken.setRun(20, 25, y, true);
    }
    const Contour rest = withoutPixels(square, taken, {});
    EXPECT_EQ(RowCounts(taken).inside(rest), 0);
    EXPECT_EQ(pixelsIn(rest, 60, 60), 25 * 40);
}

TEST(ContourWithoutPixels, CutsHoles) {
    const Contour square{{10, 10}, {50, 10}, {50, 50}, {10, 50}};
    Mask taken(60, 60, false);
    for (std::uint32_t y = 30; y < 34; ++y) {
        taken.setRun(20, 26, y, true);
        taken.setRun(40, 44, y + 5, true);
    }
    const Contour rest = withoutPixels(square, taken, {});
    EXPECT_TRUE(isSimple(rest));
    EXPECT_EQ(RowCounts(taken).inside(rest), 0);
    EXPECT_GT(pixelsIn(rest, 60, 60), 1300);
}

TEST(ContourWithoutPixels, RefusesToLeaveTooLittle) {
    const Contour square{{10, 10}, {50, 10}, {50, 50}, {10, 50}};
    Mask taken(60, 60, true);
    EXPECT_THROW(static_cast<void>(withoutPixels(square, taken, {})), Error);
    taken.setRun(20, 25, 30, false);
    EXPECT_THROW(static_cast<void>(withoutPixels(square, taken, {})), Error) << "5 px of 16";
}

} // namespace
} // namespace pollard
