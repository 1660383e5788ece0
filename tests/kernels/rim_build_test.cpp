#include "rims/rim_build.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "kernels/emulated_machine.hpp"
#include "rims/engine_rim_shape.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// The max-tree by rims, run by the kernels of the GPU in the emulator, against the CPU engine's.

namespace pollard::cuda {
namespace {

using emulation::EmulatedMachine;
using emulation::Emulator;

#if defined(__SANITIZE_THREAD__)
constexpr std::uint32_t kImages = 20; // takes a hundred times as long
#elif defined(__SANITIZE_ADDRESS__)
constexpr std::uint32_t kImages = 150;
#else
constexpr std::uint32_t kImages = 2000;
#endif

/// Adds to the machine what only a build by rims asks for.
class RimMachine : public EmulatedMachine {
public:
    RimMachine(Emulator& emulator, std::uint32_t seed) : EmulatedMachine(emulator, seed), joiner_(emulator) {}

    template <class Join> void join(const Join& pass, std::uint64_t) {
        constexpr std::uint32_t kBlocks = 3;
        constexpr std::uint32_t kEach = 4;
        joiner_.launch({kBlocks, kEach}, [&] { pass(blockOfGrid() * kEach + threadOfBlock(), kBlocks * kEach); });
    }
    [[nodiscard]] const volatile std::uint32_t* stop() const { return &goOn_; }

private:
    Emulator& joiner_;
    std::uint32_t goOn_ = 0;
};

// One thread a column, several, and one a pixel.
using SmallTile = RimShape<4, 4, 1>;
using StripTile = RimShape<8, 6, 3>;
using PixelTile = RimShape<4, 2, 2>;
using TallTile = RimShape<4, 32, 1>;

using Param = std::tuple<TreeKind, Connectivity>;

std::string nameOfParam(const ::testing::TestParamInfo<Param>& info) {
    const auto& [kind, connectivity] = info.param;
    return std::string(kind == TreeKind::max ? "max" : "min") + (connectivity == Connectivity::four ? "_4" : "_8");
}

class RimKernels : public ::testing::TestWithParam<Param> {
protected:
    /// By the CPU engine.
    [[nodiscard]] std::vector<std::uint32_t> expectedParents(const std::shared_ptr<const Image>& image) {
        session_->openImage(image);
        session_->buildTree({kind(), connectivity(), {}}, {});
        const Buffer<std::uint32_t> parents = canonicalParentImage(*session_->tree());
        return {parents.begin(), parents.end()};
    }

    /// By the kernels, in the order of threads that the seed gives.
    template <class Shape>
    void compare(const Image& image, const std::vector<std::uint32_t>& expected, std::uint32_t seed) {
        const auto parents =
            connectivity() == Connectivity::eight ? build<Shape, true>(image, seed) : build<Shape, false>(image, seed);
        ASSERT_EQ(parents, expected) << image.width() << " x " << image.height() << " px, " << bitsOf(image.type())
                                     << " bit, tiles of " << Shape::kWidth << " x " << Shape::kHeight << ", seed "
                                     << seed;
    }

    std::vector<std::string> stages_;

private:
    [[nodiscard]] static TreeKind kind() { return std::get<TreeKind>(GetParam()); }
    [[nodiscard]] static Connectivity connectivity() { return std::get<Connectivity>(GetParam()); }

    template <class Shape, bool kEight>
    [[nodiscard]] std::vector<std::uint32_t> build(const Image& image, std::uint32_t seed) {
        return dispatch(image.type(), [&]<class Level>(Level) {
            emulator_.restart(seed);
            RimMachine machine(emulator_, seed);
            const LevelView<Level> levels{image.pixels<Level>().data(), flipOf<Level>(kind())};
            auto parent =
                RimBuild<RimMachine, Level, Shape, kEight>(machine, levels, image.width(), image.height()).run();
            stages_ = machine.stages();
            return std::vector<std::uint32_t>(parent.data(), parent.data() + parent.size());
        });
    }

    Emulator emulator_{0};
    std::unique_ptr<Engine> engine_ = makeCpuEngine();
    std::unique_ptr<Session> session_ = engine_->openSession();
};

TEST_P(RimKernels, GiveTheCanonicalParentImageOfRandomImages) {
    for (std::uint32_t seed = 0; seed < kImages; ++seed) {
        pollard::testing::Random random(seed);
        const std::uint32_t width = 1 + random() % 22;
        const std::uint32_t height = 1 + random() % 22;
        const auto image = pollard::testing::randomImage(random, width, height);
        const auto expected = expectedParents(image);
        ASSERT_NO_FATAL_FAILURE((compare<SmallTile>(*image, expected, seed)));
        ASSERT_NO_FATAL_FAILURE((compare<StripTile>(*image, expected, seed)));
        ASSERT_NO_FATAL_FAILURE((compare<PixelTile>(*image, expected, seed)));
        ASSERT_NO_FATAL_FAILURE((compare<TallTile>(*image, expected, seed)));
    }
}

TEST_P(RimKernels, GiveTheSameInEveryOrderOfThreads) {
    for (std::uint32_t n = 0; n < 6; ++n) {
        pollard::testing::Random random(500 + n);
        const auto image = pollard::testing::randomImage(random, 13 + n, 9 + 2 * n);
        const auto expected = expectedParents(image);
        for (std::uint32_t seed = 0; seed < kImages / 4; ++seed) {
            ASSERT_NO_FATAL_FAILURE((compare<StripTile>(*image, expected, seed)));
        }
    }
}

TEST_P(RimKernels, TakeLinesAndSizesOfTiles) {
    pollard::testing::Random random(7);
    for (const auto& [width, height] : {std::pair{1U, 1U},
                                        {1U, 300U},
                                        {300U, 1U},
                                        {8U, 6U},
                                        {9U, 7U},
                                        {7U, 5U},
                                        {16U, 12U},
                                        {17U, 13U},
                                        {15U, 11U},
                                        {2U, 100U},
                                        {100U, 2U}}) {
        for (std::uint32_t seed = 0; seed < 8; ++seed) {
            const auto image = pollard::testing::randomImage(random, width, height);
            const auto expected = expectedParents(image);
            ASSERT_NO_FATAL_FAILURE((compare<StripTile>(*image, expected, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<TallTile>(*image, expected, seed)));
        }
    }
}

TEST_P(RimKernels, TakeTreesOfEveryShape) {
    // Chains of every level, along rows and along a serpentine; combs; as many maxima as there can be; plateaus that
    // cross tiles.
    const std::vector<std::function<std::uint32_t(std::uint32_t, std::uint32_t)>> levels{
        [](auto x, auto y) { return y * 60 + x; },
        [](auto x, auto y) { return 65535 - (y * 60 + x); },
        [](auto x, auto y) {
            return y % 2 == 0 ? 100 + y * 30 + (y % 4 == 0 ? x : 59 - x)
                              : (x == (y % 4 == 1 ? 59U : 0U) ? 100 + y * 30 + 30 : 0U);
        },
        [](auto x, auto y) { return (x % 2 == 0 ? 30000 : 0) + x * 20 + y; },
        [](auto x, auto y) { return (x + y) % 2 * 1000; },
        [](auto x, auto y) { return (x % 2 + y % 2) / 2 * 50000; },
        [](auto x, auto y) { return (x / 7 + y / 5) % 3; },
        [](auto, auto) { return 65535; },
        [](auto, auto) { return 0; },
    };
    for (const auto& level : levels) {
        const auto image = pollard::testing::makeImage(PixelType::u16, 60, 41, level);
        const auto expected = expectedParents(image);
        for (std::uint32_t seed = 0; seed < 3; ++seed) {
            ASSERT_NO_FATAL_FAILURE((compare<TallTile>(*image, expected, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<StripTile>(*image, expected, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<SmallTile>(*image, expected, seed)));
        }
    }
}

TEST_P(RimKernels, WorkWithTheTileOfTheEngine) {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
        pollard::testing::Random random(900 + seed);
        const std::uint32_t range = seed % 3 == 0 ? 0xffffU : seed % 3 == 1 ? 7U : 1U;
        const auto noise = pollard::testing::makeImage(seed % 2 == 0 ? PixelType::u16 : PixelType::u8, 150, 131,
                                                       [&](auto, auto) { return random() & range; });
        ASSERT_NO_FATAL_FAILURE((compare<EngineRimShape>(*noise, expectedParents(noise), seed)));
    }
}

TEST_P(RimKernels, NameTheirStages) {
    const auto image = pollard::testing::makeImage(PixelType::u8, 20, 20, [](auto x, auto y) { return x * y; });
    ASSERT_NO_FATAL_FAILURE((compare<StripTile>(*image, expectedParents(image), 1)));
    EXPECT_EQ(stages_, (std::vector<std::string>{"tiles", "merges", "flatten"}));
}

INSTANTIATE_TEST_SUITE_P(All, RimKernels,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight)),
                         nameOfParam);

} // namespace
} // namespace pollard::cuda
