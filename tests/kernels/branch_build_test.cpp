#include "branches/branch_build.hpp"

#include "branches/engine_tile.hpp"
#include "cpu/cpu_engine.hpp"
#include "device/levels.hpp"
#include "engine/engine.hpp"
#include "kernels/emulated_machine.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// The max-tree by branches, run by the kernels of the GPU in the emulator, against the CPU engine's.

namespace pollard::cuda {
namespace {

using emulation::EmulatedMachine;
using emulation::Emulator;

#if defined(__SANITIZE_THREAD__)
constexpr std::uint32_t kImages = 20; // takes a hundred times as long
#elif defined(__SANITIZE_ADDRESS__)
constexpr std::uint32_t kImages = 150;
#else
constexpr std::uint32_t kImages = 1000;
#endif

// Many pixels a thread, few, and fewer than the perimeter needs threads.
using SmallTile = TileShape<4, 4, 2>;
using WideTile = TileShape<8, 4, 8>;
using TallTile = TileShape<4, 16, 32>;

using Param = std::tuple<TreeKind, Connectivity, bool>;

std::string nameOfParam(const ::testing::TestParamInfo<Param>& info) {
    const auto& [kind, connectivity, mayPack] = info.param;
    return std::string(kind == TreeKind::max ? "max" : "min") + (connectivity == Connectivity::four ? "_4" : "_8") +
           (mayPack ? "" : "_wide");
}

class BranchKernels : public ::testing::TestWithParam<Param> {
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
        SCOPED_TRACE(::testing::Message()
                     << image.width() << " x " << image.height() << " px, " << bitsOf(image.type()) << " bit, tiles of "
                     << Shape::kWidth << " x " << Shape::kHeight << ", seed " << seed);
        const auto parents = connectivity() == Connectivity::eight ? buildParents<Shape, true>(image, seed)
                                                                   : buildParents<Shape, false>(image, seed);
        ASSERT_EQ(parents, expected);
        connectivity() == Connectivity::eight ? compareTrees<Shape, true>(image, seed)
                                              : compareTrees<Shape, false>(image, seed);
    }

    std::vector<std::string> stages_;

private:
    [[nodiscard]] static TreeKind kind() { return std::get<TreeKind>(GetParam()); }
    [[nodiscard]] static Connectivity connectivity() { return std::get<Connectivity>(GetParam()); }

    /// Runs a build and hands it to @p use.
    template <class Shape, bool kEight, class Use> void build(const Image& image, std::uint32_t seed, Use&& use) {
        dispatch(image.type(), [&]<class Level>(Level) {
            emulator_.restart(seed);
            EmulatedMachine machine(emulator_, seed);
            const BranchInput<Level> input{image.pixels<Level>().data(), image.width(), image.height(),
                                           flipOf<Level>(kind()), std::get<bool>(GetParam())};
            use(BranchBuild<EmulatedMachine, Level, Shape, kEight>(machine, input));
            stages_ = machine.stages();
        });
    }

    template <class Shape, bool kEight>
    [[nodiscard]] std::vector<std::uint32_t> buildParents(const Image& image, std::uint32_t seed) {
        std::vector<std::uint32_t> result;
        build<Shape, kEight>(image, seed, [&](auto&& branches) { result = values(branches.parents()); });
        return result;
    }

    /// With the last tree of the CPU engine, which is that of the image.
    template <class Shape, bool kEight> void compareTrees(const Image& image, std::uint32_t seed) {
        const std::shared_ptr<const ComponentTree> expected = session_->tree();
        build<Shape, kEight>(image, seed, [&](auto&& branches) {
            auto tree = branches.tree();
            ASSERT_EQ(tree.nodes, expected->nodeCount());
            EXPECT_EQ(values(std::move(tree.pixelNode)), values(expected->pixelNode));
            EXPECT_EQ(values(std::move(tree.parent)), values(expected->parent));
            EXPECT_EQ(values(std::move(tree.subtreeEnd)), values(expected->subtreeEnd));
            EXPECT_EQ(values(std::move(tree.canonical)), values(expected->canonical));
            EXPECT_EQ(values(std::move(tree.level)), values(expected->level));
            EXPECT_EQ(tree.leaves, expected->leafCount);
            EXPECT_EQ(tree.depth, expected->depth);
            ASSERT_EQ(tree.rootLevel, expected->level[0]);
            ASSERT_FALSE(HasFailure());
        });
    }

    template <class T> [[nodiscard]] static std::vector<T> values(emulation::HostBuffer<T> buffer) {
        return {buffer.data(), buffer.data() + buffer.size()};
    }
    template <class T> [[nodiscard]] static std::vector<T> values(const Buffer<T>& buffer) {
        return {buffer.begin(), buffer.end()};
    }

    Emulator emulator_{0};
    std::unique_ptr<Engine> engine_ = makeCpuEngine();
    std::unique_ptr<Session> session_ = engine_->openSession();
};

TEST_P(BranchKernels, GiveTheCanonicalParentImageOfRandomImages) {
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

TEST_P(BranchKernels, GiveTheSameInEveryOrderOfThreads) {
    for (std::uint32_t n = 0; n < 6; ++n) {
        pollard::testing::Random random(500 + n);
        const auto image = pollard::testing::randomImage(random, 13 + n, 9 + 2 * n);
        const auto expected = expectedParents(image);
        for (std::uint32_t seed = 0; seed < kImages / 4; ++seed) {
            ASSERT_NO_FATAL_FAILURE((compare<WideTile>(*image, expected, seed)));
        }
    }
}

TEST_P(BranchKernels, TakeLinesAndSizesOfTiles) {
    pollard::testing::Random random(7);
    for (const auto& [width, height] : {std::pair{1U, 1U},
                                        {1U, 300U},
                                        {300U, 1U},
                                        {8U, 4U},
                                        {9U, 5U},
                                        {7U, 3U},
                                        {16U, 8U},
                                        {17U, 9U},
                                        {15U, 7U},
                                        {2U, 100U},
                                        {100U, 2U}}) {
        for (std::uint32_t seed = 0; seed < 8; ++seed) {
            const auto image = pollard::testing::randomImage(random, width, height);
            const auto expected = expectedParents(image);
            ASSERT_NO_FATAL_FAILURE((compare<WideTile>(*image, expected, seed)));
            ASSERT_NO_FATAL_FAILURE((compare<TallTile>(*image, expected, seed)));
        }
    }
}

TEST_P(BranchKernels, TakeTreesOfEveryShape) {
    // Chains of every level, along rows and along a serpentine; combs whose saddles rise, so that all components of a
    // round hook to their neighbour; as many maxima as there can be; plateaus that cross tiles.
    const std::vector<std::function<std::uint32_t(std::uint32_t, std::uint32_t)>> levels{
        [](auto x, auto y) { return y * 60 + x; },
        [](auto x, auto y) { return 65535 - (y * 60 + x); },
        [](auto x, auto y) {
            return y % 2 == 0 ? 100 + y * 30 + (y % 4 == 0 ? x : 59 - x)
                              : (x == (y % 4 == 1 ? 59U : 0U) ? 100 + y * 30 + 30 : 0U);
        },
        [](auto x, auto y) { return (x % 2 == 0 ? 30000 : 0) + x * 20 + y; },
        [](auto x, auto y) { return (x % 2 == 0 ? 30000 : 5000) + (x ^ (x >> 1U)) * 20 + y % 3; },
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
            ASSERT_NO_FATAL_FAILURE((compare<SmallTile>(*image, expected, seed)));
        }
    }
}

TEST_P(BranchKernels, WorkWithTheTileOfTheEngine) {
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        pollard::testing::Random random(900 + seed);
        const auto noise = pollard::testing::makeImage(seed % 2 == 0 ? PixelType::u16 : PixelType::u8, 150, 131,
                                                       [&](auto, auto) { return random() & 0xffffU; });
        ASSERT_NO_FATAL_FAILURE((compare<EngineTile>(*noise, expectedParents(noise), seed)));
    }
}

TEST_P(BranchKernels, NameTheirStages) {
    const auto image = pollard::testing::makeImage(PixelType::u8, 20, 20, [](auto x, auto y) { return x * y; });
    ASSERT_NO_FATAL_FAILURE((compare<WideTile>(*image, expectedParents(image), 1)));
    // Of the tree, which compare() builds after the parent image; that one ends in "flatten".
    EXPECT_EQ(stages_,
              (std::vector<std::string>{"tiles", "seams", "boruvka", "keys", "sort", "runs", "nodes", "numbering"}));
}

INSTANTIATE_TEST_SUITE_P(All, BranchKernels,
                         ::testing::Combine(::testing::Values(TreeKind::max, TreeKind::min),
                                            ::testing::Values(Connectivity::four, Connectivity::eight),
                                            ::testing::Bool()),
                         nameOfParam);

} // namespace
} // namespace pollard::cuda
