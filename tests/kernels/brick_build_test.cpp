#include "cuda/boruvka/branch_build.hpp"
#include "cuda/boruvka/bricks/brick_domain.hpp"
#include "cuda/boruvka/bricks/brick_work.hpp"
#include "cuda/device/device_image.hpp"
#include "kernels/build_fixture.hpp"
#include "kernels/emulated_machine.hpp"
#include "support/random_volumes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

// The max-tree `boruvka` of volumes with the GPU kernels in the emulator, against the CPU engine.

namespace pollard::cuda {
namespace {

using emulation::EmulatedMachine;
using pollard::testing::makeVolume;
using pollard::testing::Random;
using pollard::testing::randomVolume;

constexpr std::uint32_t kVolumes = testing::affordable(700);

// Tables of the trunk cover all levels and take longer in the emulator than small volumes.
constexpr std::uint32_t kTrunkEvery = 8;

using SmallBrick = BrickShape<4, 3, 2, 8>;
using CubicBrick = BrickShape<4, 4, 4, 16>;
using LongBrick = BrickShape<2, 1, 5, 2>; // one voxel thick, and many voxels per thread
using WideBrick = BrickShape<8, 4, 3, 32>;

using Param = std::tuple<TreeKind, Connectivity>;

class BrickKernels : public testing::BuildFixture<Param> {
protected:
    /// Builds the parent image and the tree, with the order of threads drawn from the seed.
    template <class Shape> void compare(const std::shared_ptr<const Image>& volume, std::uint32_t seed) {
        SCOPED_TRACE(::testing::Message()
                     << text(volume->extent()) << ", " << bitsOf(volume->type()) << " bit, bricks of " << Shape::kWidth
                     << " x " << Shape::kHeight << " x " << Shape::kDepth << ", seed " << seed);
        const auto expected = expectedParents(volume);
        build<Shape>(*volume, seed, [&](auto&& branches) { ASSERT_EQ(values(branches.parents()), expected); });
        build<Shape>(*volume, seed, [&](auto&& branches) { expectTree(branches.tree()); });
    }

    std::vector<std::string> stages_;

private:
    template <class Shape, class Use> void build(const Image& volume, std::uint32_t seed, const Use& use) {
        switch (connectivity()) {
        case Connectivity::six:
            return buildIn<BrickDomain<Shape, 6>>(volume, seed, use);
        case Connectivity::eighteen:
            return buildIn<BrickDomain<Shape, 18>>(volume, seed, use);
        default:
            return buildIn<BrickDomain<Shape, 26>>(volume, seed, use);
        }
    }
    template <class Domain, class Use> void buildIn(const Image& volume, std::uint32_t seed, const Use& use) {
        dispatch(volume.type(), [&]<class Level>(Level) {
            emulator_.restart(seed);
            EmulatedMachine machine(emulator_, seed);
            const auto voxels = static_cast<std::uint32_t>(volume.pixelCount());
            const BranchInput<Level> input{volume.pixels<Level>().data(), volume.extent(), flipOf<Level>(kind()),
                                           seed % 2 == 0, seed % kTrunkEvery == 0 ? voxels : voxels + 1};
            use(BranchBuild<EmulatedMachine, Level, Domain>(machine, input));
            stages_ = machine.stages();
        });
    }
};

TEST_P(BrickKernels, GiveTheTreesOfRandomVolumes) {
    for (std::uint32_t seed = 0; seed < kVolumes; ++seed) {
        Random random(seed);
        const Extent extent{1 + random() % 11, 1 + random() % 11, 1 + random() % 11};
        const auto volume = randomVolume(random, extent);
        ASSERT_NO_FATAL_FAILURE((compare<SmallBrick>(volume, seed)));
        ASSERT_NO_FATAL_FAILURE((compare<CubicBrick>(volume, seed)));
        ASSERT_NO_FATAL_FAILURE((compare<LongBrick>(volume, seed)));
        ASSERT_NO_FATAL_FAILURE((compare<WideBrick>(volume, seed)));
    }
}

TEST_P(BrickKernels, GiveTheSameInEveryOrderOfThreads) {
    for (std::uint32_t n = 0; n < 4; ++n) {
        Random random(500 + n);
        const auto volume = randomVolume(random, {7 + n, 9 - n, 8});
        for (std::uint32_t seed = 0; seed < kVolumes / 5; ++seed) {
            ASSERT_NO_FATAL_FAILURE((compare<SmallBrick>(volume, seed)));
        }
    }
}

TEST_P(BrickKernels, TakeLinesPlanesAndSizesOfBricks) {
    Random random(7);
    for (const Extent extent : {Extent{1, 1, 1}, Extent{1, 1, 90}, Extent{1, 90, 1}, Extent{90, 1, 1},
                                Extent{1, 13, 11}, Extent{13, 1, 11}, Extent{13, 11, 1}, Extent{4, 4, 4},
                                Extent{5, 5, 5}, Extent{3, 3, 3}, Extent{8, 8, 8}, Extent{9, 9, 9}, Extent{2, 2, 40}}) {
        for (std::uint32_t seed = 0; seed < testing::affordable(12); ++seed) {
            const auto volume = randomVolume(random, extent);
            ASSERT_NO_FATAL_FAILURE((compare<SmallBrick>(volume, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<CubicBrick>(volume, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<LongBrick>(volume, seed)));
        }
    }
}

TEST_P(BrickKernels, TakeTreesOfEveryShape) {
    constexpr Extent kExtent{11, 10, 9};
    using Level = std::function<std::uint32_t(std::uint32_t, std::uint32_t, std::uint32_t)>;
    // Ramps, a serpentine through all voxels and one whose turns alone connect its rows, combs with rising saddles, as
    // many maxima as possible, plateaus across bricks.
    const std::vector<Level> levels{
        [](auto x, auto y, auto z) { return (z * 10 + y) * 11 + x; },
        [](auto x, auto y, auto z) { return 65535 - ((z * 10 + y) * 11 + x); },
        [](auto x, auto y, auto z) {
            const auto row = z * 10 + (z % 2 == 0 ? y : 9 - y);
            return 60 * (row * 11 + (row % 2 == 0 ? x : 10 - x));
        },
        [](auto x, auto y, auto z) {
            const auto row = y / 2 + 5 * (z / 2);
            return y % 2 == 1 || z % 2 == 1 ? (x == (row % 2 == 0 ? 10U : 0U) ? row * 100 + 99 : 0U)
                                            : row * 100 + (row % 2 == 0 ? x : 10 - x);
        },
        [](auto x, auto y, auto z) { return (x % 2 == 0 ? 30000 : 0) + x * 100 + y * 9 + z; },
        [](auto x, auto y, auto z) { return (z % 2 == 0 ? 30000 : 5000) + (z ^ (z >> 1U)) * 20 + (x + y) % 3; },
        [](auto x, auto y, auto z) { return (x + y + z) % 2 * 1000; },
        [](auto x, auto y, auto z) { return x % 2 + y % 2 + z % 2 == 3 ? 50000U : 0U; },
        [](auto x, auto y, auto z) { return (x / 5 + y / 3 + z / 4) % 3; },
        [](auto, auto, auto) { return 65535; },
        [](auto, auto, auto) { return 0; },
    };
    for (const Level& level : levels) {
        const auto volume = makeVolume(PixelType::u16, kExtent, level);
        for (std::uint32_t seed = 0; seed < testing::affordable(3); ++seed) {
            ASSERT_NO_FATAL_FAILURE((compare<SmallBrick>(volume, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<WideBrick>(volume, seed)));
        }
    }
}

TEST_P(BrickKernels, WorkWithTheBrickOfTheEngine) {
    for (std::uint32_t seed = 0; seed < testing::affordable(4); ++seed) {
        Random random(900 + seed);
        const Extent extent = emulation::Emulator::kFindsRaces ? Extent{18, 17, 17} : Extent{37, 33, 20};
        const auto noise = makeVolume(seed % 2 == 0 ? PixelType::u16 : PixelType::u8, extent,
                                      [&](auto, auto, auto) { return random() & 0xffffU; });
        ASSERT_NO_FATAL_FAILURE((compare<EngineBrick>(noise, seed)));
    }
}

TEST_P(BrickKernels, NameTheirStages) {
    const auto volume = makeVolume(PixelType::u8, {9, 9, 9}, [](auto x, auto y, auto z) { return x * y * z % 7; });
    ASSERT_NO_FATAL_FAILURE((compare<CubicBrick>(volume, 1)));
    EXPECT_EQ(stages_,
              (std::vector<std::string>{"bricks", "faces", "boruvka", "keys", "sort", "runs", "nodes", "numbering"}));
}

INSTANTIATE_TEST_SUITE_P(All, BrickKernels,
                         ::testing::Combine(testing::kindsToBuild(),
                                            ::testing::Values(Connectivity::six, Connectivity::eighteen,
                                                              Connectivity::twentySix)),
                         [](const auto& instance) { return testing::nameOfKindAndConnectivity(instance.param); });

} // namespace
} // namespace pollard::cuda
