// The plane of two attributes: counts per cell, and nodes inside a polygon.

#include "analysis/attribute_plane.hpp"
#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "support/naive_bins.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace pollard::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T> AttributeColumn columnOf(AttributeId id, const std::vector<T>& values) {
    Buffer<T> buffer(values.size());
    std::ranges::copy(values, buffer.begin());
    return {id, std::move(buffer), 0, 0};
}

BinSpec bins(std::uint32_t count, BinScale scale) { return {.count = count, .scale = scale, .low = {}, .high = {}}; }

/// By the definition, cell by cell.
AttributePlane naivePlane(const AttributePlane& like, const AttributeColumn& x, const AttributeColumn& y) {
    AttributePlane plane = like;
    std::ranges::fill(plane.counts, 0U);
    plane.binlessX = plane.binlessY = {};
    plane.outside = 0;
    const auto addBinless = [](BinlessNodes& to, std::uint32_t bin) {
        ++(bin == kBelowBins ? to.below : bin == kAboveBins ? to.above : to.nan);
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::uint32_t binX = naiveBin(plane.x, x.at(i));
        const std::uint32_t binY = naiveBin(plane.y, y.at(i));
        if (binX >= kNanBin) {
            addBinless(plane.binlessX, binX);
        }
        if (binY >= kNanBin) {
            addBinless(plane.binlessY, binY);
        }
        if (binX >= kNanBin || binY >= kNanBin) {
            ++plane.outside;
        } else {
            ++plane.counts[binY * plane.x.count() + binX];
        }
    }
    return plane;
}

void expectConsistent(const AttributePlane& plane, std::size_t nodes) {
    const std::uint64_t counted = std::accumulate(plane.counts.begin(), plane.counts.end(), std::uint64_t{0});
    EXPECT_EQ(counted + plane.outside, nodes);
    const auto columns = columnSums(plane);
    const auto rows = rowSums(plane);
    ASSERT_EQ(columns.size(), plane.x.count());
    ASSERT_EQ(rows.size(), plane.y.count());
    EXPECT_EQ(std::accumulate(columns.begin(), columns.end(), std::uint64_t{0}), counted);
    const std::size_t halfX = columns.size() / 2;
    const std::size_t halfY = rows.size() / 2;
    const auto quarter = [&](std::size_t fromX, std::size_t toX, std::size_t fromY, std::size_t toY) {
        return fromX == toX || fromY == toY ? 0 : nodesInCells(plane, {fromX, toX - 1}, {fromY, toY - 1});
    };
    EXPECT_EQ(nodesInCells(plane, {0, columns.size() - 1}, {0, rows.size() - 1}), counted);
    EXPECT_EQ(quarter(0, halfX, 0, halfY) + quarter(halfX, columns.size(), 0, halfY) +
                  quarter(0, halfX, halfY, rows.size()) + quarter(halfX, columns.size(), halfY, rows.size()),
              counted);
    EXPECT_EQ(nodesInCells(plane, {halfX, halfX}, {halfY, halfY}), plane.at(halfX, halfY));
    for (std::size_t y = 0; y < rows.size(); ++y) {
        std::uint64_t sum = 0;
        for (std::size_t x = 0; x < columns.size(); ++x) {
            sum += plane.at(x, y);
        }
        EXPECT_EQ(rows[y], sum);
    }
}

TEST(AttributePlane, CountsEveryNodeInItsCell) {
    Random random(1);
    for (int repeat = 0; repeat < 120; ++repeat) {
        const std::size_t nodes = 1 + random() % 400;
        std::vector<std::uint32_t> areas(nodes);
        std::vector<std::int32_t> eulers(nodes);
        std::vector<double> means(nodes);
        for (std::size_t i = 0; i < nodes; ++i) {
            areas[i] = random() % 4 == 0 ? random() : random() % 300;
            eulers[i] = static_cast<std::int32_t>(random() % 50) - 25;
            means[i] = random() % 9 == 0 ? kNan : (static_cast<double>(random() % 2001) - 300) / 7;
        }
        const std::array columns{columnOf(AttributeId::area, areas), columnOf(AttributeId::euler, eulers),
                                 columnOf(AttributeId::mean, means)};
        const AttributeColumn& x = columns[random() % 3];
        const AttributeColumn& y = columns[random() % 3];
        const auto scale = [&] { return random() % 2 == 0 ? BinScale::linear : BinScale::log; };
        BinSpec specX = bins(1 + random() % 40, scale());
        if (random() % 3 == 0) {
            specX.low = 2.5;
            specX.high = 100;
        }
        const AttributePlane plane = attributePlane(x, specX, y, bins(1 + random() % 30, scale()));
        ASSERT_EQ(plane, naivePlane(plane, x, y)) << repeat;
        ASSERT_NO_FATAL_FAILURE(expectConsistent(plane, nodes));
    }
}

TEST(AttributePlane, CountsWhatHasNoCell) {
    const AttributePlane plane =
        attributePlane(columnOf<double>(AttributeId::mean, {1, kNan, 0, 4, kNan}), bins(2, BinScale::log),
                       columnOf<double>(AttributeId::variance, {1, 2, 3, 5, kNan}), bins(2, BinScale::linear));
    EXPECT_EQ(plane.binlessX, (BinlessNodes{1, 0, 2}));
    EXPECT_EQ(plane.binlessY, (BinlessNodes{0, 0, 1}));
    EXPECT_EQ(plane.outside, 3U);
    EXPECT_EQ(plane.counts, (std::vector<std::uint32_t>{1, 0, 0, 1}));
}

TEST(AttributePlane, OfEqualValuesHasOneFilledCell) {
    for (const BinScale scale : {BinScale::linear, BinScale::log}) {
        const AttributePlane plane =
            attributePlane(columnOf<std::uint32_t>(AttributeId::area, {7, 7, 7}), bins(9, scale),
                           columnOf<double>(AttributeId::mean, {2.5, 2.5, 2.5}), bins(4, scale));
        EXPECT_EQ(std::ranges::count(plane.counts, 3U), 1);
        EXPECT_EQ(plane.outside, 0U);
    }
}

TEST(AttributePlane, HasNoColumnBetweenWholeNumbers) {
    std::vector<std::uint32_t> areas(1000);
    std::iota(areas.begin(), areas.end(), 1U);
    const Bins made = planeBins(AttributeId::area, bins(256, BinScale::log), {1, 1000});
    EXPECT_EQ(made.edges.front(), 1);
    EXPECT_EQ(made.edges.back(), 1001);
    for (std::size_t i = 0; i < made.count(); ++i) {
        ASSERT_EQ(made.edges[i], std::floor(made.edges[i]));
        ASSERT_GE(made.edges[i + 1] - made.edges[i], 1);
    }
    const AttributeColumn column = columnOf(AttributeId::area, areas);
    const AttributePlane plane = attributePlane(column, bins(256, BinScale::log), column, bins(1, BinScale::linear));
    EXPECT_TRUE(std::ranges::all_of(plane.counts, [](std::uint32_t count) { return count > 0; }));
    EXPECT_EQ(planeBins(AttributeId::area, {.count = 3, .scale = BinScale::log, .low = 2.2, .high = 2.4}, {1, 9}).edges,
              (std::vector<double>{3, 4}));
}

TEST(AttributePlane, IsTheSameForAnyNumberOfThreads) {
    Random random(5);
    std::vector<std::uint64_t> volumes(300'000);
    std::vector<double> means(volumes.size());
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        volumes[i] = std::uint64_t{random()} << (random() % 20);
        means[i] = std::sqrt(static_cast<double>(random()));
    }
    const AttributeColumn x = columnOf(AttributeId::volume, volumes);
    const AttributeColumn y = columnOf(AttributeId::mean, means);
    const auto count = [&](int threads) {
        AttributePlane plane;
        tbb::task_arena(threads).execute(
            [&] { plane = attributePlane(x, bins(256, BinScale::log), y, bins(192, BinScale::linear)); });
        return plane;
    };
    const AttributePlane alone = count(1);
    EXPECT_EQ(alone, count(4));
    EXPECT_EQ(alone, naivePlane(alone, x, y));
}

TEST(AttributePlane, RefusesWhatMakesNoSense) {
    const AttributeColumn two = columnOf<std::uint32_t>(AttributeId::area, {1, 2});
    const AttributeColumn three = columnOf<double>(AttributeId::mean, {1, 2, 3});
    const BinSpec few = bins(4, BinScale::linear);
    EXPECT_THROW((void)attributePlane(two, few, three, few), Error);
    EXPECT_THROW((void)nodesInPolygon(two, {}, three, {}, {{0, 0}, {1, 0}, {0, 1}}), Error);
    const BinSpec many = bins(4096, BinScale::linear);
    EXPECT_THROW((void)attributePlane(three, many, three, many), Error);
}

TEST(AttributePlane, WholeNumbersLieInTheMiddleOfWhatTheyFill) {
    const PlaneAxis whole =
        PlaneAxis::of(AttributeId::area, planeBins(AttributeId::area, bins(8, BinScale::linear), {0, 3}));
    EXPECT_EQ(whole.placeOf(0), 0.125);
    EXPECT_EQ(whole.placeOf(3), 0.875);
    EXPECT_FALSE(whole.holds(4));
    const PlaneAxis real =
        PlaneAxis::of(AttributeId::mean, planeBins(AttributeId::mean, bins(8, BinScale::linear), {0, 4}));
    EXPECT_EQ(real.placeOf(1), 0.25);
    EXPECT_TRUE(real.holds(4));
    EXPECT_FALSE(real.holds(kNan));
}

TEST(CountMeetingBoth, IsExactForWideIntegersAndLeavesOutWhatIsNoNumber) {
    constexpr std::uint64_t kBig = (std::uint64_t{1} << 53) + 1; // as a double it is rounded down by 1
    const AttributeColumn x = columnOf<std::uint64_t>(AttributeId::volume, {kBig - 1, kBig, 3, 4});
    const AttributeColumn y = columnOf<double>(AttributeId::mean, {1, 1, kNan, 2});
    const auto count = [&](double low, double high) {
        return countMeetingBoth(x, {AttributeId::volume, low, high}, y, {.attribute = AttributeId::mean});
    };
    EXPECT_EQ(count(0, 9007199254740992.0), 2U);
    EXPECT_EQ(count(4, 4), 1U);
    EXPECT_EQ(count(3, 3), 0U);
    EXPECT_EQ(count(5, 4), 0U);
    EXPECT_EQ(countMeetingBoth(x, {.attribute = AttributeId::volume}, y, {AttributeId::mean, 1, 1}), 2U);
}

/// Even-odd rule with a ray to the right.
bool insideByCrossings(const std::vector<RegionPoint>& corners, double x, double y) {
    bool inside = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const RegionPoint& a = corners[i];
        const RegionPoint& b = corners[(i + 1) % corners.size()];
        if ((a.y > y) != (b.y > y) && x < a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)) {
            inside = !inside;
        }
    }
    return inside;
}

TEST(NodesInPolygon, AreThoseOfABruteForceTest) {
    Random random(9);
    for (int repeat = 0; repeat < 40; ++repeat) {
        const std::size_t nodes = 40'000;
        std::vector<std::uint32_t> areas(nodes);
        std::vector<double> means(nodes);
        for (std::size_t i = 0; i < nodes; ++i) {
            areas[i] = 1 + random() % 5000;
            means[i] = random() % 50 == 0 ? kNan : static_cast<double>(random()) / 1e6;
        }
        const AttributeColumn x = columnOf(AttributeId::area, areas);
        const AttributeColumn y = columnOf(AttributeId::mean, means);
        const AttributePlane plane = attributePlane(x, bins(64, BinScale::log), y, bins(64, BinScale::linear));
        const PlaneAxis axisX = PlaneAxis::of(x.id, plane.x);
        const PlaneAxis axisY = PlaneAxis::of(y.id, plane.y);
        std::vector<RegionPoint> polygon(3 + random() % 8);
        for (RegionPoint& corner : polygon) { // usually crosses itself
            corner = {static_cast<double>(random()) / 4.2e9, static_cast<double>(random()) / 4.2e9};
        }
        std::vector<std::uint32_t> expected;
        for (std::size_t i = 0; i < nodes; ++i) {
            if (std::isnan(means[i])) {
                continue;
            }
            const double area = areas[i];
            const double low = plane.x.edges.front();
            const double span = std::log(plane.x.edges.back() / low);
            const double placeX = (std::log(area / low) + std::log((area + 1) / low)) / 2 / span;
            const double placeY = (means[i] - plane.y.edges.front()) / (plane.y.edges.back() - plane.y.edges.front());
            if (insideByCrossings(polygon, placeX, placeY)) {
                expected.push_back(static_cast<std::uint32_t>(i));
            }
        }
        ASSERT_EQ(nodesInPolygon(x, axisX, y, axisY, polygon), expected) << repeat;
    }
}

TEST(NodesInPolygon, AreThoseOfPlacesTestedOneByOne) {
    Random random(17);
    const std::size_t nodes = 3000;
    const auto share = [&random] { return static_cast<double>(random()) / 4.2e9; };
    std::size_t found = 0;
    for (int repeat = 0; repeat < 120; ++repeat) {
        const std::uint32_t range = repeat % 3 == 0 ? 7 : repeat % 3 == 1 ? 300 : 2'000'000;
        std::vector<std::uint32_t> areas(nodes);
        std::vector<double> means(nodes);
        for (std::size_t i = 0; i < nodes; ++i) {
            areas[i] = 1 + random() % range;
            means[i] = std::exp(10 * share());
        }
        const AttributeColumn x = columnOf(AttributeId::area, areas);
        const AttributeColumn y = columnOf(AttributeId::mean, means);
        const BinScale scaleX = repeat % 2 == 0 ? BinScale::log : BinScale::linear;
        const BinScale scaleY = repeat % 4 < 2 ? BinScale::log : BinScale::linear;
        BinSpec specX = bins(60, scaleX);
        if (repeat % 7 == 0) { // ends between integers
            specX = {60, BinScale::linear, 0.7, 6.2};
        }
        const AttributePlane plane = attributePlane(x, specX, y, bins(50, scaleY));
        const PlaneAxis axisX = PlaneAxis::of(x.id, plane.x);
        const PlaneAxis axisY = PlaneAxis::of(y.id, plane.y);
        RegionShape lasso{RegionShape::Kind::polygon, {}};
        switch (repeat % 5) {
        case 0: // arbitrary, crossing itself
            for (std::uint32_t corners = 3 + random() % 60; corners > 0; --corners) {
                lasso.points.push_back({share() * 1.2 - 0.1, share() * 1.2 - 0.1});
            }
            break;
        case 1: { // a rectangle whose sides may coincide with cells
            const double left = (random() % 200) / 256.0;
            const double low = (random() % 200) / 256.0;
            const double right = left + (1 + random() % 56) / 256.0;
            const double high = low + (1 + random() % 56) / 256.0;
            lasso.points = {{left, low}, {right, low}, {right, high}, {left, high}};
            break;
        }
        case 2: { // thinner than a cell
            const double at = share();
            lasso.points = {{at, 0}, {at + 1e-4, 0}, {share(), 1}};
            break;
        }
        case 3: // through nodes
            for (int corner = 0; corner < 6; ++corner) {
                const std::size_t node = random() % nodes;
                lasso.points.push_back({axisX.placeOf(areas[node]), axisY.placeOf(means[node])});
            }
            break;
        default: // a ring
            for (int corner = 0; corner <= 40; ++corner) {
                const double angle = corner * 0.157;
                const double radius = corner % 2 == 0 ? 0.45 : 0.2;
                lasso.points.push_back({0.5 + radius * std::cos(angle), 0.5 + radius * std::sin(angle)});
            }
        }
        std::vector<std::uint32_t> expected;
        for (std::size_t i = 0; i < nodes; ++i) {
            if (axisX.holds(areas[i]) && axisY.holds(means[i]) &&
                contains(lasso, {axisX.placeOf(areas[i]), axisY.placeOf(means[i])})) {
                expected.push_back(static_cast<std::uint32_t>(i));
            }
        }
        ASSERT_EQ(nodesInPolygon(x, axisX, y, axisY, lasso.points), expected) << repeat;
        found += expected.size();
    }
    EXPECT_GT(found, 20'000U);
}

TEST(NodesInPolygon, OfFewerThanThreeCornersAreNone) {
    const AttributeColumn x = columnOf<double>(AttributeId::mean, {1, 2, 3});
    const PlaneAxis axis = PlaneAxis::of(x.id, makeBins(bins(4, BinScale::linear), 1, 3, false));
    EXPECT_TRUE(nodesInPolygon(x, axis, x, axis, {}).empty());
    EXPECT_TRUE(nodesInPolygon(x, axis, x, axis, {{0, 0}, {1, 1}}).empty());
    EXPECT_EQ(nodesInPolygon(x, axis, x, axis, {{-1, -1}, {2, -1}, {2, 2}, {-1, 2}}),
              (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(AttributePlane, OfARealTreeHoldsEveryNodeThatHasBothAttributes) {
    Random random(3);
    EngineRegistry registry{makeCpuEngine()};
    const auto session = registry.select("cpu").openSession({});
    for (int repeat = 0; repeat < 10; ++repeat) {
        session->open(randomImage(random, 2 + random() % 40, 2 + random() % 40));
        (void)session->buildTree({});
        const auto x = session->attribute(AttributeId::area);
        const auto y = session->attribute(AttributeId::elongation);
        const AttributePlane plane = attributePlane(*x, bins(32, BinScale::log), *y, bins(24, BinScale::linear));
        ASSERT_EQ(plane, naivePlane(plane, *x, *y));
        EXPECT_EQ(session->plane(AttributeId::area, bins(32, BinScale::log), AttributeId::elongation,
                                 bins(24, BinScale::linear)),
                  plane);
        EXPECT_EQ(plane.binlessX.total(), 0U);
        EXPECT_EQ(plane.outside, plane.binlessY.total());
    }
}

} // namespace
} // namespace pollard::testing
