#include "io/samples/value_levels.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <tbb/task_arena.h>
#include <vector>

namespace pollard::test {

namespace {

using Range = MappingChoice::Range;

template <class T> constexpr ValueType kType = ValueType::f64;
template <> constexpr ValueType kType<std::int8_t> = ValueType::i8;
template <> constexpr ValueType kType<std::int16_t> = ValueType::i16;
template <> constexpr ValueType kType<std::uint32_t> = ValueType::u32;
template <> constexpr ValueType kType<std::int32_t> = ValueType::i32;
template <> constexpr ValueType kType<std::uint64_t> = ValueType::u64;
template <> constexpr ValueType kType<std::int64_t> = ValueType::i64;
template <> constexpr ValueType kType<float> = ValueType::f32;

template <class T> MappedLevels map(const std::vector<T>& values, const MappingChoice& choice = {},
                                    const ValueGaps& gaps = {}, std::uint32_t height = 1) {
    const auto width = static_cast<std::uint32_t>(values.size() / height);
    return levelsOfValues({kType<T>, values.data(), width, height}, choice, gaps);
}

std::vector<int> levels(const MappedLevels& mapped) {
    std::vector<int> out;
    for (std::size_t i = 0; i < mapped.image->pixelCount(); ++i) {
        out.push_back(mapped.image->level(i));
    }
    return out;
}

template <class T> class ValueLevels : public ::testing::Test {
protected:
    /// Values over the whole range of the type, including its ends.
    static std::vector<T> wideValues(std::size_t count) {
        std::mt19937_64 random(5);
        std::vector<T> values = {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T{0}, T{1}};
        while (values.size() < count) {
            if constexpr (std::is_floating_point_v<T>) {
                const double exponent = std::uniform_real_distribution<>(-40, 38)(random);
                values.push_back(static_cast<T>((random() % 2 == 0 ? 1 : -1) * std::pow(10.0, exponent)));
            } else {
                values.push_back(static_cast<T>(random()));
            }
        }
        return values;
    }
};
using Types = ::testing::Types<std::int8_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t,
                               float, double>;
TYPED_TEST_SUITE(ValueLevels, Types);

/// Position of each value between the ends, in a wider type.
template <class T>
void expectNearest(const std::vector<T>& values, const MappedLevels& mapped, long double low, long double high) {
    const int highest = maxLevelOf(mapped.image->type());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = static_cast<long double>(values[i]);
        const long double exact = std::clamp((value - low) / (high - low), 0.0L, 1.0L) * highest;
        // If the exact position is halfway within double precision, either neighbour is correct.
        EXPECT_NEAR(static_cast<double>(exact), mapped.image->level(i), 0.5 + 1e-9) << i;
    }
}

TYPED_TEST(ValueLevels, SpreadTheWholeTypeWithoutOverflow) {
    const auto values = TestFixture::wideValues(3000);
    const MappedLevels mapped = map(values, {Range::minMax});
    expectNearest(values, mapped, static_cast<long double>(values[0]), static_cast<long double>(values[1]));
    EXPECT_EQ(mapped.image->level(0), 0);
    EXPECT_EQ(mapped.image->level(1), maxLevelOf(mapped.image->type()));
    EXPECT_EQ(mapped.mapping.minimum, static_cast<double>(values[0]));
    EXPECT_EQ(mapped.mapping.maximum, static_cast<double>(values[1]));
    EXPECT_EQ(mapped.mapping.clipped, 0U);
    EXPECT_EQ(mapped.valid, nullptr);
}

TYPED_TEST(ValueLevels, QuantilesAreThoseOfTheSortedValues) {
    const auto values = TestFixture::wideValues(2001);
    auto sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const TypeParam low = sorted[40];
    const TypeParam high = sorted[1960];
    const MappedLevels mapped = map(values, {Range::percentile, 0.02, 0.98});
    expectNearest(values, mapped, static_cast<long double>(low), static_cast<long double>(high));
    const auto beyond = std::count_if(values.begin(), values.end(), [&](TypeParam v) { return v < low || v > high; });
    EXPECT_EQ(mapped.mapping.clipped, static_cast<std::uint64_t>(beyond));
    EXPECT_EQ(mapped.mapping.offset, static_cast<double>(low));
    EXPECT_FALSE(beyond > 0 && mapped.mapping.exact);
}

TYPED_TEST(ValueLevels, AFixedRangeClipsWhatIsBeyond) {
    const std::vector<TypeParam> values = {TypeParam{0}, TypeParam{10}, TypeParam{20}, TypeParam{30}, TypeParam{100}};
    const MappedLevels mapped = map(values, {Range::fixed, 10, 30});
    const int top = maxLevelOf(mapped.image->type());
    EXPECT_EQ(levels(mapped), (std::vector<int>{0, 0, (top + 1) / 2, top, top}));
    EXPECT_EQ(mapped.mapping.clipped, 2U);
    EXPECT_DOUBLE_EQ(mapped.mapping.valueOf(top), 30);
    EXPECT_FALSE(mapped.mapping.exact);
    EXPECT_EQ(mapped.mapping.maximum, 100);
}

TYPED_TEST(ValueLevels, OneValueIsLevelZeroOrExact) {
    const std::vector<TypeParam> values(50, TypeParam{7});
    for (const Range range : {Range::automatic, Range::minMax}) {
        const MappedLevels mapped = map(values, {range});
        EXPECT_TRUE(mapped.mapping.exact);
        EXPECT_EQ(mapped.mapping.valueOf(mapped.image->level(0)), 7);
    }
}

TYPED_TEST(ValueLevels, PixelsWithoutDataTakeNoPartInTheRange) {
    std::vector<TypeParam> values = {TypeParam{5}, TypeParam{6}, TypeParam{99},
                                     TypeParam{7}, TypeParam{1}, TypeParam{9}};
    const auto mask = std::make_shared<Mask>(6, 1, true);
    mask->set(4, 0, false);
    const MappedLevels mapped = map(values, {Range::minMax}, {99.0, mask});
    EXPECT_EQ(mapped.invalidPixels, 2U);
    ASSERT_NE(mapped.valid, nullptr);
    EXPECT_FALSE(mapped.valid->test(2, 0));
    EXPECT_FALSE(mapped.valid->test(4, 0));
    EXPECT_EQ(mapped.valid->count(), 4U);
    EXPECT_EQ(mapped.mapping.minimum, 5);
    EXPECT_EQ(mapped.mapping.maximum, 9);
    EXPECT_EQ(mapped.mapping.clipped, 0U);
    EXPECT_EQ(mapped.image->level(2), maxLevelOf(mapped.image->type()));
    EXPECT_EQ(mapped.image->level(4), 0);
}

TYPED_TEST(ValueLevels, DoNotDependOnThreadsAndEqualEveryRowAlone) {
    const auto values = TestFixture::wideValues(300 * 257);
    const MappingChoice choice{Range::percentile, 0.1, 0.9};
    MappedLevels one;
    MappedLevels many;
    tbb::task_arena(1).execute([&] { one = map(values, choice, {}, 257); });
    tbb::task_arena(5).execute([&] { many = map(values, choice, {}, 257); });
    EXPECT_EQ(levels(one), levels(many));
    EXPECT_EQ(one.mapping, many.mapping);
}

TYPED_TEST(ValueLevels, StopOnRequest) {
    std::stop_source stop;
    stop.request_stop();
    const std::vector<TypeParam> values(10);
    EXPECT_THROW((void)levelsOfValues({kType<TypeParam>, values.data(), 10, 1}, {}, {}, JobControl(stop.get_token())),
                 Cancelled);
}

TEST(IntegerLevels, KeepEveryValueApartWhereTheTypeOrTheValuesAllow) {
    const MappedLevels bytes = map<std::int8_t>({-128, -1, 0, 127});
    EXPECT_EQ(bytes.image->type(), PixelType::u8);
    EXPECT_EQ(levels(bytes), (std::vector<int>{0, 127, 128, 255}));
    EXPECT_TRUE(bytes.mapping.exact);
    const MappedLevels shorts = map<std::int16_t>({-3, 5, 32767});
    EXPECT_EQ(levels(shorts), (std::vector<int>{32765, 32773, 65535}));
    EXPECT_EQ(shorts.mapping.offset, -32768);
    const std::int64_t least = std::numeric_limits<std::int64_t>::min();
    const MappedLevels longs = map<std::int64_t>({least + 3, least, least + 65535});
    EXPECT_EQ(levels(longs), (std::vector<int>{3, 0, 65535}));
    EXPECT_TRUE(longs.mapping.exact);
    const MappedLevels more = map<std::int64_t>({least, least + 65536});
    EXPECT_EQ(levels(more), (std::vector<int>{0, 65535}));
    EXPECT_FALSE(more.mapping.exact);
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(levels(map<std::uint64_t>({most - 2, most})), (std::vector<int>{0, 2}));
}

TEST(IntegerLevels, FindTheNoDataValueAtTheEndsOfTheType) {
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(map<std::uint64_t>({most, most - 1}, {}, {18446744073709551615.0, nullptr}).invalidPixels, 1U);
    const std::int32_t least = std::numeric_limits<std::int32_t>::min();
    EXPECT_EQ(map<std::int32_t>({least, 0}, {}, {-2147483648.0, nullptr}).invalidPixels, 1U);
    EXPECT_EQ(map<std::int32_t>({0, 1}, {}, {0.5, nullptr}).invalidPixels, 0U);
    EXPECT_EQ(map<std::uint32_t>({0, 1}, {}, {-1.0, nullptr}).invalidPixels, 0U);
    EXPECT_EQ(map<std::int16_t>({0, 1}, {}, {std::nan(""), nullptr}).invalidPixels, 0U);
}

TEST(FloatLevels, CountNanAndInfinity) {
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::nan("");
    const MappedLevels mapped = map<double>({nan, -inf, 1, 2, 3, inf, nan});
    EXPECT_EQ(levels(mapped), (std::vector<int>{0, 0, 0, 32768, 65535, 65535, 0}));
    EXPECT_EQ(mapped.mapping.nan, 2U);
    EXPECT_EQ(mapped.mapping.infinite, 2U);
    EXPECT_EQ(mapped.mapping.clipped, 0U);
    EXPECT_EQ(mapped.invalidPixels, 2U);
    EXPECT_EQ(mapped.valid->count(), 5U);
    EXPECT_FALSE(mapped.mapping.exact);
}

TEST(FloatLevels, AreZeroWhereNothingIsANumber) {
    const MappedLevels mapped = map<float>(std::vector<float>(9, std::nanf("")), {Range::percentile, 0.1, 0.9});
    EXPECT_EQ(levels(mapped), std::vector<int>(9, 0));
    EXPECT_EQ(mapped.invalidPixels, 9U);
    EXPECT_EQ(mapped.mapping.minimum, 0);
    EXPECT_EQ(mapped.mapping.step, 1);
}

TEST(FloatLevels, SpreadTheSmallestNumbers) {
    const double tiny = std::numeric_limits<double>::denorm_min();
    for (const double count : {1.0, 2.0, 65535.0, 65536.0, 90000.0, 100000.0, 1e9}) {
        const MappedLevels mapped = map<double>({0, tiny * count});
        EXPECT_GT(mapped.mapping.step, 0);
        EXPECT_EQ(mapped.image->level(0), 0);
        // A step with few bits cannot map the end to the highest level, but must not exceed it.
        EXPECT_NEAR(mapped.mapping.valueOf(mapped.image->level(1)), tiny * count, mapped.mapping.step) << count;
    }
}

TEST(FloatLevels, FindTheNoDataValueThoughItWasWrittenWithOtherDigits) {
    const float least = std::numeric_limits<float>::lowest();
    EXPECT_EQ(map<float>({least, 1, 2}, {}, {-3.40282346638529e+38, nullptr}).invalidPixels, 1U);
    EXPECT_EQ(map<float>({least, 1, 2}, {}, {-3.4028235e+38, nullptr}).invalidPixels, 1U);
    EXPECT_EQ(map<float>({0.1F, 1, 2}, {}, {0.1, nullptr}).invalidPixels, 1U);
}

TEST(FloatLevels, BackgroundOfMostPixelsStaysApartFromTheRest) {
    std::vector<float> values(100, 0.0F);
    values[3] = 5;
    values[4] = -5;
    const MappedLevels mapped = map<float>(values, {Range::percentile, 0.1, 0.9});
    EXPECT_EQ(mapped.image->level(0), 0);
    EXPECT_EQ(mapped.image->level(3), 65535);
    EXPECT_EQ(mapped.image->level(4), 0);
    EXPECT_EQ(mapped.mapping.clipped, 2U);
}

TEST(MappingChecks, RefuseRangesThatDoNotAscend) {
    const double inf = std::numeric_limits<double>::infinity();
    for (const MappingChoice& choice :
         {MappingChoice{Range::fixed, 2, 1}, MappingChoice{Range::fixed, 0, inf},
          MappingChoice{Range::percentile, 0.5, 0.5}, MappingChoice{Range::percentile, -0.1, 1},
          MappingChoice{Range::percentile, 0, 1.1}, MappingChoice{Range::percentile, std::nan(""), 1}}) {
        EXPECT_THROW(checkMapping(choice), Error) << choice.low << " " << choice.high;
    }
    EXPECT_NO_THROW(checkMapping({Range::percentile, 0, 1}));
    EXPECT_NO_THROW(checkMapping({Range::fixed, 1, 1}));
    EXPECT_NO_THROW(checkMapping({Range::minMax, 5, 1}));
}

TEST(SmallFloats, HaveTheValuesOfTheirFormats) {
    EXPECT_EQ(floatFromHalf(0x3c00), 1.0F);
    EXPECT_EQ(floatFromHalf(0xc000), -2.0F);
    EXPECT_EQ(floatFromHalf(0x7bff), 65504.0F);
    EXPECT_EQ(floatFromHalf(0x0001), std::ldexp(1.0F, -24));
    EXPECT_EQ(floatFromHalf(0x0400), std::ldexp(1.0F, -14));
    EXPECT_TRUE(std::isinf(floatFromHalf(0x7c00)));
    EXPECT_TRUE(std::isnan(floatFromHalf(0x7e00)));
    EXPECT_TRUE(std::signbit(floatFromHalf(0x8000)));
    EXPECT_EQ(floatFrom24Bits(0x3f0000), 1.0F);
    EXPECT_EQ(floatFrom24Bits(0xc08000), -3.0F);
    EXPECT_EQ(floatFrom24Bits(0x000001), std::ldexp(1.0F, -78));
    EXPECT_TRUE(std::isinf(floatFrom24Bits(0xff0000)));
}

} // namespace

} // namespace pollard::test
