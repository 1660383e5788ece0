// Components picked by hand: removed, kept, unknown.

#include "cpu/cpu_engine.hpp"
#include "filter/node_decision.hpp"
#include "support/engines.hpp"
#include "support/naive_filter.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;

class HandPicked : public EveryTree {};

TEST_P(HandPicked, EqualsTheDefinition) {
    Random random(51);
    for (int repeat = 0; repeat < 300; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 10, 1 + random() % 10);
        const auto session = build(image, 1);
        const auto nodes = naiveTree(*image, spec().kind, spec().connectivity);
        FilterSpec filter;
        const auto column = session->attribute(AttributeId::area);
        if (random() % 4 != 0) {
            filter.criteria = {{AttributeId::area, column->at(random() % nodes.size())}};
        }
        if (random() % 2 == 0) {
            filter.criteria.push_back({AttributeId::level, 0, 1.0 * (random() % 200)});
        }
        const std::uint32_t pixels = image->width() * image->height();
        std::uint32_t unknown = 0;
        const auto pick = [&](std::vector<std::uint32_t>& picks) {
            for (std::uint32_t k = random() % 4; k > 0; --k) {
                const bool node = random() % 4 != 0;
                picks.push_back(node ? nodes[random() % nodes.size()].canonical : random() % (2 * pixels));
                unknown += std::ranges::none_of(nodes, [&](const auto& n) { return n.canonical == picks.back(); });
            }
        };
        pick(filter.removed);
        pick(filter.kept);
        if (random() % 2 == 0) {
            pick(filter.only);
        }
        for (const Rule rule : kAllRules) {
            for (const Output output : kAllOutputs) {
                filter.rule = rule;
                filter.output = output;
                const auto expected = naiveFilter(nodes, *image, spec().kind, filter);
                Image out(image->type(), image->width(), image->height());
                const FilterReport report = session->filter(filter, out);
                ASSERT_EQ(report.unknownPicks, unknown);
                ASSERT_EQ(report.keptNodes, expected.kept) << nameOf(rule);
                for (std::size_t p = 0; p < image->pixelCount(); ++p) {
                    ASSERT_EQ(out.level(p), expected.pixels[p]) << nameOf(rule) << ", " << nameOf(output);
                }
            }
            const LabelImage labels = session->labels(filter);
            ASSERT_TRUE(std::ranges::equal(labels.labels, naiveFilter(nodes, *image, spec().kind, filter).labels));
        }
    }
}

TEST_P(HandPicked, RemovingOneComponentChangesNothingOutsideIt) {
    Random random(52);
    for (int repeat = 0; repeat < 100; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 30, 1 + random() % 30);
        const auto session = build(image, 1);
        const ComponentTree& tree = *session->tree();
        const std::uint32_t node = random() % static_cast<std::uint32_t>(tree.nodeCount());
        FilterSpec filter;
        filter.criteria = {{AttributeId::area, 3}, {AttributeId::height, 2}};
        for (const Rule rule : kAllRules) {
            filter.rule = rule;
            filter.removed.clear();
            Image before(image->type(), image->width(), image->height());
            session->filter(filter, before);
            filter.removed = {tree.canonical[node]};
            Image after(image->type(), image->width(), image->height());
            session->filter(filter, after);
            for (std::size_t p = 0; p < image->pixelCount(); ++p) {
                if (node == 0) {
                    ASSERT_EQ(after.level(p), tree.level[0]);
                } else if (tree.contains(node, tree.pixelNode[p])) {
                    ASSERT_EQ(after.level(p), before.level(tree.canonical[tree.parent[node]]));
                } else {
                    ASSERT_EQ(after.level(p), before.level(p));
                }
            }
        }
    }
}

TEST_P(HandPicked, KeepingOnlyOneComponentChangesNothingInsideIt) {
    Random random(54);
    for (int repeat = 0; repeat < 100; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 30, 1 + random() % 30);
        const auto session = build(image, 1);
        const ComponentTree& tree = *session->tree();
        const std::uint32_t node = random() % static_cast<std::uint32_t>(tree.nodeCount());
        FilterSpec filter;
        filter.criteria = {{AttributeId::area, 3}};
        for (const Rule rule : {Rule::direct, Rule::min, Rule::max, Rule::viterbi}) {
            filter.rule = rule;
            filter.only.clear();
            filter.output = Output::mask; // white for pixels in a kept component
            Image before(image->type(), image->width(), image->height());
            session->filter(filter, before);
            filter.only = {tree.canonical[node]};
            Image mask(image->type(), image->width(), image->height());
            session->filter(filter, mask);
            filter.output = Output::filtered;
            Image after(image->type(), image->width(), image->height());
            session->filter(filter, after);
            filter.only.clear();
            Image all(image->type(), image->width(), image->height());
            session->filter(filter, all);
            for (std::size_t p = 0; p < image->pixelCount(); ++p) {
                if (!tree.contains(node, tree.pixelNode[p])) {
                    ASSERT_EQ(after.level(p), tree.level[0]);
                    ASSERT_EQ(mask.level(p), 0);
                } else if (mask.level(p) != 0) { // kept inside as before
                    ASSERT_EQ(after.level(p), all.level(p));
                    ASSERT_NE(before.level(p), 0);
                } else {
                    ASSERT_EQ(after.level(p), tree.level[0]);
                }
            }
        }
    }
}

TEST_P(HandPicked, AKeptNodeStaysAndItsAncestorsDoUnderAPruning) {
    // Levels rise from left to right (fall for a min-tree): a chain of five nodes.
    const bool maxTree = spec().kind == TreeKind::max;
    const auto image = makeImage(PixelType::u8, 5, 1, [&](auto x, auto) { return maxTree ? 10 * x : 200 - 10 * x; });
    const auto session = build(image);
    FilterSpec filter;
    filter.criteria = {{AttributeId::area, 1000}}; // nothing meets it
    filter.kept = {session->tree()->canonical[2]};
    const auto kept = [&](Rule rule) {
        filter.rule = rule;
        Image out(PixelType::u8, 5, 1);
        const std::uint64_t count = session->filter(filter, out).keptNodes;
        EXPECT_EQ(out.level(4), out.level(2)) << "what is in a kept node stays by its own right only";
        EXPECT_EQ(std::abs(out.level(4) - image->level(0)), rule == Rule::subtractive ? 10 : 20);
        return count;
    };
    EXPECT_EQ(kept(Rule::direct), 2U) << "the root and the node";
    EXPECT_EQ(kept(Rule::subtractive), 2U);
    EXPECT_EQ(kept(Rule::min), 3U);
    EXPECT_EQ(kept(Rule::max), 3U);
    EXPECT_EQ(kept(Rule::viterbi), 3U);
    filter.removed = {session->tree()->canonical[1]};
    filter.rule = Rule::min;
    Image out(PixelType::u8, 5, 1);
    EXPECT_EQ(session->filter(filter, out).keptNodes, 1U) << "what lies in a removed component goes with it";
}

TEST_P(HandPicked, IndicesMeanTheSameAfterBuildingAgain) {
    Random random(53);
    const auto image = randomImage(random, 90, 70);
    const auto first = build(image, 1);
    const auto again = build(image, 2);
    const ComponentTree& tree = *first->tree();
    for (int repeat = 0; repeat < 50; ++repeat) {
        const std::uint32_t node = random() % static_cast<std::uint32_t>(tree.nodeCount());
        EXPECT_EQ(nodeOfCanonical(tree, tree.canonical[node]), node);
        EXPECT_EQ(nodeOfCanonical(*again->tree(), tree.canonical[node]), node);
    }
    EXPECT_EQ(nodeOfCanonical(tree, 90 * 70), std::nullopt);
}

POLLARD_FOR_EVERY_TREE(HandPicked);

TEST(HandPicks, DropWhatLiesInARemovedComponentAndWhatIsThereTwice) {
    EngineRegistry registry{makeCpuEngine()};
    const auto session = registry.select("cpu").openSession();
    session->open(makeImage(PixelType::u8, 7, 1, [](auto x, auto) { return "\0\1\2\0\1\2\3"[x]; }));
    session->buildTree({});
    const ComponentTree& tree = *session->tree(); // 0, then 1-2 and 1-2-3: nodes 0, 1 2, 3 4 5
    ASSERT_EQ(tree.nodeCount(), 6U);
    const auto at = [&](std::uint32_t node) { return tree.canonical[node]; };
    FilterSpec filter;
    filter.removed = {at(5), at(4), at(4), 77, at(2)};
    filter.kept = {at(3), at(5), at(1), at(1), at(2), 78};
    filter.only = {at(5), at(3), 79, at(1), at(3)};
    const HandPicks picks = resolvePicks(tree, filter);
    EXPECT_THAT(picks.removed, ElementsAre(2, 4));
    EXPECT_THAT(picks.kept, ElementsAre(1, 3));
    EXPECT_THAT(picks.only, ElementsAre(1, 3));
    EXPECT_EQ(picks.unknown, 3U);
}

} // namespace
} // namespace pollard::testing
