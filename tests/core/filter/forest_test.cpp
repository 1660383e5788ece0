// Forests against their definition, their texts, and files with hostile ones.

#include "filter/forest.hpp"

#include "attributes/attribute.hpp"
#include "base/error.hpp"
#include "base/job_control.hpp"
#include "core/recipe/recipe_support.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_units.hpp"
#include "image/value_mapping.hpp"
#include "recipe/recipe.hpp"
#include "support/engines.hpp"
#include "support/naive_filter.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace pollard::testing {
namespace {

class ForestOf : public EveryTree {};

TEST_P(ForestOf, EqualsTheDefinition) {
    Random random(71);
    std::size_t kept = 0;
    std::size_t dropped = 0;
    for (int repeat = 0; repeat < 200; ++repeat) {
        const auto image = randomImage(random, 1 + random() % 60, 1 + random() % 60);
        const auto session = build(image);
        const ComponentTree& tree = *session->tree();
        const auto column = [&](AttributeId id) { return session->attribute(id); };
        FilterSpec spec;
        if (random() % 2 == 0) {
            spec.criteria = {{AttributeId::area, 2, 200}};
        }
        for (std::uint32_t t = 1 + random() % 7; t > 0; --t) {
            spec.forest.trees.push_back(randomTree(random, column));
        }
        std::vector<NaiveNode> nodes(tree.nodeCount());
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            nodes[n].parent = tree.parent[n];
            nodes[n].support.resize(static_cast<std::size_t>(column(AttributeId::area)->at(n)));
        }
        const auto expected = naiveMeets(nodes, spec, [&](std::size_t n, AttributeId id) { return column(id)->at(n); });
        const auto actual = meetForest(tree, spec, columnsOf(spec, column), {});
        ASSERT_TRUE(std::ranges::equal(actual, expected)) << "repeat " << repeat;
        const auto count = static_cast<std::size_t>(std::ranges::count(expected, char{1}));
        kept += count;
        dropped += expected.size() - count;
    }
    EXPECT_GT(kept, 1000U);
    EXPECT_GT(dropped, 1000U);
}

TEST_P(ForestOf, StopsAtOnce) {
    const auto image = makeImage(PixelType::u16, 300, 300, [](auto x, auto y) { return x * y; });
    const auto session = build(image);
    FilterSpec spec;
    spec.forest.trees = {{{{AttributeId::area, 5}}}};
    const FilterColumns columns = columnsOf(spec, [&](AttributeId id) { return session->attribute(id); });
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)meetForest(*session->tree(), spec, columns, JobControl(stop.get_token())), Cancelled);
}

POLLARD_FOR_EVERY_TREE(ForestOf);

TEST(Forest, QuestionsAreTexts) {
    for (const char* const text : {"area<=100 ? keep : drop", "elongation<=2.25 ? 1 : keep",
                                   "mean<=-8 around 2 ? drop : 12", "area>=15um2 ? keep : drop"}) {
        EXPECT_EQ(toString(parseQuestion(text)), text);
    }
    const ForestNode node = parseQuestion("mean<=-8.5 around 4 ? 7 : drop");
    EXPECT_EQ(node.condition, (Criterion{AttributeId::mean, -std::numeric_limits<double>::infinity(), -8.5}));
    EXPECT_EQ(std::tuple(node.around, node.met, node.otherwise), std::tuple(4U, 7U, ForestNode::kDrop));
    for (const char* const text :
         {"", "area<=100", "area<=100 ? keep", "area<=100 ? stay : drop", "area<=100 ? keep : -1", "? keep : drop",
          "size<=3 ? keep : drop", "area<=1 around x ? keep : drop", "area<=1 ? 99999999999 : drop"}) {
        EXPECT_THROW((void)parseQuestion(text), Error) << text;
    }
}

TEST(Forest, BoundsAreValuesOfTheImage) {
    ValueMapping mapping;
    mapping.step = 0.5;
    mapping.offset = -10;
    FilterSpec spec;
    spec.forest.trees = {{parseQuestion("mean<=20 ? keep : 1"), parseQuestion("mean<=-3 around 2 ? keep : 2"),
                          parseQuestion("area<=0.5 around 2 ? keep : drop")}};
    const DecisionTree tree = inPixels(spec, {std::nullopt, mapping}).forest.trees.front();
    EXPECT_EQ(tree[0].condition.maximum, 60); // level
    EXPECT_EQ(tree[1].condition.maximum, -6); // difference of levels
    EXPECT_EQ(tree[2].condition.maximum, 0.5);
    spec.forest.trees = {{parseQuestion("area<=15um2 ? keep : drop")}};
    EXPECT_THROW((void)inPixels(spec, {std::nullopt, mapping}), Error);
    EXPECT_TRUE(inPixelsWherePossible(spec, {std::nullopt, mapping}).forest.trees.empty());
}

TEST(Forest, IsAPartOfRecipes) {
    const std::string text = toJson(parseRecipe(filterWith(
        R"({"criteria": ["area>=3"], "forest": [["level<=7 ? keep : 1", "mean<=-2 around 2 ? drop : keep"],
            ["area<=9 ? drop : keep"]]})")));
    const Recipe recipe = parseRecipe(text);
    EXPECT_EQ(toJson(recipe), text);
    const Forest& forest = std::get<FilterStep>(recipe.steps.front()).filter.forest;
    ASSERT_EQ(forest.trees.size(), 2U);
    EXPECT_EQ(forest.trees[0].size(), 2U);
    EXPECT_EQ(toJson(parseRecipe(filterWith("{}"))).find("forest"), std::string::npos);
}

TEST(Forest, HostileOnesAreRefused) {
    const auto problemOf = [](const std::string& forest) -> std::string {
        try {
            (void)parseRecipe(filterWith(R"({"forest": )" + forest + "}"));
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    const auto repeated = [](const std::string& each, std::size_t count) {
        std::string list = "[";
        for (std::size_t i = 0; i < count; ++i) {
            list += (i == 0 ? "" : ",") + each;
        }
        return list + "]";
    };
    const std::string leaf = R"("area<=1 ? keep : drop")";
    EXPECT_EQ(problemOf(repeated("[" + leaf + "]", kMostDecisionTrees)), "");
    EXPECT_EQ(problemOf("[" + repeated(leaf, kMostQuestions) + "]"), "");
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"3", "3"},
        {"[3]", "3"},
        {"[[3]]", "3"},
        {"[[]]", "0 questions"},
        {R"([["area<=1 ? keep : 0"]])", "question 0 leads to 0"},
        {R"([["area<=1 ? keep : 1"]])", "question 0 leads to 1"},
        {R"([["area<=1 ? keep : 1", "area<=2 ? 0 : keep"]])", "question 1 leads to 0"},
        {R"([["area<=1 around 0 ? keep : drop"]])", "multiple of the area"},
        {R"([["area<=1 around 2000000 ? keep : drop"]])", "multiple of the area"},
        {R"([["area<=1um2 around 2 ? keep : drop"]])", "has no unit"},
        {R"([["colour<=1 ? keep : drop"]])", "colour"},
        {repeated("[" + leaf + "]", kMostDecisionTrees + 1), "256"},
        {"[" + repeated(leaf, kMostQuestions + 1) + "]", "1000"},
    };
    for (const auto& [forest, why] : wrong) {
        const std::string problem = problemOf(forest);
        EXPECT_NE(problem.find(why), std::string::npos) << forest.substr(0, 100) << ": " << problem;
        EXPECT_NE(problem.find("forest"), std::string::npos) << problem;
        EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
    }
}

TEST(Forest, ARecipeRunsWithIt) {
    const auto image = makeImage(PixelType::u8, 12, 1, [](auto x, auto) { return x % 4 == 0 ? 0 : x < 4 ? 9 : 5; });
    const std::string filter = R"({"criteria": ["area<=4"], "forest": [["level<=7 ? drop : keep"]]})";
    const RecipeResult result = runRecipe(parseRecipe(filterWith(filter)), loadedAs(image), cpu());
    for (std::size_t x = 0; x < 12; ++x) {
        EXPECT_EQ(result.image->level(x), x > 0 && x < 4 ? 9 : 0) << x;
    }
}

} // namespace
} // namespace pollard::testing
