// The rules on arbitrary decisions, against exhaustive search and their laws.

#include "base/compiler.hpp"
#include "cpu/cpu_engine.hpp"
#include "filter/node_decision.hpp"
#include "support/engines.hpp"
#include "support/processor_time.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pollard::testing {
namespace {

using Flags = std::vector<std::uint8_t>;

Flags afterRule(Rule rule, const ComponentTree& tree, const Flags& meets, std::span<const std::uint32_t> forced = {}) {
    Buffer<std::uint8_t> keep(meets.size());
    std::copy(meets.begin(), meets.end(), keep.begin());
    applyRule(rule, tree, forced, keep, {});
    return {keep.begin(), keep.end()};
}

Flags randomFlags(Random& random, std::size_t count) {
    const std::uint32_t odds = 1 + random() % 9; // of ten
    Flags flags(count);
    std::ranges::generate(flags, [&] { return static_cast<std::uint8_t>(random() % 10 < odds); });
    return flags;
}

/// The union of the sets with the fewest differences from @p meets, over all sets that contain the root, the forced
/// nodes and the parent of each node.
Flags bestPruning(const ComponentTree& tree, const Flags& meets, std::span<const std::uint32_t> forced) {
    const auto n = static_cast<std::uint32_t>(meets.size());
    std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t all = 0;
    for (std::uint32_t set = 1; set < (1U << n); set += 2) {
        std::uint32_t changes = 0;
        bool allowed = true;
        for (std::uint32_t i = 0; i < n && allowed; ++i) {
            const std::uint32_t in = set >> i & 1U;
            allowed = in == 0 || (set >> tree.parent[i] & 1U) != 0;
            changes += in != meets[i] ? 1U : 0U;
        }
        allowed = allowed && std::ranges::all_of(forced, [&](std::uint32_t f) { return (set >> f & 1U) != 0; });
        if (allowed && changes <= fewest) {
            all = changes == fewest ? all | set : set;
            fewest = changes;
        }
    }
    Flags result(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        result[i] = static_cast<std::uint8_t>(all >> i & 1U);
    }
    return result;
}

class NodeRules : public EveryTree {};

TEST_P(NodeRules, ViterbiIsTheBestOfAllPrunings) {
    Random random(41);
    int trees = 0;
    int surprises = 0;
    for (int repeat = 0; repeat < 1500; ++repeat) {
        const auto session = build(randomImage(random, 1 + random() % 5, 1 + random() % 4), 1);
        const ComponentTree& tree = *session->tree();
        if (tree.nodeCount() > 13) {
            continue;
        }
        const Flags meets = randomFlags(random, tree.nodeCount());
        std::vector<std::uint32_t> forced;
        for (std::uint32_t i = 0; repeat % 2 == 1 && i < tree.nodeCount(); ++i) {
            if (meets[i] != 0 && random() % 4 == 0) {
                forced.push_back(i);
            }
        }
        const Flags kept = afterRule(Rule::viterbi, tree, meets, forced);
        ASSERT_EQ(kept, bestPruning(tree, meets, forced)) << "repeat " << repeat;
        ++trees;
        surprises += kept != afterRule(Rule::min, tree, meets) && kept != afterRule(Rule::max, tree, meets) ? 1 : 0;
    }
    EXPECT_GT(trees, 700);
    EXPECT_GT(surprises, 20) << "the other rules would have done";
}

TEST_P(NodeRules, PruningsAreClosedUpwardsAndInOrder) {
    Random random(42);
    for (int repeat = 0; repeat < 300; ++repeat) {
        const auto session = build(randomImage(random, 1 + random() % 30, 1 + random() % 30), 1);
        const ComponentTree& tree = *session->tree();
        Flags meets = randomFlags(random, tree.nodeCount());
        meets[0] = 1;
        const Flags smallest = afterRule(Rule::min, tree, meets);
        const Flags viterbi = afterRule(Rule::viterbi, tree, meets);
        const Flags largest = afterRule(Rule::max, tree, meets);
        for (std::size_t i = 0; i < meets.size(); ++i) {
            for (const Flags* keep : {&smallest, &viterbi, &largest}) {
                ASSERT_LE((*keep)[i], (*keep)[tree.parent[i]]);
            }
            // Keeping less than min or more than max would change decisions needlessly.
            ASSERT_LE(smallest[i], viterbi[i]);
            ASSERT_LE(viterbi[i], largest[i]);
        }
        // Upward closed sets are unchanged by every rule.
        for (const Rule rule : kAllRules) {
            ASSERT_EQ(afterRule(rule, tree, viterbi), viterbi) << nameOf(rule);
        }
    }
}

TEST_P(NodeRules, SubtractiveKeepsTheContrastsOfWhatIsKept) {
    Random random(43);
    for (int repeat = 0; repeat < 500; ++repeat) {
        const auto session = build(randomImage(random, 1 + random() % 30, 1 + random() % 30), 1);
        const ComponentTree& tree = *session->tree();
        const Flags meets = randomFlags(random, tree.nodeCount());
        Buffer<std::uint8_t> keep(meets.size());
        std::copy(meets.begin(), meets.end(), keep.begin());
        const Buffer<std::uint16_t> levels = filteredLevels(tree, Rule::subtractive, keep);
        ASSERT_EQ(levels[0], tree.level[0]);
        for (std::size_t i = 1; i < meets.size(); ++i) {
            const std::uint32_t p = tree.parent[i];
            ASSERT_EQ(levels[i] - levels[p], meets[i] != 0 ? tree.level[i] - tree.level[p] : 0);
            ASSERT_LE(std::min(tree.level[0], tree.level[i]), levels[i]);
            ASSERT_GE(std::max(tree.level[0], tree.level[i]), levels[i]);
        }
        const Flags pruned = afterRule(Rule::min, tree, meets);
        std::copy(pruned.begin(), pruned.end(), keep.begin());
        const Buffer<std::uint16_t> subtractive = filteredLevels(tree, Rule::subtractive, keep);
        const Buffer<std::uint16_t> direct = filteredLevels(tree, Rule::direct, keep);
        ASSERT_TRUE(std::ranges::equal(subtractive, direct)) << "nothing is kept over what is removed";
    }
}

TEST_P(NodeRules, AreReadyInMillisecondsOnTheDeepestTree) {
    const auto image = makeImage(PixelType::u16, 256, 256, [](auto x, auto y) { return 256 * y + x; });
    const auto session = build(image);
    ASSERT_EQ(session->tree()->depth, 65535U);
    (void)session->attribute(AttributeId::area);
    (void)session->attribute(AttributeId::level);
    Image out(PixelType::u16, 256, 256);
    FilterSpec filter; // the root and many nodes above it, a gap, some more
    filter.criteria = {{AttributeId::area, 40000}, {AttributeId::level, 30000, 33000}};
    filter.match = Match::any;
    const double start = processorSeconds();
    for (const Rule rule : kAllRules) {
        for (const Output output : kAllOutputs) {
            filter.rule = rule;
            filter.output = output;
            const FilterReport report = session->filter(filter, out);
            EXPECT_GT(report.keptNodes, 10000U);
        }
    }
#ifdef POLLARD_ASAN
    constexpr double kSlowDown = 20;
#else
    constexpr double kSlowDown = 1;
#endif
    // Walking to the root from every node would take 2^31 steps, 20 times.
    EXPECT_LT(processorSeconds() - start, 0.5 * kSlowDown);
}

POLLARD_FOR_EVERY_TREE(NodeRules);

/// A chain of three nodes: levels 0, 1 and 2.
std::unique_ptr<Session> chainOfThree() {
    EngineRegistry registry{makeCpuEngine()};
    auto session = registry.select("cpu").openSession();
    session->open(makeImage(PixelType::u8, 3, 1, [](auto x, auto) { return x; }));
    session->buildTree({});
    return session;
}

template <class T> std::shared_ptr<const AttributeColumn> columnOf(std::initializer_list<T> values) {
    Buffer<T> buffer(values.size());
    std::copy(values.begin(), values.end(), buffer.begin());
    AttributeColumn column{AttributeId::euler, {}, 0, 0};
    column.values = std::move(buffer);
    return std::make_shared<const AttributeColumn>(std::move(column));
}

Flags decide(const Session& session, const std::shared_ptr<const AttributeColumn>& column, double low, double high,
             Match match = Match::all) {
    FilterSpec spec;
    spec.criteria = {{AttributeId::euler, low, high}};
    spec.match = match;
    const NodeDecision decision = decideNodes(*session.tree(), spec, {{column}, nullptr, {}}, {});
    Flags flags(decision.keep.begin(), decision.keep.end());
    flags[0] = decision.rootCounts;
    return flags;
}

TEST(NodeDecision, NaNMeetsNoCriterion) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const auto session = chainOfThree();
    for (const Match match : kAllMatches) {
        EXPECT_EQ(decide(*session, columnOf<double>({1, kNaN, 3}), -kInf, kInf, match), (Flags{1, 0, 1}));
        EXPECT_EQ(decide(*session, columnOf<double>({1, kNaN, 3}), kNaN, kInf, match), (Flags{0, 0, 0}));
        EXPECT_EQ(decide(*session, columnOf<double>({1, kNaN, 3}), -kInf, kNaN, match), (Flags{0, 0, 0}));
        EXPECT_EQ(decide(*session, columnOf<std::int32_t>({1, 2, 3}), kNaN, kInf, match), (Flags{0, 0, 0}));
    }
}

TEST(NodeDecision, ComparesSignedColumnsExactly) {
    constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    const auto session = chainOfThree();
    const auto column = columnOf<std::int32_t>({-3, 0, 4});
    EXPECT_EQ(decide(*session, column, -3, -0.5), (Flags{1, 0, 0}));
    EXPECT_EQ(decide(*session, column, -2.5, 3.5), (Flags{0, 1, 0}));
    EXPECT_EQ(decide(*session, column, -1e300, -1), (Flags{1, 0, 0}));
    EXPECT_EQ(decide(*session, column, 1, 1e300), (Flags{0, 0, 1}));
    EXPECT_EQ(decide(*session, column, 5e9, 6e9), (Flags{0, 0, 0}));
    EXPECT_EQ(decide(*session, column, -6e9, -5e9), (Flags{0, 0, 0}));
    EXPECT_EQ(decide(*session, column, 0.25, 0.75), (Flags{0, 0, 0}));
    const auto ends = columnOf<std::int32_t>({kLeast, 0, kMost});
    EXPECT_EQ(decide(*session, ends, kLeast, kLeast), (Flags{1, 0, 0}));
    EXPECT_EQ(decide(*session, ends, kMost, kMost), (Flags{0, 0, 1}));
    EXPECT_EQ(decide(*session, ends, 2147483648.0, 1e300), (Flags{0, 0, 0}));
    EXPECT_EQ(decide(*session, ends, -1e300, -2147483649.0), (Flags{0, 0, 0}));
}

TEST(NodeDecision, RefusesColumnsOfAnotherTree) {
    const auto session = chainOfThree();
    FilterSpec spec;
    spec.criteria = {{AttributeId::euler}};
    const ComponentTree& tree = *session->tree();
    EXPECT_THROW((void)decideNodes(tree, spec, {{columnOf<double>({1, 2})}, nullptr, {}}, {}), Error);
    EXPECT_THROW((void)decideNodes(tree, spec, {{nullptr}, nullptr, {}}, {}), Error);
    EXPECT_THROW((void)decideNodes(tree, spec, {}, {}), Error);
    spec.criteria.clear();
    spec.prominent = Prominent{};
    EXPECT_THROW((void)decideNodes(tree, spec, {}, {}), Error);
}

} // namespace
} // namespace pollard::testing
