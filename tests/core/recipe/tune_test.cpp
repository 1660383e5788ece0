// Numbers of a recipe that are tried on images with a truth.

#include "base/error.hpp"
#include "batch/tune.hpp"
#include "cpu/cpu_engine.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/run_recipe.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Recipe recipeOf(const std::string& steps) {
    return parseRecipe(R"({"pollard_recipe":1,"name":"r","grey":"values","steps":[)" + steps + "]}");
}

Recipe split() {
    return recipeOf(R"({"id":"filter","version":1,"parameters":{"criteria":["area>=20","2<=height<=9"]}},
        {"id":"filter","version":1,"parameters":{"criteria":["area>=10","area<=90 um2"]}},
        {"id":"objects","version":7,"parameters":{"threshold":"hand","values":"50:","split":{"by":"shape","strength":0.5}}})");
}

TEST(RecipeNumbers, AreThoseOfTheLastSteps) {
    const std::vector<RecipeNumber> numbers = numbersOf(split());
    ASSERT_EQ(numbers.size(), 3U);
    EXPECT_EQ(numbers[0].name, "filter.area");
    EXPECT_EQ(numbers[0].value, 10) << "of the first criterion of the last filter";
    EXPECT_EQ(numbers[1].name, "objects.threshold");
    EXPECT_EQ(numbers[1].value, 50);
    EXPECT_EQ(numbers[2].name, "objects.split.strength");
    EXPECT_EQ(numbers[2].value, .5);
    const Recipe best = recipeOf(R"({"id":"objects","version":7,"parameters":{"best":{"size":40,"strictness":0.3}}})");
    EXPECT_EQ(numbersOf(best).front().name, "objects.best.size");
    const Recipe otsu = recipeOf(R"({"id":"objects","version":1,"parameters":{"threshold":"otsu"}})");
    EXPECT_TRUE(std::isnan(numbersOf(otsu).front().value)) << "the method chooses it";
}

TEST(RecipeNumbers, CanBeReplaced) {
    const Recipe recipe = split();
    for (const RecipeNumber& number : numbersOf(recipe)) {
        EXPECT_EQ(withNumber(recipe, number), recipe) << number.name;
        const Recipe other = withNumber(recipe, {number.name, .75});
        EXPECT_NE(other, recipe);
        for (const RecipeNumber& each : numbersOf(other)) {
            EXPECT_EQ(each.value == .75, each.name == number.name);
        }
    }
    const auto refusal = [&](const std::string& name, double value) {
        try {
            (void)withNumber(recipe, {name, value});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refusal("objects.split.strength", 2), HasSubstr("'objects.split.strength': "));
    EXPECT_THAT(refusal("objects.best.size", 2), HasSubstr("the step has no best"));
    EXPECT_THAT(refusal("contour.steps", 2), HasSubstr("must be a parameter"));
}

TEST(Trials, AreAllCombinations) {
    const std::array numbers{TriedNumber{"objects.threshold", {1, 2}}, TriedNumber{"filter.area", {3, 4, 5}}};
    const Trials trials = trialsOf(split(), numbers);
    EXPECT_THAT(trials.values, ElementsAre(ElementsAre(1, 3), ElementsAre(1, 4), ElementsAre(1, 5), ElementsAre(2, 3),
                                           ElementsAre(2, 4), ElementsAre(2, 5)));
    EXPECT_EQ(numbersOf(trials.recipes[4])[0].value, 4);
    EXPECT_EQ(numbersOf(trials.recipes[4])[1].value, 2);
    const std::array many{TriedNumber{"objects.threshold", std::vector<double>(101, 1)},
                          TriedNumber{"filter.area", std::vector<double>(101, 1)}};
    EXPECT_THROW((void)trialsOf(split(), many), Error);
}

/// Image i has two true objects of the value 60 + 10 i, and an invented one of 40 + 10 i.
TEST(TrialScores, CrossValidateAsDefined) {
    constexpr std::size_t kImages = 5;
    constexpr std::array kThresholds{35., 55., 75., 95.};
    const test::TempDir folder;
    const auto engine = makeCpuEngine();
    const Recipe recipe =
        recipeOf(R"({"id":"objects","version":3,"parameters":{"threshold":"hand","values":"10:","connectivity":4}})");
    const std::array numbers{TriedNumber{"objects.threshold", {kThresholds.begin(), kThresholds.end()}}};
    const Trials trials = trialsOf(recipe, numbers);
    TrialScores scores(trials.recipes.size());
    const auto write = [&](const std::string& name, const std::vector<std::uint32_t>& values) {
        writeResult(folder / name, resultPlane(values, Extent{6, 1}, {}), {});
    };
    for (std::uint32_t i = 0; i != kImages; ++i) {
        const std::string stem = "i" + std::to_string(i);
        write(stem + ".tif", {60 + 10 * i, 0, 40 + 10 * i, 0, 60 + 10 * i, 0});
        write(stem + "_truth.tif", {1, 0, 0, 0, 2, 0});
        const std::filesystem::path file = folder / (stem + ".tif");
        scores.add(trials, {file, partsOf(recipe, file, readOptionsOf(recipe)).parts.front(), "{stem}_truth.tif"},
                   {{engine.get()}});
    }
    const auto f1Of = [&](std::size_t trial, const auto& takes) {
        double matched = 0;
        double objects = 0;
        for (std::size_t i = 0; i != kImages; ++i) {
            if (takes(i)) {
                const auto bright = static_cast<double>(60 + 10 * i);
                matched += bright >= kThresholds[trial] ? 2 : 0;
                objects += 2 + (bright >= kThresholds[trial] ? 2 : 0) + (bright - 20 >= kThresholds[trial] ? 1 : 0);
            }
        }
        return 2 * matched / objects;
    };
    const auto bestOf = [&](const auto& takes) {
        std::size_t best = 0;
        for (std::size_t trial = 1; trial != kThresholds.size(); ++trial) {
            best = f1Of(trial, takes) > f1Of(best, takes) ? trial : best;
        }
        return best;
    };
    const auto all = [](std::size_t) { return true; };
    EXPECT_EQ(scores.images(), kImages);
    EXPECT_EQ(scores.best(), bestOf(all));
    for (std::size_t trial = 0; trial != kThresholds.size(); ++trial) {
        EXPECT_DOUBLE_EQ(scores.of(trial).matches.front().f1(), f1Of(trial, all));
    }
    for (const std::size_t count : {2U, 3U, 9U}) {
        const std::vector<TrialScores::Fold> folds = scores.folds(count);
        const std::size_t parts = std::min(count, kImages);
        ASSERT_EQ(folds.size(), parts);
        for (std::size_t fold = 0; fold != parts; ++fold) {
            const std::size_t best = bestOf([&](std::size_t i) { return i % parts != fold; });
            EXPECT_EQ(folds[fold].trial, best);
            EXPECT_DOUBLE_EQ(folds[fold].score.matches.front().f1(),
                             f1Of(best, [&](std::size_t i) { return i % parts == fold; }));
        }
    }
    EXPECT_TRUE(scores.folds(1).empty());
}

} // namespace
} // namespace pollard::testing
