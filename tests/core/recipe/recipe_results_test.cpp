// Objects and contours as steps of a recipe, compared with a naive oracle or with direct calls of core, and the files
// that they write.
#include "base/error.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/threshold.hpp"
#include "core/io/io_support.hpp"
#include "core/recipe/recipe_support.hpp"
#include "core/snake/snake_support.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "image/region_shape.hpp"
#include "io/write/atomic_file.hpp"
#include "recipe/results/recipe_outputs.hpp"
#include "snake/contour/contour_starts.hpp"
#include "snake/snake_group.hpp"
#include "snake/snake_job.hpp"
#include "support/map_tags.hpp"
#include "support/object_masks.hpp"
#include "support/random_images.hpp"
#include "support/result_files.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace pollard {
namespace {

using testing::areaFilter;
using testing::cpu;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::loadedAs;
using testing::Random;
using testing::recipeOf;
using testing::writtenKinds;

RecipeResult resultOf(std::vector<RecipeStep> steps, const LoadedImage& loaded) {
    return runRecipe(recipeOf(std::move(steps)), loaded, cpu());
}

std::string problemOf(std::vector<RecipeStep> steps, const LoadedImage& loaded) {
    try {
        (void)resultOf(std::move(steps), loaded);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

ObjectsStep byHand(std::uint16_t low, std::uint16_t high, Connectivity connectivity) {
    ObjectsStep step;
    step.rule = {{}, std::nullopt, false, {low, high}, connectivity};
    return step;
}

/// A bright box in noise, and a darker box next to it.
std::shared_ptr<Image> boxes(std::uint32_t seed = 1) {
    Random random(seed);
    return testing::makeImage(PixelType::u8, 90, 60, [&](auto x, auto y) -> std::uint32_t {
        const bool bright = x >= 12 && x < 36 && y >= 10 && y < 40;
        const bool dim = x >= 52 && x < 78 && y >= 20 && y < 50;
        return (bright ? 150 : dim ? 120 : 40) + random() % 40;
    });
}

RegionShape box(double left, double top, double right, double bottom) {
    return {RegionShape::Kind::rectangle, {{left, top}, {right, bottom}}};
}

TEST(RecipeObjects, AreThoseOfTheLevelsWithinTheRegion) {
    Random random(11);
    for (int i = 0; i < 200; ++i) {
        const std::uint32_t width = 3 + random() % 17;
        const std::uint32_t height = 3 + random() % 13;
        const auto image = testing::makeImage(PixelType::u8, width, height, [&](auto, auto) { return random() % 9; });
        const auto valid =
            std::make_shared<Mask>(testing::makeMask(width, height, [&](auto, auto) { return random() % 5 != 0; }));
        const auto low = static_cast<std::uint16_t>(random() % 9);
        const auto high = static_cast<std::uint16_t>(low + random() % 4);
        const RegionShape region = box(1, 1, 2 + random() % 9, 2 + random() % 9);
        const bool eight = random() % 2 == 0;
        ObjectsStep step = byHand(low, high, eight ? Connectivity::eight : Connectivity::four);
        step.rule.fillHoles = random() % 2 == 0;
        step.rule.withoutBorder = random() % 2 == 0;
        const RecipeResult result = resultOf({RegionStep{{region}, false}, step}, loadedAs(image, valid));
        ASSERT_EQ(result.objects.size(), 1U);
        const ObjectsStepReport& report = result.objects.front();
        EXPECT_EQ(report.step, 1U);
        const Mask inRegion = makeRegionMask(width, height, {&region, 1});
        Mask mask = testing::makeMask(width, height, [&](std::uint32_t x, std::uint32_t y) {
            const auto level = image->level(std::size_t{y} * width + x);
            return level >= low && level <= high && valid->test(x, y) && inRegion.test(x, y);
        });
        ComponentsSpec spec;
        spec.connectivity = step.rule.connectivity;
        if (step.rule.fillHoles) {
            const Mask inside = testing::makeMask(width, height, [&](std::uint32_t x, std::uint32_t y) {
                return valid->test(x, y) && inRegion.test(x, y);
            });
            // Without a region that leaves pixels, all take part.
            fillHoles(mask, inRegion.count() > 0 ? &inside : valid.get(), spec.connectivity);
        }
        const Components expected = labelComponents(mask, image.get(), spec);
        ASSERT_EQ(report.components.count, expected.count);
        EXPECT_TRUE(std::ranges::equal(report.components.labels.span(), expected.labels.span()));
        EXPECT_EQ(report.components.objects, expected.objects);
        std::vector<std::uint32_t> labels = allLabels(expected);
        if (step.rule.withoutBorder) {
            std::erase_if(labels,
                          [&](std::uint32_t label) { return touchesBorder(expected, expected.objects[label - 1]); });
        }
        EXPECT_EQ(report.list.labels, labels);
        EXPECT_THAT(result.filters, IsEmpty());
    }
}

TEST(RecipeObjects, OfTheOriginalKnowNothingOfTheFilter) {
    const auto image = boxes();
    const ObjectsStep result = byHand(100, 255, Connectivity::four);
    ObjectsStep original = result;
    original.of = StepImage::original;
    const FilterStep residue{areaFilter(800, Output::residue)};
    const RecipeResult both = resultOf({result, residue, result, original}, loadedAs(image));
    ASSERT_EQ(both.objects.size(), 3U);
    EXPECT_EQ(both.objects[0].components.objects, both.objects[2].components.objects);
    EXPECT_NE(both.objects[0].components.foreground, both.objects[1].components.foreground);
    // The filter's own output, thresholded.
    std::uint64_t foreground = 0;
    for (std::size_t p = 0; p < image->pixelCount(); ++p) {
        foreground += both.image->level(p) >= 100 ? 1 : 0;
    }
    EXPECT_EQ(both.objects[1].components.foreground, foreground);
    // Grey levels are the original's: the oracle sums them under the labels.
    const ObjectsStepReport& report = both.objects[1];
    std::vector<std::uint64_t> sums(report.components.count, 0);
    for (std::size_t p = 0; p < image->pixelCount(); ++p) {
        if (const std::uint32_t label = report.components.labels[p]; label != 0) {
            sums[label - 1] += image->level(p);
        }
    }
    for (std::uint32_t i = 0; i < report.components.count; ++i) {
        EXPECT_EQ(report.components.objects[i].greySum, sums[i]);
    }
}

TEST(RecipeObjects, OfLabelsSeeTheImageOfNumbers) {
    const auto image = boxes();
    FilterStep labels{areaFilter(300, Output::labels)};
    labels.filter.criteria.push_back({AttributeId::level, 100});
    const RecipeResult result = resultOf({labels, byHand(2, 2, Connectivity::eight)}, loadedAs(image));
    ASSERT_TRUE(result.labelled);
    EXPECT_EQ(result.image, nullptr);
    ASSERT_EQ(result.labelled->count, 2U);
    const auto second = std::ranges::count(result.labelled->labels.span(), 2U);
    EXPECT_GT(second, 300);
    EXPECT_EQ(result.objects.front().components.foreground, static_cast<std::uint64_t>(second));
}

TEST(RecipeObjects, FollowAMethodOnEitherSide) {
    const auto image = boxes();
    for (const ThresholdMethod method : kThresholdMethods) {
        const std::uint16_t threshold = automaticThreshold(method, *image, nullptr);
        for (const bool dark : {false, true}) {
            ObjectsStep step;
            step.rule.method = method;
            step.rule.dark = dark;
            const RecipeResult result = resultOf({step}, loadedAs(image));
            std::uint64_t foreground = 0;
            for (std::size_t p = 0; p < image->pixelCount(); ++p) {
                foreground += (image->level(p) < threshold) == dark ? 1 : 0;
            }
            EXPECT_EQ(result.objects.front().components.foreground, foreground) << nameOf(method) << dark;
        }
    }
    ObjectsStep none;
    const auto flat = testing::makeImage(PixelType::u8, 4, 4, [](auto, auto) { return 7U; });
    EXPECT_THAT(problemOf({none}, loadedAs(flat)), HasSubstr("step 1 (objects): "));
}

TEST(RecipeObjects, AreListedAsTheConditionAndTheOrderSay) {
    Random random(12);
    const auto image = testing::makeImage(PixelType::u8, 60, 50, [&](auto, auto) { return random() % 4; });
    ObjectsStep step = byHand(2, 3, Connectivity::four);
    step.condition = "area >= 6";
    step.side = 2; // areas are four times as large
    step.order = ObjectFeature::area;
    step.descending = true;
    const RecipeResult all = resultOf({step}, loadedAs(image));
    const Components& components = all.objects.front().components;
    step.count = components.count;
    const std::vector<std::uint32_t> listed = all.objects.front().list.labels;
    ASSERT_GT(listed.size(), 10U);
    step.removed = {listed[0], listed[5]};
    std::ranges::sort(step.removed);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t label = 1; label <= components.count; ++label) {
        if (4 * components.objects[label - 1].area >= 6 &&
            std::find(step.removed.begin(), step.removed.end(), label) == step.removed.end()) {
            expected.push_back(label);
        }
    }
    std::ranges::stable_sort(expected, [&](std::uint32_t a, std::uint32_t b) {
        return components.objects[a - 1].area > components.objects[b - 1].area;
    });
    const RecipeResult result = resultOf({step}, loadedAs(image));
    EXPECT_EQ(result.objects.front().list.labels, expected);
    ++step.count;
    EXPECT_THAT(problemOf({FilterStep{}, step}, loadedAs(image)), HasSubstr("step 2 (objects): removed: refers to"));
}

TEST(RecipeContours, GoTheWayOfTheSnakeAlone) {
    const auto image = boxes();
    for (const SnakeMoves moves : kSnakeMoves) {
        for (const RegionLaw law : kRegionLaws) {
            ContoursStep step;
            step.starts = {box(5, 5, 45, 45)};
            step.spec.law = law;
            step.spec.moves = moves;
            step.files = {ContourFile::trace};
            const RecipeResult result = resultOf({step}, loadedAs(image));
            ASSERT_EQ(result.contours.size(), 1U);
            const ContourStepReport& report = result.contours.front();
            std::size_t states = 0;
            const SnakeResult alone =
                runSnake({image, nullptr, {{{5, 5}, {45, 5}, {45, 45}, {5, 45}}}, step.spec, nullptr, {}},
                         [&](std::size_t, const SnakeState& state) {
                             EXPECT_LT(states, report.states.size());
                             const TraceRow& row = report.states[states++];
                             EXPECT_EQ(row.energy, state.energy);
                             EXPECT_EQ(row.nodes, state.nodes.size());
                             EXPECT_EQ(row.round, state.round);
                             EXPECT_FALSE(row.key.contour);
                             return states < report.states.size();
                         });
            EXPECT_EQ(states, report.states.size());
            ASSERT_EQ(report.contours.states.size(), 1U);
            EXPECT_EQ(report.contours.states[0].nodes, alone.states[0].nodes);
            EXPECT_EQ(report.contours.energy, alone.energy);
            EXPECT_EQ(report.contours.moves, moves);
            EXPECT_EQ(result.image, image) << "the image stays";
        }
    }
}

TEST(RecipeContours, LeaveOutPixelsWithoutData) {
    const auto image = boxes();
    const auto valid = std::make_shared<Mask>(image->width(), image->height(), true);
    for (std::uint32_t y = 8; y < 30; ++y) {
        for (std::uint32_t x = 7; x < 20; ++x) {
            valid->set(x, y, false);
        }
    }
    ContoursStep step;
    step.starts = {box(5, 5, 45, 45)};
    step.files = {ContourFile::trace};
    const auto energyOf = [&](std::shared_ptr<const Mask> counted) {
        const SnakeJob job{image, std::move(counted), {{{5, 5}, {45, 5}, {45, 45}, {5, 45}}}, step.spec, nullptr, {}};
        return runSnake(job, {}).energy;
    };
    const double energy = resultOf({step}, loadedAs(image, valid)).contours.front().contours.energy;
    EXPECT_EQ(energy, energyOf(valid));
    EXPECT_NE(energy, energyOf(nullptr));
}

TEST(RecipeContours, EvolveTogetherOrIndependently) {
    const auto image = boxes();
    ContoursStep step;
    step.starts = {box(8, 8, 40, 44), box(48, 16, 82, 54)};
    step.files = {ContourFile::trace};
    const std::vector<Contour> starts = contoursOf(step.starts, step.spec, 90, 60);
    SnakeGroup group({image, nullptr, starts, step.spec, nullptr, {}});
    std::vector<double> energies(2, group.state(0).energy);
    std::vector<std::uint32_t> turns{1, 2};
    while (group.advance()) {
        energies.push_back(group.energy());
        turns.push_back(static_cast<std::uint32_t>(group.last() + 1));
    }
    const RecipeResult together = resultOf({step}, loadedAs(image));
    const ContourStepReport& report = together.contours.front();
    ASSERT_EQ(report.states.size(), energies.size());
    for (std::size_t i = 2; i < energies.size(); ++i) {
        EXPECT_EQ(report.states[i].energy, energies[i]);
        EXPECT_EQ(report.states[i].key.contour, turns[i]);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(report.contours.states[i].nodes, group.state(i).nodes);
    }
    EXPECT_EQ(report.contours.energy, group.energy());
    step.apart = 3;
    const RecipeResult apart = resultOf({step}, loadedAs(image));
    const SnakeJob job{image, nullptr, starts, step.spec, nullptr, {}, partsAround(starts, 3, *image)};
    const SnakeResult expected = runSnake(job, {});
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(apart.contours.front().contours.states[i].nodes, expected.states[i].nodes);
    }
    const auto& rows = apart.contours.front().states;
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(),
                               [](const TraceRow& a, const TraceRow& b) { return a.key.contour < b.key.contour; }));
    EXPECT_EQ(rows.back().key.contour, 2U);
}

TEST(RecipeContours, StartAtTheObjectsThatAreListed) {
    const auto image = boxes();
    ObjectsStep objects = byHand(100, 255, Connectivity::four);
    objects.condition = "area > 300";
    objects.order = ObjectFeature::greyMean;
    ContoursStep step;
    step.fromObjects = true;
    const RecipeResult result = resultOf({objects, step}, loadedAs(image));
    const std::vector<std::uint32_t>& labels = result.objects.front().list.labels;
    ASSERT_EQ(labels.size(), 2U);
    SnakeGroup group(
        {image, nullptr, outlinesOf(result.objects.front().components, labels, step.spec), step.spec, nullptr, {}});
    while (group.advance()) {
    }
    ASSERT_EQ(result.contours.front().contours.states.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(result.contours.front().contours.states[i].nodes, group.state(i).nodes);
    }
    objects.condition = "area > 5000";
    EXPECT_THAT(problemOf({objects, step}, loadedAs(image)),
                HasSubstr("step 2 (contour): starts: no object is listed by step 1"));
    Random random(3);
    const auto noise = testing::makeImage(PixelType::u8, 99, 99, [&](auto, auto) { return random() % 2; });
    EXPECT_THAT(problemOf({byHand(1, 1, Connectivity::four), step}, loadedAs(noise)), HasSubstr("256 are the most"));
}

TEST(RecipeContours, HoldNoForbiddenPixel) {
    const auto image = boxes();
    const auto heldOf = [&](const ContoursStep& step, const Mask& mask) {
        const RecipeResult result = resultOf({step}, loadedAs(image));
        const Contour& nodes = result.contours.front().contours.states.front().nodes;
        std::uint64_t held = 0;
        for (std::uint32_t y = 0; y < 60; ++y) {
            for (std::uint32_t x = 0; x < 90; ++x) {
                held += mask.test(x, y) && testing::windingNumber(nodes, static_cast<std::int32_t>(x),
                                                                  static_cast<std::int32_t>(y)) != 0
                            ? 1
                            : 0;
            }
        }
        return held;
    };
    const RegionShape shape = box(12, 10, 20, 40);
    const Mask shapeMask = makeRegionMask(90, 60, {&shape, 1});
    const Mask column = testing::makeMask(90, 60, [](std::uint32_t x, std::uint32_t) { return x >= 30 && x < 40; });
    ContoursStep step;
    step.starts = {box(22, 15, 28, 35)};
    EXPECT_GT(heldOf(step, shapeMask), 0U);
    EXPECT_GT(heldOf(step, column), 0U);
    step.forbidden = {shape};
    step.forbiddenPixels = StoredMask::of(column);
    EXPECT_EQ(heldOf(step, shapeMask), 0U);
    EXPECT_EQ(heldOf(step, column), 0U);
    step.forbiddenPixels = StoredMask::of(Mask(5, 5, true));
    EXPECT_THAT(problemOf({step}, loadedAs(image)), HasSubstr("step 1 (contour): forbidden_pixels: "));
    step.forbiddenPixels.reset();
    step.forbidden = {box(20, 10, 30, 40)};
    EXPECT_THAT(problemOf({step}, loadedAs(image)), HasSubstr("step 1 (contour): "));
}

TEST(RecipeFiles, HaveNamesThatNoTwoShare) {
    ObjectsStep objects;
    objects.files.assign(kObjectFiles.begin(), kObjectFiles.end());
    ContoursStep contour;
    contour.files.assign(kContourFiles.begin(), kContourFiles.end());
    const Recipe recipe{"a", "", "", {objects, FilterStep{}, objects, contour, contour, FilterStep{}}};
    std::vector<std::string> endings;
    for (const RecipeFile& file : filesOf(recipe)) {
        endings.push_back(file.ending);
    }
    EXPECT_EQ(endings.back(), ".tif") << "the image comes last";
    EXPECT_THAT(std::vector(endings.begin(), endings.begin() + 5),
                ElementsAre("-objects.csv", "-objects.tif", "-objects.geojson", "-objects.zip", "-objects.gpkg"));
    std::ranges::sort(endings);
    EXPECT_EQ(std::adjacent_find(endings.begin(), endings.end()), endings.end());
    EXPECT_EQ(endings.size(), 2 * kObjectFiles.size() + 2 * kContourFiles.size() + 1);
    EXPECT_THAT(filesOf({"a", "", "", {ObjectsStep{}}}), ::testing::SizeIs(1)) << "no image without a filter";
}

TEST(RecipeObjects, AreForgottenOnceTheyWereTold) {
    const auto image = boxes();
    ContoursStep contours;
    contours.fromObjects = true;
    ObjectsStep large = byHand(100, 255, Connectivity::eight);
    large.condition = "area > 300";
    const std::vector<RecipeStep> steps{byHand(100, 255, Connectivity::four), FilterStep{areaFilter(3)}, large,
                                        contours};
    const RecipeResult kept = resultOf(steps, loadedAs(image));
    ASSERT_EQ(kept.objects.size(), 2U);
    std::size_t told = 0;
    const RecipeResult result =
        runRecipe(recipeOf(steps), loadedAs(image), cpu(), {}, {}, {},
                  [&](const ObjectsStepReport& report, std::size_t number, const JobControl&) {
                      ASSERT_EQ(number, told);
                      const ObjectsStepReport& same = kept.objects[told++];
                      EXPECT_EQ(report.step, same.step);
                      EXPECT_EQ(report.components.objects, same.components.objects);
                      EXPECT_TRUE(std::ranges::equal(report.components.labels.span(), same.components.labels.span()));
                      EXPECT_EQ(report.list.labels, same.list.labels);
                  });
    EXPECT_EQ(told, 2U);
    EXPECT_THAT(result.objects, IsEmpty()) << "no later step uses them";
    ASSERT_EQ(result.contours.size(), 1U) << "they were there to start from";
    EXPECT_EQ(result.contours[0].contours.energy, kept.contours[0].contours.energy);
}

/// The files of a recipe, written into a folder of their own.
class RecipeOutputFiles : public ::testing::Test {
protected:
    test::TempDir folder;
    LoadedImage loaded = loadedAs(boxes());

    [[nodiscard]] std::vector<std::filesystem::path> targetsOf(const Recipe& recipe) const {
        std::vector<std::filesystem::path> targets;
        for (const RecipeFile& file : filesOf(recipe)) {
            targets.push_back(folder / ("a" + file.ending));
        }
        return targets;
    }
    void write(const Recipe& recipe) const {
        RecipeOutputs outputs(filesOf(recipe), targetsOf(recipe), loaded, "a");
        const RecipeResult result =
            runRecipe(recipe, loaded, cpu(), {}, {}, {},
                      [&](const ObjectsStepReport& report, std::size_t number, const JobControl& control) {
                          outputs.writeObjects(report, number, control);
                      });
        AtomicFile::commitTogether(outputs.finish(result, {}));
    }
    [[nodiscard]] std::string problemOf(const Recipe& recipe) const {
        try {
            write(recipe);
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    }
    static ObjectsStep allFiles() {
        ObjectsStep step = byHand(100, 255, Connectivity::four);
        step.files = writtenKinds(kObjectFiles);
        return step;
    }
};

TEST_F(RecipeOutputFiles, AreThoseOfTheWriters) {
    ContoursStep contours;
    contours.starts = {box(5, 5, 45, 45)};
    contours.files = writtenKinds(kContourFiles);
    const Recipe recipe = recipeOf({allFiles(), FilterStep{areaFilter(800)}, allFiles(), contours});
    write(recipe);
    EXPECT_EQ(folder.entries(), filesOf(recipe).size());
    const RecipeResult result = runRecipe(recipe, loaded, cpu());
    for (std::size_t number = 0; number < 2; ++number) {
        const ObjectsStepReport& report = result.objects[number];
        for (const ObjectFile file : writtenKinds(kObjectFiles)) {
            const std::string name = (number == 0 ? "a-objects." : "a-objects2.") + std::string(extensionOf(file));
            writeObjectFile(file, folder / "expected", report.components, report.list.labels, {});
            EXPECT_EQ(test::readBytes(folder / name), test::readBytes(folder / "expected")) << name;
        }
    }
    writeTiff(folder / "expected", *result.image, {.compression = TiffCompression::deflate});
    EXPECT_EQ(test::readBytes(folder / "a.tif"), test::readBytes(folder / "expected"));
}

TEST_F(RecipeOutputFiles, CarryTheTagsOfTheImage) {
    loaded.info.carried = {{33550, 12, 3, std::vector<std::byte>(24)}}; // pixel scale of GeoTIFF
    const Recipe recipe = recipeOf({allFiles(), FilterStep{areaFilter(2)}});
    write(recipe);
    for (const char* name : {"a-objects.tif", "a.tif"}) {
        EXPECT_EQ(readImage(folder / name).info.carried, loaded.info.carried) << name;
    }
}

TEST_F(RecipeOutputFiles, HavePlacesOnTheMapAndFluxes) {
    POLLARD_NEED_PROJ();
    // One object of the two pixels (33, 12) and (34, 12), which are 1000 and 500 above the background.
    const auto draw = [](std::uint32_t first, std::uint32_t second) {
        return testing::makeImage(PixelType::u16, 100, 100, [=](auto x, auto y) -> std::uint32_t {
            return 100 + (y == 12 && x == 33 ? first : y == 12 && x == 34 ? second : 0);
        });
    };
    ObjectsStep step;
    step.rule.above = BackgroundThreshold{5, 64};
    step.files = {ObjectFile::table, ObjectFile::outlines};
    loaded = loadedAs(draw(1000, 500));
    loaded.info.carried = testing::mapTags(testing::MapKeys::projected(32633), 600000, 5350000, 10, 10);
    write(recipeOf({step}));
    const auto tableLines = [&] {
        std::istringstream text(test::readBytes(folder / "a-objects.csv"));
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);) {
            lines.push_back(line);
        }
        return lines;
    };
    const std::vector<std::string> lines = tableLines();
    ASSERT_EQ(lines.size(), 2U);
    const std::string names = "rectangularity,centroid_easting,centroid_northing,lon,lat,flux";
    EXPECT_THAT(lines[0], ::testing::EndsWith(names));
    // printf "600340 5349875" | gdaltransform -s_srs EPSG:32633 -t_srs OGC:CRS84 -output_xy
    EXPECT_THAT(lines[1], HasSubstr(",600340,5349875,16.352842"));
    EXPECT_THAT(lines[1], HasSubstr(",48.294113"));
    EXPECT_THAT(lines[1], ::testing::EndsWith(",1500"));
    const std::string outlines = test::readBytes(folder / "a-objects.geojson");
    EXPECT_THAT(outlines, HasSubstr("\"flux\":1500"));
    EXPECT_THAT(outlines, ::testing::Not(HasSubstr("centroid_easting"))) << "outlines have their places";
    const auto listed = [&](const char* condition) {
        ObjectsStep one = step;
        one.condition = condition;
        write(recipeOf({one}));
        return tableLines().size() - 1;
    };
    EXPECT_EQ(listed("flux > 1400 && centroid_easting == 600340 && lat < 48.3"), 1U);
    EXPECT_EQ(listed("flux < 1400"), 0U);
    EXPECT_EQ(listed("lon > 16.36"), 0U);
    EXPECT_THROW((void)listed("ra_deg > 1"), Error) << "a map has no place in the sky";

    loaded.image = draw(0, 0);
    write(recipeOf({step}));
    ASSERT_EQ(tableLines().size(), 1U);
    EXPECT_THAT(tableLines()[0], ::testing::EndsWith(names)) << "columns do not depend on the objects";
}

TEST_F(RecipeOutputFiles, HaveDifferencesOfValuesInContoursOnAResidue) {
    ValueMapping mapping;
    mapping.offset = -1000;
    mapping.step = 2;
    loaded.info.mapping = mapping;
    FilterStep residue{areaFilter(800)};
    residue.filter.output = Output::residue;
    ContoursStep contours;
    contours.starts = {box(5, 5, 45, 45)};
    contours.files = {ContourFile::outline};
    const Recipe recipe = recipeOf({residue, contours});
    write(recipe);
    const RegionSums inside = runRecipe(recipe, loaded, cpu()).contours.at(0).contours.states.at(0).inside;
    ASSERT_GT(inside.levels, 0);
    const double mean = 2 * static_cast<double>(inside.levels) / static_cast<double>(inside.pixels);
    const nlohmann::json outlines = nlohmann::json::parse(test::readBytes(folder / "a-contour.geojson"));
    EXPECT_DOUBLE_EQ(outlines.at("properties").at("mean").get<double>(), mean);
}

TEST_F(RecipeOutputFiles, AppearTogetherOrNotAtAll) {
    test::writeBytes(folder / "a-objects.csv", "as it was");
    ContoursStep contours;
    contours.fromObjects = true;
    ObjectsStep none = allFiles();
    none.condition = "area > 5000";
    EXPECT_THAT(problemOf(recipeOf({allFiles(), none, contours})), HasSubstr("step 3 (contour): starts: no object"));
    EXPECT_EQ(folder.entries(), 1U) << "nor is anything left of those that were written";
    EXPECT_EQ(test::readBytes(folder / "a-objects.csv"), "as it was");

    std::filesystem::create_directory(folder / "a-objects2.csv");
    EXPECT_THAT(problemOf(recipeOf({allFiles(), allFiles()})), HasSubstr((folder / "a-objects2.csv").string()));
    EXPECT_EQ(folder.entries(), 2U);
    EXPECT_EQ(test::readBytes(folder / "a-objects.csv"), "as it was");
}

TEST_F(RecipeOutputFiles, KeepThePermissionsOfWhatTheyReplace) {
    test::writeBytes(folder / "a.tif", "as it was");
    std::filesystem::permissions(folder / "a.tif", std::filesystem::perms::owner_all); // no new file gets these
    write(recipeOf({FilterStep{areaFilter(2)}}));
    EXPECT_NE(test::readBytes(folder / "a.tif"), "as it was");
    EXPECT_EQ(std::filesystem::status(folder / "a.tif").permissions(), std::filesystem::perms::owner_all);
}

TEST_F(RecipeOutputFiles, GiveBackTheFirstNamesWhenALaterOneIsRefused) {
    ContoursStep contours;
    contours.starts = {box(8, 8, 40, 44)};
    contours.files = {ContourFile::outline, ContourFile::drawing};
    const Recipe recipe = recipeOf({contours});
    const std::vector<std::filesystem::path> targets = targetsOf(recipe);
    ASSERT_EQ(targets.size(), 2U);
    test::writeBytes(targets[0], "as it was");
    {
        RecipeOutputs outputs(filesOf(recipe), targets, loaded, "a");
        std::filesystem::create_directory(targets[1]); // no file gets this name any more
        EXPECT_THROW((void)outputs.finish(runRecipe(recipe, loaded, cpu()), {}), Error);
    }
    EXPECT_EQ(test::readBytes(targets[0]), "as it was");
    EXPECT_EQ(folder.entries(), 2U) << "something is left";
    std::filesystem::remove(targets[1]);
    write(recipe);
    EXPECT_NE(test::readBytes(targets[0]), "as it was");
    EXPECT_EQ(folder.entries(), 2U) << "something is left";
}

TEST_F(RecipeOutputFiles, AreNamedByErrorsAsTheyAreWanted) {
    ContoursStep contours;
    contours.starts = {box(8, 8, 40, 44), box(48, 16, 82, 54)};
    contours.files = {ContourFile::region};
    const Recipe recipe = recipeOf({contours});
    RecipeOutputs outputs(filesOf(recipe), {folder / "both.roi"}, loaded, "a"); // which holds one contour
    try {
        (void)outputs.finish(runRecipe(recipe, loaded, cpu()), {});
        ADD_FAILURE() << "a set of regions has another extension";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(": " + (folder / "both.roi").string() + ": 2 contours"));
    }
}

} // namespace
} // namespace pollard
