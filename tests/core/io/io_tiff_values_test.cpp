#include "core/io/io_tiff_support.hpp"
#include "core/io/io_tiff_variants.hpp"

#include "io/reduce.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <random>

namespace pollard::test {

namespace {

template <class T> std::string bytesOfValues(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Values over the whole range of the type, in runs, including its ends.
template <class T> std::vector<T> testValues(std::size_t count) {
    std::mt19937_64 random(3);
    std::vector<T> values = {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max()};
    while (values.size() < count) {
        T value{};
        if constexpr (std::is_floating_point_v<T>) {
            value = static_cast<T>(std::uniform_real_distribution<>(-1000, 1000)(random));
        } else {
            value = static_cast<T>(random());
        }
        for (std::uint64_t run = random() % 4 + 1; run > 0 && values.size() < count; --run) {
            values.push_back(value);
        }
    }
    return values;
}

template <class T> constexpr std::uint16_t kFormat = std::is_floating_point_v<T> ? SAMPLEFORMAT_IEEEFP
                                                     : std::is_signed_v<T>       ? SAMPLEFORMAT_INT
                                                                                 : SAMPLEFORMAT_UINT;

template <class T> class TiffValueTypes : public ::testing::Test {
protected:
    TempDir dir_;
    std::filesystem::path path_ = dir_ / "values.tif";

    template <class Check> void forAllStorage(int samples, Check&& check) {
        for (const std::uint16_t compression : std::initializer_list<std::uint16_t>{
                 COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_ZSTD, COMPRESSION_LZMA}) {
            for (const int storage : {0, 1, 2, 3, 4, 5, 6, 7}) {
                const bool predicts = compression != COMPRESSION_NONE && (storage & 4) != 0;
                if (TIFFIsCODECConfigured(compression) == 0 || ((storage & 4) != 0 && !predicts)) {
                    continue;
                }
                TiffVariant v{.width = 21, .height = 19, .bits = 8 * sizeof(T), .samples = samples};
                v.photometric = samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
                v.sampleFormat = kFormat<T>;
                v.compression = compression;
                v.tile = (storage & 1) != 0 ? 16 : 0;
                v.bigEndian = (storage & 2) != 0;
                v.separate = samples > 1 && (storage & 1) != 0;
                if (predicts && v.bigEndian && std::is_floating_point_v<T>) {
                    continue; // libtiff 4.5 writes these in the wrong order, but reads correct files
                }
                if (predicts) {
                    v.predictor = std::is_floating_point_v<T> ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL;
                }
                SCOPED_TRACE(v.describe());
                const auto values = testValues<T>(v.sampleCount());
                writeBytesVariant(path_, v, bytesOfValues(values));
                check(v, values);
                if (::testing::Test::HasFatalFailure()) {
                    return;
                }
            }
        }
    }
};
using Types = ::testing::Types<std::int8_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t,
                               float, double>;
TYPED_TEST_SUITE(TiffValueTypes, Types);

template <class T> constexpr ValueType kType = ValueType::f64;
template <> constexpr ValueType kType<std::int8_t> = ValueType::i8;
template <> constexpr ValueType kType<std::int16_t> = ValueType::i16;
template <> constexpr ValueType kType<std::uint32_t> = ValueType::u32;
template <> constexpr ValueType kType<std::int32_t> = ValueType::i32;
template <> constexpr ValueType kType<std::uint64_t> = ValueType::u64;
template <> constexpr ValueType kType<std::int64_t> = ValueType::i64;
template <> constexpr ValueType kType<float> = ValueType::f32;

TYPED_TEST(TiffValueTypes, AreReadExactlyAndMappedAsChosen) {
    this->forAllStorage(1, [&](const TiffVariant& v, const std::vector<TypeParam>& values) {
        ASSERT_TRUE(storedSample(this->path_, 0) == bytesOfValues(values));
        const ValueGrid grid{kType<TypeParam>, values.data(), v.width, v.height};
        for (const MappingChoice& choice : {MappingChoice{}, MappingChoice{MappingChoice::Range::percentile, 0.1, 0.9},
                                            MappingChoice{MappingChoice::Range::fixed, -5, 100}}) {
            ReadOptions options;
            options.mapping = choice;
            const LoadedImage loaded = readImage(this->path_, options);
            const MappedLevels expected = levelsOfValues(grid, choice);
            ASSERT_EQ(levelsOf(*loaded.image), levelsOf(*expected.image));
            ASSERT_EQ(loaded.info.mapping, expected.mapping);
            EXPECT_EQ(loaded.info.bits, v.bits);
        }
    });
}

TYPED_TEST(TiffValueTypes, OfColoursGiveEachSampleAndTheirLuminance) {
    this->forAllStorage(3, [&](const TiffVariant& v, const std::vector<TypeParam>& values) {
        ASSERT_TRUE(storedSamples(this->path_, 3) == bytesOfValues(values));
        const SourceFile source = sourceOf(this->path_);
        TiffPage page = openTiffPage(source, {});
        const TiffPlan plan = planTiffPixels(source, {}, {}, page);
        const ValueBuffer read = storedValues(source, page, *plan.values);
        const auto* luminance = static_cast<const TypeParam*>(read.grid().data);
        for (std::size_t i = 0; i < std::size_t{v.width} * v.height; ++i) {
            const long double exact =
                0.2126L * values[3 * i] + 0.7152L * values[3 * i + 1] + 0.0722L * values[3 * i + 2];
            const long double allowed =
                std::is_floating_point_v<TypeParam> ? std::abs(exact) * 1e-6L + 1e-3L : 0.5L + std::abs(exact) * 1e-17L;
            ASSERT_LE(std::abs(luminance[i] - exact), allowed) << i;
        }
    });
}

TEST(TiffSmallFloats, AreReadExactly) {
    const TempDir dir;
    std::mt19937 random(9);
    for (const int bits : {16, 24}) {
        for (const bool bigEndian : {false, true}) {
            for (const std::uint16_t predictor :
                 std::initializer_list<std::uint16_t>{PREDICTOR_NONE, PREDICTOR_FLOATINGPOINT}) {
                if (bigEndian && predictor == PREDICTOR_FLOATINGPOINT) {
                    continue; // see above
                }
                TiffVariant v{.width = 19, .height = 7, .bits = bits, .bigEndian = bigEndian};
                v.sampleFormat = SAMPLEFORMAT_IEEEFP;
                v.compression = COMPRESSION_ADOBE_DEFLATE;
                v.predictor = predictor;
                std::string samples;
                std::vector<float> expected;
                for (std::size_t i = 0; i < v.sampleCount(); ++i) {
                    const auto word = static_cast<std::uint32_t>(random()) & (bits == 16 ? 0xbfffU : 0xbfffffU);
                    samples.append(reinterpret_cast<const char*>(&word), static_cast<std::size_t>(bits / 8));
                    expected.push_back(bits == 16 ? floatFromHalf(static_cast<std::uint16_t>(word))
                                                  : floatFrom24Bits(word));
                }
                writeBytesVariant(dir / "small.tif", v, samples);
                EXPECT_TRUE(storedSample(dir / "small.tif", 0) == bytesOfValues(expected)) << v.describe();
                EXPECT_EQ(readImage(dir / "small.tif").info.sampleFormat, "float");
            }
        }
    }
}

TEST(TiffOddIntegers, KeepTheirSign) {
    const TempDir dir;
    for (const int bits : {3, 7, 11, 13}) {
        TiffVariant v{.bits = bits};
        v.sampleFormat = SAMPLEFORMAT_INT;
        const auto samples = testSamples(v.sampleCount(), bits);
        writeVariant(dir / "odd.tif", v, {samples});
        const LoadedImage loaded = readImage(dir / "odd.tif");
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const int half = 1 << (bits - 1);
            const int value = samples[i] >= half ? samples[i] - 2 * half : samples[i];
            ASSERT_EQ(loaded.info.mapping->valueOf(loaded.image->level(i)), value);
        }
    }
}

TEST(TiffColours, CmykBecomesLuminance) {
    const TempDir dir;
    for (const int bits : {8, 16, 5}) {
        for (const bool separate : {false, true}) {
            TiffVariant v{.bits = bits, .samples = 4, .photometric = PHOTOMETRIC_SEPARATED, .separate = separate};
            const auto samples = testSamples(v.sampleCount(), bits);
            writeVariant(dir / "inks.tif", v, {samples});
            const auto levels = levelsOf(*readImage(dir / "inks.tif").image);
            const double max = (1 << bits) - 1;
            for (std::size_t i = 0; i < levels.size(); ++i) {
                const auto light = [&](std::size_t ink) { return 1 - samples[4 * i + ink] / max; };
                const double grey = (0.2126 * light(0) + 0.7152 * light(1) + 0.0722 * light(2)) * light(3) * max;
                ASSERT_NEAR(levels[i], grey, 0.5 + 1e-6);
            }
            EXPECT_EQ(levelsOf(*readImage(dir / "inks.tif", withChannel(3)).image)[5], samples[23]);
        }
    }
}

TEST(TiffColours, LabGivesLightnessAndSignedChroma) {
    const TempDir dir;
    TiffVariant v{.samples = 3, .photometric = PHOTOMETRIC_CIELAB};
    const auto samples = testSamples(v.sampleCount(), 8);
    writeVariant(dir / "lab.tif", v, {samples});
    const LoadedImage lightness = readImage(dir / "lab.tif");
    const LoadedImage chroma = readImage(dir / "lab.tif", withChannel(1));
    ASSERT_TRUE(chroma.info.mapping);
    for (std::size_t i = 0; i < lightness.image->pixelCount(); ++i) {
        ASSERT_EQ(lightness.image->level(i), samples[3 * i]);
        ASSERT_EQ(chroma.info.mapping->valueOf(chroma.image->level(i)), static_cast<std::int8_t>(samples[3 * i + 1]));
    }
}

TEST(TiffColours, LogarithmicLuminanceBecomesLinear) {
    const TempDir dir;
    for (const int samples : {1, 3}) {
        TiffVariant v{.width = 16, .height = 8, .bits = 32, .samples = samples, .compression = COMPRESSION_SGILOG};
        v.photometric = samples == 1 ? PHOTOMETRIC_LOGL : PHOTOMETRIC_LOGLUV;
        v.sampleFormat = SAMPLEFORMAT_IEEEFP;
        std::vector<float> values;
        for (std::size_t i = 0; i < v.sampleCount(); ++i) {
            values.push_back(
                static_cast<float>(std::pow(2.0, static_cast<double>(i / static_cast<std::size_t>(samples)) / 16)));
        }
        writeBytesVariant(dir / "log.tif", v, bytesOfValues(values));
        const LoadedImage loaded = readImage(dir / "log.tif");
        ASSERT_TRUE(loaded.info.mapping);
        for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
            const double value = static_cast<double>(values[i * static_cast<std::size_t>(samples)]);
            ASSERT_NEAR(loaded.info.mapping->valueOf(loaded.image->level(i)), value, value * 0.01) << samples;
        }
    }
}

TEST(TiffColours, YCbCrWithoutJpegIsConverted) {
    const TempDir dir;
    // libtiff 4.5 rejects uncompressed YCbCr tiles unless their size is a multiple of 1024 bytes.
    TiffVariant v{.width = 32, .height = 16, .samples = 3, .photometric = PHOTOMETRIC_YCBCR};
    for (const std::uint16_t compression : std::initializer_list<std::uint16_t>{COMPRESSION_NONE, COMPRESSION_LZW}) {
        for (const std::uint32_t tile : {0U, 32U}) {
            v.compression = compression;
            v.tile = tile;
            std::vector<std::uint16_t> samples;
            for (std::size_t i = 0; i < 32 * 16; ++i) {
                samples.insert(samples.end(), {static_cast<std::uint16_t>(i % 32 * 8), 128, 128}); // grey
            }
            writeVariant(dir / "ycc.tif", v, {samples});
            for (int sample = 0; sample < 3; ++sample) {
                const auto levels = levelsOf(*readImage(dir / "ycc.tif", withChannel(sample)).image);
                for (std::size_t i = 0; i < levels.size(); ++i) {
                    ASSERT_NEAR(levels[i], samples[3 * i], 1);
                }
            }
        }
    }
}

TEST(TiffColours, WebpKeepsItsPixels) {
    if (TIFFIsCODECConfigured(COMPRESSION_WEBP) == 0) {
        GTEST_SKIP() << "libtiff has no WebP";
    }
    const TempDir dir;
    TiffVariant v{.samples = 3, .photometric = PHOTOMETRIC_RGB, .compression = COMPRESSION_WEBP};
    const auto samples = testSamples(v.sampleCount(), 8);
    writeVariant(dir / "webp.tif", v, {samples});
    const std::string stored = storedSamples(dir / "webp.tif", 3);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        ASSERT_EQ(static_cast<unsigned char>(stored[i]), samples[i]);
    }
}

TEST(TiffGaps, TheNoDataValueIsNotValid) {
    const TempDir dir;
    TiffVariant v{.width = 3, .height = 1, .noData = "7"};
    writeVariant(dir / "u8.tif", v, {{7, 8, 7}});
    const LoadedImage bytes = readImage(dir / "u8.tif");
    ASSERT_NE(bytes.valid, nullptr);
    EXPECT_FALSE(bytes.valid->test(0, 0));
    EXPECT_TRUE(bytes.valid->test(1, 0));
    EXPECT_EQ(bytes.info.invalidPixels, 2U);
    EXPECT_EQ(levelsOf(*bytes.image), (std::vector<std::uint16_t>{7, 8, 7}));
    writeVariant(dir / "u8.tif", v, {{6, 8, 9}});
    EXPECT_EQ(readImage(dir / "u8.tif").valid, nullptr);

    v.samples = 3;
    v.photometric = PHOTOMETRIC_RGB;
    writeVariant(dir / "rgb.tif", v, {{7, 7, 7, 7, 7, 8, 1, 2, 3}});
    EXPECT_EQ(readImage(dir / "rgb.tif").info.invalidPixels, 1U);
    EXPECT_EQ(readImage(dir / "rgb.tif", withChannel(0)).info.invalidPixels, 2U);
}

TEST(TiffGaps, ANoDataValueThatIsNoLevelLeavesNothingOut) {
    const TempDir dir;
    for (const char* text : {"3.5", "-1", "300", "nan", "", " ", "four"}) {
        const TiffVariant v{.width = 2, .height = 1, .noData = text};
        writeVariant(dir / "u8.tif", v, {{3, 4}});
        const LoadedImage loaded = readImage(dir / "u8.tif");
        EXPECT_EQ(loaded.valid, nullptr) << text;
        EXPECT_EQ(loaded.info.invalidPixels, 0U) << text;
        EXPECT_EQ(levelsOf(*loaded.image), (std::vector<std::uint16_t>{3, 4})) << text;
    }
}

TEST(TiffGaps, NoDataOfFloatsStaysOutOfTheRange) {
    const TempDir dir;
    TiffVariant v{.width = 4, .height = 1, .bits = 32, .noData = "-9999"};
    v.sampleFormat = SAMPLEFORMAT_IEEEFP;
    writeBytesVariant(dir / "f.tif", v, bytesOfValues<float>({-9999, 1, 3, std::nanf("")}));
    const LoadedImage loaded = readImage(dir / "f.tif");
    EXPECT_EQ(loaded.info.mapping->minimum, 1);
    EXPECT_EQ(loaded.info.mapping->nan, 1U);
    EXPECT_EQ(loaded.info.invalidPixels, 2U);
    EXPECT_EQ(levelsOf(*loaded.image), (std::vector<std::uint16_t>{0, 0, 2, 0}));
    for (const CopiedTag& tag : loaded.info.carried) {
        EXPECT_NE(tag.tag, 42113) << "levels are not the values of the tag";
    }
    v.noData = "nan";
    writeBytesVariant(dir / "f.tif", v, bytesOfValues<float>({-9999, 1, 3, std::nanf("")}));
    EXPECT_EQ(readImage(dir / "f.tif").info.invalidPixels, 1U);
}

TEST(TiffGaps, AlphaOfFloatsIsSeen) {
    const TempDir dir;
    TiffVariant v{.width = 2, .height = 1, .bits = 32, .samples = 2, .extraSamples = {EXTRASAMPLE_UNASSALPHA}};
    v.sampleFormat = SAMPLEFORMAT_IEEEFP;
    for (const bool separate : {false, true}) {
        v.separate = separate;
        writeBytesVariant(dir / "f.tif", v, bytesOfValues<float>({5, 0, 7, 0.5}));
        const LoadedImage loaded = readImage(dir / "f.tif");
        ASSERT_NE(loaded.valid, nullptr);
        EXPECT_FALSE(loaded.valid->test(0, 0));
        EXPECT_TRUE(loaded.valid->test(1, 0));
        EXPECT_EQ(loaded.info.mapping->minimum, 7);
    }
}

TEST(TiffGaps, AMaskPageBelongsToItsPage) {
    const TempDir dir;
    TiffVariant v{.width = 20, .height = 10};
    TiffVariant mask{.width = 20, .height = 10, .photometric = PHOTOMETRIC_MASK, .subfileType = FILETYPE_MASK};
    const auto bits = testSamples(mask.sampleCount(), 1);
    std::string bytes;
    for (const std::uint16_t bit : bits) {
        bytes += static_cast<char>(bit * 255);
    }
    TIFF* tiff = TIFFOpen((dir / "masked.tif").c_str(), "w");
    writePage(tiff, v, std::string(200, 'x'));
    writePage(tiff, mask, bytes);
    TIFFClose(tiff);
    const LoadedImage loaded = readImage(dir / "masked.tif");
    EXPECT_EQ(loaded.info.pages, 1);
    ASSERT_NE(loaded.valid, nullptr);
    for (std::uint32_t i = 0; i < 200; ++i) {
        ASSERT_EQ(loaded.valid->test(i % 20, i / 20), bits[i] != 0);
    }
}

} // namespace

} // namespace pollard::test
