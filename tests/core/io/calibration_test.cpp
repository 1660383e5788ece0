#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/samples/no_data.hpp"
#include "io/samples/value_image.hpp"

#include <algorithm>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::test {

using testing::ElementsAre;

namespace {

template <class T> LoadedImage imageOf(const std::vector<T>& levels, const Calibration& calibration) {
    const std::shared_ptr<Image> image =
        std::make_shared<Image>(kPixelTypeOf<T>, static_cast<std::uint32_t>(levels.size()), 1);
    std::ranges::copy(levels, image->template pixels<T>().begin());
    LoadedImage loaded{image, nullptr, {}};
    loaded.info.calibration = calibration;
    return loaded;
}

std::vector<double> valuesOf(const LoadedImage& loaded) {
    std::vector<double> values;
    for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
        values.push_back(valueOf(loaded.info.mapping, loaded.image->level(i)));
    }
    return values;
}

std::vector<double> samplesOf(const LoadedImage& loaded) {
    std::vector<double> samples;
    for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
        const ValueMapping& mapping = *loaded.info.mapping;
        samples.push_back(numberOfSample(mapping.file.type, mapping.sampleOf(loaded.image->level(i))));
    }
    return samples;
}

/// Levels from the smallest 16-bit integer on.
ValueMapping shorts() {
    ValueMapping mapping;
    mapping.offset = -32768;
    mapping.exact = true;
    mapping.minimum = -5;
    mapping.maximum = 7;
    mapping.file = {ValueType::i16, 1, 0, bitsOfSample(std::int16_t{-32768})};
    return mapping;
}

} // namespace

TEST(Calibration, StoredLevelsGetAMappingOfValues) {
    LoadedImage loaded = imageOf<std::uint8_t>({0, 7, 255}, {0.5, -10, "mm"});
    calibrate(loaded);
    EXPECT_THAT(valuesOf(loaded), ElementsAre(-10, -6.5, 117.5));
    EXPECT_THAT(samplesOf(loaded), ElementsAre(0, 7, 255));
    const ValueMapping& mapping = *loaded.info.mapping;
    EXPECT_EQ(mapping.unit, "mm");
    EXPECT_TRUE(mapping.exact);
    EXPECT_EQ(mapping.minimum, -10);
    EXPECT_EQ(mapping.maximum, 117.5);
    EXPECT_EQ(mapping.file, (FileSamples{ValueType::u8, 0.5, -10, 0}));
}

TEST(Calibration, ANegativeSlopeTurnsTheLevels) {
    LoadedImage bytes = imageOf<std::uint8_t>({0, 7, 255}, {-2, 100, ""});
    calibrate(bytes);
    EXPECT_EQ(bytes.image->level(0), 255);
    EXPECT_EQ(bytes.image->level(1), 248);
    EXPECT_THAT(valuesOf(bytes), ElementsAre(100, 86, -410));
    EXPECT_THAT(samplesOf(bytes), ElementsAre(0, 7, 255));
    EXPECT_GT(bytes.info.mapping->step, 0);
    EXPECT_EQ(bytes.info.mapping->minimum, -410);
    EXPECT_EQ(bytes.info.mapping->maximum, 100);

    LoadedImage wide = imageOf<std::uint16_t>({32763, 32768, 32775}, {-0.25, 1, "V"});
    wide.info.mapping = shorts();
    calibrate(wide);
    EXPECT_THAT(valuesOf(wide), ElementsAre(2.25, 1, -0.75));
    EXPECT_THAT(samplesOf(wide), ElementsAre(-5, 0, 7));
    EXPECT_EQ(wide.info.mapping->minimum, -0.75);
    EXPECT_EQ(wide.info.mapping->maximum, 2.25);
}

TEST(Calibration, RanksKeepTheirSamples) {
    for (const double slope : {3.0, -3.0}) {
        LoadedImage loaded = imageOf<std::uint16_t>({0, 1, 2}, {slope, 1, ""});
        ValueMapping mapping;
        mapping.exact = true;
        mapping.ranks = std::make_shared<const RankedValues>(RankedValues{
            {-1, 10, 70000},
            {bitsOfSample(std::int32_t{-1}), bitsOfSample(std::int32_t{10}), bitsOfSample(std::int32_t{70000})}});
        mapping.file.type = ValueType::i32;
        mapping.minimum = -1;
        mapping.maximum = 70000;
        loaded.info.mapping = mapping;
        calibrate(loaded);
        EXPECT_THAT(valuesOf(loaded), ElementsAre(1 - slope, 1 + 10 * slope, 1 + 70000 * slope));
        EXPECT_THAT(samplesOf(loaded), ElementsAre(-1, 10, 70000));
        EXPECT_TRUE(std::ranges::is_sorted(loaded.info.mapping->ranks->values));
        EXPECT_EQ(loaded.info.mapping->minimum, slope > 0 ? -2 : 1 + 70000 * slope);
    }
}

TEST(Calibration, AMappingKeepsItsOwnScale) {
    LoadedImage loaded = imageOf<std::uint16_t>({32768}, {1, 0, "HU"});
    loaded.info.mapping = shorts();
    loaded.info.mapping->file.slope = 2;
    loaded.info.mapping->file.intercept = -1024;
    calibrate(loaded);
    EXPECT_EQ(loaded.info.mapping->unit, "HU");
    EXPECT_EQ(loaded.info.mapping->file.slope, 2);
    EXPECT_EQ(loaded.info.mapping->file.intercept, -1024);
}

TEST(Calibration, TheRangeIsThatOfPixelsWithData) {
    LoadedImage loaded = imageOf<std::uint8_t>({0, 7, 9}, {2, 0, ""});
    auto valid = std::make_shared<Mask>(3, 1, true);
    valid->set(0, 0, false);
    loaded.valid = valid;
    loaded.info.invalidPixels = 1;
    calibrate(loaded);
    EXPECT_EQ(loaded.info.mapping->minimum, 14);
    EXPECT_EQ(loaded.info.mapping->maximum, 18);
}

TEST(Calibration, OnlyStraightLinesThatSaySomethingCount) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(calibrationOf(1, 0, ""), std::nullopt);
    EXPECT_EQ(calibrationOf(0, 5, "m"), std::nullopt);
    EXPECT_EQ(calibrationOf(kNan, 5, "m"), std::nullopt);
    EXPECT_EQ(calibrationOf(1, 0, "m"), (Calibration{1, 0, "m"}));
}

TEST(Calibration, ARangeOfValuesBecomesOneOfSamples) {
    using Range = MappingChoice::Range;
    EXPECT_EQ(inSamples({Range::fixed, -10, 10}, {0.5, -10, ""}), (MappingChoice{Range::fixed, 0, 40}));
    EXPECT_EQ(inSamples({Range::fixed, -10, 10}, {-0.5, -10, ""}), (MappingChoice{Range::fixed, -40, 0}));
    EXPECT_EQ(inSamples({Range::percentile, 0.25, 0.875}, {-1, 0, ""}),
              (MappingChoice{Range::percentile, 0.125, 0.75}));
    EXPECT_EQ(inSamples({Range::minMax}, {-1, 0, ""}), (MappingChoice{Range::minMax}));
}

TEST(NoData, TextsOfWholeNumbersAreExact) {
    const auto noData = NoData::parse("9007199254740993"); // 2^53 + 1
    EXPECT_EQ(sampleOf<std::int64_t>(*noData), 9007199254740993);
    EXPECT_EQ(sampleOf<std::uint64_t>(*NoData::parse(" 18446744073709551615 ")), UINT64_MAX);
    EXPECT_EQ(sampleOf<std::int64_t>(*NoData::parse("-9223372036854775808")), INT64_MIN);
    EXPECT_EQ(sampleOf<std::int64_t>(*NoData::parse("18446744073709551615")), std::nullopt);
    EXPECT_EQ(sampleOf<std::uint8_t>(*NoData::parse("256")), std::nullopt);
    EXPECT_EQ(sampleOf<std::uint8_t>(*NoData::parse("-1")), std::nullopt);
    EXPECT_EQ(sampleOf<std::uint8_t>(*NoData::parse("-0")), std::uint8_t{0});
    EXPECT_EQ(sampleOf<std::int16_t>(*NoData::parse("-32768.0")), std::int16_t{-32768});
    EXPECT_EQ(sampleOf<std::int16_t>(*NoData::parse("3.5")), std::nullopt);
    EXPECT_EQ(sampleOf<float>(*NoData::parse("-1e+39")), -std::numeric_limits<float>::max());
    EXPECT_EQ(sampleOf<float>(*NoData::parse("nan")), std::nullopt);
    EXPECT_EQ(NoData::parse("four"), std::nullopt);
}

/// By the masks that GDAL 3.6 makes.
TEST(NoData, FloatsHaveTheToleranceOfGdal) {
    const auto isGap = [](const char* text, float sample) {
        return isNoData(sample, *sampleOf<float>(*NoData::parse(text)));
    };
    constexpr float kMost = std::numeric_limits<float>::max();
    for (const char* text : {"-3.4e38", "-3.40282e+38", "-3.4028235e+38", "-3.4028231e+38"}) {
        EXPECT_TRUE(isGap(text, -kMost)) << text;
        EXPECT_FALSE(isGap(text, 0)) << text;
    }
    EXPECT_TRUE(isGap("1.70141e38", 1.70141e38F));
    EXPECT_FALSE(isGap("1.70141e38", 1.7014118e38F));
    EXPECT_TRUE(isGap("-9999.9", -9999.9F));
    EXPECT_TRUE(isGap("-9999.9", -9999.901F));
    EXPECT_TRUE(isGap("-9999.9", -9999.898F));
    EXPECT_FALSE(isGap("-9999.9", -9999.89F));
    EXPECT_FALSE(isGap("0", 1e-30F));
    EXPECT_TRUE(isNoData<double>(static_cast<double>(-9999.9F), -9999.9));
    EXPECT_FALSE(isNoData<double>(-9999.8, -9999.9));
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(isNoData(kNan, -9999.9F));
    EXPECT_TRUE(isNoData(kInfinity, kInfinity));
    EXPECT_FALSE(isNoData(1.0F, kInfinity));
}

} // namespace pollard::test
