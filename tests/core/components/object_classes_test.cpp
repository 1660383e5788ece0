// Classes of objects by conditions.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_files.hpp"
#include "components/threshold.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;

std::string whyNot(const std::string& text) {
    try {
        (void)parseObjectClass(text, 0);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(ObjectClasses, AreParsed) {
    EXPECT_EQ(parseObjectClass("large:area > 15 um2", 1), (ObjectClass{"large", usualClassColour(1), "area > 15 um2"}));
    EXPECT_EQ(parseObjectClass("Tumor: Positive=#C80010:mean[DAB: a] > 0.2", 0),
              (ObjectClass{"Tumor: Positive", 0xc80010, "mean[DAB: a] > 0.2"}));
    EXPECT_EQ(parseObjectClass("a=b:area>1", 0).name, "a=b");
    for (const char* text : {"large", "large:", ":area > 1", "=#ff0000:area > 1", "large: "}) {
        EXPECT_EQ(whyNot(text), "'" + std::string(text) + "': must be NAME:CONDITION or NAME=#rrggbb:CONDITION");
    }
    for (const char* text : {"a=#ff00:area>1", "a=#ff00zz:area>1", "a=#+f0000:area>1"}) {
        EXPECT_THAT(whyNot(text), ::testing::HasSubstr("is no colour such as #e69f00")) << text;
    }
    EXPECT_THAT(whyNot("a:area >"), ::testing::HasSubstr("condition: column"));
}

TEST(ObjectClasses, ColoursAreWrittenAsTheyAreRead) {
    for (const std::uint32_t colour : {0x000000U, 0xffffffU, 0x0a0b0cU, usualClassColour(0), usualClassColour(9)}) {
        EXPECT_EQ(colourOf(colourText(colour)), colour);
    }
    EXPECT_NE(usualClassColour(0), usualClassColour(1));
}

TEST(ObjectClasses, TheFirstConditionThatHoldsDecides) {
    Random random(7);
    const auto grey = makeImage(PixelType::u8, 300, 200, [&](auto, auto) { return random() % 256; });
    const Components components = labelComponents(thresholdMask(*grey, 150, 255, nullptr), grey.get(), {});
    const std::vector<ObjectClass> classes{
        {"large", 1, "area * 4 > 40"}, {"high", 2, "perimeter_imagej > 5"}, {"low", 3, ""}};
    std::vector<ClassCondition> conditions;
    for (const ObjectClass& one : classes) {
        conditions.push_back({ObjectCondition::parse(one.condition), 1});
    }
    conditions.front().side = 2; // of pixels: an area of 1 px is 4
    conditions.front().condition = ObjectCondition::parse("area > 40");
    EXPECT_EQ(edgeMeasureOf(std::span(std::as_const(conditions))), EdgeMeasure::traced);
    const ObjectEdges edges = measureEdges(components, EdgeMeasure::traced);
    const ClassifiedObjects all = classifyObjects(MeasuredObjects(components, &edges), classes, conditions);
    conditions.pop_back();
    const auto some = std::make_shared<const ClassifiedObjects>(
        classifyObjects(MeasuredObjects(components, &edges), {classes[0], classes[1]}, conditions));
    std::vector<std::size_t> counts(3, 0);
    const ObjectColumn column = classColumn(some);
    for (std::uint32_t label = 1; label <= components.count; ++label) {
        const ComponentRecord& object = components.objects[label - 1];
        const double perimeter =
            MeasuredObject(object, label, 1, edges.of(label)).valueOf(ObjectFeature::imagejPerimeter);
        const std::size_t expected = object.area > 10 ? 0 : perimeter > 5 ? 1 : 2;
        ++counts[expected];
        ASSERT_EQ(all.classOf(label)->name, classes[expected].name);
        ASSERT_EQ(some->classOf(label), expected == 2 ? nullptr : &some->classes[expected]);
        ASSERT_TRUE(expected == 2 ? std::isnan(column.valueOf(label))
                                  : column.valueOf(label) == static_cast<double>(expected + 1));
    }
    EXPECT_THAT(counts, ::testing::Each(::testing::Gt(0U))) << "the image has objects of all kinds";
    EXPECT_EQ(some->countsOf(allLabels(components)), counts);
    EXPECT_THAT(some->countsOf({}), ElementsAre(0, 0, 0));
}

} // namespace
} // namespace pollard::testing
