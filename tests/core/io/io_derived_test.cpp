// Derived channels of files: values, levels, no data, parts, facts.
#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"

#include "channels/derivation.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/channels.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>

namespace pollard::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

ReadOptions deriving(const std::string& expression) {
    ReadOptions options;
    options.channel = ChannelChoice::parse(expression);
    EXPECT_EQ(options.channel.kind, ChannelChoice::Kind::derived) << expression;
    return options;
}

class DerivedImage : public ::testing::Test {
protected:
    DerivedImage() {
        samples_ = testSamples(four_.sampleCount(), 16, 5);
        for (std::size_t i = 0; i < samples_.size(); i += 8 * 4) {
            samples_[i] = samples_[i + 3] = 0; // 0/0 in nd(3,0)
        }
        writeVariant(path_, four_, {samples_});
    }
    [[nodiscard]] double sample(std::size_t pixel, std::size_t channel) const { return samples_[pixel * 4 + channel]; }

    TempDir dir_;
    std::filesystem::path path_ = dir_ / "four.tif";
    TiffVariant four_{.bits = 16, .samples = 4, .extraSamples = {0, 0, 0}};
    std::vector<std::uint16_t> samples_;
};

TEST_F(DerivedImage, NormalisedDifferencesFillTheLevelsFromMinusOneToOne) {
    const LoadedImage loaded = readImage(path_, deriving("nd(3,0)"));
    ASSERT_TRUE(loaded.info.mapping);
    EXPECT_EQ(loaded.image->type(), PixelType::u16);
    EXPECT_EQ(loaded.info.mapping->offset, -1);
    EXPECT_DOUBLE_EQ(loaded.info.mapping->step, 2.0 / 65535);
    EXPECT_EQ(loaded.info.mapping->clipped, 0U);
    std::uint64_t gaps = 0;
    for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
        const double sum = sample(i, 3) + sample(i, 0);
        const bool valid = !loaded.valid || loaded.valid->test(static_cast<std::uint32_t>(i % four_.width),
                                                               static_cast<std::uint32_t>(i / four_.width));
        ASSERT_EQ(valid, sum != 0);
        gaps += valid ? 0 : 1;
        if (valid) {
            const double value = (sample(i, 3) - sample(i, 0)) / sum;
            ASSERT_NEAR(loaded.info.mapping->valueOf(loaded.image->level(i)), value, 1.0 / 65535 + 1e-12);
        }
    }
    EXPECT_GT(gaps, 0U);
    EXPECT_EQ(loaded.info.invalidPixels, gaps);
    EXPECT_EQ(loaded.info.samples, 4) << "those of the file";
    EXPECT_THAT(loaded.info.notes, Contains("shown: nd(\"channel 3\",\"channel 0\")"));
}

TEST_F(DerivedImage, WholeNumbersStayExact) {
    ReadOptions options = deriving("max(0,1)");
    const LoadedImage loaded = readImage(path_, options);
    ASSERT_TRUE(loaded.info.mapping);
    EXPECT_TRUE(loaded.info.mapping->exact);
    for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
        ASSERT_EQ(loaded.info.mapping->valueOf(loaded.image->level(i)), std::max(sample(i, 0), sample(i, 1)));
    }
    EXPECT_FALSE(loaded.valid);
}

TEST_F(DerivedImage, RangesOfValuesAreThoseOfTheResult) {
    ReadOptions options = deriving("ratio(0,3)");
    options.mapping = {MappingChoice::Range::fixed, 0.5, 2};
    const LoadedImage loaded = readImage(path_, options);
    std::uint64_t beyond = 0;
    for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
        const double ratio = sample(i, 0) / sample(i, 3);
        beyond += sample(i, 3) != 0 && (ratio < 0.5 || ratio > 2) ? 1 : 0;
    }
    EXPECT_GT(beyond, 0U);
    EXPECT_EQ(loaded.info.mapping->clipped, beyond);
    EXPECT_EQ(loaded.info.mapping->offset, 0.5);
    options.mapping = {MappingChoice::Range::minMax, 0, 1};
    EXPECT_LT(readImage(path_, options).info.mapping->offset, 0.5);
}

TEST_F(DerivedImage, PartsAndShrunkImagesAreDerivedFromThoseOfTheirChannels) {
    const auto levelsWith = [&](const std::string& channel, bool part) {
        ReadOptions options;
        options.channel = ChannelChoice::parse(channel);
        if (part) {
            options.region = PixelRegion{3, 5, 20, 11};
        }
        options.shrink = part ? 3 : 1;
        return readImage(path_, options);
    };
    const LoadedImage whole = levelsWith("nd(3,0)", false);
    ReadOptions part = deriving("nd(3,0)");
    part.region = PixelRegion{3, 5, 20, 11};
    const LoadedImage cut = readImage(path_, part);
    ASSERT_EQ(cut.image->width(), 20U);
    ASSERT_EQ(cut.image->height(), 11U);
    for (std::uint32_t y = 0; y < 11; ++y) {
        for (std::uint32_t x = 0; x < 20; ++x) {
            ASSERT_EQ(cut.image->level(y * 20 + x), whole.image->level((y + 5) * four_.width + x + 3));
        }
    }
    const LoadedImage a = levelsWith("3", true);
    const LoadedImage b = levelsWith("0", true);
    const LoadedImage small = levelsWith("sum(3,0)", true);
    ASSERT_EQ(small.image->pixelCount(), 7U * 4U);
    for (std::size_t i = 0; i < small.image->pixelCount(); ++i) {
        const double sum = a.image->level(i) + b.image->level(i);
        EXPECT_NEAR(small.info.mapping->valueOf(small.image->level(i)), sum, small.info.mapping->step / 2 + 1e-9);
    }
}

/// The sample of a pixel as computed from the result of reading.
double writtenSample(const LoadedImage& loaded, std::size_t pixel) {
    const ValueType type = loaded.info.mapping->file.type;
    if (!loaded.samples) {
        return numberOfSample(type, loaded.info.mapping->sampleOf(loaded.image->level(pixel)));
    }
    const std::size_t bytes = loaded.samples->samples.size() / loaded.image->pixelCount();
    std::uint64_t bits = 0;
    std::memcpy(&bits, loaded.samples->samples.data() + pixel * bytes, bytes);
    return numberOfSample(loaded.samples->type, bits);
}

/// An image of two channels of T, of more different values than levels if T has these.
template <class T> std::vector<T> writeTwo(const std::filesystem::path& path) {
    constexpr bool kIsReal = std::is_floating_point_v<T>;
    const TiffVariant two{.width = 300,
                          .height = 250,
                          .bits = 8 * sizeof(T),
                          .samples = 2,
                          .sampleFormat = static_cast<std::uint16_t>(kIsReal               ? SAMPLEFORMAT_IEEEFP
                                                                     : std::is_signed_v<T> ? SAMPLEFORMAT_INT
                                                                                           : SAMPLEFORMAT_UINT),
                          .extraSamples = {0}};
    std::mt19937_64 random(sizeof(T));
    std::vector<T> samples(two.sampleCount());
    for (T& sample : samples) {
        sample = kIsReal ? static_cast<T>(1 + static_cast<double>(random() % 1'000'003) / 7) : static_cast<T>(random());
    }
    writeBytesVariant(path, two, {reinterpret_cast<const char*>(samples.data()), samples.size() * sizeof(T)});
    return samples;
}

template <class T> void expectTypes(ValueType largest, ValueType sum, ValueType quotient) {
    const TempDir dir;
    const std::vector<T> samples = writeTwo<T>(dir / "two.tif");
    for (const auto& [text, type] : {std::pair("max(0,1)", largest), std::pair("sum(0,1)", sum),
                                     std::pair("ratio(0,1)", quotient), std::pair("nd(0,1)", quotient)}) {
        ReadOptions options = deriving(text);
        options.keepSamples = true;
        const LoadedImage loaded = readImage(dir / "two.tif", options);
        ASSERT_TRUE(loaded.info.mapping);
        EXPECT_EQ(loaded.info.mapping->file.type, type) << text << ", " << sizeof(T) << " bytes";
        for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
            const auto a = static_cast<double>(samples[2 * i]);
            const auto b = static_cast<double>(samples[2 * i + 1]);
            if (text[0] == 'm') {
                ASSERT_EQ(writtenSample(loaded, i), std::max(a, b)) << text << " at " << i;
            } else if (text[0] == 's' && !std::is_floating_point_v<T>) {
                ASSERT_EQ(writtenSample(loaded, i), a + b) << text << " at " << i;
            }
        }
    }
}

TEST(DerivedTypes, AreThoseThatTheValuesNeed) {
    using enum ValueType;
    expectTypes<std::uint8_t>(u8, u16, f32);
    expectTypes<std::int8_t>(i8, i16, f32);
    expectTypes<std::uint16_t>(u16, u32, f32);
    expectTypes<std::int16_t>(i16, i32, f32);
    expectTypes<std::uint32_t>(u32, i64, f64);
    expectTypes<std::int32_t>(i32, i64, f64);
    expectTypes<float>(f32, f32, f32);
    expectTypes<double>(f64, f64, f64);
}

TEST_F(DerivedImage, FactsAreThoseOfTheReadImage) {
    for (const char* text : {"nd(3,0)", "sum(all)"}) {
        const ImageInfo info = readImageInfo(path_, deriving(text));
        const ImageInfo read = readImage(path_, deriving(text)).info;
        EXPECT_EQ(info.samples, 4);
        EXPECT_EQ(info.width, four_.width);
        EXPECT_EQ(info.bits, read.bits);
        EXPECT_EQ(info.sampleFormat, read.sampleFormat);
        EXPECT_EQ(info.notes, read.notes);
        EXPECT_EQ(info.facts, read.facts);
    }
}

TEST_F(DerivedImage, FloatingPointBandsKeepTheirValues) {
    const std::vector<float> values{0.5F, 0.25F, -1.F, 1.F, NAN, 1.F, 0.125F, 0.375F};
    writeBytesVariant(
        dir_ / "f.tif",
        {.width = 2, .height = 2, .bits = 32, .samples = 2, .sampleFormat = SAMPLEFORMAT_IEEEFP, .extraSamples = {0}},
        {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
    const LoadedImage loaded = readImage(dir_ / "f.tif", deriving("nd(0,1)"));
    ASSERT_TRUE(loaded.valid);
    EXPECT_EQ(loaded.valid->count(), 2U) << "not -1 + 1 = 0, not NaN";
    EXPECT_NEAR(loaded.info.mapping->valueOf(loaded.image->level(0)), 1.0 / 3, 1.0 / 65535 + 1e-12);
    EXPECT_NEAR(loaded.info.mapping->valueOf(loaded.image->level(3)), -0.5, 1.0 / 65535 + 1e-12);
}

/// Values from 0.5 to 2 and one so large that the 65,536 levels between them are coarse.
template <class T> std::vector<T> fineValues(std::size_t count, double unit) {
    std::mt19937 random(11);
    std::vector<T> values(count);
    for (T& value : values) {
        value = static_cast<T>(unit * (0.5 + 1.5 * static_cast<double>(random()) / 4294967296.0));
    }
    values.back() = static_cast<T>(unit * 1000);
    return values;
}

/// The values of a channel against a naive computation, in a part of the image that is shrunk perhaps.
template <class Naive> void expectFine(const std::filesystem::path& path, const std::string& expression,
                                       const PixelRegion& part, int shrink, const Naive& naive) {
    ReadOptions options = deriving(expression);
    options.mapping = {MappingChoice::Range::fixed, -1, 5};
    options.region = part;
    options.shrink = shrink;
    const LoadedImage loaded = readImage(path, options);
    const auto side = static_cast<std::uint32_t>(shrink);
    ASSERT_EQ(loaded.image->width(), (part.width - 1) / side + 1);
    ASSERT_EQ(loaded.image->height(), (part.height - 1) / side + 1);
    for (std::size_t i = 0; i < loaded.image->pixelCount(); ++i) {
        const auto x = static_cast<std::uint32_t>(i % loaded.image->width());
        const auto y = static_cast<std::uint32_t>(i / loaded.image->width());
        // Means of the block in each channel.
        std::array<double, 3> means{};
        const std::uint32_t right = std::min((x + 1) * side, part.width);
        const std::uint32_t bottom = std::min((y + 1) * side, part.height);
        for (std::size_t c = 0; c < 3; ++c) {
            for (std::uint32_t row = y * side; row < bottom; ++row) {
                for (std::uint32_t column = x * side; column < right; ++column) {
                    means[c] += naive(part.x + column, part.y + row, c);
                }
            }
            means[c] /= (right - x * side) * (bottom - y * side);
        }
        const double a = means[0];
        const double b = means[1];
        const double expected = expression.starts_with("ratio") ? a / b
                                : expression.starts_with("nd")  ? (a - b) / (a + b)
                                                                : std::max({a, b, means[2]});
        ASSERT_NEAR(loaded.info.mapping->valueOf(loaded.image->level(i)), std::clamp(expected, -1.0, 5.0),
                    loaded.info.mapping->step * 0.501)
            << expression << " at " << x << ", " << y << " shrunk by " << shrink;
    }
}

template <class T>
void expectFineTiff(const std::filesystem::path& path, std::uint16_t format, bool separate, double unit) {
    TiffVariant variant{.width = 23,
                        .height = 17,
                        .bits = 8 * sizeof(T),
                        .samples = 3,
                        .sampleFormat = format,
                        .separate = separate,
                        .extraSamples = {0, 0}};
    const std::vector<T> values = fineValues<T>(variant.sampleCount(), unit);
    writeBytesVariant(path, variant, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
    const auto naive = [&](std::uint32_t x, std::uint32_t y, std::size_t c) {
        return static_cast<double>(values[(std::size_t{y} * variant.width + x) * 3 + c]);
    };
    for (const std::string expression : {"ratio(0,1)", "nd(0,1)", "max(all)"}) {
        if (unit == 1 || !expression.starts_with("max")) {
            expectFine(path, expression, {0, 0, 23, 17}, 1, naive);
            expectFine(path, expression, {3, 2, 20, 15}, 1, naive);
            expectFine(path, expression, {3, 2, 20, 15}, 4, naive);
        }
    }
}

TEST_F(DerivedImage, IsComputedFromValuesFinerThanLevels) {
    for (const bool separate : {false, true}) {
        expectFineTiff<float>(dir_ / "v.tif", SAMPLEFORMAT_IEEEFP, separate, 1);
        expectFineTiff<double>(dir_ / "v.tif", SAMPLEFORMAT_IEEEFP, separate, 1);
        expectFineTiff<std::uint32_t>(dir_ / "v.tif", SAMPLEFORMAT_UINT, separate, 1e6);
        expectFineTiff<std::int32_t>(dir_ / "v.tif", SAMPLEFORMAT_INT, separate, 1e6);
    }
}

TEST_F(DerivedImage, ValuesAreTurnedUprightWithTheirLevels) {
    constexpr std::uint32_t kWidth = 7;
    constexpr std::uint32_t kHeight = 4;
    const std::vector<float> values = fineValues<float>(std::size_t{kWidth} * kHeight * 3, 1);
    for (const int orientation : {ORIENTATION_TOPRIGHT, ORIENTATION_BOTLEFT, ORIENTATION_RIGHTTOP}) {
        writeBytesVariant(dir_ / "v.tif",
                          {.width = kWidth,
                           .height = kHeight,
                           .bits = 32,
                           .samples = 3,
                           .sampleFormat = SAMPLEFORMAT_IEEEFP,
                           .orientation = static_cast<std::uint16_t>(orientation),
                           .extraSamples = {0, 0}},
                          {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
        const bool turned = orientation == ORIENTATION_RIGHTTOP; // clockwise
        const auto naive = [&](std::uint32_t x, std::uint32_t y, std::size_t c) {
            const std::uint32_t column = turned ? y : orientation == ORIENTATION_TOPRIGHT ? kWidth - 1 - x : x;
            const std::uint32_t row = turned                               ? kHeight - 1 - x
                                      : orientation == ORIENTATION_BOTLEFT ? kHeight - 1 - y
                                                                           : y;
            return static_cast<double>(values[(std::size_t{row} * kWidth + column) * 3 + c]);
        };
        const std::uint32_t width = turned ? kHeight : kWidth;
        const std::uint32_t height = turned ? kWidth : kHeight;
        expectFine(dir_ / "v.tif", "ratio(0,1)", {0, 0, width, height}, 1, naive);
        expectFine(dir_ / "v.tif", "nd(0,1)", {1, 1, width - 1, height - 2}, 2, naive);
    }
}

TEST_F(DerivedImage, PartsOfFormatsWithoutPartsHaveTheirValues) {
    // PFM stores the last row first.
    constexpr std::uint32_t kWidth = 9;
    constexpr std::uint32_t kHeight = 7;
    const std::vector<float> values = fineValues<float>(std::size_t{kWidth} * kHeight * 3, 1);
    std::ofstream file(dir_ / "v.pfm", std::ios::binary);
    file << "PF\n9 7\n-1.0\n";
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
    file.close();
    const auto naive = [&](std::uint32_t x, std::uint32_t y, std::size_t c) {
        return static_cast<double>(values[(std::size_t{kHeight - 1 - y} * kWidth + x) * 3 + c]);
    };
    expectFine(dir_ / "v.pfm", "ratio(0,1)", {0, 0, kWidth, kHeight}, 1, naive);
    expectFine(dir_ / "v.pfm", "nd(0,1)", {2, 1, 6, 5}, 1, naive);
    expectFine(dir_ / "v.pfm", "max(all)", {2, 1, 7, 6}, 3, naive);
}

TEST_F(DerivedImage, StainsOfFloatingPointColoursAreExact) {
    TiffVariant variant{.width = 5,
                        .height = 3,
                        .bits = 32,
                        .samples = 3,
                        .photometric = PHOTOMETRIC_RGB,
                        .sampleFormat = SAMPLEFORMAT_IEEEFP};
    std::vector<float> values = fineValues<float>(variant.sampleCount(), 0.5);
    values.back() = 1000;
    writeBytesVariant(dir_ / "v.tif", variant,
                      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
    ReadOptions options = deriving("stain([1,0,0;0,1,0;0,0,1],2)");
    options.mapping = {MappingChoice::Range::fixed, 0, 0.1};
    const LoadedImage loaded = readImage(dir_ / "v.tif", options);
    StainVector densities{};
    for (std::size_t i = 0; i < 15; ++i) {
        const double amount = std::max(0.0, std::log(static_cast<double>(values[i * 3 + 1])) / std::log(1e-6));
        EXPECT_NEAR(loaded.info.mapping->valueOf(loaded.image->level(i)), amount, 0.1 / 65535 * 0.501);
        for (std::size_t c = 0; c < 3; ++c) {
            densities[c] -= std::log10(static_cast<double>(values[i * 3 + c])) / 15;
        }
    }
    const StainVector density = readDensity(dir_ / "v.tif", {});
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(density[c], densities[c], 1e-12);
    }
}

TEST_F(DerivedImage, StainsOfColourFilesTakeTheirWhiteFromTheDepth) {
    TiffVariant colour{.bits = 8, .samples = 3, .photometric = PHOTOMETRIC_RGB};
    std::vector<std::uint16_t> white(colour.sampleCount(), 255);
    white[0] = 76;
    white[1] = 72;
    white[2] = 223;
    writeVariant(dir_ / "c.tif", colour, {white});
    const LoadedImage loaded = readImage(dir_ / "c.tif", deriving("stain(hed,haematoxylin)"));
    EXPECT_NEAR(loaded.info.mapping->valueOf(loaded.image->level(0)), 0.1526759960496953, 1e-6);
    EXPECT_EQ(loaded.info.mapping->valueOf(loaded.image->level(1)), 0);
}

TEST_F(DerivedImage, PagesThatAreChannelsAreRead) {
    PlaneFacts facts;
    facts.scene.axes = {{'c', 2, {"red", "NIR"}}};
    const auto pageOf = [&](int page, const JobControl& /*control*/) {
        auto image = std::make_shared<Image>(PixelType::u8, 4, 3);
        std::ranges::fill(image->pixels<std::uint8_t>(), static_cast<std::uint8_t>(10 + 20 * page));
        return Plane{ownedRows(image), facts};
    };
    writeTiff(dir_ / "pages.tif", {2, pageOf}, {.arePages = true});
    const LoadedImage loaded = readImage(dir_ / "pages.tif", deriving("ndvi"));
    EXPECT_NEAR(loaded.info.mapping->valueOf(loaded.image->level(5)), 0.5, 2e-5);
    EXPECT_THAT(loaded.info.notes, Contains("shown: ndvi = nd(NIR,red)"));
    EXPECT_THAT(loaded.info.facts, Contains(std::pair<std::string, std::string>("Channel", "ndvi")));
}

TEST_F(DerivedImage, MistakesNameTheFile) {
    std::string message;
    EXPECT_EQ(readFailure(path_, deriving("ndvi"), &message), ErrorCode::invalidArgument);
    EXPECT_THAT(message, HasSubstr("nd(3,0)"));
    EXPECT_EQ(readFailure(path_, deriving("pca(5)"), &message), ErrorCode::invalidArgument);
    EXPECT_EQ(readFailure(path_, deriving("macenko(1)"), &message), ErrorCode::invalidArgument);
    EXPECT_EQ(readFailure(dir_ / "none.tif", deriving("nd(1,0)")), ErrorCode::fileNotFound);
    ReadOptions small = deriving("sum(all)");
    small.limits.maxDecodedBytes = four_.sampleCount() * 2;
    EXPECT_EQ(readFailure(path_, small, &message), ErrorCode::limitExceeded);
}

TEST(ChannelChoice, ParsesExpressions) {
    using Kind = ChannelChoice::Kind;
    EXPECT_EQ(ChannelChoice::parse("NDVI"), (ChannelChoice{Kind::derived, 0, "ndvi"}));
    EXPECT_EQ(ChannelChoice::parse("nd (nir , red)"), (ChannelChoice{Kind::derived, 0, "nd(nir,red)"}));
    EXPECT_EQ(ChannelChoice::parse("DAPI (405 nm)"), (ChannelChoice{Kind::named, 0, "DAPI (405 nm)"}));
    EXPECT_EQ(ChannelChoice::parse(ChannelChoice::parse("stain(hed,3)").text()).text(), "stain(hed,dab)");
    EXPECT_THROW((void)ChannelChoice::parse("nd(1"), Error);
    EXPECT_THROW((void)ChannelChoice::parse("blur(1)"), Error);
}

} // namespace
} // namespace pollard::test
