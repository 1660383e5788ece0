// The most prominent extrema.

#include "filter/node_decision.hpp"
#include "support/engines.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pollard::testing {
namespace {

class ProminentLeaves : public EveryTree {
protected:
    /// By the definition: sorts all leaves and takes the first.
    static std::vector<std::uint32_t> expected(const ComponentTree& tree, const AttributeColumn& column,
                                               std::uint32_t count) {
        std::vector<std::uint32_t> leaves;
        std::vector<char> isParent(tree.nodeCount(), 0);
        for (std::size_t i = 1; i < tree.nodeCount(); ++i) {
            isParent[tree.parent[i]] = 1;
        }
        for (std::uint32_t i = 0; i < tree.nodeCount(); ++i) {
            if (isParent[i] == 0) {
                leaves.push_back(i);
            }
        }
        const auto value = [&](std::uint32_t leaf) {
            const double v = column.at(leaf);
            return std::isnan(v) ? -std::numeric_limits<double>::infinity() : v;
        };
        std::ranges::sort(leaves, [&](std::uint32_t a, std::uint32_t b) {
            return value(a) != value(b) ? value(a) > value(b) : tree.canonical[a] < tree.canonical[b];
        });
        leaves.resize(std::min<std::size_t>(leaves.size(), count));
        std::ranges::sort(leaves);
        return leaves;
    }

    template <class T> static AttributeColumn randomColumn(Random& random, std::size_t count) {
        Buffer<T> values(count);
        for (T& value : values) {
            value = static_cast<T>(random() % 5);
            if constexpr (std::is_signed_v<T>) {
                value = static_cast<T>(value - 2);
            }
            if constexpr (std::is_floating_point_v<T>) {
                value = random() % 4 == 0 ? std::numeric_limits<T>::quiet_NaN() : value;
            }
        }
        AttributeColumn column{AttributeId::area, {}, 0, 0};
        column.values = std::move(values);
        return column;
    }
};

TEST_P(ProminentLeaves, AreTheFirstOfAllLeavesSorted) {
    Random random(71);
    for (int repeat = 0; repeat < 500; ++repeat) {
        const auto session = build(randomImage(random, 1 + random() % 20, 1 + random() % 20), 1);
        const ComponentTree& tree = *session->tree();
        const std::size_t n = tree.nodeCount();
        const AttributeColumn column = repeat % 4 == 0   ? randomColumn<double>(random, n)
                                       : repeat % 4 == 1 ? randomColumn<std::int32_t>(random, n)
                                       : repeat % 4 == 2 ? randomColumn<std::uint64_t>(random, n)
                                                         : randomColumn<std::uint16_t>(random, n);
        const std::uint32_t count = random() % (tree.leafCount + 2);
        const auto leaves = prominentLeaves(tree, column, count);
        ASSERT_EQ(leaves, expected(tree, column, count)) << "count " << count;
        const auto holds = markProminentLeaves(tree, column, count, {});
        for (std::uint32_t i = 0; i < n; ++i) {
            const bool any = std::ranges::any_of(leaves, [&](std::uint32_t leaf) { return tree.contains(i, leaf); });
            ASSERT_EQ(holds[i], any ? 1 : 0);
        }
    }
}

TEST_P(ProminentLeaves, FilteringLeavesThatManyExtrema) {
    Random random(72);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 40, 1 + random() % 40);
        const auto session = build(image, 1);
        for (const Prominence measure : kAllProminences) {
            const std::uint32_t count = 1 + random() % 6;
            FilterSpec filter;
            filter.prominent = Prominent{measure, count};
            auto out = std::make_shared<Image>(image->type(), image->width(), image->height());
            session->filter(filter, *out);
            const auto again = build(out, 1);
            const std::uint32_t leaves = session->tree()->leafCount;
            ASSERT_EQ(again->tree()->leafCount, std::min(count, leaves)) << nameOf(measure);
            // The remaining leaves are the most prominent again.
            Image twice(image->type(), image->width(), image->height());
            ASSERT_EQ(again->filter(filter, twice).changedPixels, 0U);
        }
    }
}

TEST_P(ProminentLeaves, ManyAreEverythingAndNoneIsTheRoot) {
    Random random(73);
    const auto image = makeImage(PixelType::u16, 30, 30, [&](auto, auto) { return random() % 50; });
    const auto session = build(image);
    Image out(PixelType::u16, 30, 30);
    FilterSpec filter;
    filter.prominent = Prominent{Prominence::dynamics, 4000000000U};
    FilterReport report = session->filter(filter, out);
    EXPECT_EQ(report.removedNodes, 0U);
    EXPECT_EQ(report.changedPixels, 0U);
    filter.prominent->count = 0;
    report = session->filter(filter, out);
    EXPECT_EQ(report.keptNodes, 1U);
    EXPECT_EQ(session->labels(filter).count, 0U);
}

TEST_P(ProminentLeaves, AreJoinedToCriteriaByAnd) {
    Random random(74);
    const auto image = makeImage(PixelType::u8, 40, 40, [&](auto, auto) { return random() % 30; });
    const auto session = build(image);
    FilterSpec criterion;
    criterion.criteria = {{AttributeId::area, 2, 200}};
    criterion.match = Match::any;
    FilterSpec both = criterion;
    both.prominent = Prominent{Prominence::extinctionArea, 12};
    FilterSpec prominence;
    prominence.prominent = both.prominent;
    // As a mask: pixels of kept components. A node of both is in each.
    Image out(PixelType::u8, 40, 40);
    const std::uint64_t keptBoth = session->filter(both, out).keptNodes;
    EXPECT_LT(keptBoth, session->filter(criterion, out).keptNodes);
    EXPECT_LT(keptBoth, session->filter(prominence, out).keptNodes);
    EXPECT_GT(keptBoth, 12U);
}

POLLARD_FOR_EVERY_TREE(ProminentLeaves);

} // namespace
} // namespace pollard::testing
