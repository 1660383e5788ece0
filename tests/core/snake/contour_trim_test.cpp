// Contours without the parts that enclose no pixel.
#include "core/snake/snake_support.hpp"

#include "image/image.hpp"
#include "image/region_shape.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/contour/contour_starts.hpp"
#include "snake/snake_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

namespace pollard {
namespace {

using testing::Random;
using testing::rectangle;

constexpr std::uint32_t kTrimSide = 96;

/// The inside of a part by winding numbers.
std::vector<bool> insideOf(const Contour& contour, const PixelRegion& part = {0, 0, kTrimSide, kTrimSide}) {
    std::vector<bool> inside;
    for (std::uint32_t y = part.y; y < part.y + part.height; ++y) {
        for (std::uint32_t x = part.x; x < part.x + part.width; ++x) {
            inside.push_back(
                testing::windingNumber(contour, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)) != 0);
        }
    }
    return inside;
}

/// Inserts a spike or slit that leaves the mask alone at a random node, if one is found: there, to a tip and to a foot,
/// which span a triangle of half a pixel. @return whether it did
bool addWhisker(Random& random, Contour& contour) {
    const auto small = [&] { return static_cast<std::int32_t>(random() % 7) - 3; };
    const auto isInImage = [](ContourNode node) {
        const auto side = static_cast<std::int32_t>(kTrimSide);
        return node.x >= 0 && node.y >= 0 && node.x <= side && node.y <= side;
    };
    for (int attempt = 0; attempt < 3000; ++attempt) {
        const std::size_t at = random() % contour.size();
        const ContourNode along{small(), small()};
        const ContourNode aside{small(), small()};
        if (std::abs(along.x * aside.y - along.y * aside.x) != 1) {
            continue;
        }
        const auto length = static_cast<std::int32_t>(5 + random() % 8);
        const ContourNode foot{contour[at].x + along.x, contour[at].y + along.y};
        const ContourNode tip{contour[at].x + length * along.x + aside.x, contour[at].y + length * along.y + aside.y};
        if (!isInImage(tip) || !isInImage(foot)) {
            continue;
        }
        Contour with = contour;
        with.insert(with.begin() + static_cast<std::ptrdiff_t>(at) + 1, {tip, foot});
        const PixelRegion changed =
            partAround({contour[at], tip, foot, contour[(at + 1) % contour.size()]}, 0, kTrimSide, kTrimSide);
        if (isSimple(with) && insideOf(with, changed) == insideOf(contour, changed)) {
            contour = std::move(with);
            return true;
        }
    }
    return false;
}

/// Largest distance of a node from a place where pixels inside and outside meet, px.
double farthestFromBorder(const Contour& contour, const std::vector<bool>& inside) {
    const auto isIn = [&](std::int32_t x, std::int32_t y) {
        return x >= 0 && y >= 0 && x < static_cast<std::int32_t>(kTrimSide) &&
               y < static_cast<std::int32_t>(kTrimSide) &&
               inside[static_cast<std::size_t>(y) * kTrimSide + static_cast<std::size_t>(x)];
    };
    std::vector<ContourNode> border;
    for (std::int32_t y = 0; y <= static_cast<std::int32_t>(kTrimSide); ++y) {
        for (std::int32_t x = 0; x <= static_cast<std::int32_t>(kTrimSide); ++x) {
            const int around = isIn(x, y) + isIn(x - 1, y) + isIn(x, y - 1) + isIn(x - 1, y - 1);
            if (around != 0 && around != 4) {
                border.push_back({x, y});
            }
        }
    }
    double farthest = 0;
    for (const ContourNode node : contour) {
        double nearest = 1e9;
        for (const ContourNode place : border) {
            nearest = std::min(nearest, std::hypot(place.x - node.x, place.y - node.y));
        }
        farthest = std::max(farthest, nearest);
    }
    return farthest;
}

void expectTrimmed(const Contour& contour, const Contour& result) {
    ASSERT_TRUE(isSimple(result));
    EXPECT_EQ(insideOf(result), insideOf(contour));
    EXPECT_EQ(trimmed(result), result);
    EXPECT_LE(result.size(), contour.size());
}

TEST(ContourTrim, LeavesContoursThatTurnLittleAlone) {
    const Contour nodes{{20, 20}, {30, 20}, {40, 20}, {41, 30}, {40, 40}, {30, 41}, {20, 40}};
    EXPECT_EQ(trimmed(nodes), nodes) << "empty nodes on edges";
    EXPECT_EQ(trimmed(rectangle(3, 3, 4, 4)), rectangle(3, 3, 4, 4));
    const Contour triangle{{0, 0}, {40, 1}, {0, 1}};
    EXPECT_EQ(trimmed(triangle), triangle) << "three nodes stay";
}

TEST(ContourTrim, TakesWhiskersOfRoundContours) {
    Random random(17);
    int whiskers = 0;
    for (int round = 0; round < 40; ++round) {
        const double left = 25 + random() % 10;
        const double top = 25 + random() % 10;
        const RegionShape shape{RegionShape::Kind::ellipse,
                                {{left, top}, {left + 20 + random() % 20, top + 20 + random() % 20}}};
        Contour contour = contourOf(shape, 8, kTrimSide, kTrimSide);
        ASSERT_EQ(trimmed(contour), contour);
        const std::vector<bool> inside = insideOf(contour);
        int added = 0;
        for (int i = 0; i < 4; ++i) {
            added += addWhisker(random, contour) ? 1 : 0;
        }
        whiskers += added;
        const Contour result = trimmed(contour);
        expectTrimmed(contour, result);
        EXPECT_LT(farthestFromBorder(result, inside), 3) << "round " << round << ", " << added << " whiskers";
    }
    EXPECT_GT(whiskers, 60);
}

TEST(ContourTrim, KeepsTheMaskOfRandomPolygons) {
    Random random(5);
    const Image image(PixelType::u8, kTrimSide, kTrimSide);
    int shorter = 0;
    for (int round = 0; round < 60; ++round) {
        Contour contour = testing::randomStart(random, image, 16);
        for (int i = 0; i < 5; ++i) {
            addWhisker(random, contour);
        }
        if (twiceSignedArea(contour) < 0) {
            std::reverse(contour.begin() + 1, contour.end());
        }
        const Contour result = trimmed(contour);
        expectTrimmed(contour, result);
        shorter += result.size() < contour.size() ? 1 : 0;
    }
    EXPECT_GT(shorter, 30);
}

} // namespace
} // namespace pollard
