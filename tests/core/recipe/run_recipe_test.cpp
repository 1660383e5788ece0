#include "recipe/run_recipe.hpp"

#include "base/error.hpp"
#include "core/recipe/recipe_support.hpp"
#include "filter/analysis_image.hpp"
#include "image/region_shape.hpp"
#include "support/random_images.hpp"
#include "support/ranked_values.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pollard {
namespace {

using testing::areaFilter;
using testing::cpu;
using testing::loadedAs;
using testing::Random;
using testing::randomImage;
using testing::recipeOf;

/// One filter, asked for directly.
std::shared_ptr<const Image> filtered(const std::shared_ptr<const Image>& image, const TreeSpec& tree,
                                      const FilterSpec& spec, const Mask* valid = nullptr) {
    const auto session = cpu().openSession();
    session->open(analysisImage(image, valid, tree.kind));
    session->buildTree(tree);
    auto out = std::make_shared<Image>(image->type(), image->width(), image->height());
    session->filter(spec, *out);
    if (valid != nullptr) {
        restoreOutside(*image, *valid, spec.output, *out);
    }
    return out;
}

void expectSame(const Image& actual, const Image& expected) {
    ASSERT_EQ(actual.bytes(), expected.bytes());
    EXPECT_TRUE(std::equal(actual.data(), actual.data() + actual.bytes(), expected.data()));
}

TEST(RunRecipe, LooksAtTheRegionAlone) {
    Random random(5);
    for (int i = 0; i < 200; ++i) {
        const auto image = randomImage(random, 3 + random() % 17, 3 + random() % 13);
        const RegionShape shape{RegionShape::Kind::rectangle, {{1, 1}, {1.0 + random() % 9, 1.0 + random() % 9}}};
        const bool inverted = random() % 2 == 0;
        const Mask mask = makeRegionMask(image->width(), image->height(), {&shape, 1}, inverted);
        const bool restricts = mask.count() > 0 && mask.count() < image->pixelCount();
        const FilterSpec spec = areaFilter(3, random() % 2 == 0 ? Output::filtered : Output::residue);
        const RecipeResult result =
            runRecipe(recipeOf({RegionStep{{shape}, inverted}, FilterStep{spec}}), loadedAs(image), cpu());
        expectSame(*result.image, *filtered(image, {}, spec, restricts ? &mask : nullptr));
        // A region without shapes ends the region above it.
        const RecipeResult whole = runRecipe(recipeOf({RegionStep{{shape}, inverted}, RegionStep{}, FilterStep{spec}}),
                                             loadedAs(image), cpu());
        expectSame(*whole.image, *filtered(image, {}, spec));
    }
}

TEST(RunRecipe, GivesNoLabelsOutsideTheRegion) {
    auto image = std::make_shared<Image>(PixelType::u8, 4, 1);
    const std::uint8_t levels[] = {9, 0, 9, 9};
    std::copy(std::begin(levels), std::end(levels), image->pixels<std::uint8_t>().begin());
    const RegionShape left{RegionShape::Kind::rectangle, {{0, 0}, {3, 1}}};
    FilterSpec spec = areaFilter(1, Output::labels);
    spec.criteria.push_back({AttributeId::level, 5});
    const RecipeResult result =
        runRecipe(recipeOf({RegionStep{{left}, false}, FilterStep{spec}}), loadedAs(image), cpu());
    ASSERT_TRUE(result.labelled);
    const auto labels = result.labelled->labels.span();
    EXPECT_THAT(std::vector(labels.begin(), labels.end()), ::testing::ElementsAre(1U, 0U, 2U, 0U));
}

TEST(RunRecipe, DoesWhatItsStepsDoOneByOne) {
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        const auto image = randomImage(random, 1 + random() % 17, 1 + random() % 13);
        const TreeSpec first{TreeKind::min, Connectivity::eight, {}};
        const FilterSpec closing = areaFilter(4);
        const TreeSpec second{TreeKind::max, Connectivity::four, {}};
        const FilterSpec topHat = areaFilter(7, Output::residue);
        const RecipeResult result =
            runRecipe(recipeOf({ReadStep{}, TreeStep{first.kind, first.connectivity}, FilterStep{closing},
                                TreeStep{second.kind, second.connectivity}, FilterStep{topHat}}),
                      loadedAs(image), cpu());
        ASSERT_TRUE(result.image);
        expectSame(*result.image, *filtered(filtered(image, first, closing), second, topHat));
        EXPECT_FALSE(result.labelled);
        EXPECT_EQ(result.values, ResultValues::differences);
        ASSERT_EQ(result.filters.size(), 2U);
        EXPECT_EQ(result.filters[0].step, 2U);
        EXPECT_EQ(result.filters[1].step, 4U);
        EXPECT_EQ(result.filters[1].filter.keptNodes + result.filters[1].filter.removedNodes,
                  result.filters[1].tree.nodes);
    }
}

TEST(RunRecipe, UsesAMaxTreeWithFourNeighboursUnlessToldOtherwise) {
    Random random(4);
    const auto image = randomImage(random, 20, 20);
    expectSame(*runRecipe(recipeOf({FilterStep{areaFilter(5)}}), loadedAs(image), cpu()).image,
               *filtered(image, {}, areaFilter(5)));
}

TEST(RunRecipe, LeavesPixelsWithoutDataAlone) {
    Random random(5);
    for (int i = 0; i < 100; ++i) {
        const std::uint32_t width = 2 + random() % 15;
        const std::uint32_t height = 2 + random() % 15;
        const auto image = randomImage(random, width, height);
        const auto valid = std::make_shared<Mask>(width, height, true);
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                valid->set(x, y, random() % 4 != 0);
            }
        }
        for (const Output output : {Output::filtered, Output::residue, Output::mask}) {
            const FilterSpec spec = areaFilter(3, output);
            const RecipeResult result = runRecipe(recipeOf({FilterStep{spec}}), loadedAs(image, valid), cpu());
            expectSame(*result.image, *filtered(image, {}, spec, valid.get()));
        }
        FilterSpec labels = areaFilter(3, Output::labels);
        const RecipeResult labelled = runRecipe(recipeOf({FilterStep{labels}}), loadedAs(image, valid), cpu());
        for (std::size_t pixel = 0; pixel < image->pixelCount(); ++pixel) {
            const bool inside =
                valid->test(static_cast<std::uint32_t>(pixel % width), static_cast<std::uint32_t>(pixel / width));
            ASSERT_TRUE(inside || labelled.labelled->labels[pixel] == 0);
        }
    }
}

TEST(RunRecipe, EndsInLabelsOfTheSession) {
    Random random(6);
    for (int i = 0; i < 100; ++i) {
        const auto image = randomImage(random, 1 + random() % 15, 1 + random() % 15);
        const FilterSpec spec = areaFilter(2, Output::labels);
        const RecipeResult result = runRecipe(recipeOf({FilterStep{spec}}), loadedAs(image), cpu());
        EXPECT_FALSE(result.image);
        ASSERT_TRUE(result.labelled);
        EXPECT_EQ(result.values, ResultValues::others);
        const auto session = cpu().openSession();
        session->open(image);
        session->buildTree({});
        const LabelImage expected = session->labels(spec);
        EXPECT_EQ(result.labelled->count, expected.count);
        EXPECT_TRUE(std::ranges::equal(result.labelled->labels.span(), expected.labels.span()));
    }
}

TEST(RunRecipe, SaysWhatTheValuesAreAfterEveryChainOfOutputs) {
    Random random(7);
    const auto image = randomImage(random, 9, 9);
    const auto valuesAfter = [&](const std::vector<Output>& outputs) {
        std::vector<RecipeStep> steps;
        for (const Output output : outputs) {
            steps.emplace_back(FilterStep{areaFilter(2, output)});
        }
        return runRecipe(recipeOf(steps), loadedAs(image), cpu()).values;
    };
    EXPECT_EQ(valuesAfter({Output::filtered, Output::filtered}), ResultValues::levels);
    EXPECT_EQ(valuesAfter({Output::residue, Output::filtered}), ResultValues::differences);
    EXPECT_EQ(valuesAfter({Output::mask, Output::filtered}), ResultValues::others);
    EXPECT_EQ(valuesAfter({Output::filtered, Output::mask}), ResultValues::others);
}

TEST(RunRecipe, TakesDifferencesOfRanksThroughAllSteps) {
    Random random(8);
    for (int i = 0; i < 60; ++i) {
        std::vector<std::uint32_t> numbers;
        for (int level = 0; level < 60; ++level) {
            numbers.push_back((level == 0 ? 5 : numbers.back()) + 1 + random() % 900);
        }
        const auto ranked = testing::makeImage(PixelType::u16, 5 + random() % 20, 5 + random() % 20,
                                               [&](auto, auto) { return random() % 60; });
        auto direct = std::make_shared<Image>(PixelType::u16, ranked->extent());
        std::ranges::transform(ranked->pixels<std::uint16_t>(), direct->pixels<std::uint16_t>().begin(),
                               [&](std::uint16_t level) { return static_cast<std::uint16_t>(numbers[level]); });
        FilterSpec large = areaFilter(2);
        large.rule = Rule::subtractive;
        ObjectsStep objects;
        objects.of = StepImage::result;
        objects.rule.method.reset();
        objects.rule.values = ValueBounds{300, 1e9};
        const Recipe recipe = recipeOf(
            {FilterStep{areaFilter(9, Output::residue)}, FilterStep{areaFilter(3)}, FilterStep{large}, objects});
        EXPECT_FALSE(readOptionsOf(recipe).mapping.proportional);
        LoadedImage loaded = loadedAs(ranked);
        loaded.info.mapping = testing::rankedMapping(ValueType::u32, numbers);
        const RecipeResult result = runRecipe(recipe, loaded, cpu());
        const RecipeResult expected = runRecipe(recipe, loadedAs(direct), cpu());
        EXPECT_FALSE(expected.own);
        ASSERT_TRUE(result.own);
        EXPECT_EQ(result.values, ResultValues::differences);
        for (std::size_t pixel = 0; pixel < direct->pixelCount(); ++pixel) {
            ASSERT_EQ(result.own->valueOf(result.image->level(pixel)), expected.image->level(pixel));
        }
        EXPECT_EQ(result.objects[0].components.count, expected.objects[0].components.count);
        EXPECT_EQ(result.filters[2].filter.changedPixels, expected.filters[2].filter.changedPixels);
    }
}

TEST(RunRecipe, ReportsProgressOfTheWholeAndStops) {
    Random random(8);
    const auto image = testing::makeImage(PixelType::u16, 200, 200, [&](auto, auto) { return random() % 65536; });
    const Recipe recipe = recipeOf({FilterStep{areaFilter(5)}, FilterStep{areaFilter(9)}});
    std::atomic<double> largest = 0;
    const auto watch = [&](double fraction, std::string_view) {
        EXPECT_GE(fraction, 0);
        EXPECT_LE(fraction, 1);
        double seen = largest;
        while (fraction > seen && !largest.compare_exchange_weak(seen, fraction)) {
        }
    };
    (void)runRecipe(recipe, loadedAs(image), cpu(), {}, {}, watch);
    EXPECT_GT(largest, 0.5) << "the second filter reports the second half";
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW((void)runRecipe(recipe, loadedAs(image), cpu(), {}, source.get_token()), Cancelled);
}

} // namespace
} // namespace pollard
