// Successive filters: their recipe steps, the filters restored from them, and equal images from running them one by
// one and as a whole.
#include "recipe/filter_stages.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "recipe/run_recipe.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace pollard {
namespace {

using ::testing::ElementsAre;

FilterStage stage(double area, TreeKind kind, Output output = Output::filtered) {
    FilterStage made;
    made.tree.kind = kind;
    made.filter.criteria.push_back({AttributeId::area, area, 1e9});
    made.filter.output = output;
    return made;
}

RegionStep rectangle(double from, double to) {
    return {{{RegionShape::Kind::rectangle, {{from, from}, {to, to}}}}, false};
}

std::vector<std::string> idsOf(const std::vector<RecipeStep>& steps) {
    std::vector<std::string> ids;
    for (const RecipeStep& step : steps) {
        ids.emplace_back(idOf(step));
    }
    return ids;
}

TEST(FilterStages, SayARegionOnlyWhereItIsAnotherThanAbove) {
    FilterStages stages{stage(3, TreeKind::max), stage(4, TreeKind::min), stage(5, TreeKind::max),
                        stage(6, TreeKind::min)};
    EXPECT_THAT(idsOf(recipeStepsOf(stages)),
                ElementsAre("tree", "filter", "tree", "filter", "tree", "filter", "tree", "filter"));
    stages[1].region = stages[2].region = rectangle(2, 9);
    EXPECT_THAT(idsOf(recipeStepsOf(stages)), ElementsAre("tree", "filter", "region", "tree", "filter", "tree",
                                                          "filter", "region", "tree", "filter"));
    stages[1].on = false; // the region is stated where the next one needs it
    EXPECT_THAT(idsOf(recipeStepsOf(stages)),
                ElementsAre("tree", "filter", "region", "tree", "filter", "region", "tree", "filter"));
    stages[2].regionOn = false;
    EXPECT_THAT(idsOf(recipeStepsOf(stages)), ElementsAre("tree", "filter", "tree", "filter", "tree", "filter"));
    EXPECT_THAT(idsOf(recipeStepsOf({})), ElementsAre());
}

TEST(FilterStages, ComeBackFromTheirRecipe) {
    std::mt19937 random(5);
    const auto below = [&random](int count) { return std::uniform_int_distribution(0, count - 1)(random); };
    for (int run = 0; run < 500; ++run) {
        FilterStages stages;
        for (int i = below(5); i > 0; --i) {
            FilterStage next = stage(below(50), below(2) == 0 ? TreeKind::max : TreeKind::min,
                                     below(2) == 0 ? Output::filtered : Output::residue);
            next.tree.connectivity = below(2) == 0 ? Connectivity::four : Connectivity::eight;
            if (below(3) > 0) {
                next.region = rectangle(below(2), 9);
                next.region.inverted = below(2) == 0;
            }
            next.regionOn = below(3) > 0;
            next.on = below(3) > 0;
            stages.push_back(next);
        }
        const Recipe recipe{"r", "", "", recipeStepsOf(stages)};
        EXPECT_EQ(stagesOf(recipe), effectiveStages(stages));
        EXPECT_EQ(recipeStepsOf(stagesOf(recipe)), recipe.steps);
    }
}

TEST(FilterStages, LeaveOutWhatFollowsTheLastFilter) {
    Recipe recipe{"r", "", "", recipeStepsOf(FilterStages{stage(3, TreeKind::max)})};
    recipe.steps.emplace_back(TreeStep{TreeKind::min, Connectivity::eight});
    recipe.steps.emplace_back(rectangle(1, 2));
    EXPECT_EQ(stagesOf(recipe), FilterStages{stage(3, TreeKind::max)});
}

TEST(FilterStages, OneByOneGiveTheImageOfTheWholeRecipe) {
    EngineRegistry registry{makeCpuEngine()};
    Engine& engine = registry.select("cpu");
    testing::Random random(11);
    for (int run = 0; run < 20; ++run) {
        FilterStages stages{stage(4, TreeKind::max), stage(6, TreeKind::min), stage(9, TreeKind::max, Output::residue)};
        stages[1].region = stages[2].region = rectangle(3, 14);
        stages[0].on = run % 3 != 0;
        stages[2].regionOn = run % 2 == 0;
        LoadedImage loaded;
        auto image = std::make_shared<Image>(PixelType::u8, 19, 17);
        for (std::uint8_t& level : image->pixels<std::uint8_t>()) {
            level = static_cast<std::uint8_t>(random() % 7);
        }
        loaded.image = image;
        const RecipeResult whole = runRecipe({"r", "", "", recipeStepsOf(stages)}, loaded, engine);
        for (const FilterStage& each : stages) {
            if (each.on) {
                loaded.image = runRecipe({"r", "", "", recipeStepsOf(std::span(&each, 1))}, loaded, engine).image;
            }
        }
        ASSERT_TRUE(std::equal(whole.image->data(), whole.image->data() + whole.image->bytes(), loaded.image->data()));
        EXPECT_EQ(whole.values, resultValuesOf(stages));
    }
}

TEST(FilterStages, SayWhatTheValuesAre) {
    const auto after = [](std::initializer_list<Output> outputs) {
        FilterStages stages;
        for (const Output output : outputs) {
            stages.push_back(stage(3, TreeKind::max, output));
        }
        return resultValuesOf(stages);
    };
    EXPECT_EQ(after({}), ResultValues::levels);
    EXPECT_EQ(after({Output::filtered, Output::filtered}), ResultValues::levels);
    EXPECT_EQ(after({Output::residue, Output::filtered}), ResultValues::differences);
    EXPECT_EQ(after({Output::filtered, Output::residue}), ResultValues::differences);
    EXPECT_EQ(after({Output::mask, Output::residue}), ResultValues::others);
    EXPECT_EQ(after({Output::residue, Output::mask}), ResultValues::others);
    FilterStages off{stage(3, TreeKind::max, Output::mask)};
    off.front().on = false;
    EXPECT_EQ(resultValuesOf(off), ResultValues::levels);
}

} // namespace
} // namespace pollard
