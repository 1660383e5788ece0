// The step of operators: its JSON, its place among other steps, and the values of its results.

#include "base/error.hpp"
#include "core/recipe/recipe_support.hpp"
#include "operators/apply_operator.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/results/recipe_outputs.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace pollard {
namespace {

using testing::areaFilter;
using testing::cpu;
using testing::loadedAs;
using testing::Random;
using testing::randomImage;
using testing::recipeOf;
using testing::stepsOf;

std::string errorOf(const std::string& parameters) {
    try {
        (void)parseRecipe(stepsOf(R"({"id": "operator", "version": 1, "parameters": )" + parameters + "}"));
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

bool areEqual(const Image& a, const Image& b) {
    return a.bytes() == b.bytes() && std::equal(a.data(), a.data() + a.bytes(), b.data());
}

TEST(OperatorStep, IsWrittenAsItIsRead) {
    for (const OperatorKind kind : kOperators) {
        OperatorStep step{{kind}};
        if (takesShape(kind)) {
            step.spec.shape = OperatorShape::box;
            step.spec.radius = 2.5;
            step.spec.unit = LengthUnit::micrometre;
        }
        if (takesConnectivity(kind)) {
            step.spec.connectivity = Connectivity::eight;
        }
        step.spec.sigma = takesSigma(kind) ? 3 : step.spec.sigma;
        step.spec.height = takesHeight(kind) ? 7 : step.spec.height;
        step.spec.marker = takesMarker(kind) ? "marks.tif" : "";
        step.spec.greyMarker = kind == OperatorKind::reconstructionByErosion;
        step.spec.markerChannel = ChannelChoice::parse(step.spec.greyMarker ? "DAPI" : "luminance");
        EXPECT_EQ(std::get<OperatorStep>(parseRecipe(toJson(recipeOf({step}))).steps.front()), step) << nameOf(kind);
        EXPECT_EQ(versionOf(step), 1);
    }
    EXPECT_EQ(errorOf(R"({"operator": "opening", "shape": "disc", "radius": 5})"), "");
}

TEST(OperatorStep, RefusesParametersThatTheOperatorLacks) {
    EXPECT_THAT(errorOf(R"({"operator": "opening"})"), ::testing::HasSubstr("radius"));
    EXPECT_THAT(errorOf(R"({"operator": "opening", "radius": -1})"), ::testing::HasSubstr("radius"));
    EXPECT_THAT(errorOf(R"({"operator": "skeleton", "radius": 1})"), ::testing::HasSubstr("radius"));
    EXPECT_THAT(errorOf(R"({"operator": "gaussian", "sigma": 1, "shape": "box"})"), ::testing::HasSubstr("shape"));
    EXPECT_THAT(errorOf(R"({"operator": "reconstruction-by-dilation"})"), ::testing::HasSubstr("marker"));
    EXPECT_THAT(errorOf(R"({"operator": "opening", "radius": 1, "marker": "a.tif"})"), ::testing::HasSubstr("marker"));
    EXPECT_THAT(errorOf(R"({"operator": "opening", "radius": 1, "grey_marker": true})"),
                ::testing::HasSubstr("grey_marker"));
    EXPECT_THAT(errorOf(R"({"operator": "opening", "radius": 1, "marker_channel": "red"})"),
                ::testing::HasSubstr("marker_channel"));
    EXPECT_THAT(errorOf(R"({"operator": "sharpen"})"), ::testing::HasSubstr("sharpen"));
    EXPECT_THAT(errorOf("{}"), ::testing::HasSubstr("operator"));
}

TEST(OperatorStep, WorksOnTheResultOfTheStepsAboveIt) {
    Random random(41);
    for (int i = 0; i < 60; ++i) {
        const auto image = randomImage(random, 3 + random() % 17, 3 + random() % 13);
        const RegionShape shape{RegionShape::Kind::rectangle, {{1, 1}, {3.0 + random() % 9, 3.0 + random() % 9}}};
        const Mask region = makeRegionMask(image->width(), image->height(), {&shape, 1}, false);
        const auto inside =
            region.count() < image->pixelCount() && region.count() > 0 ? std::make_shared<const Mask>(region) : nullptr;
        const FilterStep filter{areaFilter(3)};
        const OperatorStep opening{{OperatorKind::opening, OperatorShape::box, 1}};
        const auto filtered = runRecipe(recipeOf({RegionStep{{shape}, false}, filter}), loadedAs(image), cpu()).image;
        const RecipeResult both =
            runRecipe(recipeOf({RegionStep{{shape}, false}, filter, opening}), loadedAs(image), cpu());
        EXPECT_TRUE(areEqual(*both.image, *applyOperator(cpu(), filtered, opening.spec, {}, {inside}).image));
        EXPECT_EQ(both.values, ResultValues::levels);
    }
}

TEST(OperatorStep, GivesValues) {
    const auto image =
        testing::makeImage(PixelType::u8, 9, 7, [](auto x, auto y) { return x > 1 && y > 1 ? 40U : 0U; });
    LoadedImage loaded = loadedAs(image);
    ValueMapping mapping;
    mapping.step = .5;
    mapping.unit = "K";
    loaded.info.mapping = mapping;
    const auto valuesAfter = [&](OperatorKind kind) {
        return runRecipe(recipeOf({OperatorStep{{kind}}}), loaded, cpu());
    };
    EXPECT_EQ(valuesAfter(OperatorKind::gradient).values, ResultValues::differences);
    EXPECT_EQ(valuesAfter(OperatorKind::gaussian).values, ResultValues::between);
    EXPECT_EQ(valuesAfter(OperatorKind::skeleton).values, ResultValues::others);
    const RecipeResult distance = valuesAfter(OperatorKind::distance);
    EXPECT_EQ(distance.values, ResultValues::levels);
    ASSERT_TRUE(distance.own.has_value());
    EXPECT_EQ(distance.own->valueOf(distance.image->level(3 * 9 + 4)), 2);
    // The filter after it counts in px of distance, not in K.
    FilterSpec far;
    far.criteria.push_back({AttributeId::level, 3});
    const RecipeResult kept =
        runRecipe(recipeOf({OperatorStep{{OperatorKind::distance}}, FilterStep{far}}), loaded, cpu());
    EXPECT_EQ(kept.own->valueOf(kept.image->level(5 * 9 + 8)), 4);
}

TEST(OperatorStep, SmoothsLengths) {
    const auto image =
        testing::makeImage(PixelType::u8, 40, 30, [](auto x, auto y) { return x > 1 && y > 1 ? 40U : 0U; });
    const RecipeResult lengths = runRecipe(recipeOf({OperatorStep{{OperatorKind::distance}}}), loadedAs(image), cpu());
    OperatorStep maxima{{OperatorKind::hMaxima}};
    maxima.spec.height = 3;
    const RecipeResult lower =
        runRecipe(recipeOf({OperatorStep{{OperatorKind::distance}}, maxima}), loadedAs(image), cpu());
    EXPECT_TRUE(lower.isLength);
    double highest = 0;
    double reached = 0;
    for (std::size_t i = 0; i < image->pixelCount(); ++i) {
        highest = std::max(highest, lengths.own->valueOf(lengths.image->level(i)));
        reached = std::max(reached, lower.own->valueOf(lower.image->level(i)));
    }
    EXPECT_NEAR(reached, highest - 3, 1e-3);
}

TEST(OperatorStep, ReadsLevelsAtTheDistancesOfTheirValues) {
    for (const OperatorKind kind : kOperators) {
        const ReadOptions options = readOptionsOf(recipeOf({OperatorStep{{kind}}}));
        EXPECT_EQ(options.mapping.proportional, needsProportional(kind)) << nameOf(kind);
    }
}

TEST(OperatorStep, WritesAnImage) {
    const std::vector<RecipeFile> files = filesOf(recipeOf({OperatorStep{}}));
    ASSERT_EQ(files.size(), 1U);
    EXPECT_EQ(files.front().ending, ".tif");
}

} // namespace
} // namespace pollard
