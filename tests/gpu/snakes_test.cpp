#include "base/error.hpp"
#include "core/snake/snake_support.hpp"
#include "cuda/snake/device_snakes.hpp"
#include "on_gpu.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

// Region snakes on the GPU against SnakeRun: every state with its nodes, sums and the bits of its energy.

namespace pollard::testing {
namespace {

class SnakesOnDevice : public OnGpu, public ::testing::WithParamInterface<const char*> {
protected:
    [[nodiscard]] static SnakeMoves moves() {
        for (const cuda::SnakeAlgorithm& each : cuda::snakeAlgorithms()) {
            if (each.name == GetParam()) {
                return each.moves;
            }
        }
        throw Error(ErrorCode::invalidArgument, std::string("no algorithm ") + GetParam());
    }

    void compare(SnakeJob job) {
        job.algorithm = nameOf(moves());
        std::vector<SnakeState> expected;
        static_cast<void>(runSnake(job, [&](std::size_t, const SnakeState& state) {
            expected.push_back(state);
            return true;
        }));
        job.algorithm = GetParam();
        std::size_t told = 0;
        const SnakeResult result = cuda::runSnakeOnDevice(job,
                                                          [&](std::size_t, const SnakeState& state) {
                                                              if (told < expected.size()) {
                                                                  expectEqual(state, expected[told]);
                                                              }
                                                              ++told;
                                                              return !HasFailure();
                                                          },
                                                          {});
        EXPECT_EQ(told, expected.size());
        trim(expected.back(), job.spec.lengthPrice);
        expectEqual(result.states[0], expected.back());
        EXPECT_EQ(result.moves, moves());
        EXPECT_EQ(result.stages.size(), 4U);
    }
    static void expectEqual(const SnakeState& a, const SnakeState& b) {
        EXPECT_EQ(a.kind, b.kind);
        EXPECT_EQ(a.round, b.round);
        EXPECT_EQ(a.reach, b.reach);
        EXPECT_EQ(a.nodes, b.nodes);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a.energy), std::bit_cast<std::uint64_t>(b.energy));
        EXPECT_EQ(a.inside, b.inside);
        EXPECT_EQ(a.outside, b.outside);
    }
};

TEST_P(SnakesOnDevice, EqualTheCpusOnDiscs) {
    for (const std::uint32_t side : {90U, 512U, 1500U}) {
        const auto s = static_cast<std::int32_t>(side);
        SnakeJob job;
        job.image = noisyDisc(side, side * 0.3, 40, 30, side);
        job.starts = {rectangle(s / 10, s / 10, s - s / 10, s - s / 8)};
        compare(job);
    }
}

TEST_P(SnakesOnDevice, EqualTheCpusOnNoiseWithGapsAndForbiddenPixels) {
    for (std::uint32_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
        Random random(seed);
        const std::uint32_t width = 20 + random() % 200;
        const std::uint32_t height = 20 + random() % 200;
        SnakeJob job;
        job.image = makeImage(seed % 2 == 0 ? PixelType::u8 : PixelType::u16, width, height,
                              [&](auto, auto) { return random() % 251; });
        job.starts = {randomStart(random, *job.image, 60)};
        job.spec.law = kRegionLaws[seed % kRegionLaws.size()];
        job.spec.minLength = 2 + random() % 8;
        job.spec.maxRounds = 80;
        if (seed % 3 == 0) {
            job.valid = std::make_shared<const Mask>(complementOf(randomMask(random, width, height, 9)));
        }
        if (seed % 4 == 1) {
            RowCounts forbidden(randomMask(random, width, height, 20));
            forbidden.fill(job.starts[0], false);
            job.forbidden = std::make_shared<const Mask>(forbidden.mask());
        }
        job.spec.lengthPrice = randomLengthPrice(random);
        compare(job);
    }
}

TEST_P(SnakesOnDevice, EndWhereTheListenerSaysAndWhenStopped) {
    SnakeJob job;
    job.image = noisyDisc(300, 90, 40, 30, 3);
    job.starts = {rectangle(30, 30, 270, 270)};
    job.algorithm = GetParam();
    int told = 0;
    const auto end = [&](std::size_t, const SnakeState&) { return ++told < 5; };
    EXPECT_EQ(cuda::runSnakeOnDevice(job, end, {}).states[0].round, 4U);
    EXPECT_EQ(told, 5);
    std::stop_source stop;
    const auto cancel = [&](std::size_t, const SnakeState&) { return stop.request_stop(); };
    EXPECT_THROW(static_cast<void>(cuda::runSnakeOnDevice(job, cancel, JobControl(stop.get_token()))), Cancelled);
    compare(job);
}

INSTANTIATE_TEST_SUITE_P(All, SnakesOnDevice, ::testing::Values("one-kernel", "seed-gpu"), [](const auto& instance) {
    return std::string(instance.param) == "seed-gpu" ? "seed" : "oneKernel";
});

TEST(DeviceSnakes, RefuseMovesAndNamesThatAreNotTheirs) {
    SnakeJob job;
    job.image = noisyDisc(60, 18, 60, 10, 5);
    job.starts = {rectangle(8, 8, 50, 52)};
    job.spec.moves = SnakeMoves::sequential;
    const auto codeOf = [&] {
        try {
            static_cast<void>(cuda::runSnakeOnDevice(job, {}, {}));
        } catch (const Error& error) {
            return error.code();
        }
        return ErrorCode::writeFailed;
    };
    EXPECT_EQ(codeOf(), ErrorCode::engineUnavailable);
    job.algorithm = "parity";
    EXPECT_EQ(codeOf(), ErrorCode::invalidArgument);
}

} // namespace
} // namespace pollard::testing
