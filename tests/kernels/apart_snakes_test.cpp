#include "snake/apart_evolution.hpp"

#include "core/apart_support.hpp"
#include "kernels/build_fixture.hpp"
#include "kernels/snake_machine.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string_view>

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

/// Counts what contours take of the device.
class CountingMachine : public SnakeTestMachine {
public:
    using SnakeTestMachine::SnakeTestMachine;

    std::uint64_t taken = 0;

    template <class T> [[nodiscard]] HostBuffer<T> make(std::size_t count, const char* what) {
        taken += std::string_view(what) == "snakes" ? count * sizeof(T) : 0;
        return SnakeTestMachine::make<T>(count, what);
    }
    [[nodiscard]] static std::size_t sharedBytes() noexcept { return 0; } // nothing fits into a block
};

TEST(ApartSnakeKernels, NeedTheMemoryThatIsForetold) {
    emulation::Emulator emulator{0};
    int runs = 0;
    for (std::uint32_t seed = 0; seed < affordable(24); ++seed) {
        ApartSnakesJob job = randomApartJob(seed, 20);
        SnakeTuning tuning;
        tuning.rowThreads = 4;
        tuning.nodeThreads = 32;
        tuning.firstNodesApart = seed % 2 == 0 ? 256 : 8;
        job.spec.maxNodes = seed % 2 == 0 ? 40 : 8; // they never grow
        job.valid = nullptr;
        job.forbidden = nullptr;
        try {
            const std::vector<Contour> starts = usedStarts(job);
            emulator.restart(seed);
            CountingMachine machine(emulator, seed, false);
            const SnakeHostInput host{*job.image, nullptr, nullptr, job.spec};
            dispatch(job.image->type(), [&]<class Pixel>(Pixel) {
                using Prefix = PrefixImage<Pixel, 8>;
                using Evolution = ApartEvolution<CountingMachine, Prefix>;
                const SnakeField<CountingMachine, Prefix> field(machine, host, tuning);
                Evolution evolution(machine, host, tuning, job.snakes, starts);
                static_cast<void>(evolution.run(field, {}));
                EXPECT_EQ(machine.taken, Evolution::firstBytes(job.snakes, starts, job.spec, tuning))
                    << "seed " << seed;
            });
            ++runs;
        } catch (const Error&) { // a start that is none
            continue;
        }
    }
    EXPECT_GT(runs, 0);
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
