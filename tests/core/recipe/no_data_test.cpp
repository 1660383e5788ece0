#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"

#include "io/region_source.hpp"
#include "recipe/no_data.hpp"
#include "recipe/result_file.hpp"

#include <algorithm>
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

TEST(NoDataMark, IsTheSmallestLevelThatNoPixelWithDataHas) {
    std::mt19937 random(3);
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const std::uint32_t range : {2U, 40U, 256U}) {
            const LoadedImage loaded = holed(randomImage(random, type, range), random, ValueMapping{-5, 0.5});
            const std::set<std::uint32_t> used = levelsWithData(loaded);
            std::uint32_t expected = 0;
            while (used.contains(expected)) {
                ++expected;
            }
            const auto mark = noDataMark(loaded, levels);
            ASSERT_TRUE(mark);
            EXPECT_EQ(mark->isWide, expected > maxLevelOf(type));
            if (!mark->isWide) {
                EXPECT_EQ(mark->value, expected);
            }
            const auto inRange = noDataMark(loaded, between);
            EXPECT_TRUE(inRange->value < *used.begin() || inRange->value > *used.rbegin());
            EXPECT_GT(noDataMark(loaded, differences)->value, *used.rbegin() - *used.begin());
            EXPECT_FALSE(noDataMark(loaded, others));
        }
    }
}

TEST(NoDataMark, IsTheStatedValueWhereItIsALevel) {
    std::mt19937 random(4);
    LoadedImage loaded = holed(randomImage(random, PixelType::u16, 30), random, ValueMapping{-32768, 1, true});
    loaded.info.facts = {{"No-data value", "-9999"}};
    EXPECT_EQ(noDataMark(loaded, levels), (NoDataMark{32768 - 9999, false}));
    loaded.info.facts = {{"No-data value", "-9999.5"}};
    EXPECT_EQ(noDataMark(loaded, levels)->value, 30U);
}

TEST(NoDataMark, LeavesStoredLevelsAlone) {
    std::mt19937 random(5);
    LoadedImage loaded = holed(randomImage(random, PixelType::u8, 30), random, std::nullopt);
    EXPECT_FALSE(noDataMark(loaded, levels)) << "transparency is no value";
    loaded.info.facts = {{"No-data value", "255"}};
    EXPECT_EQ(noDataMark(loaded, levels), (NoDataMark{255, false}));
    EXPECT_FALSE(noDataMark(loaded, differences)) << "255 is data there";
    loaded.valid.reset();
    EXPECT_FALSE(noDataMark(loaded, levels));
}

TEST(NoDataMark, WideRowsHaveTheLevelsOfTheImage) {
    std::mt19937 random(6);
    const LoadedImage loaded = holed(randomImage(random, PixelType::u16, 65536), random, ValueMapping{});
    const NoDataMark mark{4'294'967'295, true};
    const PixelRows rows = markedRows(*loaded.image, loaded.valid.get(), mark);
    ASSERT_EQ(rows.bits, 32);
    std::vector<std::uint32_t> read(std::size_t{5} * rows.extent.width);
    rows.read(7, 5, reinterpret_cast<std::byte*>(read.data()));
    for (std::uint32_t i = 0; i < read.size(); ++i) {
        const std::uint32_t x = i % rows.extent.width;
        const std::uint32_t y = 7 + i / rows.extent.width;
        EXPECT_EQ(read[i], loaded.valid->test(x, y) ? loaded.image->level(y * rows.extent.width + x) : mark.value);
    }
}

/// Float pictures with NaN: values of a picture, as the bytes of a TIFF.
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
        const LoadedImage source = readImage(folder / "a.tif");
        ASSERT_TRUE(source.valid);
        for (const ResultValues values : {levels, between, differences}) {
            const auto regions = openRegions(folder / "a.tif");
            regions->prepare();
            EXPECT_EQ(noDataMark(*regions, values), noDataMark(source, values)) << "as in memory";
            writeResult(folder / "r.tif", resultPlane(*source.image, source, values), {});
            const LoadedImage result = readImage(folder / "r.tif");
            ASSERT_TRUE(result.valid);
            EXPECT_EQ(*result.valid, *source.valid);
        }
    }
}

} // namespace
} // namespace pollard
