// A snake as an engine's job.

#include "base/error.hpp"
#include "core/snake/snake_support.hpp"
#include "cpu/cpu_engine.hpp"
#include "snake/contour/contour.hpp"
#include "snake/snake_job.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;

SnakeJob discJob(const std::string& algorithm = {}) {
    SnakeJob job;
    job.image = noisyDisc(60, 18, 60, 10, 5);
    job.starts = {rectangle(8, 8, 50, 52)};
    job.algorithm = algorithm;
    return job;
}

TEST(SnakeJob, TakesTheStatesOfARunWithTheMovesOfItsAlgorithm) {
    const auto engine = makeCpuEngine();
    for (const SnakeMoves moves : kSnakeMoves) {
        const SnakeJob job = discJob(std::string(nameOf(moves)));
        SnakeSpec spec;
        spec.moves = moves;
        SnakeRun run(std::make_shared<const RowSums>(job.image), job.starts[0], spec);
        bool isOver = false;
        const SnakeResult result = engine->runSnake(job, [&](std::size_t, const SnakeState& state) {
            EXPECT_FALSE(isOver);
            EXPECT_EQ(state.nodes, run.state().nodes);
            EXPECT_EQ(state.energy, run.state().energy);
            EXPECT_EQ(state.round, run.state().round);
            isOver = !run.advance();
            return true;
        });
        EXPECT_TRUE(isOver);
        EXPECT_EQ(result.states[0].nodes, trimmed(run.state().nodes));
        EXPECT_EQ(result.algorithm, nameOf(moves));
        EXPECT_EQ(result.moves, moves);
        ASSERT_EQ(result.stages.size(), 2U);
        EXPECT_EQ(result.stages[0].name, "sums");
        EXPECT_EQ(result.stages[1].name, "evolution");
    }
}

TEST(SnakeJob, EndsWhereTheListenerSays) {
    int told = 0;
    const SnakeResult result = runSnake(discJob(), [&](std::size_t, const SnakeState&) { return ++told < 4; });
    EXPECT_EQ(told, 4);
    EXPECT_EQ(result.states[0].round, 3U);
    EXPECT_GT(runSnake(discJob(), {}).states[0].round, 3U);
}

TEST(SnakeJob, KeepsToValidAndForbiddenPixels) {
    SnakeJob job = discJob();
    Mask valid(60, 60, true);
    valid.setRun(0, 60, 30, false);
    Mask forbidden(60, 60, false);
    forbidden.setRun(20, 40, 40, true);
    job.starts = {rectangle(10, 10, 45, 38)};
    job.valid = std::make_shared<const Mask>(valid);
    job.forbidden = std::make_shared<const Mask>(forbidden);
    const SnakeState state = runSnake(job, {}).states[0];
    EXPECT_EQ(state.inside, naiveInside(*job.image, state.nodes, &valid));
    EXPECT_EQ(RowCounts(forbidden).inside(state.nodes), 0);
    EXPECT_EQ((state.inside + state.outside).pixels, 59 * 60);
}

TEST(SnakeJob, HasTheEnergyOfItsContoursWithThePriceOfTheirLength) {
    Random random(77);
    int trims = 0;
    for (int repeat = 0; repeat < 30; ++repeat) {
        SnakeJob job;
        job.image = makeImage(PixelType::u8, 60, 24, [&](auto, auto) { return random() % 200; });
        job.starts = {rectangle(4, 4, 26, 20), rectangle(34, 6, 56, 22)};
        job.spec.minLength = 3;
        job.spec.lengthPrice = 0.02 * (repeat % 3);
        if (repeat % 2 == 0) {
            job.parts = {{0, 0, 30, 24}, {30, 0, 30, 24}};
        }
        std::vector<Contour> ends(2);
        const SnakeResult result = runSnake(job, [&](std::size_t contour, const SnakeState& state) {
            ends[contour] = state.nodes;
            return true;
        });
        trims += job.spec.lengthPrice > 0 && (trimmed(ends[0]) != ends[0] || trimmed(ends[1]) != ends[1]) ? 1 : 0;
        const Contour& left = result.states[0].nodes;
        const Contour& right = result.states[1].nodes;
        const std::size_t parts = job.parts.empty() ? 3 : 4;
        const auto partOf = [&](std::uint32_t x, std::uint32_t y) {
            const auto isIn = [&](const Contour& nodes) {
                return windingNumber(nodes, static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)) != 0;
            };
            return isIn(left) ? 0 : isIn(right) ? 1 : job.parts.empty() || x < 30 ? 2 : 3;
        };
        const double wanted = naiveEnergyOfParts(*job.image, parts, job.spec.law, partOf) +
                              job.spec.lengthPrice * (naiveLength(left) + naiveLength(right));
        EXPECT_NEAR(result.energy, wanted, 1e-9 * wanted);
    }
    EXPECT_GT(trims, 0);
}

TEST(SnakeJob, RefusesAPriceOnLengthThatIsNone) {
    for (const double price : {-1.0, 1e10, std::numeric_limits<double>::quiet_NaN()}) {
        SnakeJob job = discJob();
        job.spec.lengthPrice = price;
        EXPECT_THROW(static_cast<void>(runSnake(job, {})), Error) << price;
    }
}

TEST(SnakeJob, RefusesAnAlgorithmThatIsNone) {
    try {
        static_cast<void>(makeCpuEngine()->runSnake(discJob("one-kernel"), {}));
        FAIL() << "it ran";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        EXPECT_THAT(error.what(), ::testing::HasSubstr("'one-kernel': unknown"));
    }
}

TEST(SnakeJob, HasAllMovesAsAlgorithmsOfTheCpuTheDefaultFirst) {
    std::vector<std::string> names;
    for (const AlgorithmInfo& each : makeCpuEngine()->algorithms()) {
        if (each.job == kSnakeJob) {
            names.push_back(each.name);
        }
    }
    EXPECT_THAT(names, ElementsAre("local-best", "parity", "sequential"));
    EXPECT_EQ(nameOf(SnakeSpec{}.moves), names.front());
}

} // namespace
} // namespace pollard::testing
