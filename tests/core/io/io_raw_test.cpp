#include "core/io/io_support.hpp"

#include "io/samples/row_sink.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <limits>

namespace pollard::test {

namespace {

using SampleType = RawLayout::SampleType;
using ::testing::HasSubstr;

constexpr std::uint32_t kWidth = 9;
constexpr std::uint32_t kHeight = 7;

template <class T> std::string bytesOfValues(const std::vector<T>& values, bool bigEndian) {
    std::string bytes;
    for (const T value : values) {
        char word[sizeof(T)];
        std::memcpy(word, &value, sizeof value);
        if (bigEndian != (std::endian::native == std::endian::big)) {
            std::reverse(std::begin(word), std::end(word));
        }
        bytes.append(word, sizeof word);
    }
    return bytes;
}

ReadOptions rawOptions(SampleType type, bool bigEndian = false, int samples = 1, std::uint64_t offset = 0,
                       int pages = 1) {
    ReadOptions options;
    options.raw = RawLayout{kWidth, kHeight, type, bigEndian, samples, offset, pages};
    return options;
}

TEST(Raw, ReadsBytesAndWordsExactly) {
    const TempDir dir;
    const auto values = testSamples(kWidth * kHeight, 16);
    for (const bool bigEndian : {false, true}) {
        writeBytes(dir / "w.raw", bytesOfValues(values, bigEndian));
        const LoadedImage loaded = readImage(dir / "w.raw", rawOptions(SampleType::u16, bigEndian));
        EXPECT_EQ(levelsOf(*loaded.image), values);
        EXPECT_FALSE(loaded.info.mapping);
        EXPECT_EQ(loaded.info.format, "raw");
    }
    const auto bytes = testSamples(kWidth * kHeight, 8);
    writeBytes(dir / "b.raw", bytesOfValues(std::vector<std::uint8_t>(bytes.begin(), bytes.end()), false));
    EXPECT_EQ(levelsOf(*readImage(dir / "b.raw", rawOptions(SampleType::u8)).image), bytes);
    EXPECT_EQ(readFailure(dir / "b.raw"), ErrorCode::formatUnknown);
}

/// Values with an exact automatic mapping equal offset + step * level.
template <class T> void expectExact(SampleType type, const std::vector<T>& values) {
    const TempDir dir;
    for (const bool bigEndian : {false, true}) {
        writeBytes(dir / "v.raw", bytesOfValues(values, bigEndian));
        const LoadedImage loaded = readImage(dir / "v.raw", rawOptions(type, bigEndian));
        ASSERT_TRUE(loaded.info.mapping);
        EXPECT_TRUE(loaded.info.mapping->exact);
        for (std::size_t i = 0; i < values.size(); ++i) {
            ASSERT_EQ(loaded.info.mapping->valueOf(loaded.image->level(i)), static_cast<double>(values[i])) << i;
        }
    }
}

TEST(Raw, MapsSignedAndWideIntegersExactly) {
    std::vector<std::int8_t> i8;
    std::vector<std::int16_t> i16;
    std::vector<std::int32_t> i32;
    std::vector<std::uint32_t> u32;
    for (std::uint32_t i = 0; i < kWidth * kHeight; ++i) {
        i8.push_back(static_cast<std::int8_t>(i * 37));
        i16.push_back(static_cast<std::int16_t>(i * 2741));
        i32.push_back(static_cast<std::int32_t>(i * 1000) - 1000000);
        u32.push_back(4294967295U - i * 900);
    }
    expectExact(SampleType::i8, i8);
    expectExact(SampleType::i16, i16);
    expectExact(SampleType::i32, i32);
    expectExact(SampleType::u32, u32);
}

TEST(Raw, MapsFloatsWithinHalfAStepAndCountsNaN) {
    const TempDir dir;
    std::vector<double> values;
    for (std::uint32_t i = 0; i < kWidth * kHeight; ++i) {
        values.push_back(std::sin(i) * 1e6);
    }
    values[5] = std::numeric_limits<double>::quiet_NaN();
    writeBytes(dir / "d.raw", bytesOfValues(values, true));
    std::vector<float> floats(values.begin(), values.end());
    writeBytes(dir / "f.raw", bytesOfValues(floats, false));
    for (const bool wide : {true, false}) {
        const LoadedImage loaded = wide ? readImage(dir / "d.raw", rawOptions(SampleType::f64, true))
                                        : readImage(dir / "f.raw", rawOptions(SampleType::f32));
        ASSERT_TRUE(loaded.info.mapping && loaded.valid);
        EXPECT_EQ(loaded.info.mapping->nan, 1U);
        EXPECT_EQ(loaded.info.invalidPixels, 1U);
        EXPECT_FALSE(loaded.valid->test(5, 0));
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i != 5) {
                EXPECT_NEAR(loaded.info.mapping->valueOf(loaded.image->level(i)), values[i],
                            loaded.info.mapping->step * 0.51);
            }
        }
    }
}

TEST(Raw, PicksPageChannelAndRegion) {
    const TempDir dir;
    constexpr int kPages = 3;
    constexpr int kSamples = 3;
    const auto values = testSamples(std::size_t{kWidth} * kHeight * kPages * kSamples, 16);
    writeBytes(dir / "s.raw", std::string(13, 'h') + bytesOfValues(values, true));
    ReadOptions options = rawOptions(SampleType::u16, true, kSamples, 13, kPages);
    options.page = 2;
    options.region = PixelRegion{2, 3, 4, 2};
    const LoadedImage luminance = readImage(dir / "s.raw", options);
    options.channel = {ChannelChoice::Kind::sample, 1};
    const LoadedImage green = readImage(dir / "s.raw", options);
    EXPECT_EQ(green.info.pages, kPages);
    EXPECT_EQ(green.info.axes.size(), 1U);
    for (std::uint32_t y = 0; y < 2; ++y) {
        for (std::uint32_t x = 0; x < 4; ++x) {
            const std::size_t at = ((2 * kHeight + 3 + y) * kWidth + 2 + x) * kSamples;
            EXPECT_EQ(green.image->level(y * 4 + x), values[at + 1]);
            EXPECT_EQ(luminance.image->level(y * 4 + x), luminanceOf(values[at], values[at + 1], values[at + 2]));
        }
    }
    options.page = 3;
    EXPECT_EQ(readFailure(dir / "s.raw", options), ErrorCode::invalidArgument);
    options.page = 0;
    options.channel.sample = 3;
    EXPECT_EQ(readFailure(dir / "s.raw", options), ErrorCode::invalidArgument);
    options.channel.sample = 0;
    options.region = PixelRegion{8, 0, 2, 1};
    EXPECT_EQ(readFailure(dir / "s.raw", options), ErrorCode::invalidArgument);
}

TEST(Raw, SaysHowManyBytesAreNeeded) {
    const TempDir dir;
    writeBytes(dir / "t.raw", std::string(kWidth * kHeight * 2 - 1, 'x'));
    std::string message;
    EXPECT_EQ(readFailure(dir / "t.raw", rawOptions(SampleType::u16), &message), ErrorCode::invalidArgument);
    EXPECT_THAT(message, HasSubstr("9 x 7 px, 16-bit unsigned, little-endian need 126 bytes, the file has 125"));
    EXPECT_EQ(readFailure(dir / "t.raw", rawOptions(SampleType::u8, false, 1, 100)), ErrorCode::invalidArgument);
    EXPECT_EQ(readFailure(dir / "t.raw", rawOptions(SampleType::u8, false, 1, UINT64_MAX)), ErrorCode::invalidArgument);
    EXPECT_EQ(readFailure(dir / "t.raw", rawOptions(SampleType::u8, false, 1, 62)), std::nullopt);
    EXPECT_EQ(readFailure(dir / "t.raw", rawOptions(SampleType::u8, false, 0)), ErrorCode::invalidArgument);
    EXPECT_EQ(readFailure(dir / "t.raw", rawOptions(SampleType::u8, false, 1, 0, 0)), ErrorCode::invalidArgument);
    ReadOptions huge = rawOptions(SampleType::f64);
    huge.raw->width = huge.raw->height = 0xffffffffU;
    EXPECT_EQ(readFailure(dir / "t.raw", huge), ErrorCode::invalidArgument);
    huge.raw->width = 0;
    EXPECT_EQ(readFailure(dir / "t.raw", huge), ErrorCode::invalidArgument);
    EXPECT_THAT(readImage(dir / "t.raw", rawOptions(SampleType::u8)).info.notes,
                ::testing::ElementsAre("62 bytes after the pixels are not used"));
}

TEST(Pfm, ReadsBothByteOrdersFromTheLowestRowUp) {
    const TempDir dir;
    for (const bool bigEndian : {false, true}) {
        const std::string scale = bigEndian ? "1.0" : "-1.0";
        writeBytes(dir / "g.pfm",
                   "Pf\n2 2\n" + scale + "\n" + bytesOfValues(std::vector<float>{0.F, 1.F, 2.F, 65535.F}, bigEndian));
        const LoadedImage loaded = readImage(dir / "g.pfm");
        EXPECT_EQ(levelsOf(*loaded.image), (std::vector<std::uint16_t>{2, 65535, 0, 1}));
        EXPECT_EQ(loaded.info.sampleFormat, "float");
        writeBytes(dir / "c.pfm",
                   "PF 1 1 " + scale + "\n" + bytesOfValues(std::vector<float>{1.F, 7.F, 3.F}, bigEndian));
        EXPECT_EQ(readImage(dir / "c.pfm", withChannel(2)).info.mapping->minimum, 3);
        EXPECT_EQ(readImage(dir / "c.pfm").info.mapping->minimum, 7);
        EXPECT_EQ(readFailure(dir / "c.pfm", withChannel(3)), ErrorCode::invalidArgument);
    }
}

TEST(Pfm, RefusesDamage) {
    const TempDir dir;
    const std::string good = "Pf\n2 2\n-1.0\n" + std::string(16, '\1');
    for (std::size_t length = 0; length < good.size(); ++length) {
        writeBytes(dir / "d.pfm", good.substr(0, length));
        EXPECT_TRUE(readFailure(dir / "d.pfm")) << length;
    }
    for (const char* bad :
         {"Pf\n0 2\n-1\n", "Pf\n60000 60000\n-1\nabc", "Pf\n2 -2\n-1\n", "Pf\n2 2\n0\n0123456789abcdef",
          "Pf\n2 2\nnan\n0123456789abcdef", "Pf\n9999999999 2\n1\nabc"}) {
        writeBytes(dir / "d.pfm", bad);
        EXPECT_EQ(readFailure(dir / "d.pfm"), ErrorCode::fileDamaged) << bad;
    }
}

} // namespace

} // namespace pollard::test
