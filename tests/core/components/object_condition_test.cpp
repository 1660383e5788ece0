// Features of objects, and conditions on them.

#include "analysis/ellipse.hpp"
#include "base/error.hpp"
#include "components/components.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_features.hpp"
#include "image/length_unit.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::HasSubstr;

/// A bar of 4 x 2 px with its first pixel at (3, 5), levels 10 and 20.
ComponentRecord bar() {
    Mask mask(12, 9, false);
    for (std::uint32_t y = 5; y < 7; ++y) {
        mask.setRun(3, 7, y, true);
    }
    const auto grey = makeImage(PixelType::u8, 12, 9, [](auto x, auto) { return x < 5 ? 10 : 20; });
    return labelComponents(mask, grey.get(), {}).objects.at(0);
}

/// Arbitrary edge measurements, which other tests cover.
constexpr ObjectEdge kEdge{2, 9.5};
constexpr ObjectHull kHull{10, 11.5, 4.25, 0.5, 2.125, -1};
constexpr InscribedBall kBall{1.5, 4, 6, 0};
constexpr double kThickness = 2.5;
constexpr ObjectShape kShape{&kEdge, &kHull, &kBall, &kThickness};

TEST(ObjectFeatures, FollowTheSidesOfPixels) {
    const ComponentRecord object = bar(); // 4 x 2 px
    const auto value = [&](const ObjectUnit& unit, ObjectFeature feature) {
        return MeasuredObject(object, 7, unit, kShape).valueOf(feature);
    };
    const ObjectUnit metres{LengthUnit::metre, {5, 10, 1}};
    EXPECT_EQ(value(metres, ObjectFeature::area), 400);
    EXPECT_EQ(value(metres, ObjectFeature::width), 20);
    EXPECT_EQ(value(metres, ObjectFeature::height), 20);
    EXPECT_NEAR(value(metres, ObjectFeature::major), 4 * std::sqrt(400.0 / 12), 1e-12);
    EXPECT_NEAR(value(metres, ObjectFeature::minor), 4 * std::sqrt(400.0 / 12), 1e-12);
    EXPECT_TRUE(std::isnan(value(metres, ObjectFeature::perimeter)));
    EXPECT_TRUE(std::isnan(value(metres, ObjectFeature::circularity)));
    const ObjectUnit pixels{LengthUnit::pixel, {1, 4, 1}};
    EXPECT_EQ(value(pixels, ObjectFeature::area), 8);
    EXPECT_EQ(value(pixels, ObjectFeature::perimeter), 12) << "a number of sides";
    EXPECT_NEAR(value(pixels, ObjectFeature::elongation), 2, 1e-12);
    EXPECT_NEAR(value(pixels, ObjectFeature::orientation), std::numbers::pi / 2, 1e-12);
    const ObjectUnit square{LengthUnit::metre, {5, 5, 1}};
    for (const ObjectFeatureInfo& info : objectFeatures()) {
        const double expected = MeasuredObject(object, 7, 5, kShape).valueOf(info.feature);
        EXPECT_EQ(value(square, info.feature), expected) << info.id;
    }
}

TEST(ObjectFeatures, SayWhatTheirDefinitionsSay) {
    const ComponentRecord object = bar();
    const auto value = [&](const char* id, double side = 1) {
        const auto feature = findObjectFeature(id);
        EXPECT_TRUE(feature) << id;
        return MeasuredObject(object, 7, side, kShape).valueOf(*feature);
    };
    EXPECT_EQ(value("label"), 7);
    EXPECT_EQ(value("area"), 8);
    EXPECT_EQ(value("centroid_x"), 4.5);
    EXPECT_EQ(value("centroid_y"), 5.5);
    EXPECT_EQ(value("left"), 3);
    EXPECT_EQ(value("top"), 5);
    EXPECT_EQ(value("width"), 4);
    EXPECT_EQ(value("height"), 2);
    EXPECT_NEAR(value("major"), 4 * std::sqrt(16.0 / 12), 1e-12);
    EXPECT_NEAR(value("minor"), 4 * std::sqrt(4.0 / 12), 1e-12);
    EXPECT_NEAR(value("elongation"), 2, 1e-12);
    EXPECT_EQ(value("orientation"), 0);
    EXPECT_EQ(value("perimeter"), 12);
    EXPECT_NEAR(value("circularity"), 4 * std::numbers::pi * 8 / std::pow(3 * std::numbers::pi, 2), 1e-12);
    EXPECT_EQ(value("rectangularity"), 1);
    EXPECT_EQ(value("holes"), 0);
    EXPECT_EQ(value("border"), 2);
    EXPECT_EQ(value("perimeter_imagej"), 9.5);
    EXPECT_EQ(value("circularity_imagej"), 1) << "no more, although 32 pi is more than 9.5 squared";
    EXPECT_EQ(value("area_convex"), 10);
    EXPECT_EQ(value("solidity"), 0.8);
    EXPECT_EQ(value("perimeter_convex"), 11.5);
    EXPECT_EQ(value("feret_diameter_max"), 4.25);
    EXPECT_EQ(value("feret_max_angle"), 0.5);
    EXPECT_EQ(value("feret_diameter_min"), 2.125);
    EXPECT_EQ(value("feret_min_angle"), -1);
    EXPECT_EQ(value("inscribed_radius"), 1.5);
    EXPECT_EQ(value("inscribed_x"), 4);
    EXPECT_EQ(value("inscribed_y"), 6);
    EXPECT_EQ(value("thickness"), 2.5);
    for (const char* id : {"border", "perimeter_imagej", "circularity_imagej", "area_convex", "solidity",
                           "feret_min_angle", "inscribed_x", "thickness"}) {
        EXPECT_TRUE(std::isnan(MeasuredObject(object, 7).valueOf(*findObjectFeature(id))))
            << id << " is not in the record";
    }
    EXPECT_EQ(value("grey_mean"), 15);
    EXPECT_EQ(value("grey_min"), 10);
    EXPECT_EQ(value("grey_max"), 20);
    EXPECT_EQ(value("grey_sum"), 120);
    // In units: lengths times the side, areas times its square, others unchanged.
    for (const ObjectFeatureInfo& info : objectFeatures()) {
        const double factor = info.unit == FeatureUnit::length ? 0.5 : info.unit == FeatureUnit::area ? 0.25 : 1;
        EXPECT_NEAR(MeasuredObject(object, 7, 0.5, kShape).valueOf(info.feature),
                    factor * MeasuredObject(object, 7, 1, kShape).valueOf(info.feature), 1e-12)
            << info.id;
        EXPECT_EQ(objectFeatureInfo(info.feature).id, info.id) << "the order of the enumeration";
    }
    EXPECT_FALSE(findObjectFeature("nonsense"));
}

TEST(ObjectCondition, ComparesAndJoins) {
    const ComponentRecord object = bar();
    const auto holds = [&](const char* text, double side = 1) {
        return ObjectCondition::parse(text).holds(MeasuredObject(object, 7, side), side);
    };
    for (const char* text : {"",
                             "  ",
                             "area >= 8",
                             "area>=8&&circularity<1.2",
                             "area == 8",
                             "area = 8",
                             "area != 9",
                             "!(area > 8)",
                             "not (area > 8) or 1 > 2",
                             "area > 100 || width == 4",
                             "1 > 2 && 1 > 2 || 2 > 1",
                             "2 > 1 || 1 > 2 && 1 > 2",
                             "2 + 3 * 4 == 14",
                             "(2 + 3) * 4 == 20",
                             "-width < -3",
                             "- -width == 4",
                             "7 - 2 - 1 == 4",
                             "8 / 4 / 2 == 1",
                             "width / height == 2",
                             "1e3 > 999.5",
                             ".5 < 1",
                             "0/0 != 0/0",
                             "((area)) > (((7)))",
                             "label == 7 and left==3",
                             "!(1 > 2) && !(2 < 1)"}) {
        EXPECT_TRUE(holds(text)) << text;
    }
    for (const char* text : {"area > 8", "area >= 8 && circularity > 1.2", "!(area == 8)", "0/0 == 0/0", "0/0 < 1",
                             "1 > 2 || 2 > 3", "(1 > 2 || 2 > 1) && 1 > 2"}) {
        EXPECT_FALSE(holds(text)) << text;
    }
    EXPECT_TRUE(holds("area == 2 && width == 2", 0.5)) << "in units";
    EXPECT_TRUE(ObjectCondition::parse(" ").isEmpty());
    EXPECT_FALSE(ObjectCondition::parse("1<2").isEmpty());
}

TEST(ObjectCondition, SaysWhatIsWrongAndWhere) {
    const auto problem = [](const std::string& text) -> std::string {
        try {
            (void)ObjectCondition::parse(text);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
            return error.what();
        }
        return "none";
    };
    EXPECT_THAT(problem("areaa > 5"), HasSubstr("column 1: 'areaa' is no feature; there are label, area,"));
    EXPECT_THAT(problem("area >"), HasSubstr("column 7: expected a feature, a number or ( at the end"));
    EXPECT_THAT(problem("area > > 5"), HasSubstr("column 8: expected a feature, a number or ( instead of '>'"));
    EXPECT_THAT(problem("area"), HasSubstr("a value stands where a condition is expected, e.g. area >= 50"));
    EXPECT_THAT(problem("area >= 50 && width"), HasSubstr("column 15: a value stands where a condition"));
    EXPECT_THAT(problem("10 < area < 50"), HasSubstr("join comparisons by &&"));
    EXPECT_THAT(problem("(area > 5"), HasSubstr("column 10: expected ) at the end"));
    EXPECT_THAT(problem("area > 5 width < 3"), HasSubstr("column 10: expected && or || instead of 'width'"));
    EXPECT_THAT(problem("area > 5)"), HasSubstr("instead of ')'"));
    EXPECT_THAT(problem("area & 5"), HasSubstr("column 6: expected a comparison instead of '&'"));
    EXPECT_THAT(problem("area \xe2\x89\xa5 5"), HasSubstr("'\xe2\x89\xa5'")) << "the whole character";
    EXPECT_THAT(problem("area > 1e999"), HasSubstr("number"));
    EXPECT_THAT(problem("(area > 5) + 1 > 2"), HasSubstr("column 1: a condition stands where a value"));
    EXPECT_THAT(problem("!area"), HasSubstr("condition is expected"));
    EXPECT_THAT(problem(std::string(100000, '(')), HasSubstr("nested too deeply"));
    EXPECT_THAT(problem(std::string(100000, '-') + "1 > 0"), HasSubstr("nested too deeply"));
}

TEST(ObjectCondition, MarksTheWrongWord) {
    struct Wrong {
        const char* text;
        ConditionFault fault;
        std::size_t column;
        std::size_t length;
    };
    for (const Wrong& wrong :
         {Wrong{"area > 5 && areaa > 5", ConditionFault::noFeature, 12, 5},
          Wrong{"area >", ConditionFault::noOperand, 6, 0}, Wrong{"area >= >= 5", ConditionFault::noOperand, 8, 2},
          Wrong{"(area > 5", ConditionFault::noClosing, 9, 0},
          Wrong{"area \xe2\x89\xa5 5", ConditionFault::noComparison, 5, 3},
          Wrong{"area > 5 width < 3", ConditionFault::noJoin, 9, 5},
          Wrong{"area > 1e999", ConditionFault::number, 7, 5},
          Wrong{"area >= 50 && width", ConditionFault::valueNotCondition, 14, 5},
          Wrong{"(area > 5) + 1 > 2", ConditionFault::conditionNotValue, 0, 1},
          Wrong{"area > 15 um", ConditionFault::dimension, 7, 5}}) {
        try {
            (void)ObjectCondition::parse(wrong.text);
            ADD_FAILURE() << wrong.text;
        } catch (const ConditionError& error) {
            EXPECT_EQ(error.fault(), wrong.fault) << wrong.text;
            EXPECT_EQ(error.column(), wrong.column) << wrong.text;
            EXPECT_EQ(error.length(), wrong.length) << wrong.text;
        }
    }
}

/// A random condition as text, with its value.
struct Written {
    std::string text;
    double value;
};
Written randomValue(Random& random, const ComponentRecord& object, int depth) {
    if (depth == 0 || random() % 3 == 0) {
        if (random() % 2 == 0) {
            const int number = static_cast<int>(random() % 20);
            return {std::to_string(number), static_cast<double>(number)};
        }
        const ObjectFeatureInfo& info = objectFeatures()[random() % kObjectFeatureCount];
        return {std::string(info.id), MeasuredObject(object, 7, 1, kShape).valueOf(info.feature)};
    }
    const Written a = randomValue(random, object, depth - 1);
    const Written b = randomValue(random, object, depth - 1);
    switch (random() % 4) {
    case 0:
        return {"(" + a.text + " + " + b.text + ")", a.value + b.value};
    case 1:
        return {"(" + a.text + "-" + b.text + ")", a.value - b.value};
    case 2:
        return {"(" + a.text + "*" + b.text + ")", a.value * b.value};
    default:
        return {"-(" + a.text + " / " + b.text + ")", -(a.value / b.value)};
    }
}
Written randomCondition(Random& random, const ComponentRecord& object, int depth) {
    if (depth == 0) {
        const Written a = randomValue(random, object, 3);
        const Written b = randomValue(random, object, 3);
        switch (random() % 3) {
        case 0:
            return {a.text + " < " + b.text, a.value < b.value ? 1.0 : 0.0};
        case 1:
            return {a.text + ">=" + b.text, a.value >= b.value ? 1.0 : 0.0};
        default:
            return {a.text + " != " + b.text, a.value != b.value ? 1.0 : 0.0};
        }
    }
    const Written a = randomCondition(random, object, depth - 1);
    const Written b = randomCondition(random, object, depth - 1);
    switch (random() % 3) {
    case 0:
        return {"(" + a.text + " && " + b.text + ")", a.value * b.value};
    case 1:
        return {"(" + a.text + " or " + b.text + ")", std::max(a.value, b.value)};
    default:
        return {"(!(" + a.text + ") and " + b.text + ")", (1 - a.value) * b.value};
    }
}

TEST(ObjectCondition, HoldsWhereItsPartsSay) {
    Random random(71);
    const ComponentRecord object = bar();
    int held = 0;
    for (int repeat = 0; repeat < 3000; ++repeat) {
        const Written written = randomCondition(random, object, static_cast<int>(random() % 5));
        ASSERT_EQ(ObjectCondition::parse(written.text).holds(MeasuredObject(object, 7, 1, kShape)), written.value != 0)
            << written.text;
        held += written.value != 0 ? 1 : 0;
    }
    EXPECT_GT(held, 300);
    EXPECT_LT(held, 2700);
    // Deepest nesting, with every operator pending.
    std::string deep = "1 > 2";
    for (int i = 0; i < ObjectCondition::kMostNesting - 2; ++i) {
        deep = "1 > 2 || 2 > 1 && (" + deep + ")";
    }
    EXPECT_FALSE(ObjectCondition::parse(deep).holds(MeasuredObject(object, 7)));
    std::string sums = "1";
    for (int i = 0; i < ObjectCondition::kMostNesting - 2; ++i) {
        sums = "1 + 1 * (" + sums + ")";
    }
    EXPECT_TRUE(ObjectCondition::parse("1 > 2 || 2 > 1 && " + sums + " > 5").holds(MeasuredObject(object, 7)));
}

TEST(ObjectCondition, ComparesColumnsOfChannels) {
    const ComponentRecord object = bar();
    const std::vector<ObjectColumn> columns{
        {"mean[DAPI]", [](std::uint32_t label) { return 100.0 * label; }},
        {"mean[GFP [a]]", [](std::uint32_t) { return 7.0; }},
        {"p99.5[DAPI]", [](std::uint32_t) { return std::nan(""); }},
    };
    const auto holds = [&](const char* text, std::uint32_t label = 1) {
        return ObjectCondition::parse(text).withColumns(columns).holds(MeasuredObject(object, label));
    };
    EXPECT_TRUE(holds("mean[DAPI] >= 100 && area > 5"));
    EXPECT_TRUE(holds("2 * mean[DAPI] + mean[DAPI] = 900", 3));
    EXPECT_FALSE(holds("-mean[dapi] > -100")) << "any case of letters";
    EXPECT_TRUE(holds("mean[GFP [a]] < 8")) << "a name with brackets";
    EXPECT_FALSE(holds("p99.5[DAPI] > 0")) << "undefined";
    const ObjectCondition condition = ObjectCondition::parse("mean[DAPI] > mean[GFP [a]] || mean[DAPI] < 5");
    EXPECT_THAT(condition.columns(), ::testing::ElementsAre("mean[DAPI]", "mean[GFP [a]]"));
    EXPECT_FALSE(condition.hasColumns());
    EXPECT_TRUE(condition.withColumns(columns).hasColumns());
    EXPECT_TRUE(ObjectCondition::parse("area > 5").hasColumns()) << "it needs none";
}

TEST(ObjectCondition, ComparesColumnsOfLevelsByTheValuesOfTheirChannel) {
    const ComponentRecord object = bar();
    auto floats = std::make_shared<ValueMapping>();
    floats->exact = true;
    floats->file.type = ValueType::f32;
    auto range = std::make_shared<ValueMapping>(); // 0.3f is rounded to a level
    range->offset = -1.7;
    range->step = 0.00137;
    range->file.type = ValueType::f32;
    const double rounded = range->valueOf(std::round(range->levelOf(0.3F)));
    ASSERT_NE(static_cast<float>(rounded), 0.3F);
    auto tenths = std::make_shared<ValueMapping>(); // whole numbers with a slope
    tenths->exact = true;
    tenths->step = 0.1;
    tenths->file = {ValueType::u16, 0.1, 0, {}};
    const std::vector<ObjectColumn> columns{
        {"max[GFP]", [](std::uint32_t) { return static_cast<double>(0.3F); }, {}, floats},
        {"min[RFP]", [](std::uint32_t) { return 3 * 0.1; }, {}, tenths},
        {"max[Cy5]", [rounded](std::uint32_t) { return rounded; }, {}, range},
        {"max[DAPI]", [](std::uint32_t) { return static_cast<double>(0.3F); }},
    };
    const auto holds = [&](const char* text) {
        return ObjectCondition::parse(text).withColumns(columns).holds(MeasuredObject(object, 1));
    };
    EXPECT_TRUE(holds("max[GFP] <= 0.3")) << "0.3f is above 0.3";
    EXPECT_TRUE(holds("0.3 >= max[GFP]"));
    EXPECT_TRUE(holds("max[GFP] == 0.3"));
    EXPECT_FALSE(holds("max[GFP] > 0.3"));
    EXPECT_FALSE(holds("max[GFP] < 0.3"));
    EXPECT_TRUE(holds("max[GFP] > 0.2999"));
    EXPECT_TRUE(holds("min[RFP] == 0.3")) << "3 * 0.1 is above 0.3";
    EXPECT_FALSE(holds("min[RFP] > 0.3"));
    EXPECT_TRUE(holds("max[Cy5] <= 0.3 && max[Cy5] >= 0.3"));
    EXPECT_FALSE(holds("max[Cy5] < 0.3 || max[Cy5] > 0.3"));
    EXPECT_TRUE(holds("max[Cy5] < 0.302 && max[Cy5] > 0.298")) << "other levels";
    EXPECT_FALSE(holds("max[DAPI] <= 0.3")) << "without values of levels numbers are compared as they are";
    EXPECT_TRUE(holds("max[GFP] <= 0.3 && area > 5 && grey_max >= 20")) << "beside other values";
}

TEST(ObjectCondition, NamesTheChannelsThereAre) {
    const std::vector<std::string> names{"mean[DAPI]", "sum[DAPI]", "mean[GFP]", "sum[GFP]", "pearson[DAPI,GFP]"};
    const auto faultOf = [&](const char* text, const char* message) {
        try {
            ObjectCondition::parse(text).requireColumns(names);
        } catch (const ConditionError& error) {
            EXPECT_THAT(error.what(), HasSubstr(message)) << text;
            return std::pair(error.fault(), std::pair(error.column(), error.length()));
        }
        ADD_FAILURE() << text;
        return std::pair(ConditionFault::number, std::pair(std::size_t{0}, std::size_t{0}));
    };
    using Place = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(faultOf("area > 5 && mean[YFP] > 1", "column 13: there is no channel 'YFP'; there are DAPI, GFP"),
              std::pair(ConditionFault::noChannel, Place(12, 9)));
    EXPECT_EQ(faultOf("max[GFP] > 1", "'max[GFP]' is not measured").first, ConditionFault::notMeasured);
    EXPECT_EQ(faultOf("pearson[GFP,DAPI] > 1", "is not measured").first, ConditionFault::notMeasured);
    EXPECT_EQ(faultOf("mode[GFP] > 1", "'mode' is no measurement of a channel").first, ConditionFault::noMeasure);
    EXPECT_EQ(faultOf("mean[GFP > 1", "a ] is missing").first, ConditionFault::noChannel);
    EXPECT_EQ(faultOf("mean[GFP] > 5 um", "is a length").first, ConditionFault::dimension);
    EXPECT_NO_THROW(ObjectCondition::parse("pearson[DAPI,GFP] > sum[gfp]").requireColumns(names));
    EXPECT_EQ(faultOf("flux > 5", "'flux' is no column of this table"),
              std::pair(ConditionFault::notMeasured, Place(0, 4)));
    EXPECT_EQ(faultOf("lat > 5 um", "is a length").first, ConditionFault::dimension);
    const std::vector<std::string> all{"ra_deg", "flux", "mean[GFP]"};
    EXPECT_NO_THROW(ObjectCondition::parse("flux > 5 && ra_deg < mean[gfp]").requireColumns(all));
    EXPECT_THROW(ObjectCondition::parse("mean[YFP] > 5").requireColumns(all), ConditionError);
}

} // namespace
} // namespace pollard::testing
