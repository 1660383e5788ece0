#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"

#include "base/error.hpp"
#include "io/region_source.hpp"
#include "recipe/no_data.hpp"
#include "recipe/results/result_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>
#include <string>

namespace pollard {
namespace {

using enum ResultValues;
using test::TempDir;

std::shared_ptr<Image> randomImage(std::mt19937& random, PixelType type, std::uint32_t levels) {
    auto image = std::make_shared<Image>(type, 37, 23);
    dispatch(type, [&]<class T>(T) {
        std::ranges::generate(image->pixels<T>(), [&] { return static_cast<T>(random() % levels); });
    });
    return image;
}

LoadedImage holed(std::shared_ptr<const Image> image, std::mt19937& random, std::optional<ValueMapping> mapping) {
    auto valid = std::make_shared<Mask>(image->width(), image->height(), true);
    for (int i = 0; i < 50; ++i) {
        valid->set(static_cast<std::uint32_t>(random() % image->width()),
                   static_cast<std::uint32_t>(random() % image->height()), false);
    }
    LoadedImage loaded{std::move(image), std::move(valid), {}};
    loaded.info.mapping = mapping;
    return loaded;
}

std::set<std::uint32_t> levelsWithData(const LoadedImage& loaded) {
    std::set<std::uint32_t> levels;
    for (std::uint32_t y = 0; y < loaded.image->height(); ++y) {
        for (std::uint32_t x = 0; x < loaded.image->width(); ++x) {
            if (loaded.valid->test(x, y)) {
                levels.insert(loaded.image->level(std::size_t{y} * loaded.image->width() + x));
            }
        }
    }
    return levels;
}

/// A mapping of the levels of signed 16-bit samples.
ValueMapping signedSamples() {
    ValueMapping mapping{-32768, 1, true};
    mapping.file = {ValueType::i16, 1, 0, bitsOfSample(std::int16_t{-32768})};
    return mapping;
}

/// A mapping of floats that are not exact.
ValueMapping floats() {
    ValueMapping mapping{-5, 0.5};
    mapping.maximum = 200;
    mapping.file.type = ValueType::f32;
    return mapping;
}

TEST(NoDataMark, OfFloatsIsNan) {
    std::mt19937 random(3);
    const LoadedImage loaded = holed(randomImage(random, PixelType::u16, 256), random, floats());
    for (const ResultValues values : {levels, between, differences}) {
        const ResultSamples samples = resultSamples(loaded, values);
        EXPECT_EQ(samples.type, ValueType::f32);
        ASSERT_TRUE(samples.mark);
        EXPECT_TRUE(std::isnan(numberOfSample(samples.type, *samples.mark)));
    }
    EXPECT_EQ(resultSamples(loaded, others), (ResultSamples{ValueType::u16, {}}));
}

TEST(NoDataMark, OfIntegersIsASampleThatNoPixelWithDataHas) {
    std::mt19937 random(3);
    for (const std::uint32_t range : {2U, 40U, 65536U}) {
        const LoadedImage loaded = holed(randomImage(random, PixelType::u16, range), random, signedSamples());
        const std::set<std::uint32_t> used = levelsWithData(loaded);
        for (const ResultValues values : {levels, between}) {
            const ResultSamples samples = resultSamples(loaded, values);
            ASSERT_TRUE(samples.mark);
            const double level = numberOfSample(samples.type, *samples.mark) + 32768;
            if (values == levels) {
                EXPECT_FALSE(used.contains(static_cast<std::uint32_t>(level)));
            } else {
                EXPECT_TRUE(level < *used.begin() || level > *used.rbegin());
            }
        }
        const ResultSamples apart = resultSamples(loaded, differences);
        const double sample = numberOfSample(apart.type, *apart.mark);
        EXPECT_TRUE(sample < 0 || sample > *used.rbegin() - *used.begin());
        EXPECT_EQ(apart.type, range == 65536 ? ValueType::i32 : ValueType::i16) << "the type holds the differences";
    }
}

TEST(NoDataMark, IsWiderWhereEverySampleIsUsed) {
    auto image = std::make_shared<Image>(PixelType::u8, 257, 1);
    for (std::uint32_t x = 0; x < 257; ++x) {
        image->pixels<std::uint8_t>()[x] = static_cast<std::uint8_t>(x);
    }
    auto valid = std::make_shared<Mask>(257, 1, true);
    valid->set(256, 0, false);
    LoadedImage loaded{image, valid, {}};
    ValueMapping mapping{-128, 1, true};
    mapping.file = {ValueType::i8, 1, 0, bitsOfSample(std::int8_t{-128})};
    loaded.info.mapping = mapping;
    const ResultSamples samples = resultSamples(loaded, levels);
    EXPECT_EQ(samples.type, ValueType::i16);
    const PixelRows rows = resultRows(*image, loaded, levels, samples);
    std::vector<std::int16_t> read(257);
    rows.read(0, 1, reinterpret_cast<std::byte*>(read.data()));
    EXPECT_EQ(read.front(), -128);
    EXPECT_EQ(read[255], 127);
    EXPECT_EQ(read[256], -32768);
    EXPECT_EQ(noteOnType(loaded.info, levels, samples.type),
              "written as int16: the values do not fit the int8 of the source");
    EXPECT_EQ(noteOnType(loaded.info, levels, ValueType::i8), "");
}

TEST(NoDataMark, IsTheStatedValueWhereItIsFree) {
    std::mt19937 random(4);
    LoadedImage loaded = holed(randomImage(random, PixelType::u16, 30), random, signedSamples());
    loaded.info.facts = {{"No-data value", "-9999"}};
    EXPECT_EQ(resultSamples(loaded, levels), (ResultSamples{ValueType::i16, bitsOfSample(std::int16_t{-9999})}));
    EXPECT_EQ(resultSamples(loaded, differences), (ResultSamples{ValueType::i16, bitsOfSample(std::int16_t{-9999})}));
    EXPECT_EQ(noDataLevel(PixelType::u16, loaded.info), 32768 - 9999);
    loaded.info.facts = {{"No-data value", "-32768"}}; // pixels with data have this value
    EXPECT_NE(resultSamples(loaded, levels).mark, bitsOfSample(std::int16_t{-32768}));
}

TEST(NoDataMark, LeavesStoredLevelsAlone) {
    std::mt19937 random(5);
    LoadedImage loaded = holed(randomImage(random, PixelType::u8, 30), random, std::nullopt);
    EXPECT_FALSE(resultSamples(loaded, levels).mark) << "transparency is no value";
    loaded.info.facts = {{"No-data value", "255"}};
    EXPECT_EQ(resultSamples(loaded, levels), (ResultSamples{ValueType::u8, 255}));
    EXPECT_FALSE(resultSamples(loaded, differences).mark) << "255 is data there";
    loaded.valid.reset();
    EXPECT_FALSE(resultSamples(loaded, levels).mark);
}

TEST(ResultRows, HaveTheSamplesOfTheSourceWhereNothingChanged) {
    std::mt19937 random(6);
    LoadedImage loaded = holed(randomImage(random, PixelType::u16, 300), random, floats());
    auto grid = std::make_shared<SampleGrid>();
    grid->samples = Buffer<std::byte>(loaded.image->pixelCount() * sizeof(float));
    std::vector<float> stored(loaded.image->pixelCount());
    for (std::size_t p = 0; p < stored.size(); ++p) {
        const bool hasData = loaded.valid->test(static_cast<std::uint32_t>(p % 37), static_cast<std::uint32_t>(p / 37));
        stored[p] = hasData ? static_cast<float>(-5 + 0.5 * loaded.image->level(p)) + 0.125F
                            : std::numeric_limits<float>::quiet_NaN();
    }
    std::memcpy(grid->samples.data(), stored.data(), stored.size() * sizeof(float));
    loaded.samples = grid;
    const auto samplesOf = [&](const Image& image) {
        const PixelRows rows = resultRows(image, loaded, levels, resultSamples(loaded, levels));
        std::vector<float> read(stored.size());
        rows.read(0, 23, reinterpret_cast<std::byte*>(read.data()));
        return read;
    };
    const std::vector<float> same = samplesOf(*loaded.image);
    EXPECT_EQ(std::memcmp(same.data(), stored.data(), stored.size() * sizeof(float)), 0);
    Image changed(PixelType::u16, 37, 23);
    std::ranges::copy(loaded.image->pixels<std::uint16_t>(), changed.pixels<std::uint16_t>().begin());
    std::size_t at = 0;
    while (std::isnan(stored[at])) {
        ++at;
    }
    changed.pixels<std::uint16_t>()[at] = 400;
    const std::vector<float> other = samplesOf(changed);
    EXPECT_EQ(other[at], 195.F) << "the value of the level";
    EXPECT_EQ(std::memcmp(&other[at + 1], &stored[at + 1], (stored.size() - at - 1) * sizeof(float)), 0);
}

TEST(ResultRows, HaveDifferencesInSamples) {
    Image image(PixelType::u16, 3, 1);
    std::ranges::copy(std::array<std::uint16_t, 3>{0, 2, 400}, image.pixels<std::uint16_t>().begin());
    LoadedImage loaded{std::make_shared<Image>(PixelType::u16, 3, 1), nullptr, {}};
    ValueMapping mapping{100, 0.25, true};
    mapping.file = {ValueType::i16, -0.25, 100, bitsOfSample(std::int16_t{0})};
    loaded.info.mapping = mapping;
    const PixelRows rows = resultRows(image, loaded, differences, {ValueType::i16, {}});
    std::array<std::int16_t, 3> read{};
    rows.read(0, 1, reinterpret_cast<std::byte*>(read.data()));
    EXPECT_EQ(read, (std::array<std::int16_t, 3>{0, 2, 400})) << "beside a slope of 0.25";
    EXPECT_EQ(resultFacts(loaded.info, differences).scale.slope, 0.25);
    EXPECT_EQ(resultFacts(loaded.info, differences).scale.intercept, 0);
    // Differences of ranks have values of their own.
    auto own = std::make_shared<Image>(PixelType::u16, 3, 1);
    std::ranges::copy(std::array<std::uint16_t, 3>{1, 0, 2}, own->pixels<std::uint16_t>().begin());
    mapping.ranks = std::make_shared<RankedValues>(RankedValues{{0, 5, 70000}, {0, 5, 70000}});
    mapping.file = {ValueType::i32};
    const LoadedImage source = withOwnLevels(loaded, own, mapping);
    const ResultSamples samples = resultSamples(source, differences);
    EXPECT_EQ(samples.type, ValueType::i32);
    std::array<std::int32_t, 3> numbers{};
    resultRows(*own, source, differences, samples).read(0, 1, reinterpret_cast<std::byte*>(numbers.data()));
    EXPECT_EQ(numbers, (std::array<std::int32_t, 3>{5, 0, 70000}));
}

/// Float images with NaN: values of an image, as the bytes of a TIFF.
std::string floatBytes(std::mt19937& random, std::size_t count, std::uint32_t values) {
    std::string bytes(count * sizeof(float), '\0');
    for (std::size_t i = 0; i < count; ++i) {
        const float value =
            random() % 9 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random() % values) - 20.F;
        std::memcpy(&bytes[i * sizeof value], &value, sizeof value);
    }
    return bytes;
}

TEST(NoDataMark, ResultsAreReadWithThePixelsOfTheirSource) {
    const TempDir folder;
    std::mt19937 random(7);
    test::TiffVariant variant;
    variant.width = 300;
    variant.height = 300;
    variant.bits = 32;
    variant.sampleFormat = SAMPLEFORMAT_IEEEFP;
    for (const std::uint32_t count : {50U, 1'000'000U}) {
        test::writeBytesVariant(folder / "a.tif", variant, floatBytes(random, 90'000, count));
        ReadOptions asked;
        asked.keepSamples = true;
        asked.mapping.proportional = true;
        const LoadedImage source = readImage(folder / "a.tif", asked);
        ASSERT_TRUE(source.valid);
        for (const ResultValues values : {levels, between, differences}) {
            const auto regions = openRegions(folder / "a.tif", asked);
            regions->prepare();
            EXPECT_EQ(resultSamples(*regions, values), resultSamples(source, values)) << "as in memory";
            writeResult(folder / "r.tif", resultPlane(*source.image, source, values), {});
            const LoadedImage result = readImage(folder / "r.tif");
            ASSERT_TRUE(result.valid);
            EXPECT_EQ(*result.valid, *source.valid);
        }
    }
}

TEST(NoDataMark, OfIntegersIsTheFillValueOfZarr) {
    if (!isZarrResult("a.zarr")) {
        GTEST_SKIP() << "a build without Zarr";
    }
    const TempDir folder;
    std::mt19937 random(8);
    LoadedImage source = holed(randomImage(random, PixelType::u16, 300), random, signedSamples());
    source.info.invalidPixels = source.image->pixelCount() - source.valid->count();
    source.info.mapping->unit = "HU";
    const auto expectKept = [&](const std::string& name, const LoadedImage& kept) {
        writeResult(folder / name, resultPlane(*kept.image, kept, levels), {});
        const LoadedImage result = readImage(folder / name);
        ASSERT_TRUE(result.valid) << name;
        EXPECT_EQ(*result.valid, *kept.valid) << name;
        EXPECT_EQ(result.info.mapping->unit, "HU") << name;
        for (std::size_t p = 0; p < kept.image->pixelCount(); ++p) {
            const auto x = static_cast<std::uint32_t>(p % kept.image->width());
            const auto y = static_cast<std::uint32_t>(p / kept.image->width());
            if (kept.valid->test(x, y)) {
                ASSERT_DOUBLE_EQ(valueOf(result.info.mapping, result.image->level(p)),
                                 valueOf(kept.info.mapping, kept.image->level(p)))
                    << name;
            }
        }
    };
    expectKept("second.zarr", source);
    source.info.format = "OME-Zarr 0.5";
    expectKept("third.zarr", source);
    source.info.mapping->file.slope = source.info.mapping->step = 0.25; // written as values, with NaN
    source.info.mapping->offset *= 0.25;
    expectKept("scaled.zarr", source);
}

} // namespace
} // namespace pollard
