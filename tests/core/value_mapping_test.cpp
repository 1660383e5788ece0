// How levels, values and samples belong together, and bounds of grey attributes in values.

#include "attributes/attribute_table.hpp"
#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "filter/filter_units.hpp"
#include "image/value_mapping.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::HasSubstr;
using Levels = std::optional<std::pair<std::uint16_t, std::uint16_t>>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::uint16_t kLast = 65535;

/// Hounsfield units in signed 16-bit samples.
ValueMapping ofScan() {
    ValueMapping mapping{-32768, 1, true};
    mapping.unit = "HU";
    mapping.file = {ValueType::i16, 1, 0, bitsOfSample(std::int16_t{-32768})};
    return mapping;
}

ValueMapping ranked(std::vector<double> values) {
    RankedValues ranks{std::move(values), {}};
    std::ranges::transform(ranks.values, std::back_inserter(ranks.samples), bitsOfSample<double>);
    ValueMapping mapping;
    mapping.ranks = std::make_shared<const RankedValues>(std::move(ranks));
    mapping.exact = true;
    mapping.file.type = ValueType::f64;
    return mapping;
}

TEST(ValueMapping, TellsTheLevelsWithinValues) {
    const ValueMapping scan = ofScan();
    EXPECT_EQ(scan.levelsWithin(300, kInf, kLast), Levels(std::pair(33068, 65535)));
    EXPECT_EQ(scan.levelsWithin(-200, 300, kLast), Levels(std::pair(32568, 33068)));
    EXPECT_EQ(scan.levelsWithin(299.5, 300.5, kLast), Levels(std::pair(33068, 33068)));
    EXPECT_EQ(scan.levelsWithin(299.2, 299.8, kLast), Levels()) << "no level has such a value";
    EXPECT_EQ(scan.levelsWithin(40'000, kInf, kLast), Levels());
    EXPECT_EQ(scan.levelsWithin(300, 200, kLast), Levels());
    EXPECT_EQ(scan.levelsWithin(std::nan(""), 200, kLast), Levels());
    EXPECT_EQ(levelsWithin(std::nullopt, 10, 20.5, 255), Levels(std::pair(10, 20)));
    const ValueMapping ranks = ranked({-3, 0.25, 0.5, 1e9});
    EXPECT_EQ(ranks.levelsWithin(0.25, 0.5, kLast), Levels(std::pair(1, 2)));
    EXPECT_EQ(ranks.levelsWithin(0.3, kInf, kLast), Levels(std::pair(2, 3)));
    EXPECT_EQ(ranks.levelsWithin(-kInf, kInf, kLast), Levels(std::pair(0, 3)));
    EXPECT_EQ(ranks.levelsWithin(2, 3, kLast), Levels());
}

TEST(ValueMapping, TakesABoundThatReadsLikeAValueForIt) {
    ValueMapping tenths{0, 0.1, true}; // 3 * 0.1 is 0.30000000000000004
    EXPECT_EQ(tenths.levelsWithin(0.3, 0.3, kLast), Levels(std::pair(3, 3)));
    ValueMapping ranks = ranked({double{0.1F}, double{0.7F}, double{0.9F}});
    ranks.file.type = ValueType::f32; // 0.7F is 0.699999988079071
    EXPECT_EQ(ranks.levelsWithin(0.7, kInf, kLast), Levels(std::pair(1, 2)));
    EXPECT_EQ(ranks.levelsWithin(-kInf, 0.7, kLast), Levels(std::pair(0, 1)));
}

TEST(ValueMapping, TellsSamplesApartThatReadAlike) {
    const double above = std::nextafter(0.3, 1.0);
    const ValueMapping ranks = ranked({0.1, 0.3, above, 0.5});
    EXPECT_EQ(ranks.levelsWithin(above, kInf, kLast), Levels(std::pair(2, 3)));
    EXPECT_EQ(ranks.levelsWithin(-kInf, 0.3, kLast), Levels(std::pair(0, 1)));
    EXPECT_EQ(ranks.levelsWithin(std::nextafter(0.1, 0.0), 0.1, kLast), Levels(std::pair(0, 0)));
    EXPECT_EQ(inPixels(parseCriterion("level>=0.30000000000000004"), {std::nullopt, ranks}).minimum, above);
    EXPECT_EQ(inPixels(parseCriterion("level>0.3"), {std::nullopt, ranks}).minimum, above);
    EXPECT_EQ(inPixels(parseCriterion("level>=0.3"), {std::nullopt, ranks}).minimum, 0.3);
    // A bound of many digits next to a number of 15 digits is no strict bound.
    const double stored = double{0.3F};
    ValueMapping floats = ranked({double{0.1F}, stored, double{0.5F}});
    floats.file.type = ValueType::f32;
    for (const char* text : {"level>=0.3", "level>=0.30000001192092896", "level>=0.3000000119209290"}) {
        EXPECT_EQ(inPixels(parseCriterion(text), {std::nullopt, floats}).minimum, stored) << text;
    }
    EXPECT_GT(inPixels(parseCriterion("level>0.3"), {std::nullopt, floats}).minimum, stored);
    const ValueMapping tenths{0, 0.1, true}; // 3 * 0.1 is 0.30000000000000004, which reads as 0.3
    EXPECT_GT(inPixels(parseCriterion("level>0.3"), {std::nullopt, tenths}).minimum, 3);
}

TEST(ValueMapping, GivesEachValueItsLevelBack) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 300; ++i) {
        std::vector<double> values;
        for (std::size_t n = 1 + random() % 50; values.size() < n;) {
            values.push_back(std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 80) - 120));
        }
        std::ranges::sort(values);
        values.erase(std::unique(values.begin(), values.end()), values.end());
        const ValueMapping ranks = ranked(values);
        ValueMapping even{values.front(), std::ldexp(1.0 + static_cast<double>(random() % 1000), -7)};
        for (std::size_t level = 0; level < values.size(); ++level) {
            ASSERT_EQ(ranks.levelsWithin(values[level], values[level], kLast), Levels(std::pair(level, level)));
            ASSERT_EQ(ranks.levelOf(values[level]), static_cast<double>(level));
            ASSERT_EQ(even.levelsWithin(even.valueOf(static_cast<double>(level)),
                                        even.valueOf(static_cast<double>(level)), kLast),
                      Levels(std::pair(level, level)));
        }
    }
}

TEST(ValueMapping, FindsThePlaceOfAnyValueBetweenRanks) {
    const ValueMapping ranks = ranked({-1, 0, 10});
    EXPECT_EQ(ranks.levelOf(5), 1.5);
    EXPECT_EQ(ranks.valueOf(1.5), 5);
    EXPECT_EQ(ranks.levelOf(-2), -1);
    EXPECT_EQ(ranks.levelOf(11), 3);
    EXPECT_EQ(ranks.valueOf(7), 10);
    EXPECT_EQ(ranks.valueOf(-7), -1);
}

template <class T> void expectSamples(ValueType type, double slope) {
    const auto first = static_cast<T>(std::numeric_limits<T>::max() - 100);
    ValueMapping mapping;
    mapping.file = {type, slope, 2, bitsOfSample(first)};
    mapping.step = std::abs(slope);
    mapping.offset = 2 + slope * static_cast<double>(first);
    const int sign = slope > 0 ? 1 : -1;
    for (const int level : {0, 1, 77}) {
        const auto sample = static_cast<T>(static_cast<std::int64_t>(first) + sign * level);
        EXPECT_EQ(mapping.sampleOf(static_cast<std::uint16_t>(level)), bitsOfSample(sample))
            << static_cast<int>(type) << ' ' << level;
    }
}

TEST(ValueMapping, StatesTheSampleOfEachLevel) {
    for (const double slope : {1.0, 0.5, -2.0}) {
        expectSamples<std::uint8_t>(ValueType::u8, slope);
        expectSamples<std::int8_t>(ValueType::i8, slope);
        expectSamples<std::uint16_t>(ValueType::u16, slope);
        expectSamples<std::int16_t>(ValueType::i16, slope);
        expectSamples<std::uint32_t>(ValueType::u32, slope);
        expectSamples<std::int32_t>(ValueType::i32, slope);
        expectSamples<std::uint64_t>(ValueType::u64, slope);
        expectSamples<std::int64_t>(ValueType::i64, slope);
    }
    ValueMapping whole{-5, 1, true};
    whole.file = {ValueType::f32, 1, 0, bitsOfSample(-5.0F)};
    EXPECT_EQ(whole.sampleOf(7), bitsOfSample(2.0F));
    ValueMapping range{-1, 0.25};
    range.file = {ValueType::f64};
    EXPECT_EQ(range.sampleOf(3), bitsOfSample(-0.25));
    range.file = {ValueType::i32, 0.125, 1};
    EXPECT_EQ(range.sampleOf(3), bitsOfSample(std::int32_t{-10})) << "(-0.25 - 1) / 0.125";
    range.file = {ValueType::u8};
    EXPECT_EQ(range.nearestSample(-3), bitsOfSample(std::uint8_t{0}));
    EXPECT_EQ(range.nearestSample(1e300), bitsOfSample(std::uint8_t{255}));
    EXPECT_EQ(numberOfSample(ValueType::i16, bitsOfSample(std::int16_t{-7})), -7);
}

TEST(ValueMapping, EqualsAnotherOneWithTheSameRanks) {
    EXPECT_EQ(ranked({1, 2, 4}), ranked({1, 2, 4}));
    EXPECT_FALSE(ranked({1, 2, 4}) == ranked({1, 2, 5}));
    EXPECT_FALSE(ranked({1, 2, 4}) == ValueMapping{});
    EXPECT_FALSE(ofScan() == ValueMapping{});
}

Criterion inColumns(const std::string& criterion, const std::optional<ValueMapping>& mapping) {
    return inPixels(parseCriterion(criterion), ImageUnits(std::nullopt, mapping));
}

TEST(GreyCriteria, AreInTheValuesOfTheImage) {
    const ValueMapping scan = ofScan();
    EXPECT_EQ(inColumns("level>=300", scan).minimum, 33068);
    EXPECT_EQ(inColumns("level>300", scan).minimum, std::nextafter(33068, kInf));
    EXPECT_EQ(inColumns("-200<=level<=300", scan).maximum, 33068);
    EXPECT_EQ(inColumns("level<300", scan).maximum, std::nextafter(33068, -kInf));
    EXPECT_EQ(inColumns("level>=300HU", scan), inColumns("level>=300", scan));
    EXPECT_EQ(inColumns("level>=33068levels", scan).minimum, 33068);
    EXPECT_EQ(inColumns("contrast>=300", scan).minimum, 300) << "differences have no offset";
    EXPECT_NEAR(inColumns("mean>=-1000.5", scan).minimum, 31767.5, 1e-10);
    EXPECT_LE(inColumns("mean>=-1000.5", scan).minimum, 31767.5);
    EXPECT_EQ(inColumns("sum>=5", scan).minimum, 5) << "the column is in values";
    EXPECT_EQ(inColumns("level>=300", std::nullopt), parseCriterion("level>=300"));
    EXPECT_EQ(inColumns("area>=300", scan), parseCriterion("area>=300"));
    const ValueMapping halves{10, 0.5, true};
    EXPECT_EQ(inColumns("dynamics>=3", halves).minimum, 6);
    EXPECT_EQ(inColumns("dynamics>=3.1", halves).minimum < 6.2, true);
    EXPECT_EQ(inColumns("volume<=3", halves).maximum, 6);
    EXPECT_EQ(inColumns("variance>=3", halves).minimum, 12);
    EXPECT_EQ(inColumns("level>=-inf", halves).minimum, -kInf);
    EXPECT_EQ(inColumns("level>=99999", scan).minimum, kInf) << "no level has such a value";
}

TEST(GreyCriteria, AreNotChangedByASecondConversion) {
    for (const auto& mapping :
         {std::optional(ofScan()), std::optional(ranked({1, 2, 5})), std::optional<ValueMapping>()}) {
        for (const char* text : {"level>=2", "mean<=3.5", "sum>=2", "area>=2", "variance>=1"}) {
            const Criterion once = inColumns(text, mapping);
            const Criterion twice = inPixels(once, ImageUnits(std::nullopt, mapping));
            EXPECT_EQ(twice.grey, once.grey) << text;
            constexpr double kRoundings = 1e-13;
            EXPECT_TRUE(std::isinf(once.minimum) || std::abs(twice.minimum - once.minimum) < kRoundings) << text;
            EXPECT_TRUE(std::isinf(once.maximum) || std::abs(twice.maximum - once.maximum) < kRoundings) << text;
        }
    }
}

TEST(GreyCriteria, RefuseAUnitThatTheImageHasNot) {
    const auto problem = [](const char* text, const std::optional<ValueMapping>& mapping) {
        return unitProblem(parseCriterion(text), ImageUnits(std::nullopt, mapping));
    };
    EXPECT_EQ(problem("level>=300HU", ofScan()), "");
    EXPECT_THAT(problem("level>=300K", ofScan()), HasSubstr("the values of the image are in HU"));
    EXPECT_THAT(problem("300HU<=level<=400HU", std::nullopt), HasSubstr("the values of the image have no unit"));
    EXPECT_THROW((void)parseCriterion("area>=300HU"), Error);
    EXPECT_THROW((void)parseCriterion("depth>=300HU"), Error);
    EXPECT_THROW((void)parseCriterion("300HU<=level<=400"), Error);
    EXPECT_THROW((void)parseCriterion("300HU<=level<=400K"), Error);
    EXPECT_THROW((void)parseCriterion("level>=9007199254740993"), Error) << "no double has it";
    EXPECT_NO_THROW((void)parseCriterion("9007199254740992<=level<1e23"));
}

TEST(GreyCriteria, KeepTheirText) {
    for (const char* text :
         {"level>=300", "level>300", "level<0.5", "0.25<=mean<1", "level>=300HU", "level>=12levels",
          "3levels<=level<=7levels", "contrast==2", "level>=3m", "height>=-2 e5", "level==inf inity"}) {
        const Criterion criterion = parseCriterion(text);
        EXPECT_EQ(toString(criterion), text);
        EXPECT_EQ(parseCriterion(toString(criterion)), criterion) << text;
    }
    EXPECT_EQ(toString(parseCriterion("level>12levels")), "level>=13levels");
}

TEST(GreyCriteria, HoldForTheValuesThatTheyHoldForInLevels) {
    std::mt19937_64 random(5);
    constexpr std::array kIds{AttributeId::level,  AttributeId::contrast, AttributeId::height,  AttributeId::dynamics,
                              AttributeId::volume, AttributeId::mean,     AttributeId::variance};
    for (int i = 0; i < 20'000; ++i) {
        ValueMapping mapping{static_cast<double>(static_cast<std::int64_t>(random() % 4001) - 2000) / 8,
                             static_cast<double>(1 + random() % 64) / 16, true};
        const AttributeId id = kIds[random() % kIds.size()];
        const bool isWhole = attributeInfo(id).integral;
        const double number = static_cast<double>(random() % 4096) / (isWhole ? 1 : 64);
        const double value = columnValue(id, number, mapping);
        ASSERT_LE(columnBound(id, value, true, mapping), number) << attributeInfo(id).name;
        ASSERT_GE(columnBound(id, value, false, mapping), number) << attributeInfo(id).name;
        const double apart = isWhole ? 1 : 1.0 / 64;
        ASSERT_GT(columnBound(id, value, true, mapping), number - apart) << attributeInfo(id).name;
        ASSERT_LT(columnBound(id, value, false, mapping), number + apart) << attributeInfo(id).name;
    }
}

TEST(GreyAttributes, HaveTheUnitOfTheValues) {
    EXPECT_EQ(columnUnit(AttributeId::level, ofScan()), "HU");
    EXPECT_EQ(columnUnit(AttributeId::variance, ofScan()), "HU^2");
    EXPECT_EQ(columnUnit(AttributeId::volume, ofScan()), "HU*px");
    EXPECT_EQ(columnUnit(AttributeId::area, ofScan()), "px");
    EXPECT_EQ(columnUnit(AttributeId::mean, std::nullopt), "grey");
    for (const AttributeInfo& info : kAttributes) {
        EXPECT_EQ(info.grey != Grey::none, info.unit.starts_with("grey")) << info.name;
    }
}

} // namespace
} // namespace pollard::testing
