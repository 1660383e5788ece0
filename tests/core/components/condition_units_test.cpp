// Object conditions with units.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_files.hpp"
#include "core/recipe/recipe_support.hpp"
#include "io/metadata/scene_units.hpp"
#include "io/write/text_file.hpp"
#include "support/random_images.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace pollard::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

PixelSize square(double side, const std::string& unit = "µm") { return {side, side, unit, "test"}; }

std::string reasonAgainst(const std::string& text) {
    try {
        (void)ObjectCondition::parse(text);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string reasonAgainstUnits(const std::string& text) {
    try {
        return "written as " + ObjectCondition::withUnits(text, LengthUnit::micrometre);
    } catch (const Error& error) {
        return error.what();
    }
}

Components randomObjects(int seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto image = makeImage(PixelType::u8, 90, 70, [&](auto, auto) { return random() % 100; });
    Mask mask(90, 70, false);
    for (std::uint32_t y = 0; y < 70; ++y) {
        for (std::uint32_t x = 0; x < 90; ++x) {
            if (image->level(std::size_t{y} * 90 + x) < 45) {
                mask.setRun(x, x + 1, y, true);
            }
        }
    }
    ComponentsSpec spec;
    spec.connectivity = Connectivity::eight;
    return labelComponents(mask, image.get(), spec);
}

std::vector<std::uint32_t> listed(const Components& components, const ObjectCondition& condition, double side = 1) {
    ObjectListSpec spec;
    spec.condition = condition;
    spec.side = side;
    return listObjects(components, spec).labels;
}

TEST(ConditionUnits, SelectTheSameWhateverTheUnitOfTheTable) {
    const Components objects = randomObjects(2);
    const PixelSize size = square(0.1);
    for (const char* text : {"area >= 0.15 um2", "area>=0.15µm²", "0.15 µm^2 <= area", "area >= 150000 nm2"}) {
        const ObjectCondition condition = ObjectCondition::parse(text).inPixels(size);
        const auto expected = listed(objects, ObjectCondition::parse("area >= 15"));
        ASSERT_FALSE(expected.empty());
        ASSERT_LT(expected.size(), objects.count);
        for (const double side : {1.0, 0.1, 0.325, 1e-4}) {
            EXPECT_EQ(listed(objects, condition, side), expected) << text << side;
        }
    }
    // A product of lengths is an area; a factor has no unit.
    const auto box = listed(objects, ObjectCondition::parse("width * height > 12"));
    EXPECT_EQ(listed(objects, ObjectCondition::parse("2 * width * height > 0.24 um2").inPixels(size)), box);
    EXPECT_EQ(listed(objects, ObjectCondition::parse("width > 0.12 um2 / height").inPixels(size)), box);
    EXPECT_EQ(listed(objects, ObjectCondition::parse("area > 3 px2 && width <= 5 px"), 0.7),
              listed(objects, ObjectCondition::parse("area > 3 && width <= 5")));
}

TEST(ConditionUnits, StandOnlyWhereTheirDimensionCan) {
    EXPECT_THAT(reasonAgainst("area > 15 um"),
                AllOf(HasSubstr("column 8"), HasSubstr("15 um is a length, but area is an area"), HasSubstr("um2"),
                      Not(HasSubstr("\n"))));
    EXPECT_THAT(reasonAgainst("circularity > 3 um"), HasSubstr("circularity is neither a length nor an area"));
    EXPECT_THAT(reasonAgainst("grey_mean > 3 px"), HasSubstr("grey_mean is neither"));
    EXPECT_THAT(reasonAgainst("holes < 15 um2"), HasSubstr("holes is neither"));
    EXPECT_THAT(reasonAgainst("left + width < 3 um2"), HasSubstr("the other side is a length"));
    EXPECT_THAT(reasonAgainst("width + 2 um2 > 5"), HasSubstr("2 um2 is an area, but width is a length"));
    EXPECT_THAT(reasonAgainst("width * 2 um > 5 um"), HasSubstr("the other side is an area"));
    EXPECT_THAT(reasonAgainst("width * 2 um > width"), HasSubstr("one side is an area, but width is a length"));
    EXPECT_THAT(reasonAgainst("area > 15 um2or width > 2"), HasSubstr("expected && or ||"));
    EXPECT_THAT(reasonAgainst("area > 2 furlong"), HasSubstr("expected && or ||"));
    for (const char* text : {"area > 15 um2", "2 * area > 15 um2", "-15 um2 < area", "area / width > 3 um",
                             "!(perimeter < 3 mm) and area >= 2 ha", "width > 5 && area > 3 um2", "3 um > 2 um",
                             "3 um * 4 um < area", "area > width && width > 3 um", "area > 15um2 or width<2um"}) {
        EXPECT_EQ(reasonAgainst(text), "") << text;
    }
}

TEST(ConditionUnits, NeedTheSizeOfAPixel) {
    const ObjectCondition condition = ObjectCondition::parse("width > 2 && area > 15 um2");
    EXPECT_TRUE(condition.hasUnits());
    const auto why = [&](const std::optional<PixelSize>& size) {
        try {
            (void)condition.inPixels(size);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(why(std::nullopt), AllOf(HasSubstr("column 21"), HasSubstr("um2"), HasSubstr("has no pixel size")));
    EXPECT_THAT(why(square(0.1, "°")), HasSubstr("in degrees are not offered"));
    EXPECT_EQ(why(square(0.1)), "");
    EXPECT_EQ(why(PixelSize{0.1, 0.2, "µm", ""}), "") << "areas of oblong pixels are exact";
    EXPECT_THROW((void)listed(randomObjects(1), condition), Error) << "never taken for pixels";
    EXPECT_FALSE(ObjectCondition::parse("area > 15 px2").hasUnits());
    EXPECT_TRUE(ObjectCondition::parse("area > 15 px2").statesUnits());
    EXPECT_FALSE(ObjectCondition::parse("area > 15").statesUnits());
}

TEST(ConditionUnits, ArePutBehindNumbersThatStandForLengthsAndAreas) {
    const auto written = [](const char* text) { return ObjectCondition::withUnits(text, LengthUnit::micrometre); };
    EXPECT_EQ(written("area > 15"), "area > 15 µm²");
    EXPECT_EQ(written("area>15&&circularity>0.8"), "area>15 µm²&&circularity>0.8");
    EXPECT_EQ(written("left > 0 && top > 0 && left + width < 315 && top + height < 295"),
              "left > 0 && top > 0 && left + width < 315 µm && top + height < 295 µm");
    EXPECT_EQ(written("2 * width > 30"), "2 * width > 30 µm");
    EXPECT_EQ(written("width*height > 4 * 12"), "width*height > 4 µm² * 12");
    EXPECT_EQ(written("(area + 5) / 2 >= -3"), "(area + 5 µm²) / 2 >= -3 µm²");
    EXPECT_EQ(written("area / width > 3"), "area / width > 3 µm");
    EXPECT_EQ(written("12.57 * area / (perimeter * perimeter) > 0.8"), "12.57 * area / (perimeter * perimeter) > 0.8");
    EXPECT_EQ(written("area > 15 um2 and major < 4"), "area > 15 um2 and major < 4 µm");
    EXPECT_EQ(written("grey_mean > 20 || label == 3"), "grey_mean > 20 || label == 3");
    EXPECT_EQ(written(""), "");
    EXPECT_EQ(ObjectCondition::withUnits("area > 140", LengthUnit::pixel), "area > 140 px²");
    for (const char* text : {"area > width", "area > width * 15", "area > 15 * circularity", "area + width > 3",
                             "width * area > 3", "1 / width > 0.1", "left > 2 && area - width > 0"}) {
        EXPECT_THAT(reasonAgainstUnits(text), HasSubstr("condition: column ")) << text;
    }
}

/// A random condition; sums, products and comparisons of features and numbers.
class ConditionMaker {
public:
    explicit ConditionMaker(unsigned seed) : random_(seed) {}

    std::string condition(int depth = 2) {
        switch (depth > 0 ? random_() % 5 : 4) {
        case 0:
            return condition(depth - 1) + " && " + condition(depth - 1);
        case 1:
            return "(" + condition(depth - 1) + " || " + condition(depth - 1) + ")";
        case 2:
            return "!(" + condition(depth - 1) + ")";
        default:
            break;
        }
        constexpr std::array<const char*, 5> kComparisons{" < ", " <= ", " > ", " >= ", " == "};
        return value(2) + kComparisons[random_() % kComparisons.size()] + value(2);
    }

private:
    std::string value(int depth) {
        switch (depth > 0 ? random_() % 6 : 4 + random_() % 2) {
        case 0:
            return value(depth - 1) + (random_() % 2 == 0 ? " + " : " - ") + value(depth - 1);
        case 1:
            return "(" + value(depth - 1) + ")" + (random_() % 2 == 0 ? " * " : " / ") + "(" + value(depth - 1) + ")";
        case 2:
            return "-" + value(0);
        case 3:
        case 4:
            return std::string(objectFeatures()[random_() % kObjectFeatureCount].id);
        default:
            return std::to_string(random_() % 40) + (random_() % 2 == 0 ? "" : ".5");
        }
    }

    std::mt19937 random_;
};

TEST(ConditionUnits, MeanTheSameOnceTheyAreWritten) {
    const Components objects = randomObjects(7);
    ConditionMaker maker(17);
    int written = 0;
    int selective = 0;
    for (int i = 0; i < 4000; ++i) {
        const std::string text = maker.condition();
        const double side = i % 3 == 0 ? 0.25 : i % 3 == 1 ? 2 : 0.5; // powers of 2, so that both conversions are exact
        const PixelSize size = square(side);
        std::string units;
        try {
            units = ObjectCondition::withUnits(text, LengthUnit::micrometre);
        } catch (const Error&) {
            continue;
        }
        ++written;
        const auto expected = listed(objects, ObjectCondition::parse(text), side);
        const ObjectCondition condition = ObjectCondition::parse(units).inPixels(size);
        selective += units != text && !expected.empty() && expected.size() < objects.count ? 1 : 0;
        for (const double shown : {1.0, side, 4.0}) {
            ASSERT_EQ(listed(objects, condition, shown), expected) << text << " -> " << units;
        }
        ASSERT_EQ(ObjectCondition::withUnits(units, LengthUnit::pixel), units) << "nothing is left to write";
    }
    EXPECT_GT(written, 500);
    EXPECT_GT(selective, 50) << "conditions with units that some objects meet";
}

TEST(ConditionUnits, SurviveLongAndDeepTexts) {
    std::string sum = "area";
    for (int i = 0; i < 30'000; ++i) {
        sum += "+1";
    }
    const std::string units = ObjectCondition::withUnits(sum + " > 5", LengthUnit::micrometre);
    EXPECT_TRUE(units.ends_with("+1 µm² > 5 µm²"));
    std::string product = "area";
    for (int i = 0; i < 30'000; ++i) {
        product += "*area";
    }
    EXPECT_THAT(reasonAgainstUnits(product + " > 5"), HasSubstr("neither a length nor an area"));
    EXPECT_THAT(reasonAgainst(std::string(100'000, '(')), HasSubstr("nested too deeply"));
}

// Recipes

std::string problemOf(const Recipe& recipe, const LoadedImage& loaded) {
    try {
        (void)runRecipe(recipe, loaded, cpu());
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::vector<std::uint32_t> objectsOf(const ObjectsStep& step, const LoadedImage& loaded) {
    return runRecipe(recipeOf({step}), loaded, cpu()).objects.front().list.labels;
}

std::vector<std::uint32_t> levelsOf(const Image& image) {
    std::vector<std::uint32_t> levels;
    for (std::size_t p = 0; p < image.pixelCount(); ++p) {
        levels.push_back(image.level(p));
    }
    return levels;
}

LoadedImage noise(std::optional<PixelSize> size) {
    std::mt19937 random(12);
    LoadedImage loaded = loadedAs(makeImage(PixelType::u8, 60, 50, [&](auto, auto) { return random() % 4; }));
    loaded.info.pixelSize = std::move(size);
    return loaded;
}

ObjectsStep upperLevels(const std::string& condition) {
    ObjectsStep step;
    step.rule.method.reset();
    step.rule.levels = {2, 3};
    step.rule.connectivity = Connectivity::four;
    step.condition = condition;
    return step;
}

TEST(RecipeUnits, TakeTheSizeOfEveryImage) {
    // One recipe finds objects by the pixel size of each image.
    const ObjectsStep step = upperLevels("area >= 1.5 um2");
    EXPECT_EQ(objectsOf(step, noise(square(0.5))), objectsOf(upperLevels("area >= 6"), noise({})));
    EXPECT_EQ(objectsOf(step, noise(square(0.25))), objectsOf(upperLevels("area >= 24"), noise({})));
    EXPECT_NE(objectsOf(step, noise(square(0.5))), objectsOf(step, noise(square(0.25))));
    EXPECT_THAT(problemOf(recipeOf({step}), noise({})),
                AllOf(HasSubstr("step 1 (objects): "), HasSubstr("um2"), HasSubstr("--pixel-size")));
    EXPECT_THAT(problemOf(recipeOf({step}), noise(square(0.1, "°"))), HasSubstr("not offered"));
    FilterStep filter;
    filter.filter.criteria = {parseCriterion("area>=1.5um2")};
    FilterStep pixels;
    pixels.filter.criteria = {parseCriterion("area>=24")};
    EXPECT_EQ(levelsOf(*runRecipe(recipeOf({filter}), noise(square(0.25)), cpu()).image),
              levelsOf(*runRecipe(recipeOf({pixels}), noise({}), cpu()).image));
    EXPECT_THAT(problemOf(recipeOf({TreeStep{}, filter}), noise({})),
                AllOf(HasSubstr("step 2 (filter): "), HasSubstr("area>=1.5um2"), HasSubstr("has no pixel size")));
}

TEST(RecipeUnits, OfNumbersWithoutOneAreAsTheStepSays) {
    // In a condition with ambiguous dimensions, all numbers have one unit.
    ObjectsStep step = upperLevels("area > width * 0.9");
    step.unit = LengthUnit::micrometre;
    for (const double side : {0.5, 0.25, 2.0}) {
        ObjectsStep old = upperLevels(step.condition);
        old.side = side;
        EXPECT_EQ(objectsOf(step, noise(square(side))), objectsOf(old, noise({}))) << side;
    }
    EXPECT_NE(objectsOf(step, noise(square(2))), objectsOf(step, noise(square(0.25))));
    EXPECT_THAT(problemOf(recipeOf({step}), noise({})), AllOf(HasSubstr("unit 'um'"), HasSubstr("has no pixel size")));
}

TEST(RecipeUnits, OfOldRecipesKeepTheirMeaning) {
    const Recipe old = parseRecipe(R"({"pollard_recipe": 1, "name": "old", "steps": [{"id": "objects", "version": 1,
        "parameters": {"threshold": "hand", "levels": [2, 3], "connectivity": 4, "condition": "area > 15",
        "side": 0.325}}]})");
    const auto& step = std::get<ObjectsStep>(old.steps.front());
    EXPECT_EQ(step.side, 0.325);
    EXPECT_EQ(versionOf(step), 1);
    // For any pixel size of the image.
    for (const auto& size :
         {std::optional<PixelSize>(), std::optional(square(0.1625)), std::optional(square(1, "°"))}) {
        ObjectListSpec spec;
        spec.condition = ObjectCondition::parse("area > 15");
        spec.side = 0.325;
        const RecipeResult result = runRecipe(old, noise(size), cpu());
        EXPECT_EQ(result.objects.front().list.labels, listObjects(result.objects.front().components, spec).labels);
    }
    EXPECT_EQ(toJson(parseRecipe(toJson(old))), toJson(old));
}

TEST(RecipeUnits, MakeTheVersionOfAStepOnlyWhereTheyAre) {
    FilterStep filter;
    filter.filter.criteria = {parseCriterion("area>=15")};
    EXPECT_EQ(versionOf(filter), 1);
    filter.filter.criteria = {parseCriterion("area>=15um2")};
    EXPECT_EQ(versionOf(filter), 2);
    EXPECT_THAT(stepText(filter), AllOf(HasSubstr(R"("version": 2)"), HasSubstr("area>=15um2")));
    EXPECT_EQ(parseStep(stepText(filter)), RecipeStep(filter));
    EXPECT_EQ(versionOf(upperLevels("area > 15")), 1);
    EXPECT_EQ(versionOf(upperLevels("area > 15 px2")), 2);
    ObjectsStep step = upperLevels("area > 15 um2");
    EXPECT_EQ(versionOf(step), 2);
    EXPECT_EQ(parseStep(stepText(step)), RecipeStep(step));
    step = upperLevels("area > width");
    step.unit = LengthUnit::millimetre;
    EXPECT_EQ(versionOf(step), 2);
    EXPECT_THAT(stepText(step), AllOf(HasSubstr(R"("unit": "mm")"), Not(HasSubstr("side"))));
    EXPECT_EQ(parseStep(stepText(step)), RecipeStep(step));
    const auto reason = [](const std::string& parameters) {
        try {
            (void)parseStep(R"({"id": "objects", "version": 2, "parameters": )" + parameters + "}");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(reason(R"({"side": 2, "unit": "um"})"), HasSubstr("either 'side' or 'unit'"));
    EXPECT_THAT(reason(R"({"unit": "furlong"})"), HasSubstr("furlong"));
    EXPECT_THAT(reason(R"({"unit": "ha"})"), HasSubstr("ha"));
    EXPECT_THAT(reason(R"({"condition": "area > 15 um"})"), HasSubstr("area is an area"));
}

// Files

TEST(ObjectFileUnits, StandInTheNamesOfTheColumns) {
    const Components objects = randomObjects(3);
    const test::TempDir folder;
    const auto contentOf = [&](ObjectFile kind, const ObjectUnit& unit) {
        const auto path = folder / "objects";
        writeObjectFile(kind, path, objects, allLabels(objects), {}, {}, nullptr, unit);
        std::ifstream stream(path);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    const ObjectUnit unit{LengthUnit::micrometre, {0.5, 0.5, 0.5}};
    const std::string table = contentOf(ObjectFile::table, unit);
    EXPECT_EQ(table.substr(0, table.find('\n')),
              "label,area_um2,left_um,top_um,width_um,height_um,centroid_x_um,centroid_y_um,sum_x,sum_y,sum_xx,sum_xy,"
              "sum_yy,major_um,minor_um,orientation,grey_min,grey_max,grey_sum,grey_mean,perimeter_um,holes,elongation,"
              "circularity,rectangularity");
    const std::string pixels = contentOf(ObjectFile::table, {});
    EXPECT_EQ(pixels.substr(0, pixels.find('\n')),
              "label,area,left,top,width,height,centroid_x,centroid_y,sum_x,sum_y,sum_xx,sum_xy,sum_yy,major,minor,"
              "orientation,grey_min,grey_max,grey_sum,grey_mean,perimeter,holes,elongation,circularity,rectangularity");
    const auto areaOf = [](const std::string& text) {
        const std::size_t row = text.find('\n') + 1;
        const std::size_t cell = text.find(',', row) + 1;
        return std::stod(text.substr(cell));
    };
    EXPECT_EQ(areaOf(table), areaOf(pixels) / 4);
    EXPECT_THAT(contentOf(ObjectFile::outlines, unit),
                AllOf(HasSubstr("\"area_um2\":"), HasSubstr("\"perimeter_um\":"), HasSubstr("\"centroid_x_um\":"),
                      HasSubstr("\"holes\":"), Not(HasSubstr("\"area\":"))));
    EXPECT_THAT(contentOf(ObjectFile::outlines, {}), AllOf(HasSubstr("\"area\":"), Not(HasSubstr("_um"))));
}

} // namespace
} // namespace pollard::testing
