// pollard-cli learn: criteria from components to keep and to drop.

#include "cli_fixture.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "image/image.hpp"
#include "recipe/recipe.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

class LearnCommand : public CliTest {
protected:
    /// Bars on 10: 6 px of 60 with 2 px of 90 in it, 3 px of 80, 12 px of 50.
    void SetUp() override {
        Image image(PixelType::u8, 30, 3);
        std::ranges::fill(image.pixels<std::uint8_t>(), std::uint8_t{10});
        const auto bar = [&](std::size_t first, std::size_t count, std::uint8_t level) {
            std::ranges::fill(image.pixels<std::uint8_t>().subspan(30 + first, count), level);
        };
        bar(1, 6, 60);
        bar(2, 2, 90);
        bar(9, 3, 80);
        bar(15, 12, 50);
        writeTiff(path("bars.tif"), {image, {}});
    }
    [[nodiscard]] Outcome learn(Args args) const {
        args.insert(args.begin(), {"learn", path("bars.tif"), "--any-size"});
        return call(args);
    }
    [[nodiscard]] Json learned(Args args) const {
        args.emplace_back("--json");
        const Outcome outcome = learn(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json();
    }
};

TEST_F(LearnCommand, FindsCriteria) {
    const Json json = learned({"--keep", "5,1", "--drop", "9,1", "--attributes", "area,level"});
    EXPECT_EQ(json.at("criteria"), Json::array({"area>=4"}));
    EXPECT_EQ(json.at("wrong"), Json::array());
    EXPECT_EQ(json.at("nodes"), 5);
    const Json between = learned({"--keep", "5,1", "--drop", "9,1", "--drop", "20,1", "--attributes", "area"});
    EXPECT_EQ(between.at("criteria"), Json::array({"4<=area<=10"}));
}

TEST_F(LearnCommand, BoundsTheSize) {
    const Outcome outcome = call({"learn", path("bars.tif"), "--keep", "5,1", "--drop", "9,1", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("criteria"), Json::array({"4<=area<=10"}));
}

TEST_F(LearnCommand, AValueNamesTheComponentOfAThreshold) {
    EXPECT_EQ(learned({"--keep", "2,1:60", "--drop", "9,1", "--attributes", "area"}).at("criteria"),
              Json::array({"area>=4"}));
    EXPECT_EQ(learned({"--keep", "2,1", "--drop", "9,1", "--attributes", "area"}).at("criteria"),
              Json::array({"area<=2"}));
    EXPECT_EQ(learned({"--keep", "2,1", "--drop", "9,1", "--min-area", "3", "--attributes", "area"}).at("criteria"),
              Json::array({"area>=4"}));
}

TEST_F(LearnCommand, PrintsOptionsThatTheCommandFilterTakes) {
    const Outcome text = learn({"--keep", "5,1", "--drop", "9,1", "--attributes", "area", "--connectivity", "8"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("\ncriteria: area>=4\n"));
    EXPECT_THAT(text.out, HasSubstr("\ndecided as given: 2 of 2 components (100.0 %)\n"));
    EXPECT_THAT(text.out, HasSubstr("\nfilter: --keep 'area>=4' --connectivity 8\n"));
    EXPECT_EQ(call({"filter", path("bars.tif"), "-o", path("f.tif"), "--keep", "area>=4", "--connectivity", "8"}).code,
              0);
}

TEST_F(LearnCommand, WritesARecipe) {
    const Json json = learned(
        {"--keep", "20,1", "--drop", "5,1", "--drop", "0,0", "--attributes", "area", "--out-recipe", path("r.json")});
    EXPECT_EQ(json.at("recipe_file"), path("r.json"));
    const Recipe recipe = loadRecipe(path("r.json"));
    ASSERT_EQ(recipe.steps.size(), 3U);
    EXPECT_EQ(toString(std::get<FilterStep>(recipe.steps[2]).filter.criteria.at(0)), json.at("criteria").at(0));
    const Outcome run = call({"run", path("r.json"), path("bars.tif"), "-o", path("out")});
    EXPECT_EQ(run.code, 0) << run.err;
}

TEST_F(LearnCommand, SaysWhatNoCriteriaTellApart) {
    const Outcome level = learn({"--keep", "2,1", "--keep", "20,1", "--drop", "9,1", "--attributes", "level"});
    EXPECT_EQ(level.code, 0);
    EXPECT_THAT(level.err, HasSubstr("note: no attribute tells the components apart"));
    EXPECT_THAT(level.out, HasSubstr("decided as given: 2 of 3 components"));
    EXPECT_THAT(level.out, HasSubstr("criteria: none"));
}

TEST_F(LearnCommand, AsksForTheComponentsNextToABound) {
    const Json json = learned({"--keep", "20,1", "--drop", "9,1", "--attributes", "area", "--ask", "1"});
    ASSERT_EQ(json.at("least_sure").size(), 1U);
    EXPECT_EQ(json.at("least_sure").at(0).at("pixel"), "6,1");
    EXPECT_EQ(json.at("least_sure").at(0).at("area"), 6);
    EXPECT_EQ(json.at("least_sure").at(0).at("value"), 60);
    EXPECT_EQ(learned({"--keep", "20,1", "--drop", "9,1", "--ask", "0"}).at("least_sure"), Json::array());
}

TEST_F(LearnCommand, RefusesWhatIsNoClick) {
    const std::array<std::pair<Args, std::string>, 9> wrong{{
        {{"--keep", "5,1", "--drop", "6,1"}, "--drop: '6,1': is a component of --keep, too"},
        {{"--keep", "5", "--drop", "9,1"}, "--keep: '5': expected a pixel X,Y or X,Y:VALUE, for instance 120,45"},
        {{"--keep", "5,1", "--drop", "9,1:x"}, "--drop: '9,1:x': expected a pixel"},
        {{"--keep", "5,1,0", "--drop", "9,1"}, "--keep: '5,1,0': expected a pixel"},
        {{"--keep", "30,1", "--drop", "9,1"}, "--keep: '30,1': outside the image of 30 x 3 px"},
        {{"--keep", "0,0", "--drop", "9,1"}, "--keep: '0,0': the pixel is in no component but the whole image"},
        {{"--keep", "5,1:70", "--drop", "9,1"}, "--keep: '5,1:70': the pixel has the value 60"},
        {{"--keep", "5,1", "--drop", "9,1", "--attributes", "size"}, "attribute: 'size': unknown"},
        {{"--keep", "5,1"}, "drop"},
    }};
    for (const auto& [args, message] : wrong) {
        const Outcome outcome = learn(args);
        EXPECT_NE(outcome.code, 0) << message;
        EXPECT_THAT(outcome.err, HasSubstr(message));
    }
    EXPECT_THAT(learn({"--keep", "5,1", "--drop", "9,1", "--out-recipe", path("bars.tif")}).err, HasSubstr("bars.tif"));
}

TEST_F(LearnCommand, LearnsAForestThatRecipesAndTheFilterTake) {
    const std::string recipe = path("forest.json");
    const Args clicks{"learn", path("bars.tif"), "--keep", "5,1:60", "--drop", "9,1", "--drop", "2,1", "--forest"};
    Args args = clicks;
    args.insert(args.end(), {"--out-recipe", recipe});
    const Outcome outcome = call(args);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("forest: 64 decision trees"));
    EXPECT_THAT(outcome.out, HasSubstr("decided as given: 3 of 3 components"));
    EXPECT_THAT(outcome.out, HasSubstr("filter: --forest " + recipe + " --keep '4<=area<=10'"));
    const FilterSpec filter = std::get<FilterStep>(loadRecipe(recipe).steps.back()).filter;
    EXPECT_EQ(filter.criteria.size(), 1U);
    EXPECT_EQ(filter.forest.trees.size(), 64U);
    const Outcome filtered = call({"filter", path("bars.tif"), "--keep", "4<=area<=10", "--forest", recipe, "--output",
                                   "mask", "-o", path("mask.tif"), "--json"});
    ASSERT_EQ(filtered.code, 0) << filtered.err;
    EXPECT_EQ(filtered.json().at("forest"), recipe);
    const Outcome objects = call({"components", path("mask.tif"), "--threshold", "1", "--json"});
    EXPECT_EQ(objects.json().at("count"), 1) << objects.out;
    ASSERT_EQ(call({"run", recipe, path("bars.tif"), "-o", path("out")}).code, 0);
    Args json = clicks;
    json.emplace_back("--json");
    EXPECT_EQ(call(json).json().at("trees"), 64);
    EXPECT_EQ(call(json).json().count("margin"), 0U);
    EXPECT_THAT(call({"learn", path("bars.tif"), "--mask", path("mask.tif"), "--forest"}).err,
                IsErrorAbout("--forest: is learned from --keep and --drop"));
    ASSERT_EQ(call({"learn", path("bars.tif"), "--keep", "5,1", "--drop", "9,1", "--out-recipe", path("c.json")}).code,
              0);
    EXPECT_THAT(call({"filter", path("bars.tif"), "--forest", path("c.json"), "-o", path("f.tif")}).err,
                HasSubstr("no filter of the recipe has a forest"));
}

TEST_F(LearnCommand, FindsTheComponentsOfAMask) {
    Image mask(PixelType::u8, 30, 3); // most of a bar with a pixel beside the bar, and a small part of another bar
    std::ranges::fill(mask.pixels<std::uint8_t>(), std::uint8_t{0});
    for (const std::size_t x : {2, 3, 4, 5, 6, 7, 15, 16}) {
        mask.pixels<std::uint8_t>()[30 + x] = 1;
    }
    writeTiff(path("mask.tif"), {mask, {}});
    const Args args{"learn", path("bars.tif"), "--mask", path("mask.tif"), "--out-recipe", path("r.json"), "--json"};
    const Outcome outcome = call(args);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json.at("components"), 1);
    EXPECT_EQ(json.at("component_pixels"), 6);
    EXPECT_EQ(json.at("outside"), 1);
    EXPECT_EQ(json.at("missed"), 3);
    EXPECT_DOUBLE_EQ(json.at("dice").get<double>(), 10. / 14);
    ASSERT_EQ(call({"run", path("r.json"), path("bars.tif"), "-o", path("out")}).code, 0);
    const Outcome same = call({"learn", path("bars.tif"), "--mask", path("out/bars.tif"), "--json"});
    ASSERT_EQ(same.code, 0) << same.err;
    EXPECT_EQ(same.json().at("outside"), 0);
    EXPECT_EQ(same.json().at("missed"), 0);
    EXPECT_EQ(same.json().at("component_pixels"), 6);
    EXPECT_THAT(call({"learn", path("bars.tif"), "--mask", path("mask.tif"), "--keep", "5,1"}).err,
                IsErrorAbout("--mask: leave out --keep and --drop"));
    EXPECT_THAT(call({"learn", path("bars.tif"), "--keep", "5,1"}).err,
                IsErrorAbout("give --keep and --drop, or --mask"));
    writeTiff(path("small.tif"), {Image(PixelType::u8, 29, 3), {}});
    EXPECT_EQ(call({"learn", path("bars.tif"), "--mask", path("small.tif")}).code, 1);
}

} // namespace
} // namespace pollard::cli
