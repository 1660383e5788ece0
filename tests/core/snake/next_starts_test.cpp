// Contours that are followed from page to page.
#include "core/snake/snake_support.hpp"

#include "snake/contour/contour_rows.hpp"
#include "snake/next_starts.hpp"
#include "snake/snake_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <ostream>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace pollard {
namespace {

using testing::makeImage;
using testing::rectangle;

struct Place {
    double x = 0;
    double y = 0;
};

bool isInCell(std::uint32_t column, std::uint32_t row, const Place& place, double radius) {
    const double x = column + 0.5 - place.x;
    const double y = row + 0.5 - place.y;
    return x * x + y * y < radius * radius;
}

std::shared_ptr<const Image> cellPage(std::uint32_t side, const Place& place, double radius, std::uint32_t seed) {
    static const std::vector<int> kNoise = [] {
        std::mt19937 random(7);
        std::normal_distribution<double> noise(0, 10);
        std::vector<int> made(65521);
        std::ranges::generate(made, [&] { return static_cast<int>(std::lround(noise(random))); });
        return made;
    }();
    std::size_t next = std::size_t{seed} * 7919;
    return makeImage(PixelType::u16, side, side, [&](auto column, auto row) {
        const int level = isInCell(column, row, place, radius) ? 1300 : 1000;
        return static_cast<std::uint32_t>(level + kNoise[next++ % kNoise.size()]);
    });
}

double diceOfCell(const Contour& contour, std::uint32_t side, const Place& place, double radius) {
    const Image mask = contourMask(contour, side, side);
    const std::span<const std::uint8_t> inside = mask.pixels<std::uint8_t>();
    int both = 0;
    int all = 0;
    for (std::uint32_t row = 0; row < side; ++row) {
        for (std::uint32_t column = 0; column < side; ++column) {
            const bool in = isInCell(column, row, place, radius);
            const bool found = inside[std::size_t{row} * side + column] != 0;
            both += in && found ? 1 : 0;
            all += (in ? 1 : 0) + (found ? 1 : 0);
        }
    }
    return 2.0 * both / all;
}

/// A series of pages on which a cell moves.
struct CellSeries {
    int radius = 0;
    int step = 0; ///< px per page
    int pages = 0;

    [[nodiscard]] std::uint32_t side() const { return static_cast<std::uint32_t>(7 * radius); }
    [[nodiscard]] double middle() const { return side() / 2.0; }
    [[nodiscard]] double least() const { return 1.5 * radius; } ///< of the cell's centre from the border, px
};

void PrintTo(const CellSeries& series, std::ostream* out) {
    *out << "radius " << series.radius << ", step " << series.step << ", " << series.pages << " pages";
}

/// Follows a cell. Its first motion is unknown to the follower.
template <class Way> void followCell(const CellSeries& series, const Way& placeOn) {
    constexpr std::uint32_t kMargin = 20;
    SnakeSpec spec;
    spec.minLength = static_cast<std::uint32_t>(std::min(series.radius / 2, 8)); // an octagon is no small circle
    std::vector<Contour> ends;
    std::vector<Contour> before;
    const Place first = placeOn(0);
    const auto left = static_cast<std::int32_t>(std::lround(first.x)) - series.radius - 2;
    const auto top = static_cast<std::int32_t>(std::lround(first.y)) - series.radius - 2;
    const std::int32_t extent = 2 * series.radius + 4;
    std::vector<Contour> starts{rectangle(left, top, left + extent, top + extent)};
    const double most = 4 * 2 * std::numbers::pi * series.radius / spec.minLength;
    std::array<double, 2> nodes{}; // of the first and of the second half of the pages
    for (int page = 0; page < series.pages; ++page) {
        const Place place = page == 0 ? first : placeOn(page);
        const auto image = cellPage(series.side(), place, series.radius, static_cast<std::uint32_t>(page) + 1);
        if (page > 0) {
            starts = nextStarts(ends, before, {*image, nullptr, spec, nullptr, kMargin});
        }
        SnakeJob job{image, nullptr, starts, spec, nullptr, {}};
        job.parts = partsAround(starts, kMargin, *image);
        before = std::exchange(ends, {runSnake(job, {}).states[0].nodes});
        ASSERT_GE(diceOfCell(ends[0], series.side(), place, series.radius), 0.95) << "page " << page;
        const auto count = static_cast<double>(ends[0].size());
        ASSERT_LE(count, most) << "page " << page;
        nodes[2 * page < series.pages ? 0 : 1] += count;
    }
    EXPECT_LE(nodes[1], 1.25 * nodes[0]) << "the contour grows";
}

class FollowedCell : public ::testing::TestWithParam<CellSeries> {};

TEST_P(FollowedCell, StaysFoundAndThinOnACircle) {
    const CellSeries series = GetParam();
    const double way = series.middle() - series.least(); // radius of the circle
    followCell(series, [&](int page) {
        const double angle = page * series.step / way;
        return Place{series.middle() + way * std::cos(angle), series.middle() + way * std::sin(angle)};
    });
}

/// The cell turns back at the sides of a square.
TEST_P(FollowedCell, StaysFoundAndThinWhereItIsReflected) {
    const CellSeries series = GetParam();
    const auto reflected = [&](double way) {
        const double side = series.side() - 2 * series.least();
        const double at = std::fmod(way + side / 2, 2 * side);
        return series.least() + (at < side ? at : 2 * side - at);
    };
    followCell(series, [&](int page) {
        return Place{reflected(page * series.step * std::cos(0.35)), reflected(page * series.step * std::sin(0.35))};
    });
}

TEST_P(FollowedCell, StaysFoundAndThinWhereItTurnsAtRandom) {
    const CellSeries series = GetParam();
    std::mt19937 random(5);
    std::uniform_real_distribution<double> angles(0, 2 * std::numbers::pi);
    Place place{series.middle(), series.middle()};
    followCell(series, [&](int page) {
        const auto isInside = [&](double at) { return at > series.least() && at < series.side() - series.least(); };
        for (bool moved = page == 0; !moved;) {
            const double angle = angles(random);
            const Place next{place.x + series.step * std::cos(angle), place.y + series.step * std::sin(angle)};
            moved = isInside(next.x) && isInside(next.y);
            place = moved ? next : place;
        }
        return place;
    });
}

/// Cells of several radii with all motions up to the radius.
std::vector<CellSeries> allCellSeries() {
    std::vector<CellSeries> all;
    for (const int radius : {6, 10, 14, 24}) {
        for (int step = 1; step <= radius; ++step) {
            all.push_back({radius, step, 40});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Motions, FollowedCell, ::testing::ValuesIn(allCellSeries()));
INSTANTIATE_TEST_SUITE_P(LongSeries, FollowedCell, ::testing::Values(CellSeries{10, 10, 200}));

constexpr std::uint32_t kFollowSide = 220;

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
    const auto image = cellPage(kFollowSide, {100, 60}, 14, 1); // 20 px on from the second end
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
    const auto still = cellPage(kFollowSide, {82, 60}, 14, 1); // the cell has stopped
    EXPECT_EQ(startsOn({second}, {first}, {*still, nullptr, {}, nullptr, {}}), std::vector<Contour>{second});
}

TEST(NextStarts, StaysInTheImageAndKeepsSmallContours) {
    const auto image = cellPage(kFollowSide, {215, 60}, 14, 1);
    const Contour end = rectangle(190, 46, 218, 74);
    EXPECT_EQ(startsOn({end}, {rectangle(170, 46, 198, 74)}, {*image, nullptr, {}, nullptr, {}}),
              std::vector<Contour>{end});
    const Contour small{{10, 10}, {13, 10}, {13, 13}, {10, 13}};
    EXPECT_EQ(startsOn({small}, {}, {*image, nullptr, {}, nullptr, {}}), std::vector<Contour>{small});
}

} // namespace
} // namespace pollard
