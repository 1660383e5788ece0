#include "cuda/rims/rim_build.hpp"

#include "cuda/rims/rim_tile.hpp"
#include "kernels/build_fixture.hpp"
#include "kernels/emulated_machine.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// The max-tree by rims with the GPU kernels in the emulator, against the CPU engine.

namespace pollard::cuda {
namespace {

using emulation::EmulatedMachine;
using emulation::Emulator;

constexpr std::uint32_t kImages = testing::affordable(2000);

/// The machine with the functions required only by a build by rims.
class RimMachine : public EmulatedMachine {
public:
    using BasicEmulatedMachine::BasicEmulatedMachine;

    template <class Join> void join(const Join& pass, std::uint64_t) {
        constexpr std::uint32_t kBlocks = 3;
        constexpr std::uint32_t kEach = 4;
        emulator().launch({kBlocks, kEach}, [&] { pass(blockOfGrid() * kEach + threadOfBlock(), kBlocks * kEach); });
    }
};

// One thread per column, several, and one per pixel.
using SmallTile = RimShape<4, 4, 1>;
using StripTile = RimShape<8, 6, 3>;
using PixelTile = RimShape<4, 2, 2>;
using TallTile = RimShape<4, 32, 1>;

using Param = std::tuple<TreeKind, Connectivity>;

std::string nameOfParam(const ::testing::TestParamInfo<Param>& info) {
    return testing::nameOfKindAndConnectivity(info.param);
}

class RimKernels : public testing::BuildFixture<Param> {
protected:
    /// Runs the kernels in the order of threads drawn from the seed.
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
    for (const auto& [width, height] : testing::sizesAround(8, 6)) {
        for (std::uint32_t seed = 0; seed < testing::affordable(8); ++seed) {
            const auto image = pollard::testing::randomImage(random, width, height);
            const auto expected = expectedParents(image);
            ASSERT_NO_FATAL_FAILURE((compare<StripTile>(*image, expected, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<TallTile>(*image, expected, seed)));
        }
    }
}

TEST_P(RimKernels, TakeTreesOfEveryShape) {
    for (const auto& image : testing::imagesOfEveryShape()) {
        const auto expected = expectedParents(image);
        for (std::uint32_t seed = 0; seed < testing::affordable(3); ++seed) {
            ASSERT_NO_FATAL_FAILURE((compare<TallTile>(*image, expected, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<StripTile>(*image, expected, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<SmallTile>(*image, expected, seed)));
        }
    }
}

TEST_P(RimKernels, WorkWithTheTileOfTheEngine) {
    for (std::uint32_t seed = 0; seed < testing::affordable(6); ++seed) {
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
                         ::testing::Combine(testing::kindsToBuild(),
                                            ::testing::Values(Connectivity::four, Connectivity::eight)),
                         nameOfParam);

} // namespace
} // namespace pollard::cuda
