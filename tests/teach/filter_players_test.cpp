#include "players/players.hpp"

#include "filter/node_decision.hpp"
#include "teach/tree_lab.hpp"

#include <string>

namespace pollard::teach {
namespace {

const PlayerInfo& playerOf(Rule rule) { return filterPlayers().at(static_cast<std::size_t>(rule)); }

/// The engine's result for the image and filter of the player.
struct EngineFilter {
    std::vector<std::int64_t> output;
    std::vector<std::int64_t> kept; ///< per pixel, as Layer::kept
};

EngineFilter filteredByEngine(const LabImage& lab, const PlayerSpec& spec, Rule rule) {
    static const auto session = makeCpuEngine()->openSession({1});
    const auto image = std::make_shared<const Image>(imageOf(lab));
    session->open(image);
    TreeSpec treeSpec;
    treeSpec.kind = spec.kind;
    treeSpec.connectivity = spec.connectivity;
    session->buildTree(treeSpec);
    const FilterSpec filter = shownFilter(spec.filter, rule);
    Image out(image->type(), image->width(), image->height());
    session->filter(filter, out);
    EngineFilter result;
    for (const std::uint16_t level : out.pixels<std::uint16_t>()) {
        result.output.push_back(level);
    }
    const ComponentTree& tree = *session->tree();
    const NodeDecision decision =
        decideNodes(tree, filter, columnsOf(filter, [&](AttributeId id) { return session->attribute(id); }), {});
    result.kept.assign(lab.pixelCount(), -1);
    for (std::size_t n = 0; n < tree.nodeCount(); ++n) {
        result.kept[tree.canonical[n]] = decision.keep[n];
    }
    return result;
}

TraceCursor ended(const LabImage& image, const PlayerSpec& spec, Rule rule) {
    TraceCursor cursor(std::make_shared<const Trace>(playerOf(rule).record(image, spec)));
    cursor.moveTo(cursor.trace().steps.size());
    return cursor;
}

/// Criteria that some nodes meet and others do not.
FilterSpec randomFilter(testing::Random& random) {
    constexpr std::array kAttributes{AttributeId::area,   AttributeId::volume,      AttributeId::level,
                                     AttributeId::width,  AttributeId::circularity, AttributeId::height,
                                     AttributeId::border, AttributeId::euler};
    FilterSpec filter;
    filter.match = random() % 2 == 0 ? Match::all : Match::any;
    for (std::uint32_t criteria = random() % 4; criteria > 0; --criteria) {
        Criterion criterion;
        criterion.attribute = kAttributes[random() % kAttributes.size()];
        const bool isShape = criterion.attribute == AttributeId::circularity;
        const double bound = isShape ? (random() % 100) / 100.0 : static_cast<double>(1U << random() % 12);
        (random() % 2 == 0 ? criterion.minimum : criterion.maximum) = bound;
        filter.criteria.push_back(criterion);
    }
    return filter;
}

class FilterPlayers : public ::testing::TestWithParam<Rule> {};

TEST_P(FilterPlayers, EndWithTheEnginesImage) {
    testing::Random random(31);
    for (int i = 0; i < 10'000; ++i) {
        PlayerSpec spec;
        spec.kind = random() % 2 == 0 ? TreeKind::max : TreeKind::min;
        spec.connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
        spec.filter = randomFilter(random);
        const LabImage image = testing::randomLab(random);
        const TraceCursor end = ended(image, spec, GetParam());
        const EngineFilter expected = filteredByEngine(image, spec, GetParam());
        ASSERT_EQ(end.layer(Layer::output), expected.output) << "image " << i;
        ASSERT_EQ(end.layer(Layer::kept), expected.kept) << "image " << i;
    }
}

TEST_P(FilterPlayers, HaveTheRulesNameAndTakeNoOtherRule) {
    EXPECT_EQ(playerOf(GetParam()).id, "filter-" + std::string(nameOf(GetParam())));
    const LabImage image{4, 1, {1, 3, 2, 4}};
    PlayerSpec spec;
    spec.filter.criteria = {parseCriterion("area<=1")};
    const Trace trace = playerOf(GetParam()).record(image, spec);
    spec.filter.rule = GetParam() == Rule::max ? Rule::min : Rule::max;
    spec.filter.removed = {3};
    EXPECT_EQ(playerOf(GetParam()).record(image, spec).changes, trace.changes);
}

INSTANTIATE_TEST_SUITE_P(AllRules, FilterPlayers, ::testing::ValuesIn(kAllRules),
                         [](const auto& param) { return std::string(nameOf(param.param)); });

/// A chain of nodes with 7, 5, 3, 2 and 1 px at the levels 1, 3, 4, 6 and 9, on which all rules differ.
const LabImage kChain{7, 1, {1, 3, 4, 9, 6, 3, 1}};

std::vector<std::int64_t> chainFilteredBy(Rule rule, const char* criterion) {
    PlayerSpec spec;
    spec.filter.criteria = {parseCriterion(criterion)};
    return ended(kChain, spec, rule).layer(Layer::output);
}

TEST(RulesDiffer, OnAChainWhoseMiddleFails) {
    // A criterion that only the nodes at 1, 4 and 6 meet: the nodes of 7, 3 and 2 px.
    using Image = std::vector<std::int64_t>;
    FilterSpec filter;
    filter.match = Match::any;
    filter.criteria = {parseCriterion("area>=6"), parseCriterion("2<=area<=3")};
    const auto filtered = [&](Rule rule) {
        PlayerSpec spec;
        spec.filter = filter;
        return ended(kChain, spec, rule).layer(Layer::output);
    };
    EXPECT_EQ(filtered(Rule::direct), (Image{1, 1, 4, 6, 6, 1, 1}));
    EXPECT_EQ(filtered(Rule::min), (Image{1, 1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(filtered(Rule::max), (Image{1, 3, 4, 6, 6, 3, 1}));
    EXPECT_EQ(filtered(Rule::viterbi), (Image{1, 3, 4, 6, 6, 3, 1})); // one decision changed instead of two
    EXPECT_EQ(filtered(Rule::subtractive), (Image{1, 1, 2, 4, 4, 1, 1}));
}

TEST(RulesDiffer, ViterbiCutsWhereMaxDoesNot) {
    // Only the node at 9 meets it, four below it do not: cheaper to give it up than to keep them.
    using Image = std::vector<std::int64_t>;
    EXPECT_EQ(chainFilteredBy(Rule::max, "area<=1"), (Image{1, 3, 4, 9, 6, 3, 1}));
    EXPECT_EQ(chainFilteredBy(Rule::viterbi, "area<=1"), (Image{1, 1, 1, 1, 1, 1, 1}));
    EXPECT_EQ(chainFilteredBy(Rule::direct, "area<=1"), (Image{1, 1, 1, 9, 1, 1, 1}));
    EXPECT_EQ(chainFilteredBy(Rule::subtractive, "area<=1"), (Image{1, 1, 1, 4, 1, 1, 1}));
}

TEST(RulesDiffer, NotForAnIncreasingAttribute) {
    for (const Rule rule : kAllRules) {
        EXPECT_EQ(chainFilteredBy(rule, "area>=3"), (std::vector<std::int64_t>{1, 3, 4, 4, 4, 3, 1})) << nameOf(rule);
    }
}

} // namespace
} // namespace pollard::teach
