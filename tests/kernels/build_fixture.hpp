#pragma once

#include "cpu/cpu_engine.hpp"
#include "cuda/emulation/emulator.hpp"
#include "engine/engine.hpp"
#include "support/affordable.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Common parts of tests that build max-trees with the GPU kernels in the emulator.

namespace pollard::cuda::testing {

using pollard::testing::affordable;

/// Param is a tuple that starts with TreeKind and Connectivity.
template <class Param> class BuildFixture : public ::testing::TestWithParam<Param> {
protected:
    [[nodiscard]] static TreeKind kind() { return std::get<TreeKind>(::testing::TestWithParam<Param>::GetParam()); }
    [[nodiscard]] static Connectivity connectivity() {
        return std::get<Connectivity>(::testing::TestWithParam<Param>::GetParam());
    }

    /// Parents from the CPU engine.
    [[nodiscard]] std::vector<std::uint32_t> expectedParents(const std::shared_ptr<const Image>& image) {
        session_->open(image);
        session_->buildTree({kind(), connectivity(), {}}, {});
        const Buffer<std::uint32_t> parents = canonicalParentImage(*session_->tree());
        return {parents.begin(), parents.end()};
    }
    /// The tree of the last expectedParents().
    [[nodiscard]] std::shared_ptr<const ComponentTree> expectedTree() const { return session_->tree(); }

    /// Compares a BranchTree with expectedTree().
    template <class Tree> void expectTree(Tree&& tree) const {
        const ComponentTree& expected = *expectedTree();
        ASSERT_EQ(tree.nodes, expected.nodeCount());
        EXPECT_EQ(values(tree.pixelNode), values(expected.pixelNode));
        EXPECT_EQ(values(tree.parent), values(expected.parent));
        EXPECT_EQ(values(tree.subtreeEnd), values(expected.subtreeEnd));
        EXPECT_EQ(values(tree.canonical), values(expected.canonical));
        EXPECT_EQ(values(tree.level), values(expected.level));
        EXPECT_EQ(tree.leaves, expected.leafCount);
        EXPECT_EQ(tree.depth, expected.depth);
        ASSERT_EQ(tree.rootLevel, expected.level[0]);
        ASSERT_FALSE(::testing::Test::HasFailure());
    }
    /// A copy of a buffer's elements.
    template <class Elements> [[nodiscard]] static auto values(Elements&& buffer) {
        using Element = std::remove_cvref_t<decltype(*buffer.data())>;
        return std::vector<Element>(buffer.data(), buffer.data() + buffer.size());
    }

    emulation::Emulator emulator_{0};

private:
    std::unique_ptr<Engine> engine_ = makeCpuEngine();
    std::unique_ptr<Session> session_ = engine_->openSession();
};

/// The kinds of trees to build. Both kinds have the same accesses to memory, so one kind shows all races.
[[nodiscard]] inline auto kindsToBuild() {
    return ::testing::ValuesIn(emulation::Emulator::kFindsRaces ? std::vector{TreeKind::max}
                                                                : std::vector{TreeKind::max, TreeKind::min});
}

template <class Param> [[nodiscard]] std::string nameOfKindAndConnectivity(const Param& param) {
    return std::string(std::get<TreeKind>(param) == TreeKind::max ? "max" : "min") + "_" +
           std::to_string(static_cast<int>(std::get<Connectivity>(param)));
}

/// Lines, a pixel, and one pixel more or less than one and two tiles, px.
[[nodiscard]] inline std::vector<std::pair<std::uint32_t, std::uint32_t>> sizesAround(std::uint32_t tileWidth,
                                                                                      std::uint32_t tileHeight) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> sizes{{1, 1}, {1, 300}, {300, 1}, {2, 100}, {100, 2}};
    for (const std::uint32_t tiles : {1U, 2U}) {
        const std::uint32_t width = tiles * tileWidth;
        const std::uint32_t height = tiles * tileHeight;
        sizes.insert(sizes.end(), {{width, height}, {width + 1, height + 1}, {width - 1, height - 1}});
    }
    return sizes;
}

/// Images of 60 x 41 px and 16 bits with trees of all shapes: chains of all levels, along rows and along a
/// serpentine; combs with rising saddles, so that all components of a round hook to their neighbour; the maximum number
/// of maxima; plateaus that cross tiles.
[[nodiscard]] inline std::vector<std::shared_ptr<const Image>> imagesOfEveryShape() {
    using Level = std::function<std::uint32_t(std::uint32_t, std::uint32_t)>;
    const std::vector<Level> levels{
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
    std::vector<std::shared_ptr<const Image>> images;
    for (const Level& level : levels) {
        images.push_back(pollard::testing::makeImage(PixelType::u16, 60, 41, level));
    }
    return images;
}

} // namespace pollard::cuda::testing
