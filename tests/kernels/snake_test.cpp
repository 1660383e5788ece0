#include "base/error.hpp"
#include "core/snake/snake_support.hpp"
#include "cuda/snake/one_kernel.hpp"
#include "cuda/snake/seed_loop.hpp"
#include "kernels/build_fixture.hpp"
#include "kernels/snake_machine.hpp"
#include "snake/snake_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

// The region snake with the GPU kernels in the emulator, against SnakeRun: every state with its nodes, sums and the
// bits of its energy.

namespace pollard::cuda {
namespace {

using pollard::testing::Random;
using pollard::testing::randomMask;
using pollard::testing::randomNode;
using pollard::testing::randomStart;
using testing::affordable;
using testing::SnakeTestMachine;

constexpr SnakeTuning kTight{
    .rowThreads = 4, .segmentThreads = 32, .nodeThreads = 32, .teamBlocks = 3, .firstNodes = 4, .trailStates = 2};

/// A run for both engines.
struct Case {
    std::shared_ptr<const Image> image;
    Contour start;
    SnakeSpec spec;
    std::shared_ptr<const Mask> valid;
    std::shared_ptr<const Mask> forbidden;

    /// An image of at most @p side px with noise or a noisy disc, with any start and law.
    explicit Case(std::uint32_t seed, std::uint32_t side) {
        Random random(seed);
        const std::uint32_t width = 8 + random() % (side - 7);
        const std::uint32_t height = 8 + random() % (side - 7);
        const PixelType type = random() % 2 == 0 ? PixelType::u8 : PixelType::u16;
        const std::uint32_t noise = 1 + random() % 200;
        const auto centre = static_cast<double>(std::min(width, height)) / 2;
        image = pollard::testing::makeImage(type, width, height, [&](auto x, auto y) {
            const bool isIn = std::hypot(x - centre, y - centre) < centre * 0.6;
            return (isIn ? 200U : 100U) * (type == PixelType::u8 ? 1U : 100U) % 256 + random() % noise;
        });
        spec.law = kRegionLaws[random() % kRegionLaws.size()];
        spec.maxStep = 1U << random() % 6; // also larger than the image
        spec.minLength = 2 + random() % 6;
        spec.minPixels = random() % 10;
        spec.maxNodes = random() % 3 == 0 ? 6 + random() % 10 : 4096;
        spec.maxRounds = random() % 4 == 0 ? 1 + random() % 20 : 0;
        start = randomStart(random, *image, 10);
        if (random() % 3 == 0) {
            valid = std::make_shared<const Mask>(complementOf(randomMask(random, width, height, 9)));
        }
        if (random() % 3 == 0) {
            Mask mask = randomMask(random, width, height, 6);
            RowCounts counts(mask);
            counts.fill(start, false);
            forbidden = std::make_shared<const Mask>(counts.mask());
        }
        spec.lengthPrice = pollard::testing::randomLengthPrice(random);
    }
};

std::vector<SnakeState> statesOnCpu(const Case& each, SnakeMoves moves) {
    SnakeJob job{each.image, each.valid, {each.start}, each.spec, each.forbidden, {}};
    job.spec.moves = moves;
    std::vector<SnakeState> states;
    static_cast<void>(runSnake(job, [&](std::size_t, const SnakeState& state) {
        states.push_back(state);
        return true;
    }));
    return states;
}

template <class Pixel> struct OneKernelOf {
    using Prefix = PrefixImage<Pixel, 8>;
    using Run = OneKernel<SnakeTestMachine, Prefix>;
};
template <class Pixel> struct SeedOf {
    using Prefix = PrefixImage<Pixel, 1>;
    using Run = SeedLoop<SnakeTestMachine, Prefix>;
};

/// @return the last state
template <template <class> class Algorithm> SnakeState
runEmulated(SnakeTestMachine& machine, const Case& each, const SnakeTuning& tuning, const SnakeListener& listener) {
    const Image& image = *each.image;
    std::optional<RowCounts> gaps;
    std::optional<RowCounts> forbidden;
    if (each.valid) {
        gaps.emplace(complementOf(*each.valid));
    }
    if (each.forbidden) {
        forbidden.emplace(*each.forbidden);
    }
    const SnakeHostInput host{image, gaps ? &*gaps : nullptr, forbidden ? &*forbidden : nullptr,
                              usedSpec(each.spec, image.width(), image.height())};
    const Contour start = usedStart(each.start, host.spec, {0, 0, image.width(), image.height()});
    return dispatch(image.type(), [&]<class Pixel>(Pixel) {
        typename Algorithm<Pixel>::Run evolution(machine, host, tuning, start);
        const SnakeField<SnakeTestMachine, typename Algorithm<Pixel>::Prefix> field(machine, host, tuning);
        return evolution.run(field, listener);
    });
}

void expectEqual(const SnakeState& a, const SnakeState& b) {
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.round, b.round);
    EXPECT_EQ(a.reach, b.reach);
    EXPECT_EQ(a.nodes, b.nodes);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.energy), std::bit_cast<std::uint64_t>(b.energy));
    EXPECT_EQ(a.inside, b.inside);
    EXPECT_EQ(a.outside, b.outside);
}

template <template <class> class Algorithm> class SnakeKernelsOf {
public:
    static constexpr SnakeMoves kMoves = Algorithm<std::uint8_t>::Run::kMoves;

    void compare(const Case& each, std::uint32_t seed, const SnakeTuning& tuning, bool stopsTeams) {
        emulator_.restart(seed);
        SnakeTestMachine machine(emulator_, seed, stopsTeams);
        std::vector<SnakeState> expected;
        try {
            expected = statesOnCpu(each, kMoves);
        } catch (const Error& refusal) {
            try {
                static_cast<void>(runEmulated<Algorithm>(machine, each, tuning, {}));
                ADD_FAILURE() << "not refused: " << refusal.what();
            } catch (const Error& error) {
                EXPECT_STREQ(error.what(), refusal.what());
            }
            return;
        }
        std::size_t told = 0;
        const SnakeState last =
            runEmulated<Algorithm>(machine, each, tuning, [&](std::size_t, const SnakeState& state) {
                if (told < expected.size()) {
                    expectEqual(state, expected[told]);
                }
                ++told;
                return !::testing::Test::HasFailure();
            });
        EXPECT_EQ(told, expected.size());
        expectEqual(last, expected.back());
        EXPECT_FALSE(::testing::Test::HasFailure()) << "seed " << seed << ", " << expected.size() << " states";
        states_ += expected.size();
        const auto longEdges = [&](const Contour& nodes) {
            std::size_t count = 0;
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                count +=
                    extentOf(nodes[i], nodes[(i + 1) % nodes.size()]) > static_cast<std::int64_t>(each.spec.minLength);
            }
            return count;
        };
        for (std::size_t i = 1; i < expected.size(); ++i) {
            const Contour& nodes = expected[i].nodes;
            const Contour& before = expected[i - 1].nodes;
            refused_ += expected[i].kind == SnakeStep::split && nodes.size() < each.spec.maxNodes &&
                        nodes.size() - before.size() < longEdges(before);
        }
    }

    emulation::Emulator emulator_{0};
    std::size_t states_ = 0;
    std::size_t refused_ = 0; ///< number of splits that leave a long edge
};

class OneKernelSnake : public SnakeKernelsOf<OneKernelOf>, public ::testing::Test {};
class SeedSnake : public SnakeKernelsOf<SeedOf>, public ::testing::Test {};

TEST_F(OneKernelSnake, TakesTheStatesOfLocalBestMoves) {
    for (std::uint32_t seed = 0; seed < affordable(120) && !HasFailure(); ++seed) {
        SnakeTuning tuning = kTight;
        tuning.teamBlocks = 1 + seed % 13;
        tuning.nodeThreads = seed % 3 == 0 ? 128 : 32;
        tuning.trailStates = 2 + seed % 30;
        compare(Case(seed, 28), seed, tuning, seed % 2 == 0);
    }
    EXPECT_GT(states_, affordable(120) * 5);
}

TEST_F(SeedSnake, TakesTheStatesOfParityMoves) {
    for (std::uint32_t seed = 1000; seed < 1000 + affordable(60) && !HasFailure(); ++seed) {
        SnakeTuning tuning = kTight;
        tuning.nodeThreads = seed % 3 == 0 ? 64 : 32;
        tuning.segmentThreads = 32U << seed % 2;
        compare(Case(seed, 28), seed, tuning, false);
    }
    EXPECT_GT(states_, affordable(60) * 5);
}

TEST_F(OneKernelSnake, TakesTheStatesOfLocalBestMovesOfManyNodes) {
    for (std::uint32_t seed = 2000; seed < 2000 + affordable(12) && !HasFailure(); ++seed) {
        Case each(seed, 90);
        each.spec.minLength = 2;
        each.spec.maxNodes = 300;
        each.spec.maxRounds = 60;
        SnakeTuning tuning = kTight;
        tuning.nodeThreads = 64;
        tuning.trailStates = 40;
        compare(each, seed, tuning, true);
    }
}

TEST_F(SeedSnake, TakesTheStatesOfParityMovesOfManyNodes) {
    for (std::uint32_t seed = 3000; seed < 3000 + affordable(6) && !HasFailure(); ++seed) {
        Case each(seed, 90);
        each.spec.minLength = 2;
        each.spec.maxNodes = 300;
        each.spec.maxRounds = 60;
        compare(each, seed, kTight, false);
    }
}

TEST_F(OneKernelSnake, SplitsEdgesOneByOneWhereTheirMiddlesMayTouch) {
    // Thin wedges: rounded midpoints lie on other edges.
    for (std::uint32_t seed = 4000; seed < 4000 + std::max(3U, affordable(20)) && !HasFailure(); ++seed) {
        Case each(seed, 40);
        Random random(seed);
        const auto right = static_cast<std::int32_t>(each.image->width());
        const auto bottom = static_cast<std::int32_t>(each.image->height());
        const auto y = static_cast<std::int32_t>(1 + random() % (each.image->height() - 3));
        each.start = {{0, y}, {right, y}, {right, bottom}, {right - 1, y + 1}, {0, y + 1}};
        if (!isSimple(each.start)) {
            continue;
        }
        each.spec.minLength = 2;
        each.spec.minPixels = 1;
        each.spec.maxNodes = 4096;
        each.valid = nullptr;
        each.forbidden = nullptr;
        compare(each, seed, kTight, false);
    }
    EXPECT_GT(refused_, 0U) << "no split was refused";
}

TEST_F(OneKernelSnake, EndsWhereTheListenerSays) {
    const Case each(7, 28);
    const std::vector<SnakeState> states = statesOnCpu(each, SnakeMoves::localBest);
    ASSERT_GT(states.size(), 4U);
    for (std::size_t most = 1; most <= states.size(); ++most) {
        SnakeTestMachine machine(emulator_, 7, false);
        std::size_t told = 0;
        const SnakeState last = runEmulated<OneKernelOf>(machine, each, kTight,
                                                         [&](std::size_t, const SnakeState&) { return ++told < most; });
        EXPECT_EQ(told, most);
        expectEqual(last, states[most - 1]);
    }
}

TEST_F(OneKernelSnake, GoesOnInAsManyKernelsAsTheMemoryForStatesNeeds) {
    const Case each(7, 28);
    SnakeTuning tuning = kTight;
    tuning.trailStates = 1000;
    tuning.firstNodes = 4096;
    SnakeTestMachine one(emulator_, 7, false);
    const SnakeState last = runEmulated<OneKernelOf>(one, each, tuning, {});
    EXPECT_EQ(one.teams(), 1);
    SnakeTestMachine many(emulator_, 7, false);
    expectEqual(runEmulated<OneKernelOf>(many, each, kTight, {}), last);
    EXPECT_GT(many.teams(), 2);
}

template <class Pixel, std::uint32_t kStep>
void compareSums(const std::shared_ptr<const Image>& shared, const Mask* valid, std::uint32_t seed) {
    const Image& image = *shared;
    emulation::Emulator emulator(seed);
    SnakeTestMachine machine(emulator, seed, false);
    const RowSums expected(shared, valid);
    std::optional<RowCounts> gaps;
    if (valid != nullptr) {
        gaps.emplace(complementOf(*valid));
    }
    SnakeTuning tuning = kTight;
    tuning.rowThreads = 1U << seed % 5;
    const SnakeHostInput host{image, gaps ? &*gaps : nullptr, nullptr, usedSpec({}, image.width(), image.height())};
    const SnakeField<SnakeTestMachine, PrefixImage<Pixel, kStep>> field(machine, host, tuning);
    EXPECT_EQ(field.input().rules.all, expected.total());
    Random random(seed);
    for (int repeat = 0; repeat < 20; ++repeat) {
        const ContourNode from = randomNode(random, image);
        const ContourNode to = randomNode(random, image);
        const std::uint32_t parts = 1 + random() % 9;
        RegionSums sum;
        for (std::uint32_t part = 0; part < parts; ++part) {
            sum += field.input().image.leftOf(from, to, part, parts);
        }
        EXPECT_EQ(sum, expected.leftOf(from, to));
    }
}

TEST(PrefixImage, HasTheSumsToTheLeftOfEdges) {
    for (std::uint32_t seed = 0; seed < affordable(200) && !::testing::Test::HasFailure(); ++seed) {
        Random random(seed);
        const std::uint32_t width = 1 + random() % 70;
        const std::uint32_t height = 1 + random() % 30;
        const auto wide = pollard::testing::makeImage(PixelType::u16, width, height,
                                                      [&](auto, auto) { return 65535 - random() % 3; });
        const auto narrow =
            pollard::testing::makeImage(PixelType::u8, width, height, [&](auto, auto) { return random() % 256; });
        const Mask valid = complementOf(randomMask(random, width, height, 5));
        const Mask* const mask = random() % 2 == 0 ? &valid : nullptr;
        compareSums<std::uint16_t, 1>(wide, mask, seed);
        compareSums<std::uint16_t, 8>(wide, mask, seed);
        compareSums<std::uint8_t, 1>(narrow, mask, seed);
        compareSums<std::uint8_t, 8>(narrow, mask, seed);
    }
}

} // namespace
} // namespace pollard::cuda
