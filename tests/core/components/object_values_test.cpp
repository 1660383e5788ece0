// Thresholds and grey features of objects in values of the image.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_rule.hpp"
#include "components/threshold.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ValueMapping scaled() {
    ValueMapping mapping;
    mapping.offset = -1000;
    mapping.step = 0.5;
    mapping.minimum = -1000;
    mapping.maximum = 200;
    mapping.unit = "HU";
    return mapping;
}

ValueMapping ranked() {
    ValueMapping mapping;
    mapping.ranks = std::make_shared<const RankedValues>(RankedValues{{-5, 0.25, 7, 1000}, {0, 1, 2, 3}});
    mapping.minimum = -5;
    mapping.maximum = 1000;
    return mapping;
}

/// Objects of levels from 1 on, and their grey image.
struct Found {
    Image image{PixelType::u16, 5, 2};
    Components components;

    Found() {
        const std::vector<std::uint16_t> levels{1, 3, 0, 2, 0, //
                                                1, 0, 0, 2, 1};
        std::ranges::copy(levels, image.pixels<std::uint16_t>().begin());
        components = labelComponents(thresholdMask(image, 1, 65535, nullptr), &image, {});
    }
};

TEST(ValueBounds, ParseTheirText) {
    for (const ValueBounds& bounds : {ValueBounds{300, kInfinity, ""}, ValueBounds{-200, 300.5, "HU"},
                                      ValueBounds{-kInfinity, 1e-3, ""}, ValueBounds{0.1, 0.1, "levels"}}) {
        EXPECT_EQ(parseValueBounds(boundsText(bounds)), bounds) << boundsText(bounds);
    }
    EXPECT_EQ(parseValueBounds(" 300HU "), (ValueBounds{300, kInfinity, "HU"}));
    EXPECT_EQ(parseValueBounds("-200 HU:300HU"), (ValueBounds{-200, 300, "HU"}));
    EXPECT_EQ(parseValueBounds("5:"), (ValueBounds{5, kInfinity, ""}));
    EXPECT_EQ(parseValueBounds("-9007199254740994:"), (ValueBounds{-9007199254740994.0, kInfinity, ""}));
    for (const char* rounded : {"9007199254740993", "18446744073709551615", ":-9007199254740993"}) {
        EXPECT_THROW((void)parseValueBounds(rounded), Error) << rounded;
    }
    for (const char* wrong : {"", "x", "1:2:3", "1K:2HU", "nan", "inf", "1 2"}) {
        EXPECT_EQ(parseValueBounds(wrong), std::nullopt) << wrong;
    }
}

TEST(ValueBounds, BecomeLevelsOfTheImage) {
    const std::optional<ValueMapping> hu = scaled();
    EXPECT_EQ(levelsWithin({100, 200, "HU"}, hu, 65535), (LevelRange{2200, 2400}));
    EXPECT_EQ(levelsWithin({100.1, 100.4}, hu, 65535), kNoLevels) << "between two levels";
    EXPECT_EQ(levelsWithin({20, 30, "levels"}, hu, 65535), (LevelRange{20, 30}));
    EXPECT_EQ(levelsWithin({0.1, kInfinity}, ranked(), 65535), (LevelRange{1, 3}));
    EXPECT_EQ(levelsWithin({1.5, 3}, std::nullopt, 255), (LevelRange{2, 3}));
    EXPECT_THROW((void)levelsWithin({100, 200, "K"}, hu, 65535), Error);
    EXPECT_THROW((void)levelsWithin({100, 200, "HU"}, std::nullopt, 255), Error);

    EXPECT_EQ(boundsProblem({100.1, 100.4}, hu, 65535), "");
    EXPECT_EQ(boundsProblem({300, kInfinity}, std::nullopt, 65535), "");
    EXPECT_THAT(boundsProblem({300, kInfinity}, std::nullopt, 255), HasSubstr("'300': the values are 0 to 255"));
    EXPECT_THAT(boundsProblem({1e6, kInfinity}, hu, 65535), HasSubstr("'1000000': the values are -1000 to 200 HU"));
}

TEST(ObjectValues, AreOffsetAndStepTimesLevels) {
    Found found;
    ObjectUnit unit;
    unit.values = scaled();
    const MeasuredObjects objects(found.components, nullptr, unit);
    ASSERT_EQ(objects.size(), 2U);
    EXPECT_EQ(objects.value(1, ObjectFeature::greyMin), -999.5);
    EXPECT_EQ(objects.value(1, ObjectFeature::greyMax), -998.5);
    EXPECT_EQ(objects.value(1, ObjectFeature::greySum), -3000 + 2.5);
    EXPECT_DOUBLE_EQ(objects.value(1, ObjectFeature::greyMean), (-3000 + 2.5) / 3);
    EXPECT_FALSE(isWhole(objectFeatureInfo(ObjectFeature::greyMin), unit));
    EXPECT_TRUE(isWhole(objectFeatureInfo(ObjectFeature::greyMin), ObjectUnit()));
}

TEST(ObjectValues, OfRanksAreSumsOfValues) {
    Found found;
    const std::optional<ValueMapping> values = ranked();
    sumValues(found.components, found.image, values);
    ObjectUnit unit;
    unit.values = values;
    const MeasuredObjects objects(found.components, nullptr, unit);
    EXPECT_EQ(objects.value(1, ObjectFeature::greyMin), 0.25);
    EXPECT_EQ(objects.value(1, ObjectFeature::greyMax), 1000);
    EXPECT_EQ(objects.value(1, ObjectFeature::greySum), 1000.5);
    EXPECT_DOUBLE_EQ(objects.value(1, ObjectFeature::greyMean), 1000.5 / 3);
    EXPECT_DOUBLE_EQ(objects.value(2, ObjectFeature::greyMean), 14.25 / 3);
    const auto listed = [&](const std::string& condition, const std::optional<ValueMapping>& of) {
        return listObjects(found.components, {.condition = ObjectCondition::parse(condition)}, {}, of).labels;
    };
    EXPECT_THAT(listed("grey_mean > 300", values), ElementsAre(1));
    EXPECT_THAT(listed("grey_max <= 7", values), ElementsAre(2));
    EXPECT_THAT(listed("grey_mean > 1.6", std::nullopt), ElementsAre(1, 2));
}

TEST(ObjectValues, TakeThePlaceOfLevelsInConditions) {
    const auto valuesOf = [](const std::string& text) { return ObjectCondition::withValues(text, scaled()); };
    EXPECT_EQ(valuesOf("grey_mean > 2000 && area>20"), "grey_mean > 0 && area>20");
    EXPECT_EQ(valuesOf("1<=grey_min or (grey_max) == 2.5"), "-999.5<=grey_min or (grey_max) == -998.75");
    EXPECT_EQ(valuesOf("grey_sum > 9 || grey_mean > 2 * 3"), "grey_sum > 9 || grey_mean > 2 * 3");
    EXPECT_EQ(valuesOf(""), "");
    EXPECT_THROW((void)valuesOf("sphericity > 0.5"), Error) << "of volumes";
    EXPECT_EQ(
        ObjectCondition::withValues("sphericity > 0.5 && grey_mean > 2", ranked(), objectFeatures(Connectivity::six)),
        "sphericity > 0.5 && grey_mean > 7");
}

TEST(ObjectValues, ReadLikeTheNumbersOfConditions) {
    Found found; // levels 1, 1, 3 and 2, 2, 1
    const auto listed = [&](const std::string& condition, const ValueMapping& of) {
        sumValues(found.components, found.image, of);
        return listObjects(found.components, {.condition = ObjectCondition::parse(condition)}, {}, of).labels;
    };
    ValueMapping floats;
    floats.file.type = ValueType::f32;
    // 0.1f, 0.3f and 0.7f differ from 0.1, 0.3 and 0.7
    floats.ranks =
        std::make_shared<const RankedValues>(RankedValues{{0, double{0.1F}, double{0.3F}, double{0.7F}}, {0, 1, 2, 3}});
    EXPECT_THAT(listed("grey_max <= 0.3", floats), ElementsAre(2));
    EXPECT_THAT(listed("0.3 >= grey_max", floats), ElementsAre(2));
    EXPECT_THAT(listed("grey_max == 0.3 || grey_max == 0.7", floats), ElementsAre(1, 2));
    EXPECT_THAT(listed("grey_max < 0.7", floats), ElementsAre(2));
    EXPECT_THAT(listed("grey_max >= 0.7", floats), ElementsAre(1));
    EXPECT_THAT(listed("grey_min != 0.1", floats), ElementsAre());
    EXPECT_THAT(listed("grey_min > 0.1 or grey_min < 0.1", floats), ElementsAre());
    EXPECT_THAT(listed("grey_max > 0.3000000119209289", floats), ElementsAre(1)) << "a sample exactly";

    ValueMapping negative = floats;
    negative.ranks = std::make_shared<const RankedValues>(
        RankedValues{{double{-0.7F}, double{-0.3F}, double{-0.1F}, 0}, {0, 1, 2, 3}});
    EXPECT_THAT(listed("grey_min >= -0.3", negative), ElementsAre(1, 2));
    EXPECT_THAT(listed("grey_min < -0.3", negative), ElementsAre());

    ValueMapping tenths; // 3 * 0.1 is not 0.3
    tenths.step = tenths.file.slope = 0.1;
    EXPECT_THAT(listed("grey_max <= 0.3", tenths), ElementsAre(1, 2));
    EXPECT_THAT(listed("grey_max > 0.3", tenths), ElementsAre());

    ValueMapping wide; // differ by less than the roundings of a sum
    wide.file.type = ValueType::u64;
    wide.ranks = std::make_shared<const RankedValues>(RankedValues{
        {0, 0x1p53 + 2, 0x1p53 + 4, 0x1p53 + 6}, {0, (1ULL << 53U) + 2, (1ULL << 53U) + 4, (1ULL << 53U) + 6}});
    EXPECT_THAT(listed("grey_max >= 9007199254740998", wide), ElementsAre(1));
    EXPECT_EQ(wide.levelsWithin(0x1p53 + 6, kInfinity, 65535), (std::pair<std::uint16_t, std::uint16_t>(3, 3)));
}

} // namespace
} // namespace pollard
