// Several contours on one image.

#include "base/error.hpp"
#include "core/snake/snake_support.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/snake_group.hpp"

#include <gmock/gmock.h>

namespace pollard::testing {
namespace {

/// Labels of the regions, 1-based, 0 for the background; fails on overlaps.
std::vector<int> labelsOf(const SnakeGroup& group, std::uint32_t width, std::uint32_t height) {
    std::vector<int> labels(std::size_t{width} * height, 0);
    for (std::size_t i = 0; i < group.size(); ++i) {
        const Image mask = contourMask(group.state(i).nodes, width, height);
        for (std::size_t p = 0; p < labels.size(); ++p) {
            if (mask.level(p) != 0) {
                EXPECT_EQ(labels[p], 0) << "overlap";
                labels[p] = static_cast<int>(i + 1);
            }
        }
    }
    return labels;
}

SnakeJob jobOf(const std::shared_ptr<const RowSums>& sums, std::vector<Contour> starts, const SnakeSpec& spec = {}) {
    return {{sums, &sums->image()}, nullptr, std::move(starts), spec, nullptr, {}};
}

/// Discs of different brightness in noise.
std::shared_ptr<const Image> twoDiscs(std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 20);
    return makeImage(PixelType::u16, 160, 90, [&](auto x, auto y) {
        const double level = std::hypot(x + 0.5 - 45, y + 0.5 - 45) < 28    ? 1100
                             : std::hypot(x + 0.5 - 112, y + 0.5 - 45) < 25 ? 1050
                                                                            : 1000;
        return static_cast<std::uint32_t>(std::lround(level + noise(random)));
    });
}

TEST(SnakeGroup, FindsTwoDiscsWithoutEverOverlapping) {
    const auto image = twoDiscs(21);
    const auto sums = std::make_shared<const RowSums>(image);
    for (const SnakeMoves moves : kSnakeMoves) {
        SCOPED_TRACE(nameOf(moves));
        SnakeSpec spec;
        spec.moves = moves;
        spec.lengthPrice = moves == SnakeMoves::sequential ? 0 : 2;
        SnakeGroup group(jobOf(sums, {rectangle(5, 5, 80, 85), rectangle(80, 5, 155, 85)}, spec), sums);
        double before = group.energy();
        int steps = 0;
        while (group.advance()) {
            const SnakeState& state = group.state(group.last());
            ASSERT_TRUE(isSimple(state.nodes));
            ASSERT_EQ(state.energy, group.energy());
            ASSERT_EQ(state.outside, group.background());
            const std::vector<int> labels = labelsOf(group, 160, 90);
            const double ofRegions = naiveEnergyOfParts(*image, 3, spec.law, [&](std::uint32_t x, std::uint32_t y) {
                return labels[std::size_t{y} * 160 + x];
            });
            const double length = naiveLength(group.state(0).nodes) + naiveLength(group.state(1).nodes);
            const double wanted = ofRegions + spec.lengthPrice * length;
            ASSERT_NEAR(group.energy(), wanted, 1e-9 * std::abs(wanted));
            if (state.kind == SnakeStep::move) {
                ASSERT_LT(group.energy(), before);
            }
            before = group.energy();
            ++steps;
        }
        EXPECT_GT(steps, 20);
        double dice[2] = {};
        const std::vector<int> labels = labelsOf(group, 160, 90);
        for (int disc = 0; disc < 2; ++disc) {
            double both = 0;
            double all = 0;
            for (std::uint32_t y = 0; y < 90; ++y) {
                for (std::uint32_t x = 0; x < 160; ++x) {
                    const bool in = std::hypot(x + 0.5 - (disc == 0 ? 45 : 112), y + 0.5 - 45) < (disc == 0 ? 28 : 25);
                    const bool found = labels[std::size_t{y} * 160 + x] == disc + 1;
                    both += in && found ? 1 : 0;
                    all += (in ? 1 : 0) + (found ? 1 : 0);
                }
            }
            dice[disc] = 2 * both / all;
        }
        EXPECT_GE(dice[0], 0.97);
        EXPECT_GE(dice[1], 0.97);
        EXPECT_FALSE(group.advance());
    }
}

TEST(SnakeGroup, RandomContoursNeverOverlap) {
    Random random(401);
    for (int repeat = 0; repeat < 25; ++repeat) {
        const auto image = randomImage(random, 60, 50);
        SnakeSpec spec;
        spec.law = kRegionLaws[random() % kRegionLaws.size()];
        spec.moves = kSnakeMoves[random() % kSnakeMoves.size()];
        spec.minLength = 2 + random() % 6;
        spec.maxRounds = 40;
        Mask forbidden(60, 50, false);
        forbidden.setRun(0, 60, 24 + random() % 2, true);
        const std::vector<Contour> starts{rectangle(2, 2, 20, 20), rectangle(20, 3, 39, 24), rectangle(41, 4, 58, 22),
                                          rectangle(5, 30, 55, 45)};
        SnakeGroup group({image, nullptr, starts, spec, std::make_shared<const Mask>(forbidden), {}});
        std::size_t steps = 0;
        while (group.advance()) {
            const std::vector<int> labels = labelsOf(group, 60, 50);
            RegionSums held;
            for (std::size_t i = 0; i < group.size(); ++i) {
                ASSERT_TRUE(isSimple(group.state(i).nodes));
                held += group.state(i).inside;
                ASSERT_EQ(group.state(i).inside.pixels, std::ranges::count(labels, static_cast<int>(i + 1)));
            }
            for (std::uint32_t x = 0; x < 60; ++x) {
                for (const std::uint32_t y : {24U, 25U}) {
                    ASSERT_FALSE(forbidden.test(x, y) && labels[std::size_t{y} * 60 + x] != 0);
                }
            }
            ASSERT_EQ(held + group.background(), RowSums(image).total());
            ++steps;
        }
        EXPECT_LE(steps, 4 * spec.maxRounds);
    }
}

TEST(SnakeGroup, OfOneTakesTheStepsOfARun) {
    const auto sums = std::make_shared<const RowSums>(twoDiscs(22));
    SnakeGroup group(jobOf(sums, {rectangle(5, 5, 150, 85)}), sums);
    SnakeRun run(sums, rectangle(5, 5, 150, 85), {});
    while (run.advance()) {
        ASSERT_TRUE(group.advance());
        ASSERT_EQ(group.state(0).nodes, run.state().nodes);
        ASSERT_EQ(group.energy(), run.state().energy);
        ASSERT_EQ(group.background(), run.state().outside);
    }
    EXPECT_FALSE(group.advance());
}

TEST(SnakeGroup, ContoursTakeTurns) {
    const auto sums = std::make_shared<const RowSums>(twoDiscs(23));
    SnakeGroup group(jobOf(sums, {rectangle(5, 5, 80, 85), rectangle(80, 5, 155, 85)}), sums);
    for (std::size_t step = 0; step < 12; ++step) {
        ASSERT_TRUE(group.advance());
        EXPECT_EQ(group.last(), step % 2);
    }
}

TEST(SnakeGroup, AtItsEndNobodyCanMove) {
    for (const SnakeMoves moves : kSnakeMoves) {
        for (std::uint32_t seed = 30; seed < 36; ++seed) {
            const auto sums = std::make_shared<const RowSums>(twoDiscs(seed));
            SnakeSpec spec;
            spec.moves = moves;
            spec.minLength = 4;
            SnakeGroup group(jobOf(sums, {rectangle(5, 5, 100, 85), rectangle(100, 5, 155, 85)}, spec), sums);
            while (group.advance()) {
            }
            for (const std::size_t i : {0U, 1U}) {
                const SnakeState& other = group.state(1 - i);
                auto taken = std::make_shared<RowCounts>(Mask(160, 90, false));
                taken->fill(other.nodes, true);
                SnakeRun alone(sums, group.state(i).nodes, spec, taken);
                alone.setOthers(other.inside, alone.energyOfRegion(other.inside));
                EXPECT_FALSE(alone.advance()) << nameOf(moves) << ", " << seed << ", " << i;
            }
        }
    }
}

TEST(SnakeGroup, RefusesStartsThatOverlapOrFillTheImage) {
    const auto sums = std::make_shared<const RowSums>(twoDiscs(24));
    const auto messageOf = [&](std::vector<Contour> starts) -> std::string {
        try {
            const SnakeGroup group(jobOf(sums, std::move(starts)), sums);
            return {};
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
            return error.what();
        }
    };
    EXPECT_EQ(messageOf({rectangle(0, 0, 80, 90), rectangle(80, 0, 150, 90)}), "");
    EXPECT_THAT(messageOf({rectangle(0, 0, 80, 90), rectangle(79, 0, 150, 90)}), ::testing::HasSubstr("start 2 of 2"));
    EXPECT_THAT(messageOf({rectangle(0, 0, 80, 90), rectangle(80, 0, 160, 90)}), ::testing::HasSubstr("leave 0 px"));
    EXPECT_NE(messageOf({}), "");
}

TEST(SnakeGroup, StaysAsItIsWhenItIsCancelled) {
    const auto sums = std::make_shared<const RowSums>(twoDiscs(25));
    const auto make = [&] {
        return SnakeGroup(jobOf(sums, {rectangle(5, 5, 80, 85), rectangle(80, 5, 155, 85)}), sums);
    };
    SnakeGroup straight = make();
    SnakeGroup stopped = make();
    std::stop_source source;
    source.request_stop();
    for (int step = 0; step < 60; ++step) {
        EXPECT_THROW((void)stopped.advance(JobControl(source.get_token())), Cancelled);
        ASSERT_EQ(straight.advance(), stopped.advance());
        for (const std::size_t i : {0U, 1U}) {
            ASSERT_EQ(straight.state(i).nodes, stopped.state(i).nodes);
        }
    }
}

} // namespace
} // namespace pollard::testing
