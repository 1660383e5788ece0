// Recipes that are written and read back, as texts and as files.

#include "core/recipe/recipe_support.hpp"

#include "base/error.hpp"
#include "io/metadata/length_units.hpp"
#include "recipe/presets.hpp"
#include "recipe/recipe.hpp"
#include "support/affordable.hpp"
#include "support/json_schema.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The files of a step, each once, in any order.
template <class Kinds, class Below> auto randomFiles(const Kinds& kinds, const Below& below) {
    std::vector<typename Kinds::value_type> files;
    for (const auto kind : kinds) {
        if (below(2) == 0) {
            files.insert(files.begin() + below(static_cast<int>(files.size()) + 1), kind);
        }
    }
    return files;
}

template <class Below> ObjectsStep randomObjects(const Below& below) {
    ObjectsStep step;
    step.of = below(2) == 0 ? StepImage::result : StepImage::original;
    if (const int method = below(5); method < 4) {
        step.rule.method = kThresholdMethods[static_cast<std::size_t>(method)];
        step.rule.dark = below(2) == 0;
    } else {
        step.rule.method.reset();
        step.rule.levels.low = static_cast<std::uint16_t>(below(40'000));
        step.rule.levels.high = static_cast<std::uint16_t>(step.rule.levels.low + below(20'000));
    }
    step.rule.connectivity = below(2) == 0 ? Connectivity::four : Connectivity::eight;
    step.rule.fillHoles = below(2) == 0;
    step.rule.withoutBorder = below(2) == 0;
    step.rule.borderXy = below(3) == 0;
    if (below(3) == 0) {
        step.rule.split = ObjectSplit{kAllSplits[static_cast<std::size_t>(below(2))], below(5) / 4.};
    }
    if (below(3) == 0 && !step.rule.split) {
        step.rule.fillHoles = false;
        step.rule.hierarchy =
            HierarchyRule{kAllStrengths[static_cast<std::size_t>(below(4))], EdgeWeight::maximum, below(9) / 4.};
        step.rule.hierarchy->sizes.least = below(9) / 4.;
    } else if (below(3) == 0 && !step.rule.split) {
        step.rule.watershed =
            WatershedRule{Relief::gradient, kAllSeedMeasures[static_cast<std::size_t>(below(4))], below(9) / 4.};
    }
    if (below(3) == 0) {
        step.measure =
            MeasureChoice{below(2) == 0, {"DAPI", "a, b"}, below(2) == 0, static_cast<std::uint32_t>(below(9))};
    }
    constexpr std::array kConditions{"", "area >= 5 && !(circularity < 0.3)", "area > 0.5 mm2 and width < 3 px"};
    step.condition = kConditions[static_cast<std::size_t>(below(3))];
    if (below(3) == 0) {
        step.unit = kLengthUnits[static_cast<std::size_t>(1 + below(6))];
    } else {
        step.side = std::ldexp(1 + below(1'000'000), below(40) - 30);
    }
    step.order = objectFeatures()[static_cast<std::size_t>(below(kObjectFeatureCount))].feature;
    step.descending = below(2) == 0;
    if (below(2) == 0) {
        step.count = static_cast<std::uint32_t>(10 + below(9));
        step.removed = {1, static_cast<std::uint32_t>(2 + below(3)), step.count};
    }
    step.files = randomFiles(kObjectFiles, below);
    step.geojsonIn = kGeoJsonIn[static_cast<std::size_t>(below(2))];
    return step;
}

template <class Below> ContoursStep randomContour(const Below& below, bool objectsAbove) {
    ContoursStep step;
    step.of = below(2) == 0 ? StepImage::result : StepImage::original;
    step.fromObjects = objectsAbove && below(2) == 0;
    const RegionShape box{RegionShape::Kind::rectangle, {{1.0 * below(9), 2.5}, {20, 30.25 + below(9)}}};
    if (!step.fromObjects) {
        step.starts = {box, {RegionShape::Kind::polygon, {{0, 0}, {9, 0}, {9.0 + below(3), 9}}}};
    }
    step.spec = {kRegionLaws[static_cast<std::size_t>(below(kRegionLaws.size()))],
                 kSnakeMoves[static_cast<std::size_t>(below(3))],
                 below(2) == 0 ? 0 : 1U << below(20),
                 static_cast<std::uint32_t>(2 + below(1000)),
                 static_cast<std::uint32_t>(1 + below(1000)),
                 static_cast<std::uint32_t>(3 + below(60'000)),
                 static_cast<std::uint32_t>(below(1000))};
    if (below(2) == 0) {
        step.apart = static_cast<std::uint32_t>(below(100));
    }
    if (below(2) == 0) {
        step.forbidden = {box};
    }
    if (below(2) == 0) {
        step.forbiddenPixels = StoredMask{5, 4, {0, 7, 13}};
    }
    step.files = randomFiles(kContourFiles, below);
    step.geojsonIn = kGeoJsonIn[static_cast<std::size_t>(below(2))];
    return step;
}

/// Anything that a program could make.
Recipe randomRecipe(std::mt19937& random) {
    const auto below = [&random](int count) { return std::uniform_int_distribution(0, count - 1)(random); };
    const auto number = [&] { return std::ldexp(below(2'000'000) - 1'000'000, below(60) - 30); };
    Recipe recipe;
    recipe.name = "Recipe \"" + std::to_string(below(1000)) + "\" \\ größer";
    recipe.description = below(2) == 0 ? "" : "What it does: x < y & z";
    recipe.sample = below(2) == 0 ? "" : "sample.tif";
    if (below(2) == 0) {
        ReadStep read;
        read.page = below(100);
        if (below(2) == 0) {
            read.channel = {ChannelChoice::Kind::sample, below(6)};
        }
        using Range = MappingChoice::Range;
        const double low = number();
        switch (below(4)) {
        case 0:
            read.range = {Range::minMax, 0, 1};
            break;
        case 1:
            read.range = {Range::fixed, low, low + 1 + std::abs(number())};
            break;
        case 2:
            read.range = {Range::percentile, 0.001 * below(500), 0.5 + 0.001 * (1 + below(500))};
            break;
        default:
            break;
        }
        if (below(2) == 0) {
            read.level = below(3);
            read.shrink = 1 + below(4);
            read.region = PixelRegion{1, 2, 3 + static_cast<std::uint32_t>(below(9)), 4};
        }
        if (below(4) == 0) {
            read.raw =
                RawLayout{30, 40, static_cast<RawLayout::SampleType>(below(8)), below(2) == 0, 1 + below(4), 17, 2};
        }
        if (below(3) == 0) {
            read.pixelSize = PixelSize{0.001 * (1 + below(5000)), 0.5, "µm", std::string(kSetByHand)};
        }
        recipe.steps.emplace_back(read);
    }
    if (below(2) == 0) {
        RegionStep region;
        for (int i = below(4); i > 0; --i) {
            const auto kind = static_cast<RegionShape::Kind>(below(3));
            RegionShape shape{kind, {{number(), number()}, {number(), number()}}};
            if (kind == RegionShape::Kind::polygon) {
                shape.points.push_back({number(), number()});
            }
            region.shapes.push_back(shape);
        }
        region.inverted = below(2) == 0;
        recipe.steps.emplace_back(region);
    }
    const int filters = below(4);
    bool objectsAbove = false;
    const auto addResults = [&](bool atLeastOne) {
        for (int n = atLeastOne ? 1 + below(2) : below(2); n > 0; --n) {
            if (below(2) == 0) {
                recipe.steps.emplace_back(randomObjects(below));
                objectsAbove = true;
            } else {
                recipe.steps.emplace_back(randomContour(below, objectsAbove));
            }
        }
    };
    addResults(filters == 0);
    for (int i = 0; i < filters; ++i) {
        if (below(2) == 0) {
            recipe.steps.emplace_back(TreeStep{below(2) == 0 ? TreeKind::max : TreeKind::min,
                                               below(2) == 0 ? Connectivity::four : Connectivity::eight});
        }
        FilterSpec spec;
        for (int c = below(4); c > 0; --c) {
            Criterion criterion;
            const auto all = allAttributes();
            criterion.attribute = all[static_cast<std::size_t>(below(static_cast<int>(all.size())))].id;
            criterion.minimum = number();
            if (below(2) == 0) {
                criterion.maximum = criterion.minimum + std::abs(number());
            }
            if (const Dimension dimension = attributeInfo(criterion.attribute).dimension;
                dimension != Dimension::none) {
                criterion.unit = kLengthUnits[static_cast<std::size_t>(below(dimension == Dimension::area ? 8 : 7))];
            }
            spec.criteria.push_back(criterion);
        }
        spec.match = below(2) == 0 ? Match::all : Match::any;
        spec.rule = kAllRules[static_cast<std::size_t>(below(static_cast<int>(kAllRules.size())))];
        do {
            spec.output = kAllOutputs[static_cast<std::size_t>(below(static_cast<int>(kAllOutputs.size())))];
        } while (spec.output == Output::labels && i + 1 < filters);
        if (below(2) == 0) {
            spec.prominent = Prominent{kAllProminences[static_cast<std::size_t>(below(3))],
                                       static_cast<std::uint32_t>(1 + below(1000))};
        }
        for (int p = below(3); p > 0; --p) {
            spec.removed.push_back(static_cast<std::uint32_t>(below(1'000'000)));
            spec.kept.push_back(static_cast<std::uint32_t>(below(1'000'000)));
            spec.only.push_back(static_cast<std::uint32_t>(below(1'000'000)));
        }
        recipe.steps.emplace_back(FilterStep{spec});
        addResults(false);
    }
    return recipe;
}

TEST(Recipe, ReadsBackWhatItWrote) {
    std::mt19937 random(1);
    for (int i = 0; i < testing::repeats(5000); ++i) {
        const Recipe recipe = randomRecipe(random);
        const std::string text = toJson(recipe);
        const Recipe again = parseRecipe(text);
        ASSERT_EQ(again, recipe) << text;
        ASSERT_EQ(toJson(again), text);
    }
}

TEST(Recipe, IsWrittenAsTheSchemaSays) {
    const testing::JsonSchema schema("recipe");
    std::mt19937 random(2);
    for (int i = 0; i < 100; ++i) {
        const std::string text = toJson(randomRecipe(random));
        ASSERT_EQ(schema.problemOf(text), "") << text;
    }
    for (const Preset& preset : allPresets()) {
        EXPECT_EQ(schema.problemOf(toJson(preset.recipe)), "") << preset.name;
    }
    EXPECT_NE(schema.problemOf(filterWith(R"({"rule": "direkt"})")), "");
    EXPECT_NE(schema.problemOf(stepsOf("")), "") << "there is no filter";
    EXPECT_NE(schema.problemOf(stepsOf(R"({"id": "blur", "version": 1, "parameters": {}})")), "");
    EXPECT_NE(schema.problemOf(stepsOf(std::string(kFilter) + R"(, {"id": "read", "version": 1,
                                                                    "parameters": {"shrink": 2}})")),
              "");
}

class RecipeFile : public ::testing::Test {
protected:
    void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
    [[nodiscard]] std::pair<ErrorCode, std::string> problem(const std::filesystem::path& path) const {
        try {
            (void)loadRecipe(path);
        } catch (const Error& error) {
            return {error.code(), error.what()};
        }
        return {ErrorCode::invalidArgument, "no error"};
    }

    test::TempDir folder_;
    std::filesystem::path path_ = folder_ / "a.json";
};

TEST_F(RecipeFile, IsReadAndWrittenBackTheSame) {
    const std::string text = toJson(findPreset("document-text")->recipe);
    write(text);
    EXPECT_EQ(toJson(loadRecipe(path_)), text);
}

TEST_F(RecipeFile, IsWrittenWholeOrNotAtAll) {
    const Recipe recipe{"a", "", "", {FilterStep{}}};
    saveRecipe(recipe, path_);
    EXPECT_EQ(loadRecipe(path_), recipe);
    EXPECT_THROW(saveRecipe(recipe, path_ / "in a file"), Error);
    EXPECT_EQ(loadRecipe(path_), recipe);
}

TEST_F(RecipeFile, IsNamedInErrors) {
    EXPECT_EQ(problem(path_).first, ErrorCode::fileNotFound);
    EXPECT_THAT(problem(path_).second, HasSubstr(path_.string()));
    EXPECT_EQ(problem(path_.parent_path()).first, ErrorCode::fileUnreadable);
    write(filterWith(R"({"rule": 1})"));
    EXPECT_EQ(problem(path_).first, ErrorCode::invalidArgument);
    EXPECT_THAT(problem(path_).second, AllOf(HasSubstr(path_.string()), HasSubstr("step 1 (filter): rule: 1")));
    write(std::string((16U << 20) + 1, ' '));
    EXPECT_EQ(problem(path_).first, ErrorCode::limitExceeded);
}

} // namespace
} // namespace pollard::testing
