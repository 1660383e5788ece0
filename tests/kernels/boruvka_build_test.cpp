#include "cuda/boruvka/branch_build.hpp"

#include "cuda/boruvka/plane_domain.hpp"
#include "cuda/boruvka/tile_work.hpp"
#include "cuda/device/device_image.hpp"
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

// The max-tree `boruvka` with the GPU kernels in the emulator, against the CPU engine.

namespace pollard::cuda {
namespace {

using emulation::EmulatedMachine;
using emulation::Emulator;

constexpr std::uint32_t kImages = testing::affordable(800);

// Tables of the trunk cover all levels and take longer in the emulator than small images.
constexpr std::uint32_t kTrunkEvery = 8;

// Many pixels per thread, few, and more threads than the perimeter needs.
using SmallTile = TileShape<4, 4, 2>;
using WideTile = TileShape<8, 4, 8>;
using TallTile = TileShape<4, 16, 32>;

using Param = std::tuple<TreeKind, Connectivity, bool>;

std::string nameOfParam(const ::testing::TestParamInfo<Param>& info) {
    return testing::nameOfKindAndConnectivity(info.param) + (std::get<bool>(info.param) ? "" : "_wide");
}

class BoruvkaKernels : public testing::BuildFixture<Param> {
protected:
    /// Runs the kernels in the order of threads drawn from the seed.
    template <class Shape>
    void compare(const Image& image, const std::vector<std::uint32_t>& expected, std::uint32_t seed) {
        SCOPED_TRACE(::testing::Message()
                     << image.width() << " x " << image.height() << " px, " << bitsOf(image.type()) << " bit, tiles of "
                     << Shape::kWidth << " x " << Shape::kHeight << ", seed " << seed);
        const auto parents = connectivity() == Connectivity::eight ? buildParents<Shape, true>(image, seed)
                                                                   : buildParents<Shape, false>(image, seed);
        ASSERT_EQ(parents, expected);
        const auto compareTree = [&](auto&& branches) { expectTree(branches.tree()); };
        connectivity() == Connectivity::eight ? build<Shape, true>(image, seed, compareTree)
                                              : build<Shape, false>(image, seed, compareTree);
    }

    std::vector<std::string> stages_;

private:
    /// Runs a build and passes it to @p use.
    template <class Shape, bool kEight, class Use> void build(const Image& image, std::uint32_t seed, Use&& use) {
        dispatch(image.type(), [&]<class Level>(Level) {
            emulator_.restart(seed);
            EmulatedMachine machine(emulator_, seed);
            const std::uint32_t pixels = image.width() * image.height();
            const bool hasTrunk = seed % kTrunkEvery == 0;
            const BranchInput<Level> input{image.pixels<Level>().data(), image.extent(), flipOf<Level>(kind()),
                                           std::get<bool>(GetParam()), hasTrunk ? pixels : pixels + 1};
            use(BranchBuild<EmulatedMachine, Level, PlaneDomain<Shape, kEight>>(machine, input));
            stages_ = machine.stages();
        });
    }

    template <class Shape, bool kEight>
    [[nodiscard]] std::vector<std::uint32_t> buildParents(const Image& image, std::uint32_t seed) {
        std::vector<std::uint32_t> result;
        build<Shape, kEight>(image, seed, [&](auto&& branches) { result = values(branches.parents()); });
        return result;
    }
};

TEST_P(BoruvkaKernels, GiveTheCanonicalParentImageOfRandomImages) {
    for (std::uint32_t seed = 0; seed < kImages; ++seed) {
        pollard::testing::Random random(seed);
        const std::uint32_t width = 1 + random() % 22;
        const std::uint32_t height = 1 + random() % 22;
        const auto image = pollard::testing::randomImage(random, width, height);
        const auto expected = expectedParents(image);
        ASSERT_NO_FATAL_FAILURE((compare<SmallTile>(*image, expected, seed)));
        ASSERT_NO_FATAL_FAILURE((compare<WideTile>(*image, expected, seed)));
        ASSERT_NO_FATAL_FAILURE((compare<TallTile>(*image, expected, seed)));
    }
}

TEST_P(BoruvkaKernels, GiveTheSameInEveryOrderOfThreads) {
    for (std::uint32_t n = 0; n < 6; ++n) {
        pollard::testing::Random random(500 + n);
        const auto image = pollard::testing::randomImage(random, 13 + n, 9 + 2 * n);
        const auto expected = expectedParents(image);
        for (std::uint32_t seed = 0; seed < kImages / 4; ++seed) {
            ASSERT_NO_FATAL_FAILURE((compare<WideTile>(*image, expected, seed)));
        }
    }
}

TEST_P(BoruvkaKernels, TakeLinesAndSizesOfTiles) {
    pollard::testing::Random random(7);
    for (const auto& [width, height] : testing::sizesAround(8, 4)) {
        for (std::uint32_t seed = 0; seed < testing::affordable(8); ++seed) {
            const auto image = pollard::testing::randomImage(random, width, height);
            const auto expected = expectedParents(image);
            ASSERT_NO_FATAL_FAILURE((compare<WideTile>(*image, expected, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<TallTile>(*image, expected, seed)));
        }
    }
}

TEST_P(BoruvkaKernels, TakeTreesOfEveryShape) {
    for (const auto& image : testing::imagesOfEveryShape()) {
        const auto expected = expectedParents(image);
        for (std::uint32_t seed = 0; seed < testing::affordable(3); ++seed) {
            ASSERT_NO_FATAL_FAILURE((compare<TallTile>(*image, expected, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<SmallTile>(*image, expected, seed)));
        }
    }
}

TEST_P(BoruvkaKernels, WorkWithTheTileOfTheEngine) {
    for (std::uint32_t seed = 0; seed < testing::affordable(4); ++seed) {
        pollard::testing::Random random(900 + seed);
        const auto noise = pollard::testing::makeImage(seed % 2 == 0 ? PixelType::u16 : PixelType::u8, 150, 131,
                                                       [&](auto, auto) { return random() & 0xffffU; });
        ASSERT_NO_FATAL_FAILURE((compare<EngineTile>(*noise, expectedParents(noise), seed)));
    }
}

TEST_P(BoruvkaKernels, NameTheirStages) {
    const auto image = pollard::testing::makeImage(PixelType::u8, 20, 20, [](auto x, auto y) { return x * y; });
    ASSERT_NO_FATAL_FAILURE((compare<WideTile>(*image, expectedParents(image), 1)));
    // Stages of the tree, which compare() builds last; the stages of the parent image end in "flatten".
    EXPECT_EQ(stages_,
              (std::vector<std::string>{"tiles", "seams", "boruvka", "keys", "sort", "runs", "nodes", "numbering"}));
}

INSTANTIATE_TEST_SUITE_P(All, BoruvkaKernels,
                         ::testing::Combine(testing::kindsToBuild(),
                                            ::testing::Values(Connectivity::four, Connectivity::eight),
                                            ::testing::Bool()),
                         nameOfParam);

} // namespace
} // namespace pollard::cuda
