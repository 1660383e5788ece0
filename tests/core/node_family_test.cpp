// Walks between nodes, and painting a component, against their definitions.
#include "support/naive_tree.hpp"
#include "support/random_trees.hpp"
#include "tree/component_paint.hpp"
#include "tree/node_set.hpp"

#include <gmock/gmock.h>

#include <numeric>

namespace pollard::testing {
namespace {

TEST(NodeFamily, ChainHasAllComponentsThatHoldThePixelAndNoOther) {
    onRandomTrees(200, [](const Image& image, const ComponentTree& tree, Random& random) {
        const std::uint32_t pixel = random() % static_cast<std::uint32_t>(image.pixelCount());
        std::vector<std::pair<std::size_t, std::uint16_t>> wanted; // size and level, smallest first
        for (const NaiveNode& node : naiveTree(image, tree.kind, tree.connectivity)) {
            if (std::ranges::binary_search(node.support, pixel)) {
                wanted.emplace_back(node.support.size(), node.level);
            }
        }
        std::ranges::sort(wanted);
        std::vector<std::pair<std::size_t, std::uint16_t>> found;
        for (const std::uint32_t node : chainOf(tree, tree.pixelNode[pixel])) {
            const auto held = std::ranges::count_if(tree.pixelNode, [&](auto n) { return tree.contains(node, n); });
            found.emplace_back(held, tree.level[node]);
        }
        EXPECT_EQ(found, wanted);
        EXPECT_EQ(chainOf(tree, tree.pixelNode[pixel]).back(), 0U);
    });
}

TEST(NodeFamily, ChainIsTheSameWithAnotherOneAtHand) {
    onRandomTrees(200, [](const Image&, const ComponentTree& tree, Random& random) {
        const auto any = [&] { return static_cast<std::uint32_t>(random() % tree.nodeCount()); };
        std::vector<std::uint32_t> known;
        for (int i = 0; i < 20; ++i) {
            const std::uint32_t node = i == 10 ? 0 : any();
            const auto chain = chainOf(tree, node);
            EXPECT_EQ(chainOf(tree, node, known), chain);
            EXPECT_EQ(chainOf(tree, node, chain), chain);
            known = chain;
        }
    });
}

TEST(NodeFamily, SiblingsAndFirstChildAreThoseOfTheParentTable) {
    onRandomTrees(200, [](const Image&, const ComponentTree& tree, Random&) {
        std::vector<std::vector<std::uint32_t>> children(tree.nodeCount());
        for (std::uint32_t node = 1; node < tree.nodeCount(); ++node) {
            children[tree.parent[node]].push_back(node);
        }
        for (std::uint32_t node = 0; node < tree.nodeCount(); ++node) {
            const auto& own = children[node];
            EXPECT_EQ(firstChild(tree, node), own.empty() ? std::nullopt : std::optional(own.front()));
            for (std::size_t i = 0; i < own.size(); ++i) {
                EXPECT_EQ(nextSibling(tree, own[i]), i + 1 < own.size() ? std::optional(own[i + 1]) : std::nullopt);
                EXPECT_EQ(previousSibling(tree, own[i]), i > 0 ? std::optional(own[i - 1]) : std::nullopt);
            }
        }
        EXPECT_EQ(nextSibling(tree, 0), std::nullopt);
        EXPECT_EQ(previousSibling(tree, 0), std::nullopt);
    });
}

TEST(NodeFamily, ADeepChainIsAsLongAsTheTreeIsDeep) {
    const auto tree =
        treeOf(makeImage(PixelType::u16, 65536, 1, [](auto x, auto) { return x; }), TreeKind::max, Connectivity::four);
    const auto chain = chainOf(*tree, tree->pixelNode[65535]);
    ASSERT_EQ(chain.size(), 65536U);
    EXPECT_EQ(tree->level[chain.front()], 65535);
    EXPECT_TRUE(std::ranges::is_sorted(chain, std::greater<>()));
}

TEST(ComponentPaint, FillsTheInsideAndOutlinesWhatHasANeighbourOutside) {
    constexpr std::uint32_t kFill = 5;
    constexpr std::uint32_t kOutline = 9;
    onRandomTrees(200, [&](const Image& image, const ComponentTree& tree, Random& random) {
        const std::uint32_t node = random() % static_cast<std::uint32_t>(tree.nodeCount());
        // Every px as a square of this side.
        const std::size_t zoom = 1 + random() % 3;
        std::vector<std::size_t> columns(image.width() * zoom);
        std::vector<std::size_t> rows(image.height() * zoom);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            columns[i] = i / zoom;
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i] = i / zoom;
        }
        std::vector<std::uint32_t> out(columns.size() * rows.size(), 77);
        paintComponent({&tree, columns, rows, kFill, kOutline}, node, out);
        const auto isIn = [&](std::ptrdiff_t x, std::ptrdiff_t y) {
            x = std::clamp<std::ptrdiff_t>(x, 0, std::ssize(columns) - 1);
            y = std::clamp<std::ptrdiff_t>(y, 0, std::ssize(rows) - 1);
            return tree.contains(node, tree.pixelNode[rows[y] * image.width() + columns[x]]);
        };
        std::size_t lit = 0;
        for (std::ptrdiff_t y = 0; y < std::ssize(rows); ++y) {
            for (std::ptrdiff_t x = 0; x < std::ssize(columns); ++x) {
                const bool inner = isIn(x - 1, y) && isIn(x + 1, y) && isIn(x, y - 1) && isIn(x, y + 1);
                const std::uint32_t wanted = !isIn(x, y) ? 0 : inner ? kFill : kOutline;
                ASSERT_EQ(out[y * columns.size() + x], wanted) << x << ", " << y;
                lit += wanted != 0 ? 1U : 0U;
            }
        }
        const auto area = std::ranges::count_if(tree.pixelNode, [&](auto n) { return tree.contains(node, n); });
        EXPECT_EQ(lit, static_cast<std::size_t>(area) * zoom * zoom);
    });
}

TEST(NodeFamily, DrawnPlacesSpreadLeavesEvenlyAndCentreParents) {
    onRandomTrees(200, [](const Image&, const ComponentTree& tree, Random& random) {
        const std::uint32_t node = random() % static_cast<std::uint32_t>(tree.nodeCount());
        const std::vector<double> places = drawnPlaces(tree, node);
        ASSERT_EQ(places.size(), tree.subtreeEnd[node] - node);
        std::vector<std::vector<double>> children(places.size());
        for (std::uint32_t n = node + 1; n < tree.subtreeEnd[node]; ++n) {
            children[tree.parent[n] - node].push_back(places[n - node]);
        }
        const auto leaves = static_cast<double>(std::ranges::count(children, std::vector<double>{}));
        double leaf = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (children[i].empty()) {
                EXPECT_NEAR(places[i], (leaf++ + 0.5) / leaves, 1e-12);
            } else {
                EXPECT_NEAR(places[i], (children[i].front() + children[i].back()) / 2, 1e-12);
                EXPECT_TRUE(std::ranges::is_sorted(children[i]));
            }
        }
    });
}

} // namespace
} // namespace pollard::testing
