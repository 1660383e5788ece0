// Contours that are followed from page to page.
#include "core/snake/snake_support.hpp"

#include "snake/contour/contour_mask.hpp"
#include "snake/next_starts.hpp"
#include "snake/snake_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace pollard {
namespace {

using testing::makeImage;
using testing::rectangle;

constexpr std::uint32_t kFollowSide = 220;

std::shared_ptr<const Image> cellPage(double x, double y, double radius, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 10);
    return makeImage(PixelType::u16, kFollowSide, kFollowSide, [&](auto column, auto row) {
        const bool in = std::hypot(column + 0.5 - x, row + 0.5 - y) < radius;
        return static_cast<std::uint32_t>(std::lround(1000 + (in ? 300 : 0) + noise(random)));
    });
}

double diceOfCell(const Contour& contour, double x, double y, double radius) {
    const Image mask = contourMask(contour, kFollowSide, kFollowSide);
    double both = 0;
    double all = 0;
    for (std::uint32_t row = 0; row < kFollowSide; ++row) {
        for (std::uint32_t column = 0; column < kFollowSide; ++column) {
            const bool in = std::hypot(column + 0.5 - x, row + 0.5 - y) < radius;
            const bool found = mask.level(std::size_t{row} * kFollowSide + column) != 0;
            both += in && found ? 1 : 0;
            all += (in ? 1 : 0) + (found ? 1 : 0);
        }
    }
    return 2 * both / all;
}

constexpr double kCellRadius = 14;

struct Place {
    double x = 0;
    double y = 0;
};

/// Follows a cell over 200 pages. Its first motion is unknown to the follower.
template <class Way> void followCell(const Contour& start, const Way& placeOn) {
    constexpr int kCellPages = 200;
    constexpr std::uint32_t kMargin = 20;
    const SnakeSpec spec;
    std::vector<Contour> ends;
    std::vector<Contour> before;
    std::vector<Contour> starts{start};
    for (int page = 0; page < kCellPages; ++page) {
        const Place place = placeOn(page);
        const auto image = cellPage(place.x, place.y, kCellRadius, static_cast<std::uint32_t>(page) + 1);
        if (page > 0) {
            starts = nextStarts(ends, before, {*image, nullptr, spec, nullptr, kMargin});
        }
        SnakeJob job{image, nullptr, starts, spec, nullptr, {}};
        job.parts = partsAround(starts, kMargin, *image);
        before = std::exchange(ends, {runSnake(job, {}).states[0].nodes});
        ASSERT_GE(diceOfCell(ends[0], place.x, place.y, kCellRadius), 0.95) << "page " << page;
        ASSERT_LE(ends[0].size(), 40U) << "page " << page;
    }
}

class FollowedCell : public ::testing::TestWithParam<int> {};

TEST_P(FollowedCell, StaysFoundAndThinOnACircle) {
    constexpr double kWay = 70; ///< radius of the circle
    constexpr double kMiddle = kFollowSide / 2.0;
    followCell(rectangle(162, 92, 198, 128), [](int page) {
        const double angle = page * GetParam() / kWay;
        return Place{kMiddle + kWay * std::cos(angle), kMiddle + kWay * std::sin(angle)};
    });
}

/// The cell turns back at the sides of a square, 20 px from the border.
TEST_P(FollowedCell, StaysFoundAndThinWhereItIsReflected) {
    const auto reflected = [](double way) {
        constexpr double kLeast = 20;
        constexpr double kSide = kFollowSide - 2 * kLeast;
        const double at = std::fmod(way, 2 * kSide);
        return kLeast + (at < kSide ? at : 2 * kSide - at);
    };
    followCell(rectangle(92, 92, 128, 128), [&](int page) {
        return Place{reflected(90 + page * GetParam() * std::cos(0.35)),
                     reflected(90 + page * GetParam() * std::sin(0.35))};
    });
}

TEST_P(FollowedCell, StaysFoundAndThinWhereItTurnsAtRandom) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> angles(0, 2 * std::numbers::pi);
    Place place{kFollowSide / 2.0, kFollowSide / 2.0};
    followCell(rectangle(92, 92, 128, 128), [&](int page) {
        const auto isInside = [](double at) { return at > 20 && at < kFollowSide - 20; };
        for (bool moved = page == 0; !moved;) {
            const double angle = angles(random);
            const Place next{place.x + GetParam() * std::cos(angle), place.y + GetParam() * std::sin(angle)};
            moved = isInside(next.x) && isInside(next.y);
            place = moved ? next : place;
        }
        return place;
    });
}

INSTANTIATE_TEST_SUITE_P(Motions, FollowedCell, ::testing::Range(1, 15));

/// The starts, each from its upper left corner on.
std::vector<Contour> startsOn(const std::vector<Contour>& ends, const std::vector<Contour>& before,
                              const NextPage& page) {
    std::vector<Contour> starts = nextStarts(ends, before, page);
    for (Contour& start : starts) {
        const auto first = std::ranges::min_element(start, {}, [](ContourNode node) { return node.x + node.y; });
        std::rotate(start.begin(), first, start.end());
    }
    return starts;
}

TEST(NextStarts, MovesTheOutlineByTheLastMotion) {
    const auto image = cellPage(100, 60, 14, 1); // 20 px on from the second end
    const Contour first = rectangle(48, 46, 76, 74);
    const Contour second = rectangle(68, 46, 96, 74);
    const NextPage page{*image, nullptr, {}, nullptr, {}};
    EXPECT_EQ(startsOn({second}, {}, page), std::vector<Contour>{second}) << "the motion is unknown";
    EXPECT_EQ(startsOn({second}, {first}, page), std::vector<Contour>{rectangle(88, 46, 116, 74)});
    Mask forbidden(kFollowSide, kFollowSide, false);
    forbidden.set(110, 60, true);
    EXPECT_EQ(startsOn({second}, {first}, {*image, nullptr, {}, &forbidden, {}}), std::vector<Contour>{second});
    const Contour other = rectangle(100, 46, 150, 74);
    EXPECT_EQ(startsOn({second, other}, {first, other}, page), (std::vector<Contour>{second, other}))
        << "it would meet the other start";
    EXPECT_EQ(startsOn({second, rectangle(130, 46, 150, 74)}, {first, rectangle(130, 46, 150, 74)},
                       {*image, nullptr, {}, nullptr, 10})[0],
              second)
        << "its part would meet the part of the other start";
    const auto still = cellPage(82, 60, 14, 1); // the cell has stopped
    EXPECT_EQ(startsOn({second}, {first}, {*still, nullptr, {}, nullptr, {}}), std::vector<Contour>{second});
}

TEST(NextStarts, StaysInThePictureAndKeepsSmallContours) {
    const auto image = cellPage(215, 60, 14, 1);
    const Contour end = rectangle(190, 46, 218, 74);
    EXPECT_EQ(startsOn({end}, {rectangle(170, 46, 198, 74)}, {*image, nullptr, {}, nullptr, {}}),
              std::vector<Contour>{end});
    const Contour small{{10, 10}, {13, 10}, {13, 13}, {10, 13}};
    EXPECT_EQ(startsOn({small}, {}, {*image, nullptr, {}, nullptr, {}}), std::vector<Contour>{small});
}

} // namespace
} // namespace pollard
