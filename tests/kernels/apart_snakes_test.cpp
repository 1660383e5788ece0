#include "snake/apart_evolution.hpp"

#include "core/apart_support.hpp"
#include "kernels/build_fixture.hpp"
#include "kernels/snake_machine.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

// Several contours apart from each other, by the kernels of the GPU in the emulator, against the CPU: every state.

namespace pollard::cuda {
namespace {

using pollard::testing::compareApart;
using pollard::testing::randomApartJob;
using testing::affordable;
using testing::SnakeTestMachine;

std::vector<SnakeState> runEmulated(emulation::Emulator& emulator, std::uint32_t seed, const SnakeTuning& tuning,
                                    const ApartSnakesJob& job, const ApartSnakesListener& listener) {
    emulator.restart(seed);
    SnakeTestMachine machine(emulator, seed, false);
    const std::vector<Contour> starts = usedStarts(job);
    std::optional<RowCounts> gaps;
    std::optional<RowCounts> forbidden;
    if (job.valid) {
        gaps.emplace(complementOf(*job.valid));
    }
    if (job.forbidden) {
        forbidden.emplace(*job.forbidden);
    }
    const SnakeHostInput host{*job.image, gaps ? &*gaps : nullptr, forbidden ? &*forbidden : nullptr, job.spec};
    return dispatch(job.image->type(), [&]<class Pixel>(Pixel) {
        using Prefix = PrefixImage<Pixel, 8>;
        const SnakeField<SnakeTestMachine, Prefix> field(machine, host, tuning);
        return ApartEvolution<SnakeTestMachine, Prefix>(machine, host, tuning, job.snakes, starts).run(field, listener);
    });
}

TEST(ApartSnakeKernels, TakeTheStatesOfTheCpu) {
    emulation::Emulator emulator{0};
    std::size_t states = 0;
    for (std::uint32_t seed = 0; seed < affordable(40) && !::testing::Test::HasFailure(); ++seed) {
        SnakeTuning tuning;
        tuning.rowThreads = 4;
        tuning.nodeThreads = seed % 2 == 0 ? 32 : 64;
        tuning.trailStates = 2 + seed % 3;
        tuning.firstNodesApart = seed % 3 == 0 ? 4 : 64;
        tuning.atOnce = 1 + seed % 5;
        tuning.trailWordsApart = seed % 4 == 0 ? 0 : tuning.trailWordsApart;
        states +=
            compareApart(randomApartJob(seed, 20), [&](const ApartSnakesJob& job, const ApartSnakesListener& listener) {
                return runEmulated(emulator, seed, tuning, job, listener);
            });
        EXPECT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(states, affordable(40) * 10U);
}

} // namespace
} // namespace pollard::cuda
