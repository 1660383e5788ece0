// Values passed through the tree in blocks, and ancestors within a number of levels, against plain walks.

#include "cpu/attributes/entropy.hpp"
#include "cpu/attributes/sizes.hpp"
#include "cpu/cpu_engine.hpp"
#include "support/engines.hpp"
#include "support/random_images.hpp"
#include "tree/component_tree.hpp"
#include "tree/stability.hpp"
#include "tree/tree_sweeps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

namespace pollard::testing {
namespace {

std::shared_ptr<const ComponentTree> treeOf(std::shared_ptr<const Image> image, const TreeSpec& spec = {}) {
    EngineRegistry registry{makeCpuEngine()};
    auto session = registry.select("cpu").openSession();
    session->open(std::move(image));
    session->buildTree(spec);
    return session->tree();
}

/// A root with @p count leaf children.
std::shared_ptr<const Image> star(std::uint32_t count) {
    return makeImage(PixelType::u8, 2 * count, 1, [](auto x, auto) { return x % 2; });
}

TEST(TreeSweeps, PassEveryValueOnceInOrderForAnyBlock) {
    Random random(31);
    std::vector<std::shared_ptr<const ComponentTree>> trees{treeOf(star(400))};
    trees.push_back(treeOf(makeImage(PixelType::u16, 700, 1, [](auto x, auto) { return x; }))); // a chain
    for (int repeat = 0; repeat < 60; ++repeat) {
        trees.push_back(treeOf(randomImage(random, 1 + random() % 30, 1 + random() % 30)));
    }
    for (const auto& tree : trees) {
        const std::size_t n = tree->nodeCount();
        for (const std::size_t block : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{64}, n, n + 1}) {
            std::vector<std::uint32_t> below(n, 1);
            std::vector<char> given(n, 0);
            sweepUp(
                *tree, {},
                [&](std::uint32_t i, std::uint32_t parent) {
                    EXPECT_EQ(parent, tree->parent[i]);
                    EXPECT_EQ(given[i], 0);
                    EXPECT_EQ(given[parent], 0);
                    given[i] = 1;
                    below[parent] += below[i];
                },
                block);
            std::vector<std::uint32_t> depth(n, 0);
            std::vector<char> taken(n, 0);
            taken[0] = 1;
            sweepDown(
                *tree, {},
                [&](std::uint32_t i, std::uint32_t parent) {
                    EXPECT_EQ(taken[i], 0);
                    EXPECT_EQ(taken[parent], 1);
                    taken[i] = 1;
                    depth[i] = depth[parent] + 1;
                },
                block);
            ASSERT_EQ(std::ranges::count(given, 1), static_cast<std::ptrdiff_t>(n - 1)) << "block " << block;
            ASSERT_EQ(std::ranges::count(taken, 1), static_cast<std::ptrdiff_t>(n)) << "block " << block;
            for (std::size_t i = 0; i < n; ++i) {
                ASSERT_EQ(below[i], tree->subtreeEnd[i] - i);
            }
            ASSERT_EQ(*std::ranges::max_element(depth), tree->depth);
        }
    }
}

TEST(Stability, FindsTheLowestAncestorWithinDelta) {
    Random random(32);
    for (int repeat = 0; repeat < 300; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 40, 1 + random() % 40);
        const TreeSpec spec{random() % 2 == 0 ? TreeKind::max : TreeKind::min,
                            random() % 2 == 0 ? Connectivity::four : Connectivity::eight,
                            {}};
        const auto tree = treeOf(image, spec);
        constexpr std::uint16_t kDeltas[] = {0, 1, 2, 5, 40, 1285, 65535};
        const std::uint16_t delta = kDeltas[random() % 7];
        const Buffer<std::uint32_t> found = ancestorsWithin(*tree, delta);
        for (std::uint32_t n = 0; n < tree->nodeCount(); ++n) {
            std::uint32_t expected = n;
            while (expected != 0 && std::abs(tree->level[tree->parent[expected]] - tree->level[n]) <= delta) {
                expected = tree->parent[expected];
            }
            ASSERT_EQ(found[n], expected) << "node " << n << ", delta " << delta;
        }
    }
}

TEST(Stability, OfAPyramidFollowsFromItsSteps) {
    // A row with level x: the component of level v has 256 - v pixels; five levels lower it has five more.
    const auto tree = treeOf(makeImage(PixelType::u8, 256, 1, [](auto x, auto) { return x; }));
    Buffer<std::uint32_t> area(256);
    for (std::uint32_t v = 0; v < 256; ++v) {
        area[v] = 256 - v;
    }
    const Buffer<double> values = stabilitiesOf(*tree, area.span(), defaultStabilityDelta(PixelType::u8));
    EXPECT_TRUE(std::isnan(values[0]));
    EXPECT_EQ(values[1], 1.0 / 255); // the root is the lowest ancestor
    EXPECT_EQ(values[100], 5.0 / 156);
    EXPECT_EQ(values[255], 5.0);
    for (const double value : stabilitiesOf(*tree, area.span(), 0)) {
        EXPECT_TRUE(std::isnan(value));
    }
}

TEST(Stability, CrossesBlocksOfDeepTrees) {
    const auto tree = treeOf(
        makeImage(PixelType::u16, 1024, 256, [](auto x, auto y) { return (y * 1024 + x) / 4; })); // 65,536 levels
    ASSERT_EQ(tree->nodeCount(), 65536U);
    const auto comb = treeOf(makeImage(PixelType::u16, 1000, 200, [](auto x, auto y) { // 200 chains of 1,000
        return y % 2 == 0 ? 1 + x * 60 : 0;
    }));
    for (const auto& each : {tree, comb}) {
        const Buffer<std::uint32_t> found = ancestorsWithin(*each, 1285);
        for (std::uint32_t n = 0; n < each->nodeCount(); n += 37) {
            ASSERT_LE(std::abs(each->level[found[n]] - each->level[n]), 1285);
            ASSERT_TRUE(found[n] == 0 || std::abs(each->level[each->parent[found[n]]] - each->level[n]) > 1285);
            ASSERT_TRUE(each->contains(found[n], n));
        }
    }
}

/// From level counts per component; for images of at most 256 levels.
double plainEntropy(const ComponentTree& tree, std::uint32_t node) {
    std::map<std::uint16_t, double> counts;
    double all = 0;
    for (const std::uint32_t each : tree.pixelNode) {
        if (each >= node && each < tree.subtreeEnd[node]) {
            ++counts[tree.level[each]];
            ++all;
        }
    }
    double entropy = 0;
    for (const auto& [level, count] : counts) {
        entropy -= count / all * std::log2(count / all);
    }
    return entropy;
}

TEST(EntropiesOf, AreRightWhereCountsLeaveTheTable) {
    // 128 x 128 px of one level, one fewer and one more, with pixels of other levels.
    for (const std::uint32_t count : {16'383U, 16'384U, 16'385U}) {
        const auto image = makeImage(PixelType::u8, 129, 129, [count](auto x, auto y) {
            const auto place = y * 129 + x;
            return place < count ? 3 : place % 5 == 0 ? 9 : 1;
        });
        const auto tree = treeOf(image);
        const Buffer<std::uint32_t> own = countOwnPixels(*tree, {});
        const Buffer<std::uint32_t> area = cpu::areasOf(*tree, own, {});
        const Buffer<double> entropy = cpu::entropiesOf(*tree, own, area, {});
        for (std::uint32_t i = 0; i < tree->nodeCount(); ++i) {
            ASSERT_NEAR(entropy[i], plainEntropy(*tree, i), 1e-12) << count;
        }
    }
}

TEST(EntropiesOf, AreTheSameForAnyBlock) {
    Random random(47);
    std::vector<std::shared_ptr<const ComponentTree>> trees{treeOf(star(400))};
    trees.push_back(treeOf(makeImage(PixelType::u8, 256, 1, [](auto x, auto) { return x; }))); // a chain
    for (int repeat = 0; repeat < 60; ++repeat) {
        trees.push_back(treeOf(randomImage(random, 1 + random() % 30, 1 + random() % 30),
                               {repeat % 2 == 0 ? TreeKind::max : TreeKind::min, Connectivity::four, {}, {}}));
    }
    for (const auto& tree : trees) {
        const std::size_t n = tree->nodeCount();
        const Buffer<std::uint32_t> own = countOwnPixels(*tree, {});
        const Buffer<std::uint32_t> area = cpu::areasOf(*tree, own, {});
        const Buffer<double> whole = cpu::entropiesOf(*tree, own, area, {}, n);
        for (std::uint32_t i = 0; i < n && tree->pixelType == PixelType::u8; ++i) {
            ASSERT_NEAR(whole[i], plainEntropy(*tree, i), 1e-12);
        }
        for (const std::size_t block : {1, 2, 3, 7, 64}) {
            const Buffer<double> parts = cpu::entropiesOf(*tree, own, area, {}, block);
            ASSERT_TRUE(std::equal(whole.begin(), whole.end(), parts.begin(), parts.end())) << "block of " << block;
        }
    }
}

} // namespace
} // namespace pollard::testing
