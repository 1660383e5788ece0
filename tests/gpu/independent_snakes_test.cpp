#include "core/snake/independent_support.hpp"
#include "cuda/snake/device_snakes.hpp"
#include "on_gpu.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stop_token>

// Independent contours on the GPU, against the CPU: every state.

namespace pollard::testing {
namespace {

class IndependentSnakesOnDevice : public OnGpu {
protected:
    static std::size_t compare(const SnakeJob& given) {
        return compareIndependent(given, [](const SnakeJob& job, const SnakeListener& listener) {
            return cuda::runSnakeOnDevice(job, listener, {}).states;
        });
    }
};

TEST_F(IndependentSnakesOnDevice, TakeTheStatesOfTheCpu) {
    std::size_t states = 0;
    for (std::uint32_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
        states += compare(randomIndependentJob(seed, 20 + seed % 4 * 60));
        EXPECT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(states, 1000U);
}

TEST_F(IndependentSnakesOnDevice, GoThroughMoreContoursThanGoAtOnce) {
    constexpr std::uint32_t kCell = 24;
    constexpr std::uint32_t kSide = 40;
    Random random(1);
    SnakeJob job;
    job.image = makeImage(PixelType::u16, kSide * kCell, kSide * kCell, [&](auto x, auto y) {
        const bool isIn = std::hypot(x % kCell - 12.0, y % kCell - 12.0) < 8;
        return (isIn ? 2000 : 1000) + random() % 300;
    });
    for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
        const std::uint32_t x = i % kSide * kCell;
        const std::uint32_t y = i / kSide * kCell;
        const auto left = static_cast<std::int32_t>(x);
        const auto top = static_cast<std::int32_t>(y);
        job.parts.push_back({x, y, kCell, kCell});
        job.starts.push_back(rectangle(left + 2, top + 2, left + 22, top + 22));
    }
    EXPECT_GT(compare(job), std::size_t{kSide} * kSide);
}

TEST_F(IndependentSnakesOnDevice, EndWhereTheListenerSays) {
    const SnakeJob job = randomIndependentJob(4, 200);
    for (std::size_t most = 1; most < 9; ++most) {
        std::size_t told = 0;
        static_cast<void>(
            cuda::runSnakeOnDevice(job, [&](std::size_t, const SnakeState&) { return ++told < most; }, {}));
        EXPECT_EQ(told, most);
    }
}

TEST_F(IndependentSnakesOnDevice, AreCancelledAndRefuseOneByOneAlgorithms) {
    std::stop_source stop;
    SnakeJob job = randomIndependentJob(4, 200);
    job.spec.lengthPrice = 0; // for many states
    EXPECT_THROW(
        static_cast<void>(cuda::runSnakeOnDevice(
            job, [&](std::size_t, const SnakeState&) { return stop.request_stop(); }, JobControl(stop.get_token()))),
        Cancelled);
    job.algorithm = "seed-gpu";
    try {
        static_cast<void>(cuda::runSnakeOnDevice(job, {}, {}));
        ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::engineUnavailable);
    }
}

} // namespace
} // namespace pollard::testing
