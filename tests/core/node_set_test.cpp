// Sets of nodes, their pixels and statistics of their values, against their definitions.
#include "core/io/io_support.hpp"

#include "analysis/column_summary.hpp"
#include "io/write/atomic_file.hpp"
#include "support/random_trees.hpp"
#include "tree/component_paint.hpp"
#include "tree/node_set.hpp"
#include "tree/tree_files.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>
#include <string>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;

NodeSet randomSet(Random& random, const ComponentTree& tree) {
    std::vector<std::uint32_t> nodes(random() % 8);
    for (std::uint32_t& node : nodes) {
        node = random() % static_cast<std::uint32_t>(tree.nodeCount());
    }
    return makeNodeSet(nodes);
}

/// Whether a component of the set contains a node.
bool isHeld(const ComponentTree& tree, const NodeSet& set, std::uint32_t node) {
    return std::ranges::any_of(set, [&](std::uint32_t each) { return tree.contains(each, node); });
}

TEST(NodeSet, IsSortedAndHasEachNodeOnce) {
    EXPECT_THAT(makeNodeSet({5, 1, 5, 0, 1}), ElementsAre(0, 1, 5));
    EXPECT_TRUE(makeNodeSet({}).empty());
}

TEST(NodeSet, ChangesAreThoseOfSets) {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        std::vector<std::uint32_t> a(random() % 12);
        std::vector<std::uint32_t> b(random() % 12);
        std::ranges::generate(a, [&] { return random() % 16; });
        std::ranges::generate(b, [&] { return random() % 16; });
        const NodeSet first = makeNodeSet(a);
        const NodeSet second = makeNodeSet(b);
        const auto wanted = [&](SetChange change) {
            const std::set<std::uint32_t> inFirst(a.begin(), a.end());
            const std::set<std::uint32_t> inSecond(b.begin(), b.end());
            NodeSet result;
            for (std::uint32_t node = 0; node < 16; ++node) {
                const bool one = inFirst.contains(node);
                const bool other = inSecond.contains(node);
                const bool is = change == SetChange::replace    ? other
                                : change == SetChange::add      ? one || other
                                : change == SetChange::subtract ? one && !other
                                                                : one && other;
                if (is) {
                    result.push_back(node);
                }
            }
            return result;
        };
        for (const SetChange change : {SetChange::replace, SetChange::add, SetChange::subtract, SetChange::intersect}) {
            EXPECT_EQ(combined(first, second, change), wanted(change));
        }
    }
}

TEST(NodeSet, MaximalComponentsAreDisjointAndHoldWhatTheSetHolds) {
    onRandomTrees(200, [](const Image&, const ComponentTree& tree, Random& random) {
        const NodeSet set = randomSet(random, tree);
        const auto intervals = maximalComponents(tree, set);
        std::uint32_t end = 0;
        for (const NodeInterval& interval : intervals) {
            EXPECT_GE(interval.first, end);
            EXPECT_TRUE(std::ranges::binary_search(set, interval.first));
            EXPECT_EQ(interval.end, tree.subtreeEnd[interval.first]);
            end = interval.end;
        }
        const auto flags = flagsOf(tree, intervals);
        const auto bits = bitsOf(tree, intervals);
        ASSERT_EQ(flags.size(), tree.nodeCount());
        ASSERT_EQ(bits.size(), (tree.nodeCount() + 31) / 32);
        for (std::uint32_t node = 0; node < tree.nodeCount(); ++node) {
            EXPECT_EQ(flags[node] != 0, isHeld(tree, set, node)) << node;
        }
        for (std::size_t node = 0; node < 32 * bits.size(); ++node) {
            const bool held = (bits[node / 32] >> node % 32 & 1U) != 0;
            EXPECT_EQ(held, node < flags.size() && flags[node] != 0) << node;
        }
    });
}

TEST(NodeSet, BitsAreTheFlagsOverManyWords) {
    Random random(91);
    const auto noise = makeImage(PixelType::u16, 90, 70, [&](auto, auto) { return random() % 65536; });
    const auto tree = treeOf(noise, TreeKind::max, Connectivity::four);
    ASSERT_GT(tree->nodeCount(), 1000U);
    for (int i = 0; i < 300; ++i) {
        NodeSet set;
        for (std::uint32_t k = random() % 6; k > 0; --k) {
            set.push_back(static_cast<std::uint32_t>(random() % tree->nodeCount()));
        }
        const auto intervals = maximalComponents(*tree, makeNodeSet(set));
        const auto flags = flagsOf(*tree, intervals);
        std::vector<std::uint32_t> wanted((flags.size() + 31) / 32);
        for (std::size_t node = 0; node < flags.size(); ++node) {
            wanted[node / 32] |= std::uint32_t{flags[node]} << node % 32;
        }
        ASSERT_EQ(bitsOf(*tree, intervals), wanted);
    }
}

TEST(NodeSet, MaskAndPaintShowTheSamePixels) {
    onRandomTrees(100, [](const Image& image, const ComponentTree& tree, Random& random) {
        const NodeSet set = randomSet(random, tree);
        const auto flags = flagsOf(tree, maximalComponents(tree, set));
        const Mask mask = maskOfNodes(tree, flags);
        std::vector<std::size_t> columns(image.width());
        std::vector<std::size_t> rows(image.height());
        std::iota(columns.begin(), columns.end(), 0);
        std::iota(rows.begin(), rows.end(), 0);
        std::vector<std::uint32_t> out(image.pixelCount(), 77);
        paintNodes({&tree, columns, rows, 1, 2}, flags, out);
        for (std::uint32_t y = 0; y < image.height(); ++y) {
            for (std::uint32_t x = 0; x < image.width(); ++x) {
                const std::size_t pixel = std::size_t{y} * image.width() + x;
                const bool held = isHeld(tree, set, tree.pixelNode[pixel]);
                EXPECT_EQ(mask.test(x, y), held);
                EXPECT_EQ(out[pixel] != 0, held);
            }
        }
    });
}

TEST(ComponentBox, IsTheSmallestAroundItsPixels) {
    onRandomTrees(200, [](const Image& image, const ComponentTree& tree, Random& random) {
        const std::uint32_t node = random() % static_cast<std::uint32_t>(tree.nodeCount());
        std::set<std::uint32_t> xs;
        std::set<std::uint32_t> ys;
        std::uint64_t pixels = 0;
        for (std::uint32_t pixel = 0; pixel < image.pixelCount(); ++pixel) {
            if (tree.contains(node, tree.pixelNode[pixel])) {
                xs.insert(pixel % image.width());
                ys.insert(pixel / image.width());
                ++pixels;
            }
        }
        const ComponentBox found = boxOfComponent(tree, node);
        EXPECT_EQ(found.pixels, pixels);
        EXPECT_EQ(found.box, (PixelRegion{*xs.begin(), *ys.begin(), *xs.rbegin() - *xs.begin() + 1,
                                          *ys.rbegin() - *ys.begin() + 1}));
    });
}

AttributeColumn columnOf(const std::vector<double>& numbers) {
    Buffer<double> values(numbers.size());
    std::ranges::copy(numbers, values.begin());
    return {AttributeId::mean, std::move(values), 0, 0};
}

TEST(ColumnSummary, OfFewNumbers) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const ColumnSummary odd = summarise(columnOf({4, nan, 1, 7}));
    EXPECT_EQ(odd.count, 3U);
    EXPECT_EQ(odd.missing, 1U);
    EXPECT_EQ(odd.sum, 12);
    EXPECT_EQ(odd.mean, 4);
    EXPECT_DOUBLE_EQ(odd.deviation, std::sqrt(6.0));
    EXPECT_EQ(odd.minimum, 1);
    EXPECT_EQ(odd.median, 4);
    EXPECT_EQ(odd.maximum, 7);
    EXPECT_EQ(summarise(columnOf({8, 2, 4, 1})).median, 3);
    const ColumnSummary none = summarise(columnOf({nan, nan}));
    EXPECT_EQ(none.count, 0U);
    EXPECT_EQ(none.missing, 2U);
    EXPECT_EQ(none.maximum, 0);
}

TEST(ColumnSummary, ColumnOfNodesHasTheirValuesAndTheirRange) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const AttributeColumn column = columnOf({3, nan, -5, 8, 2});
    const AttributeColumn some = columnOfNodes(column, {1, 2, 4});
    ASSERT_EQ(some.size(), 3U);
    EXPECT_EQ(some.id, column.id);
    EXPECT_TRUE(std::isnan(some.at(0)));
    EXPECT_EQ(some.at(1), -5);
    EXPECT_EQ(some.at(2), 2);
    EXPECT_EQ(some.minimum, -5);
    EXPECT_EQ(some.maximum, 2);
    EXPECT_EQ(columnOfNodes(column, {1}).maximum, 0);
}

TEST(NodeTable, OfChosenNodesHasTheirLinesOfTheWholeTable) {
    const test::TempDir folder;
    const auto linesOf = [&](const ComponentTree& tree, const NodeSet* chosen) {
        const auto path = folder / "nodes.csv";
        AtomicFile file(path, "cannot write nodes");
        writeNodeTable(file, tree, {}, {}, chosen);
        file.commit();
        std::ifstream in(path);
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);) {
            lines.push_back(line);
        }
        return lines;
    };
    onRandomTrees(10, [&](const Image&, const ComponentTree& tree, Random& random) {
        const NodeSet set = randomSet(random, tree);
        const auto all = linesOf(tree, nullptr);
        const auto some = linesOf(tree, &set);
        ASSERT_EQ(all.size(), tree.nodeCount() + 1);
        ASSERT_EQ(some.size(), set.size() + 1);
        EXPECT_EQ(some.front(), all.front());
        for (std::size_t i = 0; i < set.size(); ++i) {
            EXPECT_EQ(some[i + 1], all[set[i] + 1]);
        }
    });
}

} // namespace
} // namespace pollard::testing
