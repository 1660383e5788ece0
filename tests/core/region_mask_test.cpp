#include "image/region_shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pollard {
namespace {

using Kind = RegionShape::Kind;

/// Tests every pixel individually.
Mask bruteForce(std::uint32_t width, std::uint32_t height, const std::vector<RegionShape>& shapes, bool inverted) {
    Mask mask(width, height, false);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            bool inside = false;
            for (const RegionShape& shape : shapes) {
                inside = inside || contains(shape, {x + 0.5, y + 0.5});
            }
            mask.set(x, y, inside != inverted);
        }
    }
    return mask;
}

RegionShape randomShape(std::mt19937& random, Kind kind, int corners, bool onGrid) {
    std::uniform_real_distribution<double> place(-20, 90);
    RegionShape shape{kind, {}};
    for (int i = 0; i < corners; ++i) {
        RegionPoint point{place(random), place(random)};
        if (onGrid) { // multiples of 1/2: borders run through pixel centres
            point = {std::round(point.x * 2) / 2, std::round(point.y * 2) / 2};
        }
        shape.points.push_back(point);
    }
    return shape;
}

class RegionMask : public ::testing::TestWithParam<Kind> {};

TEST_P(RegionMask, IsWhatEveryPixelAskedAloneGives) {
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        const int corners = GetParam() == Kind::polygon ? 3 + round % 9 : 2;
        const bool onGrid = round % 2 == 0;
        std::vector<RegionShape> shapes;
        for (int i = 0; i <= round % 3; ++i) {
            shapes.push_back(randomShape(random, GetParam(), corners, onGrid));
        }
        const bool inverted = round % 5 == 0;
        const auto width = static_cast<std::uint32_t>(1 + random() % 130);
        const auto height = static_cast<std::uint32_t>(1 + random() % 80);
        ASSERT_TRUE(makeRegionMask(width, height, shapes, inverted) == bruteForce(width, height, shapes, inverted))
            << "round " << round;
    }
}

std::string nameOf(const ::testing::TestParamInfo<Kind>& info) {
    const char* names[] = {"rectangle", "ellipse", "polygon"};
    return names[static_cast<std::size_t>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Kinds, RegionMask, ::testing::Values(Kind::rectangle, Kind::ellipse, Kind::polygon), nameOf);

TEST(RegionMaskOf, ShapesSideBySideShareNoPixelAndLeaveNone) {
    const RegionShape left{Kind::polygon, {{0, 0}, {10.5, 0}, {4.5, 20}, {0, 20}}};
    const RegionShape right{Kind::polygon, {{10.5, 0}, {30, 0}, {30, 20}, {4.5, 20}}};
    const std::array one{left};
    const std::array other{right};
    const std::array both{left, right};
    const auto countLeft = makeRegionMask(30, 20, one).count();
    const auto countRight = makeRegionMask(30, 20, other).count();
    EXPECT_EQ(countLeft + countRight, 600U);
    EXPECT_EQ(makeRegionMask(30, 20, both).count(), 600U);
}

TEST(RegionMaskOf, CrossingPolygonHasAHoleByTheEvenOddRule) {
    // A five-pointed star drawn in one stroke: its middle has winding number 2.
    std::vector<RegionPoint> star;
    for (int i = 0; i < 5; ++i) {
        const double angle = i * 2 * 2 * 3.14159265358979 / 5;
        star.push_back({50 + 45 * std::sin(angle), 50 - 45 * std::cos(angle)});
    }
    const std::array shapes{RegionShape{Kind::polygon, star}};
    const Mask mask = makeRegionMask(100, 100, shapes);
    EXPECT_FALSE(mask.test(50, 50));
    EXPECT_TRUE(mask.test(50, 15));
}

TEST(RegionMaskOf, NothingCoversNothingAndInvertedEverything) {
    EXPECT_EQ(makeRegionMask(70, 3, {}).count(), 0U);
    EXPECT_EQ(makeRegionMask(70, 3, {}, true).count(), 210U);
    const std::array empty{RegionShape{Kind::polygon, {}}, RegionShape{Kind::rectangle, {{5, 1}, {5, 2}}}};
    EXPECT_EQ(makeRegionMask(70, 3, empty).count(), 0U);
}

TEST(RegionMaskOf, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    const std::array shapes{RegionShape{Kind::rectangle, {{0, 0}, {100, 100}}}};
    EXPECT_THROW(static_cast<void>(makeRegionMask(100, 100, shapes, false, JobControl(source.get_token()))), Cancelled);
}

TEST(RegionBounds, AreThePixelsThatShapesCoverWithinTheImage) {
    const std::array shapes{RegionShape{Kind::rectangle, {{-5, 2.2}, {7.4, 9.6}}},
                            RegionShape{Kind::ellipse, {{10, 4}, {20, 30}}}};
    EXPECT_EQ(pixelBoundsOf(shapes, 100, 25), (PixelRegion{0, 2, 20, 23}));
    EXPECT_EQ(pixelBoundsOf({}, 100, 25), std::nullopt);
    const std::array outside{RegionShape{Kind::rectangle, {{-5, -5}, {-1, -1}}}};
    EXPECT_EQ(pixelBoundsOf(outside, 100, 25), std::nullopt);
}

TEST(RegionArea, IsThatOfTheShape) {
    EXPECT_DOUBLE_EQ(areaOf({Kind::rectangle, {{9, 8}, {1, 2}}}), 48);
    EXPECT_NEAR(areaOf({Kind::ellipse, {{0, 0}, {10, 20}}}), 157.08, 0.01);
    EXPECT_DOUBLE_EQ(areaOf({Kind::polygon, {{0, 0}, {10, 0}, {10, 10}}}), 50);
    EXPECT_DOUBLE_EQ(areaOf({Kind::polygon, {}}), 0);
}

} // namespace
} // namespace pollard
