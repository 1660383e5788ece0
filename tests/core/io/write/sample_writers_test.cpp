#include "core/io/io_support.hpp"

#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/volumes/read_volume.hpp"
#include "io/write/planes.hpp"
#include "recipe/results/result_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace pollard {
namespace {

using enum ValueType;
using test::TempDir;

constexpr Extent kExtent{7, 5, 1};
constexpr std::array kAllTypes{u8, i8, u16, i16, u32, i32, u64, i64, f32, f64};

/// Samples with both ends of the range of an integer type; all others are below 2^53.
template <class T> std::vector<T> samplesOf() {
    std::vector<T> samples(kExtent.pixelCount());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i] = static_cast<T>(std::is_floating_point_v<T> ? static_cast<double>(i) * 0.37 - 4.5
                                                                : static_cast<double>(i * 3));
    }
    if constexpr (std::is_integral_v<T>) {
        samples[1] = std::numeric_limits<T>::lowest();
        samples[2] = std::numeric_limits<T>::max();
    }
    return samples;
}

/// Bits of the sample of a pixel of a file.
std::uint64_t sampleOf(const LoadedImage& loaded, std::size_t pixel) {
    if (loaded.samples) {
        const std::size_t bytes = bytesOf(loaded.samples->type);
        std::uint64_t bits = 0;
        std::memcpy(&bits, loaded.samples->samples.data() + pixel * bytes, bytes);
        return bits;
    }
    const std::uint16_t level = loaded.image->level(pixel);
    return loaded.info.mapping ? loaded.info.mapping->sampleOf(level) : level;
}

class SampleWriters : public testing::TestWithParam<const char*> {};

TEST_P(SampleWriters, KeepTypeAndSamples) {
    const TempDir dir;
    if (std::string(GetParam()) == "r.zarr" && !isZarrResult("r.zarr")) {
        GTEST_SKIP() << "built without Zarr";
    }
#ifndef POLLARD_WITH_FITS
    if (std::string(GetParam()) == "r.fits") {
        GTEST_SKIP() << "built without FITS";
    }
#endif
    for (const ValueType type : kAllTypes) {
        dispatch(type, [&]<class T>(T) {
            SCOPED_TRACE(sampleTypeOf(type).name);
            const std::vector<T> samples = samplesOf<T>();
            const std::string name = sampleTypeOf(type).name + std::string(GetParam());
            writeResult(dir / name, pixelRowsOf(samples.data(), kExtent, type), {});
            ReadOptions options;
            options.keepSamples = true;
            const LoadedImage read = readImage(dir / name, options);
            EXPECT_EQ(read.info.bits, bitsOf(type));
            EXPECT_EQ(read.info.sampleFormat, nameOf(kindOf(type)));
            for (std::size_t i = 0; i < samples.size(); ++i) {
                ASSERT_EQ(sampleOf(read, i), bitsOfSample(samples[i])) << "pixel " << i;
            }
        });
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, SampleWriters,
                         testing::Values("r.tif", "r.nii", "r.nii.gz", "r.nrrd", "r.mha", "r.zarr", "r.fits"));

TEST(ZarrVersions, AreThoseOfTheSource) {
    if (!isZarrResult("a.zarr")) {
        GTEST_SKIP() << "built without Zarr";
    }
    const TempDir dir;
    const std::vector<float> samples = samplesOf<float>();
    for (const bool isThird : {false, true}) {
        const std::string name = isThird ? "third.zarr" : "second.zarr";
        PlaneFacts facts;
        facts.isZarr3 = isThird;
        writeResult(dir / name, {pixelRowsOf(samples.data(), kExtent, f32), facts}, {});
        ReadOptions options;
        options.keepSamples = true;
        const LoadedImage read = readImage(dir / name, options);
        EXPECT_EQ(read.info.format, isThird ? "OME-Zarr 0.5" : "OME-Zarr 0.4");
        for (std::size_t i = 0; i < samples.size(); ++i) {
            ASSERT_EQ(sampleOf(read, i), bitsOfSample(samples[i])) << "pixel " << i;
        }
        EXPECT_EQ(resultFacts(read.info, ResultValues::levels).isZarr3, isThird);
    }
}

TEST(FitsWriter, HasTheHeaderOfTheStandard) {
    const TempDir dir;
    const std::vector<std::uint16_t> samples{1, 2, 3, 40000, 5, 6};
    PlaneFacts facts;
    facts.scale.unit = "K";
    facts.noData = 40000;
    writeResult(dir / "a.fits", {pixelRowsOf(samples.data(), {3, 2}, u16), facts}, {});
    const std::string bytes = test::readBytes(dir / "a.fits");
    ASSERT_EQ(bytes.size(), 2U * 2880);
    const auto card = [&](std::size_t number) {
        const std::string text = bytes.substr(number * 80, 80);
        return text.substr(0, text.find_last_not_of(' ') + 1);
    };
    EXPECT_EQ(card(0), "SIMPLE  =                    T");
    EXPECT_EQ(card(1), "BITPIX  =                   16");
    EXPECT_EQ(card(2), "NAXIS   =                    2");
    EXPECT_EQ(card(3), "NAXIS1  =                    3");
    EXPECT_EQ(card(4), "NAXIS2  =                    2");
    EXPECT_EQ(card(5), "BSCALE  =                    1");
    EXPECT_EQ(card(6), "BZERO   =                32768");
    EXPECT_EQ(card(7), "BLANK   =                 7232");
    EXPECT_EQ(card(8), "BUNIT   = 'K       '");
    EXPECT_EQ(card(9), "END");
    // The last row first, most significant bytes first, 32,768 less.
    const std::string expected("\x1c\x40\x80\x05\x80\x06\x80\x01\x80\x02\x80\x03", 12);
    EXPECT_EQ(bytes.substr(2880, 12), expected);
}

TEST(InValues, AreOffsetPlusStepTimesSample) {
    EXPECT_EQ(typeOfValues(0, 1, i16), i16);
    EXPECT_EQ(typeOfValues(-1024, 1, u16), i32);
    EXPECT_EQ(typeOfValues(-1024, 0.5, i16), f32);
    EXPECT_EQ(typeOfValues(0, 0.5, f32), f64);
    const std::vector<std::int16_t> samples{-3, 0, 7};
    PlaneFacts facts{.scale = {0.5, 10, {}}};
    facts.noData = 7;
    const Plane plane = withNan(inValues({pixelRowsOf(samples.data(), {3, 1}, i16), facts}));
    ASSERT_EQ(plane.rows.type, f32);
    std::array<float, 3> values{};
    plane.rows.read(0, 1, reinterpret_cast<std::byte*>(values.data()));
    EXPECT_EQ(values[0], 8.5F);
    EXPECT_EQ(values[1], 10.F);
    EXPECT_TRUE(std::isnan(values[2]));
    EXPECT_EQ(plane.facts.scale.slope, 1);
}

TEST(ReduceRow, MakesMeansOfPixelsWithData) {
    const auto reduced = []<class T>(const std::vector<T>& upper, const std::vector<T>& lower,
                                     std::optional<std::uint64_t> noData) {
        std::vector<T> out((upper.size() + 1) / 2);
        reduceRow(upper.data(), lower.data(), static_cast<std::uint32_t>(upper.size()), noData, out.data());
        return out;
    };
    using Shorts = std::vector<std::int16_t>;
    EXPECT_EQ(reduced(Shorts{-1, -2, 5}, Shorts{-3, -4, 6}, {}), (Shorts{-2, 6})) << "-2.5 and 5.5, half up";
    EXPECT_EQ(reduced(Shorts{-9, 4}, Shorts{-9, 6}, bitsOfSample(std::int16_t{-9})), (Shorts{5}));
    EXPECT_EQ(reduced(Shorts{-9, -9}, Shorts{-9, -9}, bitsOfSample(std::int16_t{-9})), (Shorts{-9}));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(reduced(std::vector{nan, 1.F}, std::vector{2.F, nan}, {}), std::vector{1.5F});
    EXPECT_TRUE(std::isnan(reduced(std::vector{nan, nan}, std::vector{nan, nan}, {}).front()));
}

} // namespace
} // namespace pollard
