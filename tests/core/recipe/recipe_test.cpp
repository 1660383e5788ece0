// Recipes that are read from texts, and texts that are refused.

#include "core/recipe/recipe_support.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "io/metadata/length_units.hpp"
#include "recipe/recipe.hpp"
#include "recipe/run_recipe.hpp"
#include "support/json_schema.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string problemOf(const std::string& text) {
    try {
        (void)parseRecipe(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        return error.what();
    }
    return "no error";
}

/// A recipe of one contour step with a start and these parameters.
std::string contourWith(const std::string& parameters) {
    return stepsOf(R"({"id": "contour", "version": 1,
                       "parameters": {"starts": [{"kind": "rectangle", "points": [1, 1, 9, 9]}], )" +
                   parameters + "}}");
}

TEST(Recipe, ReadsEveryParameter) {
    const Recipe recipe = parseRecipe(R"({
        "pollard_recipe": 1, "name": "All of it", "description": "d", "sample": "s.tif",
        "steps": [
            {"id": "read", "version": 1,
             "parameters": {"page": 3, "channel": "green", "range": {"percentile": [0.01, 0.99]}}},
            {"id": "tree", "version": 1, "parameters": {"kind": "min", "connectivity": 8}},
            {"id": "filter", "version": 1, "parameters": {
                "criteria": ["area>=100", "2<=width<=50"], "match": "any", "rule": "max", "output": "residue",
                "prominent": {"measure": "extinction_area", "count": 20}, "removed": [7, 9], "kept": [0], "only": [5]}}
        ]})");
    EXPECT_EQ(recipe.name, "All of it");
    EXPECT_EQ(recipe.description, "d");
    EXPECT_EQ(recipe.sample, "s.tif");
    ASSERT_EQ(recipe.steps.size(), 3U);
    ReadStep read;
    read.page = 3;
    read.channel = ChannelChoice::parse("green");
    read.range = {MappingChoice::Range::percentile, 0.01, 0.99};
    EXPECT_EQ(std::get<ReadStep>(recipe.steps[0]), read);
    EXPECT_EQ(std::get<TreeStep>(recipe.steps[1]), (TreeStep{TreeKind::min, Connectivity::eight}));
    const FilterSpec& filter = std::get<FilterStep>(recipe.steps[2]).filter;
    EXPECT_EQ(filter.criteria, (std::vector{parseCriterion("area>=100"), parseCriterion("2<=width<=50")}));
    EXPECT_EQ(filter.match, Match::any);
    EXPECT_EQ(filter.rule, Rule::max);
    EXPECT_EQ(filter.output, Output::residue);
    ASSERT_TRUE(filter.prominent);
    EXPECT_EQ(filter.prominent->measure, Prominence::extinctionArea);
    EXPECT_EQ(filter.prominent->count, 20U);
    EXPECT_EQ(filter.removed, (std::vector<std::uint32_t>{7, 9}));
    EXPECT_EQ(filter.kept, (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(filter.only, (std::vector<std::uint32_t>{5}));

    const ReadOptions options = readOptionsOf(recipe);
    EXPECT_EQ(options.page, 3);
    EXPECT_EQ(options.channel, read.channel);
    EXPECT_EQ(options.mapping, read.range) << "a residue has the distances of ranks, too";
}

TEST(Recipe, ReadsEvenlyMappedLevelsWhereDistancesCount) {
    const auto isProportional = [](const RecipeStep& step) {
        Recipe recipe;
        recipe.name = "range";
        recipe.steps = {step};
        return readOptionsOf(recipe).mapping.proportional;
    };
    FilterStep step;
    step.filter.criteria = {{AttributeId::height, 3}};
    EXPECT_FALSE(isProportional(step)) << "bounds of values";
    step.filter.criteria[0].grey = kLevels;
    EXPECT_TRUE(isProportional(step));
    step.filter.criteria = {{AttributeId::area, 3}};
    EXPECT_FALSE(isProportional(step));
    step.filter.rule = Rule::subtractive;
    step.filter.output = Output::residue;
    EXPECT_FALSE(isProportional(step)) << "distances of values";
    Recipe channels;
    channels.steps = {step};
    channels.channels.emplace_back();
    EXPECT_TRUE(readOptionsOf(channels).mapping.proportional) << "several channels have one type";
    EXPECT_TRUE(isProportional(ContoursStep{}));
    ObjectsStep objects;
    EXPECT_FALSE(isProportional(objects));
    objects.rule.method.reset();
    EXPECT_TRUE(isProportional(objects)) << "levels by hand";
    objects.rule.values = ValueBounds{0.5, 2};
    EXPECT_FALSE(isProportional(objects));
}

TEST(Recipe, ObjectsThatFillHolesOrLeaveOutTheBorderAreOfVersionTwo) {
    EXPECT_EQ(versionOf(ObjectsStep{}), 1);
    const testing::JsonSchema schema("recipe");
    const auto written = [](const ObjectsStep& step) {
        Recipe recipe;
        recipe.name = "objects";
        recipe.steps = {step};
        return toJson(recipe);
    };
    const std::string plain = written({});
    EXPECT_EQ(plain.find("fill_holes"), std::string::npos);
    EXPECT_EQ(plain.find("no_border"), std::string::npos);
    for (const auto& [holes, border] : {std::pair{true, false}, {false, true}, {true, true}}) {
        ObjectsStep step;
        step.rule.fillHoles = holes;
        step.rule.withoutBorder = border;
        EXPECT_EQ(versionOf(step), 2);
        std::string text = written(step);
        EXPECT_EQ(schema.problemOf(text), "");
        EXPECT_EQ(std::get<ObjectsStep>(parseRecipe(text).steps[0]), step);
        const std::size_t version = text.find("\"version\": 2");
        ASSERT_NE(version, std::string::npos);
        text[version + 11] = '1';
        EXPECT_THROW((void)parseRecipe(text), Error) << "version 1 knows neither";
        EXPECT_NE(schema.problemOf(text), "");
    }
    const Recipe said = parseRecipe(
        stepsOf(R"({"id": "objects", "version": 2, "parameters": {"fill_holes": false, "no_border": true}})"));
    EXPECT_TRUE(std::get<ObjectsStep>(said.steps[0]).rule.withoutBorder);
    EXPECT_FALSE(std::get<ObjectsStep>(said.steps[0]).rule.fillHoles);
    EXPECT_THROW((void)parseRecipe(stepsOf(R"({"id": "objects", "version": 2, "parameters": {"fill_holes": 1}})")),
                 Error);
}

TEST(Recipe, ObjectsThatAreSplitAreOfVersionSix) {
    const testing::JsonSchema schema("recipe");
    const auto parsed = [](const std::string& split, const char* version) {
        return parseRecipe(stepsOf(R"({"id": "objects", "version": )" + std::string(version) +
                                   R"(, "parameters": {"split": )" + split + "}}"));
    };
    const auto splitIn = [](const Recipe& recipe) { return std::get<ObjectsStep>(recipe.steps[0]).rule.split; };
    EXPECT_EQ(splitIn(parsed(R"({"by": "shape"})", "6")), (ObjectSplit{SplitBy::shape, .8}));
    const Recipe recipe = parsed(R"({"by": "brightness", "strength": 0.5})", "6");
    EXPECT_EQ(splitIn(recipe), (ObjectSplit{SplitBy::brightness, .5}));
    EXPECT_EQ(versionOf(recipe.steps[0]), 6);
    EXPECT_EQ(schema.problemOf(toJson(recipe)), "");
    for (const char* wrong : {R"({"by": "colour"})", R"({"strength": 0.5})", R"({"by": "shape", "strength": 1.5})",
                              R"({"by": "shape", "strength": -0.1})", "true"}) {
        EXPECT_THROW((void)parsed(wrong, "6"), Error) << wrong;
    }
    EXPECT_THROW((void)parsed(R"({"by": "shape"})", "5"), Error);
}

TEST(Recipe, ObjectsThatAreRegionsAreOfVersionSeven) {
    const testing::JsonSchema schema("recipe");
    const auto textOf = [](const std::string& parameters, const char* version = "7") {
        return stepsOf(R"({"id": "objects", "version": )" + std::string(version) + R"(, "parameters": {)" + parameters +
                       "}}");
    };
    const auto ruleIn = [](const Recipe& recipe) { return std::get<ObjectsStep>(recipe.steps[0]).rule; };
    ObjectRule best = ObjectSettings{}.rule;
    best.best = BestRule{50, LengthUnit::micrometre, .5, {{3, 4, true}, {5, 6, false, 7}}, {.misfit = -2.5}};
    best.dark = true;
    ObjectRule flooded = ObjectSettings{}.rule;
    flooded.watershed = WatershedRule{Relief::gradient, SeedMeasure::area, 20, Relief::levels, true, true};
    ObjectRule cut = ObjectSettings{}.rule;
    cut.hierarchy = HierarchyRule{Strength::dynamics, EdgeWeight::maximum, 2.5};
    cut.hierarchy->sizes = {5, 90, LengthUnit::millimetre};
    ObjectRule counted = ObjectSettings{}.rule;
    counted.hierarchy = HierarchyRule{};
    counted.hierarchy->regions = 30;
    for (const auto& [parameters, rule] : std::vector<std::pair<std::string, ObjectRule>>{
             {R"("dark": true, "best": {"size": 50, "unit": "um", "strictness": 0.5, "marks": [)"
              R"({"x": 3, "y": 4, "object": true}, {"x": 5, "y": 6, "object": false, "z": 7}], )"
              R"("weights": {"misfit": -2.5}})",
              best},
             {R"("watershed": {"relief": "gradient", "seeds": "area", "least": 20, "seeds_of": "levels", )"
              R"("lines": true, "everywhere": true})",
              flooded},
             {R"("hierarchy": {"by": "dynamics", "weight": "maximum", "above": 2.5, )"
              R"("sizes": {"least": 5, "most": 90, "unit": "mm"}})",
              cut},
             {R"("hierarchy": {"regions": 30})", counted}}) {
        const Recipe recipe = parseRecipe(textOf(parameters));
        EXPECT_EQ(ruleIn(recipe), rule) << parameters;
        EXPECT_EQ(versionOf(recipe.steps[0]), 7);
        const std::string written = toJson(recipe);
        EXPECT_EQ(schema.problemOf(written), "") << written;
        EXPECT_EQ(parseRecipe(written), recipe);
        EXPECT_THROW((void)parseRecipe(textOf(parameters, "6")), Error);
        EXPECT_NE(schema.problemOf(textOf(parameters, "6")), "");
        EXPECT_EQ(readOptionsOf(recipe).mapping.proportional, !rule.best);
    }
    for (const auto& [parameters, problem] : std::vector<std::pair<std::string, std::string>>{
             {R"("best": {"size": 0})", "best: size: 0: expected a number above 0"},
             {R"("best": {"size": 1e19})", "best: size: 1e+19: expected a number above 0, at most 1e18"},
             {R"("best": {"size": "5"})", "best: size"},
             {R"("best": {"unit": "ha"})", "best: unit"},
             {R"("best": {"strictness": 1})", "best: strictness: 1: expected a number above 0 and below 1"},
             {R"("best": {"marks": [{"x": -1, "y": 0, "object": true}]})", "best: marks"},
             {R"("best": {"marks": [{"x": 1, "y": 0}]})", "object"},
             {R"("best": {"weights": {"misfit": 1001}})",
              "weights: misfit: 1001: expected a number from -1000 to 1000"},
             {R"("best": {"weights": {"misfit": "1"}})", "misfit"},
             {R"("best": {"weights": {"size": 1}})", "size"},
             {R"("best": {"weights": [1]})", "weights"},
             {R"("best": {"colour": 1})", "colour"},
             {R"("best": true)", "best"},
             {R"("best": {}, "connectivity": 4)", "connectivity: the best components have 8 neighbours"},
             {R"("best": {}, "fill_holes": true)", "fill_holes: is of objects of a threshold"},
             {R"("best": {}, "watershed": {})", "watershed: there is another way"},
             {R"("watershed": {"relief": "hills"})", "watershed: relief"},
             {R"("watershed": {"seeds": "altitude"})", "watershed: seeds"},
             {R"("watershed": {"least": -1})", "watershed: least: -1: expected a number from 0 on"},
             {R"("watershed": {"relief": "distance", "everywhere": true})", "watershed: distances are"},
             {R"("watershed": {}, "split": {"by": "shape"})", "split: is of"},
             {R"("hierarchy": {"by": "size"})", "hierarchy: by"},
             {R"("hierarchy": {"above": -1})", "hierarchy: above: -1: expected a number from 0 on"},
             {R"("hierarchy": {"regions": 0})", "hierarchy: regions"},
             {R"("hierarchy": {"regions": 4, "above": 1})", "hierarchy: above: 'regions' states"},
             {R"("hierarchy": {"sizes": {"most": 0}})", "hierarchy: sizes: most"},
             {R"("hierarchy": {}, "above_background": {"sigmas": 5, "box": 64})", "above_background: is of objects"}}) {
        EXPECT_THAT(problemOf(textOf(parameters)), HasSubstr(problem)) << parameters;
    }
    const auto inVolume = [](const std::string& parameters) {
        return stepsOf(R"({"id": "read", "version": 5, "parameters": {"volume": true}}, )"
                       R"({"id": "objects", "version": 7, "parameters": {)" +
                       parameters + "}}");
    };
    EXPECT_NO_THROW((void)parseRecipe(inVolume(R"("best": {})")));
    EXPECT_THAT(problemOf(inVolume(R"("best": {}, "connectivity": 18)")),
                HasSubstr("connectivity: the best components of a volume have 26 neighbours"));
    EXPECT_NO_THROW((void)parseRecipe(inVolume(R"("hierarchy": {}, "connectivity": 26)")));
}

TEST(Recipe, LabelFilesAreOfALaterVersion) {
    const testing::JsonSchema schema("recipe");
    ObjectsStep step;
    step.rule.labels = "masks/{stem}.png";
    EXPECT_EQ(versionOf(step), 8);
    Recipe recipe;
    recipe.name = "labels";
    recipe.steps = {step};
    const std::string text = toJson(recipe);
    EXPECT_EQ(schema.problemOf(text), "");
    EXPECT_EQ(parseRecipe(text), recipe);
    std::string earlier = text;
    earlier.replace(earlier.find("\"version\": 8"), 12, "\"version\": 7");
    EXPECT_NE(schema.problemOf(earlier), "");
    EXPECT_THAT(problemOf(earlier), HasSubstr("labels"));
    const auto textOf = [](const std::string& parameters) {
        return stepsOf(R"({"id": "objects", "version": 8, "parameters": {)" + parameters + "}}");
    };
    for (const auto& [parameters, problem] :
         {std::pair{R"("labels": "")", "labels"},
          {R"("labels": "a.tif", "best": {})", "labels: there is another way to find objects"},
          {R"("labels": "a.tif", "fill_holes": true)", "fill_holes: is of objects of a threshold"}}) {
        EXPECT_THAT(problemOf(textOf(parameters)), HasSubstr(problem)) << parameters;
    }
}

TEST(Recipe, VolumesAreOfLaterVersions) {
    const testing::JsonSchema schema("recipe");
    Recipe recipe;
    recipe.name = "volume";
    ReadStep read;
    read.volume = true;
    const TreeStep tree{TreeKind::min, Connectivity::twentySix};
    recipe.steps = {read, tree, FilterStep{}};
    EXPECT_EQ(versionOf(read), 5);
    EXPECT_EQ(versionOf(tree), 2);
    EXPECT_EQ(versionOf(TreeStep{TreeKind::max, Connectivity::eight}), 1);
    EXPECT_TRUE(readsVolume(recipe));
    EXPECT_THROW(requireImages(recipe, "tracking"), Error);
    const std::string text = toJson(recipe);
    EXPECT_EQ(schema.problemOf(text), "");
    EXPECT_EQ(parseRecipe(text), recipe);
    for (const auto& [newer, older] :
         {std::pair{"\"version\": 5", "\"version\": 4"}, {"\"version\": 2", "\"version\": 1"}}) {
        std::string earlier = text;
        earlier.replace(earlier.find(newer), std::string(newer).size(), older);
        EXPECT_THROW((void)parseRecipe(earlier), Error) << older;
        EXPECT_NE(schema.problemOf(earlier), "") << older;
    }
    recipe.steps = {ReadStep{}, FilterStep{}};
    EXPECT_FALSE(readsVolume(recipe));
    EXPECT_EQ(toJson(recipe).find("volume\": t"), std::string::npos);
    recipe.steps[0] = read;
    recipe.channels = {{"1", {}}};
    EXPECT_THAT(problemOf(toJson(recipe)), HasSubstr("a volume is filtered in one channel"));
}

TEST(Recipe, ObjectsOfVolumesAreOfVersionFour) {
    const testing::JsonSchema schema("recipe");
    ReadStep read;
    read.volume = true;
    ObjectsStep step;
    step.rule.connectivity = Connectivity::eighteen;
    step.condition = "sphericity > 0.5 && grey_mean > 3";
    step.order = ObjectFeature::surface;
    step.unit = LengthUnit::micrometre;
    EXPECT_EQ(versionOf(step), 4);
    const Recipe recipe{"volume", "", "", {read, step}};
    const std::string text = toJson(recipe);
    EXPECT_EQ(schema.problemOf(text), "");
    EXPECT_EQ(parseRecipe(text), recipe);
    std::string earlier = text;
    earlier.replace(earlier.find("\"version\": 4"), 12, "\"version\": 3");
    EXPECT_THAT(problemOf(earlier), AllOf(HasSubstr("connectivity"), HasSubstr("need version 4")));
    EXPECT_NE(schema.problemOf(earlier), "");
    const auto problemWith = [&](auto change) {
        ObjectsStep other;
        change(other);
        return problemOf(toJson({"volume", "", "", {read, other}}));
    };
    EXPECT_EQ(problemWith([](ObjectsStep& other) { other.condition = "area > 3"; }), "no error");
    EXPECT_THAT(problemWith([](ObjectsStep& other) { other.condition = "circularity > 0.5"; }),
                AllOf(HasSubstr("step 2 (objects): condition"), HasSubstr("circularity")));
    EXPECT_EQ(problemWith([](ObjectsStep& other) {
                  other.rule.connectivity = Connectivity::six;
                  other.condition = "area > 3 um3";
              }),
              "no error");
    EXPECT_THAT(problemWith([](ObjectsStep& other) { other.rule.above.emplace(); }),
                HasSubstr("above_background: works on images"));
    EXPECT_THAT(problemWith([](ObjectsStep& other) { other.order = ObjectFeature::perimeter; }),
                HasSubstr("order: perimeter: is of images"));
    EXPECT_THAT(problemWith([](ObjectsStep& other) { other.side = 2; }), HasSubstr("side: is of images"));
    EXPECT_THAT(problemWith([](ObjectsStep& other) {
                    other.measure = MeasureChoice{true, {}, false, 5};
                }),
                HasSubstr("measure: ring"));
    EXPECT_THAT(problemWith([](ObjectsStep& other) { other.files = {ObjectFile::vector}; }),
                HasSubstr("a volume has no place on a map"));
    step.rule.connectivity = Connectivity::eight;
    EXPECT_THAT(problemOf(toJson({"picture", "", "", {step}})), HasSubstr("sphericity"));
}

TEST(Recipe, PixelsWithoutTransparencyAreOfVersionSeven) {
    const testing::JsonSchema schema("recipe");
    Recipe recipe;
    recipe.name = "alpha";
    ReadStep read;
    read.ignoreAlpha = true;
    recipe.steps = {read, FilterStep{}};
    EXPECT_EQ(versionOf(read), 7);
    const std::string text = toJson(recipe);
    EXPECT_EQ(schema.problemOf(text), "");
    EXPECT_EQ(parseRecipe(text), recipe);
    EXPECT_TRUE(readOptionsOf(recipe).ignoreAlpha);
}

TEST(Recipe, SelectionsByAxesAreOfVersionEight) {
    const testing::JsonSchema schema("recipe");
    for (const char* at : {"channel=DAPI,z=max,t=each", "z=volume:2..8", "channel=\"488, b\",z=3,t=last", "page=each",
                           "channel=nd(nir,red),z=sharpest", ""}) {
        Recipe recipe;
        recipe.name = "axes";
        recipe.steps = {FilterStep{}};
        setSelection(recipe, parseSelection(at));
        EXPECT_EQ(versionOf(recipe.steps[0]), 8);
        const std::string text = toJson(recipe);
        EXPECT_EQ(schema.problemOf(text), "") << text;
        EXPECT_EQ(parseRecipe(text), recipe) << text;
        ASSERT_NE(selectionOf(recipe), nullptr);
        EXPECT_EQ(toString(*selectionOf(recipe)), at);
        EXPECT_EQ(readsVolume(recipe), std::string(at).starts_with("z=volume"));
        std::string earlier = text;
        earlier.replace(earlier.find("\"version\": 8"), 12, "\"version\": 7");
        EXPECT_THROW((void)parseRecipe(earlier), Error);
    }
    const auto withAt = [](const std::string& parameters) {
        return stepsOf(R"({"id": "read", "version": 8, "parameters": )" + parameters + "}, " +
                       R"({"id": "filter", "version": 1, "parameters": {}})");
    };
    EXPECT_THAT(problemOf(withAt(R"({"at": {"z": "most"}})")), HasSubstr("z: 'most'"));
    EXPECT_THAT(problemOf(withAt(R"({"at": {"w": 1}})")), HasSubstr("w"));
    EXPECT_THAT(problemOf(withAt(R"({"at": {"z": "1,t=2"}})")), HasSubstr("another axis"));
    EXPECT_THAT(problemOf(withAt(R"({"at": {"z": 1}, "page": 3})")), HasSubstr("'at' states it"));
    EXPECT_EQ(std::get<ReadStep>(parseRecipe(withAt(R"({"at": {"z": 1}})")).steps[0]).at, parseSelection("z=1"));
}

TEST(Recipe, AxesAndScenesAreOfVersionNine) {
    const testing::JsonSchema schema("recipe");
    Recipe stated{"axes", "", "", {FilterStep{}}};
    setAxes(stated, "t3z5");
    EXPECT_EQ(readOptionsOf(stated).axes, "t3z5");
    Recipe scene{"scene", "", "", {FilterStep{}}};
    setSelection(scene, parseSelection("z=max,scene=\"left, upper\""));
    for (const Recipe& recipe : {stated, scene}) {
        EXPECT_EQ(versionOf(recipe.steps[0]), 9);
        const std::string text = toJson(recipe);
        EXPECT_EQ(schema.problemOf(text), "") << text;
        EXPECT_EQ(parseRecipe(text), recipe) << text;
        std::string earlier = text;
        earlier.replace(earlier.find("\"version\": 9"), 12, "\"version\": 8");
        EXPECT_THROW((void)parseRecipe(earlier), Error);
        EXPECT_NE(schema.problemOf(earlier), "");
    }
    setAxes(stated, "tzq");
    EXPECT_THAT(problemOf(toJson(stated)), AllOf(HasSubstr("axes"), HasSubstr("'tzq': must be t, z and c")));
}

TEST(Recipe, ColumnsAreOfVersionFive) {
    const testing::JsonSchema schema("recipe");
    ObjectsStep step;
    step.columns = {"area", "euler", "glon_deg", "flux", "mean[GFP]"};
    step.measure = MeasureChoice{};
    step.measure->channels = {"GFP"};
    Recipe recipe{"columns", "", "", {step}};
    EXPECT_EQ(versionOf(recipe.steps[0]), 5);
    std::string text = toJson(recipe);
    EXPECT_EQ(schema.problemOf(text), "") << text;
    EXPECT_EQ(parseRecipe(text), recipe);
    text.replace(text.find("\"version\": 5"), 12, "\"version\": 4");
    EXPECT_THROW((void)parseRecipe(text), Error);
    EXPECT_NE(schema.problemOf(text), "");
    const auto problemWith = [](std::vector<std::string> columns) {
        ObjectsStep other;
        other.columns = std::move(columns);
        return problemOf(toJson({"columns", "", "", {other}}));
    };
    EXPECT_THAT(problemWith({"area", "aera"}), AllOf(HasSubstr("columns"), HasSubstr("\"aera\": expected a feature")));
    EXPECT_THAT(problemWith({"mean[GFP]"}), HasSubstr("\"mean[GFP]\": is of a channel, which needs 'measure'"));
    EXPECT_THAT(problemWith({"area", "area"}), HasSubstr("\"area\": stands twice"));
}

TEST(Recipe, MeasurementsAndBordersInXyAreOfVersionFour) {
    const testing::JsonSchema schema("recipe");
    Recipe recipe;
    recipe.name = "measure";
    ObjectsStep step;
    step.measure = MeasureChoice{};
    step.measure->channels = {"GFP", "a, b"};
    step.measure->pairs = true;
    step.measure->ring = 5;
    recipe.steps = {step};
    EXPECT_EQ(versionOf(recipe.steps[0]), 4);
    std::string text = toJson(recipe);
    EXPECT_EQ(schema.problemOf(text), "") << text;
    EXPECT_EQ(parseRecipe(text), recipe);
    text.replace(text.find("\"version\": 4"), 12, "\"version\": 3");
    EXPECT_THROW((void)parseRecipe(text), Error);
    EXPECT_NE(schema.problemOf(text), "");
    step.measure.reset();
    step.rule.withoutBorder = step.rule.borderXy = true;
    recipe.steps = {step};
    EXPECT_EQ(versionOf(recipe.steps[0]), 4);
    EXPECT_EQ(schema.problemOf(toJson(recipe)), "");
    EXPECT_EQ(parseRecipe(toJson(recipe)), recipe);
}

TEST(Recipe, SlicesOfVolumesAreOfVersionSix) {
    const testing::JsonSchema schema("recipe");
    Recipe recipe;
    recipe.name = "part";
    ReadStep read;
    read.volume = true;
    read.region = PixelRegion{1, 2, 3, 4};
    read.slices = SliceRange{5, 6};
    recipe.steps = {read, FilterStep{}};
    EXPECT_EQ(versionOf(read), 6);
    const std::string text = toJson(recipe);
    EXPECT_EQ(schema.problemOf(text), "");
    EXPECT_EQ(parseRecipe(text), recipe);
    const ReadOptions options = readOptionsOf(recipe);
    EXPECT_EQ(options.region, read.region);
    EXPECT_EQ(options.slices, read.slices);
    std::string earlier = text;
    earlier.replace(earlier.find("\"version\": 6"), 12, "\"version\": 5");
    EXPECT_THROW((void)parseRecipe(earlier), Error);
    EXPECT_NE(schema.problemOf(earlier), "");
    read.volume = false;
    recipe.steps = {read, FilterStep{}};
    EXPECT_THAT(problemOf(toJson(recipe)), HasSubstr("slices: are of a volume"));
    read.volume = true;
    read.slices = SliceRange{5, 0};
    recipe.steps = {read, FilterStep{}};
    EXPECT_NE(problemOf(toJson(recipe)), "");
}

TEST(Recipe, NamesOfChannelsAndExpressionsAreOfVersionFour) {
    const testing::JsonSchema schema("recipe");
    for (const char* channel : {"ndvi", "nd(nir,red)", "DAPI", "stain(hed,dab)", "max(\"a, b\",1)"}) {
        Recipe recipe;
        recipe.name = "channels";
        ReadStep read;
        read.channel = ChannelChoice::parse(channel);
        recipe.steps = {read, FilterStep{}};
        EXPECT_EQ(versionOf(recipe.steps[0]), 4);
        std::string text = toJson(recipe);
        EXPECT_EQ(schema.problemOf(text), "");
        EXPECT_EQ(std::get<ReadStep>(parseRecipe(text).steps[0]), read);
        EXPECT_EQ(readOptionsOf(recipe).channel, read.channel);
        const std::size_t version = text.find("\"version\": 4");
        ASSERT_NE(version, std::string::npos);
        text[version + 11] = '3';
        EXPECT_THAT(problemOf(text), AllOf(HasSubstr("channel"), HasSubstr("need version 4")));
        EXPECT_NE(schema.problemOf(text), "");
    }
    ReadStep plain;
    plain.channel = ChannelChoice::parse("12");
    EXPECT_EQ(versionOf(plain), 1);
    EXPECT_THAT(problemOf(stepsOf(R"({"id": "read", "version": 4, "parameters": {"channel": "nd(1"}}, )" +
                                  std::string(kFilter))),
                AllOf(HasSubstr("step 1 (read)"), HasSubstr("character 5")));
}

TEST(Recipe, HasFiltersOfOtherChannelsInVersionTwo) {
    const testing::JsonSchema schema("recipe");
    Recipe recipe;
    recipe.name = "channels";
    recipe.steps = {FilterStep{}};
    const std::string plain = toJson(recipe);
    EXPECT_EQ(plain, "{\n  \"pollard_recipe\": 1,\n  \"name\": \"channels\",\n  \"description\": \"\",\n"
                     "  \"steps\": [\n    {\n      \"id\": \"filter\",\n      \"version\": 1,\n"
                     "      \"parameters\": {\n        \"criteria\": [],\n        \"match\": \"all\",\n"
                     "        \"rule\": \"direct\",\n        \"output\": \"filtered\"\n      }\n    }\n  ]\n}\n")
        << "the bytes of a recipe of one channel";
    RecipeChannel gfp{"GFP (488)", {}};
    gfp.filter.criteria = {parseCriterion("area>=15um2")};
    gfp.filter.rule = Rule::subtractive;
    gfp.filter.output = Output::residue;
    gfp.filter.prominent = Prominent{Prominence::dynamics, 9};
    gfp.filter.removed = {3, 8};
    recipe.channels = {gfp, {"2", {}}, {"nd(nir,red)", {}}};
    const std::string text = toJson(recipe);
    EXPECT_EQ(schema.problemOf(text), "");
    EXPECT_EQ(parseRecipe(text), recipe);
    EXPECT_EQ(toJson(parseRecipe(text)), text);
    std::string earlier = text;
    earlier.replace(earlier.find("\"pollard_recipe\": 2"), 19, "\"pollard_recipe\": 1");
    EXPECT_THAT(problemOf(earlier), HasSubstr("channels"));
    EXPECT_NE(schema.problemOf(earlier), "");
    const auto with = [](const std::string& channels) {
        return R"({"pollard_recipe": 2, "name": "a", "channels": )" + channels + R"(, "steps": [)" + kFilter + "]}";
    };
    EXPECT_EQ(parseRecipe(with("[]")).channels.size(), 0U);
    for (const auto& [channels, why] : std::vector<std::pair<std::string, std::string>>{
             {R"([{"channel": "a", "filter": {}}, {"channel": "a", "filter": {}}])",
              "channels[1]: channel: \"a\": stands twice"},
             {R"([{"channel": "", "filter": {}}])", "channels[0]: channel: is empty"},
             {R"([{"channel": "a"}])", "filter"},
             {R"([{"filter": {}}])", "channel"},
             {R"([{"channel": "a", "filter": {"criteria": ["aria>=1"]}}])", "channels[0]: filter: criteria[0]"},
             {R"([{"channel": "a", "filter": {}, "tree": {}}])", "tree"},
             {R"({"a": {}})", "channels"}}) {
        EXPECT_THAT(problemOf(with(channels)), HasSubstr(why)) << channels;
    }
}

TEST(Recipe, ReadsObjectsAndContoursWithoutAFilter) {
    const Recipe recipe = parseRecipe(stepsOf(R"(
        {"id": "objects", "version": 1, "parameters": {"of": "original", "threshold": "hand", "levels": [3, 70],
         "connectivity": 4, "condition": "area > 4", "side": 0.5, "order": "grey_mean", "descending": true, "count": 9,
         "removed": [2, 9], "files": ["rois", "csv"]}},
        {"id": "contour", "version": 1, "parameters": {"of": "original", "starts": "objects", "law": "gamma",
         "moves": "parity", "max_step": 8, "min_length": 5, "min_pixels": 7, "max_nodes": 60, "max_rounds": 3, "apart": 2,
         "length_price": 2.5, "forbidden": [{"kind": "ellipse", "points": [0, 0, 4, 5]}],
         "forbidden_pixels": {"width": 2, "height": 3, "runs": [1, 5]}, "files": ["trace", "mask"]}})"));
    ASSERT_EQ(recipe.steps.size(), 2U);
    EXPECT_EQ(std::get<ObjectsStep>(recipe.steps[0]),
              (ObjectsStep{StepImage::original,
                           {{}, std::nullopt, false, {3, 70}, Connectivity::four},
                           "area > 4",
                           0.5,
                           LengthUnit::pixel,
                           ObjectFeature::greyMean,
                           true,
                           9,
                           {2, 9},
                           {ObjectFile::regions, ObjectFile::table},
                           GeoJsonIn::pixels}));
    const auto& contour = std::get<ContoursStep>(recipe.steps[1]);
    EXPECT_EQ(contour, (ContoursStep{StepImage::original,
                                     true,
                                     {},
                                     {RegionLaw::gamma, SnakeMoves::parity, 8, 5, 7, 60, 3, 2.5},
                                     2,
                                     {{RegionShape::Kind::ellipse, {{0, 0}, {4, 5}}}},
                                     StoredMask{2, 3, {1, 5}},
                                     {ContourFile::trace, ContourFile::mask}}));
    const Recipe bare = parseRecipe(stepsOf(R"({"id": "objects", "version": 1, "parameters": {}},
        {"id": "contour", "version": 1, "parameters": {"starts": "objects"}})"));
    EXPECT_EQ(std::get<ObjectsStep>(bare.steps[0]), ObjectsStep{});
    EXPECT_EQ(ObjectsStep{}.rule.method, ThresholdMethod::otsu);
    ContoursStep plain;
    plain.fromObjects = true;
    EXPECT_EQ(std::get<ContoursStep>(bare.steps[1]), plain);
    EXPECT_EQ(parseRecipe(toJson(recipe)), recipe);
    EXPECT_THAT(toJson(recipe), HasSubstr("length_price"));
    EXPECT_THAT(toJson(bare), Not(HasSubstr("length_price"))) << "recipes without a price keep their bytes";
}

TEST(Recipe, WithoutValuesHasNumbersOfGreyInLevels) {
    const std::string old = R"({"pollard_recipe": 1, "name": "old", "steps": [
        {"id": "filter", "version": 1, "parameters": {"criteria": ["height>20", "area>=5"]}},
        {"id": "objects", "version": 1, "parameters": {"threshold": "hand", "levels": [3, 70],
         "condition": "grey_mean > 40"}}]})";
    const Recipe recipe = parseRecipe(old);
    const std::vector<Criterion>& criteria = std::get<FilterStep>(recipe.steps[0]).filter.criteria;
    EXPECT_EQ(criteria[0].grey, kLevels);
    EXPECT_EQ(criteria[0].minimum, 21) << "a strict bound of levels is the next level";
    EXPECT_EQ(criteria[1].grey, "");
    EXPECT_TRUE(std::get<ObjectsStep>(recipe.steps[1]).conditionInLevels);
    const std::string text = toJson(recipe);
    EXPECT_THAT(text, AllOf(HasSubstr("\"height>=21\""), Not(HasSubstr("levels\"]")), Not(HasSubstr("\"grey\""))));
    EXPECT_EQ(parseRecipe(text), recipe);
    EXPECT_EQ(testing::JsonSchema("recipe").problemOf(text), "");
}

TEST(Recipe, WithoutValuesCountsTheDeltaOfStabilityInLevels) {
    const std::string steps = R"("steps": [{"id": "filter", "version": 1,
        "parameters": {"criteria": ["stability<=0.5"]}}]})";
    const Recipe old = parseRecipe(R"({"pollard_recipe": 1, "name": "old", )" + steps);
    const Recipe one = parseRecipe(R"({"pollard_recipe": 1, "name": "one", "grey": "values", )" + steps);
    EXPECT_EQ(parseRecipe(toJson(old)), old);
    EXPECT_EQ(parseRecipe(toJson(one)), one);
    EXPECT_THAT(toJson(old), Not(HasSubstr("\"grey\"")));
    EXPECT_THAT(toJson(one), AllOf(HasSubstr(R"("grey": "values")"), HasSubstr("\"stability<=0.5\"")));
    // A chain of 1 to 4 pixels with distances of 700 and a range of 2100, 5/255 of which are 41.
    LoadedImage loaded;
    loaded.image = makeImage(PixelType::u16, 4, 1, [](auto x, auto) { return 30000 + 700 * x; });
    ValueMapping mapping;
    mapping.offset = -32768;
    mapping.minimum = -2768;
    mapping.maximum = -668;
    mapping.exact = true;
    mapping.file.type = ValueType::i16;
    loaded.info.mapping = mapping;
    const auto levelsAfter = [&](const Recipe& recipe) {
        const auto engine = makeCpuEngine();
        const auto image = runRecipe(recipe, loaded, *engine).image;
        std::vector<int> levels;
        for (std::size_t i = 0; i < 4; ++i) {
            levels.push_back(image->level(i));
        }
        return levels;
    };
    EXPECT_THAT(levelsAfter(old), ElementsAre(30000, 30700, 31400, 31400)) << "1/3, 1/2 and 1";
    EXPECT_THAT(levelsAfter(one), ElementsAre(30000, 30000, 30000, 30000)) << "no ancestor is within 41";
}

TEST(Recipe, InValuesSaysSoWithTheirUnit) {
    Recipe recipe;
    recipe.name = "bone";
    FilterStep filter;
    filter.filter.criteria = {parseCriterion("level>=300HU"), parseCriterion("area>=5")};
    ObjectsStep objects;
    objects.rule.method.reset();
    objects.rule.values = ValueBounds{-200, 300.5, "HU"};
    objects.condition = "grey_mean > 40";
    recipe.steps = {filter, objects};
    const std::string text = toJson(recipe);
    EXPECT_THAT(text, AllOf(HasSubstr(R"("grey": "values")"), HasSubstr(R"("grey_unit": "HU")"),
                            HasSubstr(R"("values": "-200:300.5 HU")"), HasSubstr("\"version\": 3")));
    const testing::JsonSchema schema("recipe");
    EXPECT_EQ(schema.problemOf(text), "");
    EXPECT_EQ(parseRecipe(text), recipe);

    const Recipe plain = parseRecipe(R"({"pollard_recipe": 1, "name": "a", "grey": "values", "grey_unit": "HU",
        "steps": [{"id": "filter", "version": 1, "parameters": {"criteria": ["level>=300", "height>=20levels"]}}]})");
    const std::vector<Criterion>& criteria = std::get<FilterStep>(plain.steps[0]).filter.criteria;
    EXPECT_EQ(criteria[0].grey, "HU");
    EXPECT_EQ(criteria[1].grey, kLevels);
    EXPECT_EQ(parseRecipe(toJson(plain)), plain) << "values and levels beside each other";

    const auto with = [](const std::string& members) {
        return R"({"pollard_recipe": 1, "name": "a", )" + members + R"(, "steps": [)" + kFilter + "]}";
    };
    EXPECT_THAT(problemOf(with(R"("grey": "levels")")), AllOf(HasSubstr("grey"), HasSubstr("expected \"values\"")));
    EXPECT_THAT(problemOf(with(R"("grey_unit": "HU")")), HasSubstr("grey_unit: is of values"));
}

TEST(Recipe, SaysWhatOutlinesAreInOnlyWhereItMatters) {
    const Recipe recipe = parseRecipe(stepsOf(R"(
        {"id": "objects", "version": 2, "parameters": {"geojson_in": "degrees"}},
        {"id": "contour", "version": 2, "parameters": {"starts": "objects", "geojson_in": "degrees"}},
        {"id": "contour", "version": 2, "parameters": {"starts": "objects"}})"));
    EXPECT_EQ(std::get<ObjectsStep>(recipe.steps[0]).geojsonIn, GeoJsonIn::degrees);
    EXPECT_EQ(std::get<ContoursStep>(recipe.steps[1]).geojsonIn, GeoJsonIn::degrees);
    EXPECT_EQ(std::get<ContoursStep>(recipe.steps[2]).geojsonIn, GeoJsonIn::pixels);
    EXPECT_EQ(versionOf(recipe.steps[0]), 2);
    EXPECT_EQ(versionOf(recipe.steps[1]), 2);
    EXPECT_EQ(versionOf(recipe.steps[2]), 1) << "programs before this parameter read all that has the old meaning";
    EXPECT_EQ(parseRecipe(toJson(recipe)), recipe);
    const testing::JsonSchema schema("recipe");
    EXPECT_EQ(schema.problemOf(toJson(recipe)), "");
    EXPECT_NE(schema.problemOf(stepsOf(R"({"id": "objects", "version": 1, "parameters": {"geojson_in": "degrees"}})")),
              "");
}

TEST(Recipe, ReadsWhichPartOfAnImageAndWhichPixels) {
    const Recipe recipe = parseRecipe(stepsOf(std::string(R"(
            {"id": "read", "version": 2, "parameters": {"level": 1, "shrink": 3,
             "part": {"x": 4, "y": 5, "width": 60, "height": 70},
             "raw": {"width": 100, "height": 200, "type": "f32", "big_endian": true, "samples": 2, "offset": 512,
                     "pages": 7}}},
            {"id": "region", "version": 1, "parameters": {"inverted": true, "shapes": [
             {"kind": "ellipse", "points": [0, 1.5, 20, 30]}, {"kind": "polygon", "points": [0, 0, 5, 0, 5, 9]}]}},)") +
                                              kFilter));
    const auto& read = std::get<ReadStep>(recipe.steps[0]);
    EXPECT_EQ(read.level, 1);
    EXPECT_EQ(read.shrink, 3);
    EXPECT_EQ(read.region, (PixelRegion{4, 5, 60, 70}));
    EXPECT_EQ(read.raw, (RawLayout{100, 200, RawLayout::SampleType::f32, true, 2, 512, 7}));
    EXPECT_EQ(versionOf(recipe.steps[0]), 2);
    const auto& region = std::get<RegionStep>(recipe.steps[1]);
    EXPECT_TRUE(region.inverted);
    ASSERT_EQ(region.shapes.size(), 2U);
    EXPECT_EQ(region.shapes[0], (RegionShape{RegionShape::Kind::ellipse, {{0, 1.5}, {20, 30}}}));
    EXPECT_EQ(region.shapes[1], (RegionShape{RegionShape::Kind::polygon, {{0, 0}, {5, 0}, {5, 9}}}));
    const ReadOptions options = readOptionsOf(recipe);
    EXPECT_EQ(options.level, 1);
    EXPECT_EQ(options.shrink, 3);
    EXPECT_EQ(options.region, read.region);
    EXPECT_EQ(options.raw, read.raw);
    // A recipe that uses none of these parameters can be read by older programs.
    EXPECT_EQ(versionOf(ReadStep{}), 1);
    EXPECT_THAT(toJson({"a", "", "", {ReadStep{}, FilterStep{}}}), Not(HasSubstr("shrink")));
}

TEST(Recipe, ReadsThePixelSizeThatAPersonStates) {
    const Recipe recipe = parseRecipe(stepsOf(std::string(R"(
            {"id": "read", "version": 3, "parameters": {"pixel_size": {"x": 0.325, "y": 0.65, "unit": "µm"}}},)") +
                                              kFilter));
    const PixelSize stated{0.325, 0.65, "µm", "set by hand"};
    EXPECT_EQ(std::get<ReadStep>(recipe.steps[0]).pixelSize, stated);
    EXPECT_EQ(readOptionsOf(recipe).pixelSize, stated);
    EXPECT_EQ(versionOf(recipe.steps[0]), 3);
    ReadStep reduced;
    reduced.shrink = 2;
    EXPECT_EQ(versionOf(reduced), 2) << "as programs before wrote it";
    EXPECT_THAT(toJson({"a", "", "", {reduced, FilterStep{}}}), Not(HasSubstr("pixel_size")));
    EXPECT_NE(testing::JsonSchema("recipe").problemOf(stepsOf(
                  R"({"id": "read", "version": 3, "parameters": {"pixel_size": {"x": 0, "y": 1, "unit": "m"}}}, )" +
                  std::string(kFilter))),
              "");
}

TEST(Recipe, GivesDefaultsToWhatIsLeftOut) {
    const Recipe recipe = parseRecipe(stepsOf(std::string(R"({"id": "read", "version": 1, "parameters": {}},
        {"id": "tree", "version": 1, "parameters": {}},)") +
                                              kFilter));
    EXPECT_EQ(recipe.steps, (std::vector<RecipeStep>{ReadStep{}, TreeStep{}, FilterStep{}}));
    EXPECT_EQ(recipe.description, "");
    const Recipe bare = parseRecipe(stepsOf(kFilter));
    EXPECT_EQ(readOptionsOf(bare).page, 0);
    EXPECT_EQ(readOptionsOf(bare).channel, ChannelChoice{});
}

TEST(Recipe, ReadsEveryRange) {
    const auto rangeOf = [](const std::string& range) {
        const Recipe recipe =
            parseRecipe(stepsOf(R"({"id": "read", "version": 1, "parameters": {"range": )" + range + "}}, " + kFilter));
        return std::get<ReadStep>(recipe.steps[0]).range;
    };
    using Range = MappingChoice::Range;
    EXPECT_EQ(rangeOf(R"("auto")").range, Range::automatic);
    EXPECT_EQ(rangeOf(R"("minmax")").range, Range::minMax);
    EXPECT_EQ(rangeOf(R"({"values": [-3.5, 1000]})"), (MappingChoice{Range::fixed, -3.5, 1000}));
    EXPECT_EQ(rangeOf(R"({"percentile": [0, 1]})"), (MappingChoice{Range::percentile, 0, 1}));
}

struct Complaint {
    std::string text;
    std::string place; ///< place of the error by the message
    std::string value; ///< value there by the message
};

TEST(Recipe, NamesStepKeyAndValueOfWhatIsWrong) {
    const std::vector<Complaint> complaints{
        {filterWith(R"({"rule": "direkt"})"), "step 1 (filter): rule", R"("direkt": unknown (there are direct, min,)"},
        {filterWith(R"({"match": 3})"), "step 1 (filter): match", "3: expected a text"},
        {filterWith(R"({"output": "picture"})"), "step 1 (filter): output", "\"picture\": unknown"},
        {filterWith(R"({"criteria": "area>=3"})"), "step 1 (filter): criteria", "expected a list"},
        {filterWith(R"({"criteria": ["area>=3", "area=>3"]})"), "step 1 (filter): criteria[1]", "'area=>3'"},
        {filterWith(R"({"criteria": ["areas>=3"]})"), "criteria[0]", "unknown attribute 'areas'"},
        {filterWith(R"({"criterion": []})"), "step 1 (filter)", R"("criterion": unknown (there are criteria, match)"},
        {filterWith(R"({"prominent": {"measure": "area", "count": 1}})"), "prominent: measure", "\"area\": unknown"},
        {filterWith(R"({"prominent": {"measure": "dynamics", "count": 0}})"), "prominent: count",
         "0: expected a whole"},
        {filterWith(R"({"prominent": {"measure": "dynamics"}})"), "step 1 (filter): prominent", "'count' is missing"},
        {filterWith(R"({"removed": [1, -2]})"), "removed[1]", "-2: expected a whole number from 0"},
        {filterWith(R"({"kept": [4294967295]})"), "kept[0]", "4294967295"},
        {filterWith(R"({"only": 4})"), "step 1 (filter): only", "4: expected a list"},
        {filterWith("3"), "step 1 (filter)", "3: expected an object"},
        {stepsOf(R"({"id": "blur", "version": 1, "parameters": {}})"), "step 1: id", "\"blur\": unknown"},
        {stepsOf(R"({"id": "filter", "version": 3, "parameters": {}})"), "step 1 (filter): version", "3: this program"},
        {stepsOf(R"({"id": "read", "version": 2, "parameters": {"pixel_size": {"x": 1, "y": 1, "unit": "m"}}})"),
         "step 1 (read)", "\"pixel_size\": unknown"},
        {stepsOf(R"({"id": "read", "version": 3, "parameters": {"pixel_size": {"x": 1, "y": 1}}})"), "pixel_size",
         "'unit' is missing"},
        {stepsOf(R"({"id": "read", "version": 3, "parameters": {"pixel_size": {"x": 0, "y": 1, "unit": "m"}}})"),
         "pixel_size: x", "0: expected a number from 1e-9 to 1e9"},
        {stepsOf(R"({"id": "read", "version": 3, "parameters": {"pixel_size": {"x": 1, "y": 1e300, "unit": "m"}}})"),
         "pixel_size: y", "expected a number from 1e-9 to 1e9"},
        {stepsOf(R"({"id": "read", "version": 3, "parameters": {"pixel_size": {"x": 1, "y": 1, "unit": "inch"}}})"),
         "pixel_size: unit", "nm, µm, mm, cm, m, km"},
        {stepsOf(R"({"id": "read", "version": 3, "parameters": {"pixel_size": 0.5}})"), "pixel_size", "0.5"},
        {stepsOf(R"({"id": "read", "version": 10, "parameters": {}})"), "step 1 (read): version",
         "10: this program reads version 1 to 9"},
        {stepsOf(R"({"id": "read", "version": 1, "parameters": {"shrink": 2}})"), "step 1 (read)",
         "\"shrink\": unknown"},
        {stepsOf(R"({"id": "read", "version": 2, "parameters": {"shrink": 0}})"), "shrink", "0: expected a whole"},
        {stepsOf(R"({"id": "read", "version": 2, "parameters": {"part": {"x": 0, "y": 0, "width": 0, "height": 1}}})"),
         "step 1 (read): part: width", "0: expected a whole number from 1"},
        {stepsOf(R"({"id": "read", "version": 2, "parameters": {"raw": {"width": 1}}})"), "raw", "'height' is missing"},
        {stepsOf(R"({"id": "region", "version": 1, "parameters": {"shapes": [{"kind": "star", "points": []}]}})"),
         "step 1 (region): shapes[0]: kind", "\"star\": unknown (there are rectangle, ellipse, polygon)"},
        {stepsOf(R"({"id": "region", "version": 1,
                     "parameters": {"shapes": [{"kind": "rectangle", "points": [1, 2, 3]}]}})"),
         "shapes[0]: points", "3 numbers; expected x, y of two opposite corners"},
        {stepsOf(R"({"id": "region", "version": 1,
                     "parameters": {"shapes": [{"kind": "polygon", "points": [1, 2, 3, "4", 5, 6]}]}})"),
         "shapes[0]: points[3]", "\"4\": expected a number"},
        {stepsOf(R"({"id": "filter", "parameters": {}})"), "step 1", "'version' is missing"},
        {stepsOf(R"({"id": "filter", "version": 1})"), "step 1", "'parameters' is missing"},
        {stepsOf(R"({"id": "tree", "version": 1, "parameters": {"kind": "mid"}})"), "step 1 (tree): kind", "\"mid\""},
        {stepsOf(R"({"id": "tree", "version": 1, "parameters": {"connectivity": 5}})"), "connectivity",
         "5: expected 4 or 8, in a volume 6, 18 or 26"},
        {stepsOf(R"({"id": "tree", "version": 1, "parameters": {"connectivity": 6}})"), "connectivity",
         "6, 18 and 26 need version 2"},
        {stepsOf(R"({"id": "read", "version": 1, "parameters": {"page": 1.5}})"), "step 1 (read): page", "1.5"},
        {stepsOf(R"({"id": "read", "version": 1, "parameters": {"channel": "pink"}})"), "channel", "pink"},
        {stepsOf(R"({"id": "read", "version": 1, "parameters": {"range": "wide"}})"), "range", "\"wide\""},
        {stepsOf(R"({"id": "read", "version": 1, "parameters": {"range": {"values": [2, 1]}}})"), "values", "[2,1]"},
        {stepsOf(R"({"id": "read", "version": 1, "parameters": {"range": {"percentile": [0, 2]}}})"), "percentile",
         "0 to 1"},
        {stepsOf(R"({"id": "read", "version": 1, "parameters": {"range": {}}})"), "range", "'percentile' or 'values'"},
        {stepsOf(std::string(kFilter) + R"(, {"id": "read", "version": 1, "parameters": {}})"), "step 2 (read)",
         "only the first"},
        {stepsOf(std::string(R"({"id": "filter", "version": 1, "parameters": {"output": "labels"}}, )") + kFilter),
         "step 2 (filter)", "follows labels"},
        {stepsOf(R"({"id": "tree", "version": 1, "parameters": {}})"), "steps", "there is no filter"},
        {stepsOf(""), "steps", "there is no filter"},
        {stepsOf(R"({"id": "objects", "version": 9, "parameters": {}})"), "step 1 (objects): version",
         "9: this program reads version 1 to 8"},
        {stepsOf(R"({"id": "objects", "version": 2, "parameters": {"threshold": "hand", "values": "3"}})"),
         "step 1 (objects)", "'levels' is missing"},
        {stepsOf(R"({"id": "objects", "version": 3, "parameters": {"threshold": "hand", "values": "3:x"}})"), "values",
         "expected values such as"},
        {stepsOf(R"({"id": "objects", "version": 3, "parameters": {"threshold": "hand", "values": "3:2"}})"), "values",
         "expected values such as"},
        {stepsOf(R"({"id": "objects", "version": 3, "parameters": {"threshold": "li", "values": "3"}})"), "values",
         "the method finds them"},
        {stepsOf(R"({"id": "objects", "version": 3,
                     "parameters": {"threshold": "hand", "values": "3", "levels": [3, 4]}})"),
         "levels", "the method or the values find them"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"geojson_in": "degrees"}})"), "step 1 (objects)",
         "geojson_in"},
        {stepsOf(R"({"id": "contour", "version": 2, "parameters": {"starts": "objects", "geojson_in": "metres"}})"),
         "geojson_in", "\"metres\": unknown (there are pixels, degrees)"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"of": "filtered"}})"), "step 1 (objects): of",
         R"("filtered": unknown (there are result, original)"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"threshold": "mean"}})"), "threshold",
         R"("mean": unknown)"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"threshold": "hand"}})"), "step 1 (objects)",
         "'levels' is missing"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"threshold": "hand", "levels": [5, 4]}})"), "levels",
         "expected the first and the last level"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"threshold": "hand", "levels": [5, 65536]}})"),
         "levels[1]", "65536"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"threshold": "li", "levels": [4, 5]}})"), "levels",
         "the method or the values find them"},
        {stepsOf(R"({"id": "objects", "version": 1,
                     "parameters": {"threshold": "hand", "levels": [4, 5], "dark": true}})"),
         "dark", "levels by hand say it themselves"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"condition": "area >"}})"), "condition", "column"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"condition": "a\nb"}})"), "condition", "one line"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"side": 0}})"), "side",
         "0: expected a number above"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"order": "size"}})"), "order", "\"size\": unknown"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"removed": [1]}})"), "removed", "both 'count'"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"count": 3, "removed": [2, 2]}})"), "removed",
         "ascending"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"count": 3, "removed": [0]}})"), "removed",
         "ascending"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"count": 3, "removed": [4]}})"), "removed[0]", "4"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"files": ["csv", "csv"]}})"), "files[1]",
         "stands twice"},
        {stepsOf(R"({"id": "objects", "version": 1, "parameters": {"files": ["../a.csv"]}})"), "files[0]",
         R"("../a.csv": unknown (there are csv, labels, geojson, rois)"},
        {stepsOf(R"({"id": "contour", "version": 1, "parameters": {}})"), "step 1 (contour)", "'starts' is missing"},
        {stepsOf(R"({"id": "contour", "version": 1, "parameters": {"starts": []}})"), "starts", "one at least"},
        {stepsOf(R"({"id": "contour", "version": 1, "parameters": {"starts": "edges"}})"), "starts",
         "expected a list of shapes, or \"objects\""},
        {stepsOf(R"({"id": "contour", "version": 1, "parameters": {"starts": "objects"}})"), "step 1 (contour): starts",
         "no step above it that finds objects"},
        {contourWith(R"("max_step": 3)"), "max_step", "3: expected 0 or a power of two"},
        {contourWith(R"("min_length": 1)"), "min_length", "1: expected a whole number from 2"},
        {contourWith(R"("max_nodes": 1e9)"), "max_nodes", "expected a whole"},
        {contourWith(R"("length_price": -1)"), "length_price", "-1: expected a number from 0 to 1e9"},
        {contourWith(R"("length_price": 2e9)"), "length_price", "expected a number from 0 to 1e9"},
        {contourWith(R"("law": "cauchy")"), "law", "\"cauchy\": unknown (there are gaussian"},
        {contourWith(R"("apart": -1)"), "apart", "-1"},
        {contourWith(R"("forbidden": [3])"), "forbidden[0]", "3: expected an object"},
        {contourWith(R"("forbidden_pixels": {"width": 2, "height": 2, "runs": [1, 2]})"), "forbidden_pixels: runs",
         "they have 3 pixels"},
        {contourWith(R"("files": ["png"])"), "files[0]", "\"png\": unknown (there are geojson, svg, mask"},
        {R"({"pollard_recipe": 3, "name": "a", "steps": []})", "pollard_recipe",
         "3: this program reads version 1 to 2"},
        {R"({"name": "a", "steps": []})", "recipe", "'pollard_recipe' is missing"},
        {R"({"pollard_recipe": 1, "name": "", "steps": []})", "name", "is empty"},
        {R"({"pollard_recipe": 1, "name": "a\nb", "steps": []})", "name", "one line"},
        {R"({"pollard_recipe": 1, "name": "a", "sample": "../x", "steps": []})", "sample", "../x"},
        {R"({"pollard_recipe": 1, "name": "a", "author": "b", "steps": []})", "recipe", "\"author\": unknown"},
        {R"({"pollard_recipe": 1, "name": "a", "name": "b", "steps": []})", "recipe", "\"name\": stands twice"},
        {R"({"pollard_recipe": 1, "name": "a", "steps": {}})", "steps", "expected a list"},
        {"[1]", "recipe", "[1]: expected an object"},
        {R"({"pollard_recipe": 1,)", "recipe", "no JSON: parse error at line 1"},
        {"", "recipe", "no JSON"},
        {"\xff", "recipe", "no JSON"},
    };
    for (const Complaint& complaint : complaints) {
        EXPECT_THAT(problemOf(complaint.text), AllOf(HasSubstr("recipe: "), HasSubstr(complaint.place),
                                                     HasSubstr(complaint.value), Not(HasSubstr("\n"))))
            << complaint.text;
    }
}

TEST(Recipe, RefusesNestingAtOnce) {
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    EXPECT_THAT(problemOf(deep), HasSubstr("deep"));
}

} // namespace
} // namespace pollard::testing
