#include "io/samples/row_sink.hpp"
#include "io/samples/value_levels.hpp"

#include "base/error.hpp"
#include "io/samples/kept_values.hpp"
#include "io/samples/value_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <tbb/task_arena.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard::test {

namespace {

using Range = MappingChoice::Range;

template <class T> constexpr ValueType kType = ValueType::f64;
template <> constexpr ValueType kType<std::uint8_t> = ValueType::u8;
template <> constexpr ValueType kType<std::uint16_t> = ValueType::u16;
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
    EXPECT_EQ(levels(more), (std::vector<int>{0, 1})); // ranks
    EXPECT_TRUE(more.mapping.exact);
    const MappedLevels spread = map<std::int64_t>({least, least + 65536}, {Range::automatic, 0, 1, true});
    EXPECT_EQ(levels(spread), (std::vector<int>{0, 65535}));
    EXPECT_FALSE(spread.mapping.exact);
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
    const MappedLevels mapped = map<double>({nan, -inf, 1, 2, 3, inf, nan}, {Range::minMax});
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

/// Number of pixels whose sample differs from the sample of their level.
template <class T> std::size_t lostSamples(const std::vector<T>& values, const MappedLevels& mapped) {
    std::size_t lost = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        lost += mapped.mapping.sampleOf(mapped.image->level(i)) == bitsOfSample(values[i]) ? 0 : 1;
    }
    return lost;
}

/// Few different values, anywhere in the range of the type.
template <class T> std::vector<T> fewValues(std::size_t different, std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<T> some;
    for (std::size_t i = 0; i < different; ++i) {
        if constexpr (std::is_floating_point_v<T>) {
            some.push_back(static_cast<T>(
                std::ldexp(std::uniform_real_distribution<>(-1, 1)(random), static_cast<int>(random() % 60) - 30)));
        } else {
            some.push_back(static_cast<T>(random()));
        }
    }
    std::vector<T> values(count);
    std::generate(values.begin(), values.end(), [&] { return some[random() % some.size()]; });
    return values;
}

template <class T> class SampleLevels : public ::testing::Test {};
using AllTypes = ::testing::Types<std::uint8_t, std::uint16_t, std::int8_t, std::int16_t, std::uint32_t, std::int32_t,
                                  std::uint64_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(SampleLevels, AllTypes);

TYPED_TEST(SampleLevels, StateEachSampleOfFewValues) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const auto values = fewValues<TypeParam>(1 + seed * 37, 5000, seed);
        const MappedLevels mapped = map(values);
        EXPECT_TRUE(mapped.mapping.exact);
        EXPECT_EQ(mapped.mapping.file.type, kType<TypeParam>);
        EXPECT_EQ(lostSamples(values, mapped), 0U) << seed;
        for (std::size_t i = 1; i < values.size(); ++i) {
            ASSERT_EQ(values[i - 1] < values[i], mapped.image->level(i - 1) < mapped.image->level(i)) << i;
        }
    }
}

TYPED_TEST(SampleLevels, StateEachSampleOfScaledValuesInTheOrderOfTheValues) {
    for (const double slope : {0.25, 3.0, -1.0, -0.1}) {
        const auto values = fewValues<TypeParam>(500, 4000, 3);
        ValueGrid grid{kType<TypeParam>, values.data(), 4000, 1};
        grid.scale = {slope, -1024, {}};
        const MappedLevels mapped = levelsOfValues(grid, {});
        EXPECT_EQ(lostSamples(values, mapped), 0U) << slope;
        const auto valueOf = [&](TypeParam sample) { return -1024 + slope * static_cast<double>(sample); };
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double value = valueOf(values[i]);
            EXPECT_NEAR(mapped.mapping.valueOf(mapped.image->level(i)), value, 1e-12 * std::abs(value) + 1e-9) << i;
            if (i > 0) {
                ASSERT_EQ(slope > 0 ? values[i - 1] < values[i] : values[i - 1] > values[i],
                          mapped.image->level(i - 1) < mapped.image->level(i));
            }
        }
        const auto [low, high] = std::ranges::minmax(values);
        EXPECT_EQ(mapped.mapping.minimum, valueOf(slope > 0 ? low : high));
        EXPECT_EQ(mapped.mapping.maximum, valueOf(slope > 0 ? high : low));
    }
}

TEST(RankedLevels, KeepLabelsApartThatDoublesDoNot) {
    const std::uint64_t big = std::uint64_t{1} << 60;
    const std::vector<std::uint64_t> values{big + 1, 7, big, big + 100'000};
    const MappedLevels mapped = map(values);
    EXPECT_EQ(levels(mapped), (std::vector<int>{2, 0, 1, 3}));
    EXPECT_EQ(lostSamples(values, mapped), 0U);
    const auto both = mapped.mapping.levelsWithin(std::ldexp(1.0, 60), std::ldexp(1.0, 60), 65535);
    ASSERT_TRUE(both);
    EXPECT_EQ(*both, std::pair(std::uint16_t{1}, std::uint16_t{2}));
}

TEST(RankedLevels, GiveInfiniteValuesLevelsOfTheirOwn) {
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<double> values{-inf, 0.5, inf, 1.5, inf};
    const MappedLevels mapped = map(values);
    EXPECT_EQ(levels(mapped), (std::vector<int>{0, 1, 3, 2, 3}));
    EXPECT_EQ(mapped.mapping.infinite, 3U);
    EXPECT_EQ(mapped.mapping.minimum, 0.5);
    EXPECT_EQ(mapped.mapping.maximum, 1.5);
    EXPECT_EQ(lostSamples(values, mapped), 0U);
    EXPECT_EQ(mapped.mapping.levelsWithin(0.6, 9, 65535), std::pair(std::uint16_t{2}, std::uint16_t{2}));
    EXPECT_EQ(mapped.mapping.levelsWithin(2, inf, 65535), std::pair(std::uint16_t{3}, std::uint16_t{3}));
    EXPECT_EQ(mapped.mapping.levelsWithin(2, 3, 65535), std::nullopt);
}

TEST(RankedLevels, OfUpTo65536ValuesOnly) {
    std::vector<float> values(65537);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i) + 0.5F;
    }
    EXPECT_EQ(map(values).mapping.ranks, nullptr);
    EXPECT_FALSE(map(values).mapping.exact);
    values.back() = values.front();
    const MappedLevels mapped = map(values);
    ASSERT_NE(mapped.mapping.ranks, nullptr);
    EXPECT_EQ(mapped.image->level(65535), 65535);
    EXPECT_EQ(lostSamples(values, mapped), 0U);
    EXPECT_EQ(map(values, {Range::automatic, 0, 1, true}).mapping.ranks, nullptr);
}

TEST(RankedLevels, GivePixelsWithoutDataTheNearestOne) {
    const MappedLevels mapped = map<float>({0.5F, 10.25F, -9999.0F, 9.0F, 20.5F}, {}, {-9999.0, nullptr});
    EXPECT_EQ(levels(mapped), (std::vector<int>{0, 2, 0, 1, 3}));
    EXPECT_EQ(mapped.invalidPixels, 1U);
    EXPECT_TRUE(mapped.mapping.exact);
}

TEST(WholeFloats, HaveALevelForEachNumber) {
    const std::vector<float> values{-3, 70, 5, 65532};
    const MappedLevels mapped = map(values);
    EXPECT_EQ(levels(mapped), (std::vector<int>{0, 73, 8, 65535}));
    EXPECT_TRUE(mapped.mapping.exact);
    EXPECT_EQ(mapped.mapping.offset, -3);
    EXPECT_EQ(mapped.mapping.step, 1);
    EXPECT_EQ(mapped.mapping.ranks, nullptr);
    EXPECT_EQ(lostSamples(values, mapped), 0U);
}

/// Values of a normal distribution, with some far away.
std::vector<float> withOutliers(std::size_t outliers) {
    std::mt19937 random(8);
    std::normal_distribution<float> normal(10, 2);
    std::vector<float> values(200'000);
    std::generate(values.begin(), values.end(), [&] { return normal(random); });
    for (std::size_t i = 0; i < outliers; ++i) {
        values[i * 1000] = 1e6F + static_cast<float>(i);
    }
    return values;
}

TEST(RobustRange, DoesNotFollowAHotPixel) {
    const std::vector<float> values = withOutliers(3);
    const MappedLevels mapped = map(values, {}, {}, 400);
    auto sorted = values;
    std::ranges::sort(sorted);
    const float low = sorted[20];
    const float high = sorted[199'979];
    EXPECT_EQ(mapped.mapping.offset, low);
    EXPECT_NEAR(mapped.mapping.valueOf(65535), high, 1e-6);
    EXPECT_EQ(mapped.mapping.clipped, static_cast<std::uint64_t>(std::ranges::count_if(
                                          values, [&](float value) { return value < low || value > high; })));
    EXPECT_EQ(mapped.mapping.maximum, 1e6 + 2);
    EXPECT_FALSE(mapped.mapping.exact);
}

TEST(RobustRange, IsTheWholeOneWithoutValuesFarAway) {
    const std::vector<float> values = withOutliers(0);
    const MappedLevels mapped = map(values, {}, {}, 400);
    const auto [low, high] = std::ranges::minmax(values);
    EXPECT_EQ(mapped.mapping.offset, low);
    EXPECT_NEAR(mapped.mapping.valueOf(65535), high, 1e-6);
    EXPECT_EQ(mapped.mapping.clipped, 0U);
}

/// The levels of parts of 50 rows of an image 400 px wide by the facts about all, which went through JSON.
template <class T> std::vector<int> levelsByParts(const std::vector<T>& values, const MappingChoice& choice,
                                                  const Calibration& scale, ValueMapping& mapping) {
    constexpr std::uint32_t kWidth = 400;
    constexpr std::size_t kPart = std::size_t{kWidth} * 50;
    ValueStatistics found;
    const auto mapPart = [&](std::size_t first, ValueStatistics& statistics) {
        const auto rows = static_cast<std::uint32_t>(std::min(kPart, values.size() - first) / kWidth);
        return levelsOfValues({kType<T>, values.data() + first, kWidth, rows, scale}, choice, {}, {}, &statistics);
    };
    const int passes = collectValues(
        found, [&] { (void)mapPart(0, found); },
        [&](int) {
            for (std::size_t first = 0; first < values.size(); first += kPart) {
                (void)mapPart(first, found);
            }
        });
    EXPECT_LE(passes, passesOver(kType<T>, choice));
    ValueStatistics statistics;
    setStatistics(nlohmann::json::parse(jsonOf(found).dump()), statistics);
    std::vector<int> all;
    for (std::size_t first = 0; first < values.size(); first += kPart) {
        const MappedLevels part = mapPart(first, statistics);
        mapping = part.mapping;
        const std::vector<int> more = levels(part);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

template <class T> void expectPartsLikeTheWhole(const std::vector<T>& values) {
    const auto height = static_cast<std::uint32_t>(values.size() / 400);
    for (const double slope : {1.0, -0.5}) {
        const Calibration scale{slope, slope == 1 ? 0.0 : 10.0, {}};
        for (const MappingChoice& choice :
             {MappingChoice{}, MappingChoice{Range::minMax}, MappingChoice{Range::percentile, 0.1, 0.95},
              MappingChoice{Range::fixed, -5, 12}, MappingChoice{Range::automatic, 0, 1, true}}) {
            const MappedLevels whole = levelsOfValues({kType<T>, values.data(), 400, height, scale}, choice);
            ValueMapping mapping;
            EXPECT_EQ(levelsByParts(values, choice, scale, mapping), levels(whole));
            EXPECT_EQ(mapping, whole.mapping) << static_cast<int>(choice.range);
        }
    }
}

TEST(PartsOfValues, HaveTheLevelsOfTheWhole) {
    expectPartsLikeTheWhole(withOutliers(3));
    expectPartsLikeTheWhole(withOutliers(0));
    expectPartsLikeTheWhole(fewValues<double>(300, 80'000, 4));
    expectPartsLikeTheWhole(fewValues<std::int64_t>(70'000, 160'000, 5));
    expectPartsLikeTheWhole(fewValues<std::uint32_t>(900, 80'000, 6));
    expectPartsLikeTheWhole(fewValues<std::int16_t>(900, 80'000, 7));
    std::vector<float> whole(40'000);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        whole[i] = static_cast<float>(i % 5000) - 17;
    }
    expectPartsLikeTheWhole(whole);
    whole[3] = std::numeric_limits<float>::infinity();
    whole[4] = std::nanf("");
    expectPartsLikeTheWhole(whole);
}

TEST(PartsOfValues, OfDifferentScalesHaveOneMappingOfTheirValues) {
    const std::vector<std::int16_t> samples{-4, 0, 10, 30};
    ValueStatistics statistics;
    const auto mapPart = [&](double slope) {
        return levelsOfValues({ValueType::i16, samples.data(), 4, 1, {slope, 0, {}}}, {}, {}, {}, &statistics);
    };
    collectValues(
        statistics, [&] { (void)mapPart(1); },
        [&](int) {
            (void)mapPart(1);
            (void)mapPart(0.5);
        });
    ASSERT_TRUE(statistics.isKnown());
    EXPECT_EQ(levels(mapPart(1)), (std::vector<int>{0, 4, 14, 34}));
    EXPECT_EQ(levels(mapPart(0.5)), (std::vector<int>{2, 4, 9, 19}));
    EXPECT_EQ(mapPart(0.5).mapping.file.type, ValueType::f64);
}

TEST(PartsOfValues, FollowOlderFactsByTheWholeRange) {
    ValueStatistics statistics;
    setStatistics(nlohmann::json::parse(R"({"type":6,"choice":[0,0,1],"ends":[0.5,2.5],"counts":[3,0,0,0,0],
                                            "infinities":[false,false]})"),
                  statistics);
    const std::vector<float> values{0.5F, 1.5F, 2.5F};
    const MappedLevels mapped = levelsOfValues({ValueType::f32, values.data(), 3, 1}, {}, {}, {}, &statistics);
    EXPECT_EQ(levels(mapped), (std::vector<int>{0, 32768, 65535}));
    EXPECT_EQ(mapped.mapping.ranks, nullptr);
}

TEST(KeptSamples, AreThoseThatLevelsDoNotState) {
    const float nan = std::nanf("");
    const std::vector<float> values{0.25F, nan, 3.5F, -0.0F};
    const KeptValues kept;
    const MappedLevels mapped = map(values);
    const auto samples = kept.samplesOf(mapped.image);
    ASSERT_NE(samples, nullptr);
    EXPECT_EQ(samples->type, ValueType::f32);
    EXPECT_EQ(std::memcmp(samples->samples.data(), values.data(), 16), 0);
    EXPECT_EQ(kept.samplesOf(map<float>({0.25F, 3.5F}).image), nullptr);
    EXPECT_EQ(kept.samplesOf(map<std::int16_t>({-7, 9}).image), nullptr);
    const MappedLevels coarse = map<std::int32_t>({-7, 9, 1'000'000}, {Range::fixed, 0, 500'000});
    const auto whole = kept.samplesOf(coarse.image);
    ASSERT_NE(whole, nullptr);
    std::int32_t last = 0;
    std::memcpy(&last, whole->samples.data() + 8, sizeof last);
    EXPECT_EQ(last, 1'000'000);
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
