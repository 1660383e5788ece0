// The region snake: sums along edges against winding numbers, energies against masks, and invariants of all runs.

#include "base/error.hpp"
#include "base/table_log.hpp"
#include "core/snake/snake_support.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/snake_run.hpp"
#include "support/affordable.hpp"

#include <gtest/gtest.h>

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace pollard::testing {
namespace {

TEST(EdgeRows, CountTheCentresToTheLeft) {
    Random random(101);
    for (int repeat = 0; repeat < 20'000; ++repeat) {
        const auto coordinate = [&] { return static_cast<std::int32_t>(random() % 60); };
        const ContourNode upper{coordinate(), coordinate()};
        const ContourNode lower{coordinate(), upper.y + 1 + coordinate()};
        EdgeRows rows(upper, lower);
        for (std::int32_t y = upper.y; y < lower.y; ++y, rows.goDown()) {
            // The x of the edge at the row's centre, times 2 dy. A smaller centre x + 1/2 is left of the edge.
            const std::int64_t twiceHeight = 2 * (lower.y - upper.y);
            const std::int64_t edge =
                std::int64_t{upper.x} * twiceHeight + std::int64_t{lower.x - upper.x} * (2 * (y - upper.y) + 1);
            std::int64_t count = 0;
            while ((2 * count + 1) * twiceHeight < 2 * edge) {
                ++count;
            }
            ASSERT_EQ(rows.count(), count);
        }
    }
}

TEST(FineLength, CountsPartsOfAPixel) {
    EXPECT_EQ(fineLength({1, 2}, {4, 6}), 5 * kLengthParts);
    EXPECT_EQ(fineLength({4, 6}, {1, 2}), 5 * kLengthParts);
    EXPECT_EQ(fineLength({0, 0}, {1, 1}), 92'682) << "65536 times the root of 2 is 92681.9";
    EXPECT_EQ(fineLength({0, 0}, {2, 1}), 146'543) << "65536 times the root of 5 is 146542.95";
    EXPECT_EQ(fineLength({0, 0}, {1'000'000'000, 0}), 65'536'000'000'000);
    EXPECT_EQ(fineLength(rectangle(3, 4, 10, 20)), 46 * kLengthParts);
}

TEST(RowSums, InsideARandomPolygonEqualTheSumsByWindingNumbers) {
    Random random(102);
    for (int repeat = 0; repeat < 400; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 40, 1 + random() % 40);
        const RowSums sums(image);
        Contour contour(3 + random() % 6); // usually crosses itself
        std::ranges::generate(contour, [&] { return randomNode(random, *image); });
        EXPECT_EQ(sums.inside(contour), naiveInside(*image, contour));
    }
}

TEST(RowSums, OfTheWholeBorderAreThoseOfTheImage) {
    Random random(103);
    for (const std::uint32_t width : {1U, 7U, 8U, 9U, 16U, 33U}) {
        const auto image = makeImage(PixelType::u16, width, 5, [&](auto, auto) { return random() % 65536; });
        const RowSums sums(image);
        const auto w = static_cast<std::int32_t>(width);
        const Contour border{{0, 0}, {w, 0}, {w, 5}, {0, 5}};
        EXPECT_EQ(sums.inside(border), sums.total());
        EXPECT_EQ(sums.inside(border), naiveInside(*image, border));
        EXPECT_EQ(sums.leftOf({0, 0}, {w, 0}), RegionSums{});
        EXPECT_EQ(sums.leftOf({w, 0}, {0, 5}) + sums.leftOf({0, 5}, {w, 0}), RegionSums{});
    }
}

TEST(ContourMask, IsWhereTheContourGoesRoundAnOddNumberOfTimes) {
    Random random(106);
    for (int repeat = 0; repeat < 200; ++repeat) {
        const auto image = makeImage(PixelType::u8, 1 + random() % 40, 1 + random() % 40, [](auto, auto) { return 0; });
        Contour contour(3 + random() % 6);
        std::ranges::generate(contour, [&] { return randomNode(random, *image); });
        const Image mask = contourMask(contour, image->width(), image->height());
        for (std::uint32_t y = 0; y < image->height(); ++y) {
            for (std::uint32_t x = 0; x < image->width(); ++x) {
                const int winding = windingNumber(contour, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y));
                ASSERT_EQ(mask.level(std::size_t{y} * image->width() + x), winding % 2 != 0 ? 255 : 0);
            }
        }
    }
}

TEST(ContourMask, OfSeveralContoursHasTheirNumbers) {
    const std::vector<Contour> contours{{{1, 1}, {4, 1}, {4, 4}, {1, 4}}, {{6, 2}, {9, 2}, {9, 5}, {6, 5}}};
    const Image labels = contourLabels(contours, 10, 6);
    for (std::size_t i = 0; i < contours.size(); ++i) {
        const Image mask = contourMask(contours[i], 10, 6);
        for (std::size_t pixel = 0; pixel < mask.pixelCount(); ++pixel) {
            EXPECT_EQ(labels.level(pixel) == i + 1, mask.level(pixel) != 0) << pixel;
        }
    }
}

TEST(ContourBoxes, LeaveOutNothingThatTouches) {
    Random random(108);
    int touching = 0;
    int apart = 0;
    for (int repeat = 0; repeat < 3000; ++repeat) {
        // A simple polygon: a star around a point, with 3 to 60 tips of random length.
        const std::size_t count = 3 + random() % 58;
        Contour contour(count);
        for (std::size_t i = 0; i < count; ++i) {
            const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
            const double radius = 100 + random() % 300;
            contour[i] = {static_cast<std::int32_t>(500 + radius * std::cos(angle)),
                          static_cast<std::int32_t>(500 + radius * std::sin(angle))};
        }
        ContourBoxes boxes;
        boxes.update(contour);
        const std::size_t node = random() % count;
        const std::size_t before = (node + count - 1) % count;
        const std::size_t after = (node + 1) % count;
        const ContourNode place{contour[node].x + static_cast<std::int32_t>(random() % 401) - 200,
                                contour[node].y + static_cast<std::int32_t>(random() % 401) - 200};
        const bool touches = wouldTouch(contour, before, after, place, &boxes);
        EXPECT_EQ(touches, wouldTouch(contour, before, after, place));
        if (isSimple(contour)) {
            contour[node] = place;
            EXPECT_EQ(touches, !isSimple(contour));
            ++(touches ? touching : apart);
        }
    }
    EXPECT_GT(touching, 300);
    EXPECT_GT(apart, 300);
}

TEST(Contours, TouchWhereTheChangedContourIsNotSimple) {
    Random random(109);
    int touching = 0;
    int simple = 0;
    while (touching + simple < 20'000) {
        // Small grids: nodes often lie on edges, and edges overlap.
        const std::uint32_t side = 3 + random() % 6;
        const auto randomPlace = [&] {
            return ContourNode{static_cast<std::int32_t>(random() % side), static_cast<std::int32_t>(random() % side)};
        };
        Contour contour(3 + random() % 5);
        std::ranges::generate(contour, randomPlace);
        if (!isSimple(contour)) {
            continue;
        }
        const std::size_t count = contour.size();
        const std::size_t node = random() % count;
        const std::size_t before = (node + count - 1) % count;
        const ContourNode place = randomPlace();
        ContourBoxes boxes;
        boxes.update(contour);
        Contour moved = contour;
        moved[node] = place;
        ASSERT_EQ(wouldTouch(contour, before, (node + 1) % count, place), !isSimple(moved)) << "node " << node;
        ASSERT_EQ(wouldTouch(contour, before, (node + 1) % count, place, &boxes), !isSimple(moved)) << "node " << node;
        Contour longer = contour;
        longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(node) + 1, place);
        ASSERT_EQ(wouldTouch(contour, node, (node + 1) % count, place), !isSimple(longer)) << "after node " << node;
        ASSERT_EQ(wouldTouch(contour, node, (node + 1) % count, place, &boxes), !isSimple(longer))
            << "after node " << node;
        ++(isSimple(moved) ? simple : touching);
    }
    EXPECT_GT(touching, 2'000);
    EXPECT_GT(simple, 2'000);
}

TEST(TableLog, IsTheLogarithm) {
    const auto table = TableLog::makeTable();
    std::mt19937_64 random(104);
    for (int repeat = 0; repeat < 200'000; ++repeat) {
        const double value =
            std::ldexp(1 + std::generate_canonical<double, 53>(random), static_cast<int>(random() % 200) - 100);
        const double wanted = std::log(value);
        ASSERT_NEAR(TableLog::of(value, table.data()), wanted, 4e-16 * std::max(1.0, std::abs(wanted))) << value;
    }
    EXPECT_NEAR(TableLog::of(1, table.data()), 0, 1e-17);
}

class SnakeWith : public ::testing::TestWithParam<SnakeMoves> {
protected:
    [[nodiscard]] static SnakeSpec spec(RegionLaw law = RegionLaw::gaussian) {
        SnakeSpec spec;
        spec.law = law;
        spec.moves = GetParam();
        return spec;
    }
};

TEST_P(SnakeWith, EveryMoveKeepsTheLaws) {
    Random random(105);
    for (int repeat = 0; repeat < repeats(40); ++repeat) {
        const auto image = randomImage(random, 12 + random() % 50, 12 + random() % 50);
        const auto sums = std::make_shared<const RowSums>(image);
        const RegionLaw law = kRegionLaws[random() % kRegionLaws.size()];
        SnakeSpec used = spec(law);
        used.minLength = 2 + random() % 8;
        used.maxRounds = 150;
        used.lengthPrice = repeat % 2 == 0 ? 0 : std::pow(10, repeat % 5 - 2);
        const Contour start = randomStart(random, *image, 20);
        SnakeRun run(sums, start, used);
        double before = run.state().energy;
        while (run.advance()) {
            const SnakeState& state = run.state();
            ASSERT_TRUE(isSimple(state.nodes));
            ASSERT_GT(twiceSignedArea(state.nodes), 0);
            ASSERT_EQ(state.inside, naiveInside(*image, state.nodes));
            ASSERT_EQ(state.inside + state.outside, sums->total());
            const double wanted = naiveEnergy(*image, state.nodes, law) + used.lengthPrice * naiveLength(state.nodes);
            ASSERT_NEAR(state.energy, wanted, 1e-9 * std::max(1.0, std::abs(wanted)));
            if (state.kind == SnakeStep::move) {
                ASSERT_LT(state.energy, before);
            }
            before = state.energy;
        }
        EXPECT_TRUE(run.isFinished());
        const Contour last = run.state().nodes;
        EXPECT_FALSE(run.advance());
        EXPECT_EQ(run.state().nodes, last);
    }
}

/// A bright square in noise with a spur of 2 x 20 px on its right side, and a slit of 2 x 20 px from its left side.
std::shared_ptr<const Image> squareWithSpur(std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 20);
    return makeImage(PixelType::u16, 110, 80, [&](auto x, auto y) {
        const bool isRow = y == 40 || y == 41;
        const bool isSquare = x >= 30 && x < 70 && y >= 20 && y < 60 && !(isRow && x < 50);
        const bool isSpur = isRow && x >= 70 && x < 90;
        return static_cast<std::uint32_t>(std::lround((isSquare || isSpur ? 300 : 100) + noise(random)));
    });
}

TEST_P(SnakeWith, AHigherPriceOnLengthGivesAShorterContour) {
    struct Prices {
        RegionLaw law;
        std::array<double, 3> rising;
        std::size_t clean; ///< index of the price without spur and slit
    };
    constexpr std::array<Prices, 4> kPrices{{{RegionLaw::gaussian, {0, 10, 100}, 2},
                                             {RegionLaw::poisson, {0, 100, 1000}, 1},
                                             {RegionLaw::gamma, {0, 1, 10}, 1},
                                             {RegionLaw::rayleigh, {0, 1, 10}, 2}}};
    const auto image = squareWithSpur(31);
    const auto sums = std::make_shared<const RowSums>(image);
    for (const Prices& prices : kPrices) {
        SCOPED_TRACE(nameOf(prices.law));
        double before = std::numeric_limits<double>::max();
        for (std::size_t i = 0; i < prices.rising.size(); ++i) {
            SnakeSpec used = spec(prices.law);
            used.minLength = 4;
            used.lengthPrice = prices.rising[i];
            SnakeRun run(sums, rectangle(10, 8, 100, 72), used);
            while (run.advance()) {
            }
            const Contour nodes = trimmed(run.state().nodes);
            const double length = naiveLength(nodes);
            EXPECT_LT(length, before) << used.lengthPrice;
            before = length;
            if (i == 0) {
                EXPECT_GT(length, 200) << "around spur or slit";
            } else if (i == prices.clean) {
                EXPECT_NEAR(length, 160, 6) << "a square of 40 px";
                EXPECT_NEAR(static_cast<double>(run.state().inside.pixels), 1600, 30);
            }
        }
    }
}

TEST_P(SnakeWith, EndsWhereNoNodeGains) {
    Random random(106);
    for (int repeat = 0; repeat < repeats(12); ++repeat) {
        const std::uint32_t side = 40 + random() % 30;
        const auto image = noisyDisc(side, 12, 40, 30, static_cast<std::uint32_t>(random()));
        const auto sums = std::make_shared<const RowSums>(image);
        SnakeSpec used = spec();
        used.maxStep = 1U << random() % 8;
        used.minLength = 2 + random() % 8;
        SnakeRun run(sums, rectangle(3, 3, 30, 34), used);
        while (run.advance()) {
        }
        const SnakeState& last = run.state();
        const std::size_t count = last.nodes.size();
        int tried = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t before = (i + count - 1) % count;
            const std::size_t after = (i + 1) % count;
            for (std::uint32_t reach = used.maxStep; reach > 0; reach /= 2) {
                for (std::size_t k = 0; k < PlaceSteps::kCount; ++k) {
                    const ContourNode place = placeAround(last.nodes[i], reach, k);
                    const auto isWithin = [side](std::int32_t at) {
                        return at >= 0 && at <= static_cast<std::int32_t>(side);
                    };
                    if (!isWithin(place.x) || !isWithin(place.y) || wouldTouch(last.nodes, before, after, place)) {
                        continue;
                    }
                    Contour moved = last.nodes;
                    moved[i] = place;
                    const RegionSums inside = sums->inside(moved);
                    if (inside.pixels >= used.minPixels && (sums->total() - inside).pixels >= used.minPixels) {
                        ASSERT_GT(run.energyOfRegion(inside) + run.energyOfRegion(sums->total() - inside),
                                  last.energy - 1e-6);
                        ++tried;
                    }
                }
            }
        }
        EXPECT_GT(tried, 0);
    }
}

TEST_P(SnakeWith, ANoisyDiscIsFound) {
    constexpr std::uint32_t kSide = 256;
    constexpr double kRadius = 70;
    const auto image = noisyDisc(kSide, kRadius, 40, 30, 7);
    SnakeRun run(std::make_shared<const RowSums>(image), rectangle(20, 30, 230, 220), spec());
    while (run.advance()) {
    }
    EXPECT_GE(diceOfDisc(run.state().nodes, kSide, kRadius), 0.99);
    EXPECT_NEAR(static_cast<double>(run.state().inside.pixels), std::numbers::pi * kRadius * kRadius, 400);
}

TEST_P(SnakeWith, ADiscThatTouchesTheBorderIsFound) {
    const auto image = makeImage(PixelType::u8, 100, 80, [](auto x, auto y) { return x < 40 && y < 50 ? 200 : 90; });
    SnakeRun run(std::make_shared<const RowSums>(image), rectangle(10, 10, 80, 70), spec());
    while (run.advance()) {
    }
    EXPECT_EQ(run.state().inside.pixels, 40 * 50);
    EXPECT_EQ(run.state().inside.levels, 40 * 50 * 200);
}

TEST_P(SnakeWith, ShortStepsAreTakenWhereNothingIsSplit) {
    const auto image = makeImage(PixelType::u8, 100, 80,
                                 [](auto x, auto y) { return x >= 30 && x < 70 && y >= 20 && y < 50 ? 200 : 90; });
    SnakeSpec used = spec();
    used.maxStep = 32;
    used.minLength = 200;
    SnakeRun run(std::make_shared<const RowSums>(image), rectangle(29, 19, 71, 51), used);
    while (run.advance()) {
        ASSERT_EQ(run.state().reach, 1U);
    }
    EXPECT_EQ(run.state().nodes, rectangle(30, 20, 70, 50));
}

TEST_P(SnakeWith, NothingMovesOnAConstantImage) {
    const auto image = makeImage(PixelType::u8, 50, 40, [](auto, auto) { return 7; });
    SnakeRun run(std::make_shared<const RowSums>(image), rectangle(10, 10, 30, 25), spec());
    while (run.advance()) {
        ASSERT_EQ(run.state().kind, SnakeStep::split);
    }
    EXPECT_EQ(run.state().inside.pixels, 20 * 15);
}

TEST_P(SnakeWith, AllThreadCountsTakeTheSameSteps) {
    const auto image = noisyDisc(120, 30, 40, 30, 8);
    const auto sums = std::make_shared<const RowSums>(image);
    const auto statesWith = [&](int threads) {
        std::vector<Contour> states;
        tbb::task_arena(threads).execute([&] {
            SnakeRun run(sums, rectangle(10, 10, 100, 100), spec());
            while (run.advance()) {
                states.push_back(run.state().nodes);
            }
        });
        return states;
    };
    const auto one = statesWith(1);
    EXPECT_GT(one.size(), 20U);
    EXPECT_EQ(statesWith(4), one);
}

INSTANTIATE_TEST_SUITE_P(All, SnakeWith, ::testing::ValuesIn(kSnakeMoves), [](const auto& param) {
    std::string name(nameOf(param.param));
    std::erase(name, '-');
    return name;
});

TEST(LocalBestMoves, TakeLongStepsOfAContourOfFewNodes) {
    SnakeSpec spec;
    spec.maxStep = 16;
    SnakeRun run(std::make_shared<const RowSums>(noisyDisc(256, 70, 40, 30, 9)), rectangle(20, 30, 230, 220), spec);
    std::uint32_t shortest = spec.maxStep / 2;
    bool areAllMoves = true;
    std::uint32_t before = spec.maxStep;
    while (areAllMoves && run.advance()) {
        const SnakeState& state = run.state();
        if (state.kind == SnakeStep::split) {
            shortest = shorterStep(shortest);
            before = spec.maxStep;
            areAllMoves = shortest > 1;
        } else {
            EXPECT_GE(state.reach, shortest);
            EXPECT_LE(state.reach, before);
            before = state.reach;
        }
    }
    EXPECT_EQ(shortest, 1U);
}

TEST(Snake, TakesNoStepBeyondTheImage) {
    const auto image = noisyDisc(100, 30, 40, 30, 10);
    const auto sums = std::make_shared<const RowSums>(image);
    const auto endOf = [&](std::uint32_t maxStep) {
        SnakeSpec spec;
        spec.maxStep = maxStep;
        SnakeRun run(sums, rectangle(10, 10, 90, 80), spec);
        while (run.advance()) {
        }
        return run.state().nodes;
    };
    EXPECT_EQ(endOf(1U << 20U), endOf(64));
}

TEST(Snake, FindsDiscsUnderTheOtherLaws) {
    constexpr std::uint32_t kSide = 160;
    constexpr double kRadius = 45;
    std::mt19937 random(9);
    for (const RegionLaw law : {RegionLaw::poisson, RegionLaw::gamma, RegionLaw::rayleigh}) {
        SCOPED_TRACE(nameOf(law));
        const auto image = makeImage(PixelType::u16, kSide, kSide, [&](auto x, auto y) {
            const bool in = std::hypot(x + 0.5 - kSide / 2.0, y + 0.5 - kSide / 2.0) < kRadius;
            switch (law) {
            case RegionLaw::poisson:
                return static_cast<std::uint32_t>(std::poisson_distribution<int>(in ? 12 : 6)(random));
            case RegionLaw::gamma:
                return static_cast<std::uint32_t>(
                    std::lround(std::gamma_distribution<double>(1, in ? 600 : 200)(random)));
            default:
                return static_cast<std::uint32_t>(
                    std::lround(std::weibull_distribution<double>(2, in ? 400 : 200)(random)));
            }
        });
        SnakeSpec spec;
        spec.law = law;
        SnakeRun run(std::make_shared<const RowSums>(image), rectangle(20, 25, 140, 150), spec);
        while (run.advance()) {
        }
        EXPECT_GE(diceOfDisc(run.state().nodes, kSide, kRadius), 0.97);
    }
}

TEST(Snake, RefusesStartsThatAreNone) {
    const auto sums =
        std::make_shared<const RowSums>(makeImage(PixelType::u8, 50, 40, [](auto x, auto y) { return x * y; }));
    const auto isRefused = [&](Contour start, SnakeSpec spec = {}) {
        try {
            const SnakeRun run(sums, std::move(start), spec);
            return false;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
            return true;
        }
    };
    EXPECT_FALSE(isRefused(rectangle(0, 0, 49, 39)));
    EXPECT_FALSE(isRefused({{10, 10}, {10, 30}, {30, 30}})) << "counter-clockwise";
    EXPECT_TRUE(isRefused({}));
    EXPECT_TRUE(isRefused({{10, 10}, {30, 30}}));
    EXPECT_TRUE(isRefused({{10, 10}, {30, 30}, {10, 30}, {30, 10}})) << "crosses itself";
    EXPECT_TRUE(isRefused({{10, 10}, {30, 10}, {20, 10}, {20, 30}})) << "turns back";
    EXPECT_TRUE(isRefused(rectangle(10, 10, 51, 30))) << "beyond the image";
    EXPECT_TRUE(isRefused(rectangle(10, 10, 13, 13))) << "9 px";
    EXPECT_TRUE(isRefused(rectangle(0, 0, 50, 40))) << "nothing is left";
    SnakeSpec few;
    few.maxNodes = 3;
    EXPECT_TRUE(isRefused(rectangle(10, 10, 30, 30), few));
}

TEST(Snake, ReachesAsFarAsTheImageIsLarge) {
    EXPECT_EQ(usedMaxStep({}, 50, 40), 4U);
    EXPECT_EQ(usedMaxStep({}, 512, 512), 16U);
    EXPECT_EQ(usedMaxStep({}, 4000, 3000), 64U);
    SnakeSpec spec;
    spec.maxStep = 100;
    EXPECT_EQ(usedMaxStep(spec, 4000, 3000), 64U);
    EXPECT_EQ(usedMaxStep(spec, 50, 40), 32U);
    EXPECT_EQ(usedMaxStep({}, 3, 1), 2U);
    EXPECT_EQ(usedMaxStep({}, 1, 1), 1U);
}

} // namespace
} // namespace pollard::testing
