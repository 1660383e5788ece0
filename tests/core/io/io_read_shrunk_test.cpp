// Pictures that are shrunk while they are read, against the same after reading all.
#include "io/read_shrunk.hpp"

#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"
#include "io/reduce.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <limits>
#include <random>
#include <string>

namespace pollard::test {
namespace {

using ::testing::HasSubstr;

class ReadShrunk : public ::testing::Test {
protected:
    std::mt19937 random{11};
    TempDir folder;
    const std::filesystem::path file = folder / "shrunk.tif";

    void write(const TiffVariant& variant) {
        std::string samples(variant.sampleCount() * static_cast<std::size_t>(variant.bits) / 8, '\0');
        for (char& byte : samples) {
            byte = static_cast<char>(random());
        }
        if (variant.bits == 32 && variant.sampleFormat == SAMPLEFORMAT_IEEEFP) {
            for (std::size_t i = 0; i < variant.sampleCount(); ++i) {
                const float value = random() % 9 == 0 ? std::numeric_limits<float>::quiet_NaN()
                                                      : static_cast<float>(random() % 5000) / 7;
                std::memcpy(samples.data() + 4 * i, &value, sizeof value);
            }
        }
        writeBytesVariant(file, variant, samples);
    }
    void expectAlike(ReadOptions options) {
        for (const int factor : {2, 3, 7, 64}) {
            options.shrink = 1;
            const LoadedImage expected = shrunk(readImage(file, options), factor);
            options.shrink = factor;
            for (const std::uint64_t pixels : {1U, 300U, 100'000U}) {
                const LoadedImage found = readShrunk(file, options, {}, pixels);
                ASSERT_EQ(found.image->type(), expected.image->type());
                ASSERT_EQ(found.image->width(), expected.image->width());
                ASSERT_EQ(levelsOf(*found.image), levelsOf(*expected.image)) << factor << ", bands of " << pixels;
                ASSERT_EQ(found.valid != nullptr, expected.valid != nullptr);
                if (found.valid) {
                    EXPECT_EQ(*found.valid, *expected.valid);
                }
                EXPECT_EQ(found.info.invalidPixels, expected.info.invalidPixels);
                EXPECT_EQ(found.info.mapping, expected.info.mapping);
                EXPECT_EQ(found.info.pixelSize, expected.info.pixelSize);
                EXPECT_EQ(found.info.carried, expected.info.carried);
            }
        }
    }
};

TEST_F(ReadShrunk, GivesWhatShrinkingTheWholeGives) {
    for (const std::uint32_t tile : {0U, 16U}) {
        for (const int bits : {8, 16}) {
            for (const int orientation : {ORIENTATION_TOPLEFT, ORIENTATION_RIGHTTOP}) {
                TiffVariant variant;
                variant.bits = bits;
                variant.tile = tile;
                variant.orientation = static_cast<std::uint16_t>(orientation);
                write(variant);
                ReadOptions options;
                expectAlike(options);
                options.region = PixelRegion{3, 5, 20, 19};
                options.pixelSize = PixelSize{0.5, 0.25, "µm", "here"};
                expectAlike(options);
            }
        }
    }
}

TEST_F(ReadShrunk, MapsValuesByTheRangeOfAll) {
    for (const int format : {SAMPLEFORMAT_INT, SAMPLEFORMAT_IEEEFP}) {
        TiffVariant variant;
        variant.sampleFormat = static_cast<std::uint16_t>(format);
        variant.bits = format == SAMPLEFORMAT_INT ? 16 : 32;
        write(variant);
        for (const auto range : {MappingChoice::Range::automatic, MappingChoice::Range::percentile}) {
            ReadOptions options;
            options.mapping = {range, 0.1, 0.9};
            expectAlike(options);
        }
    }
}

TEST_F(ReadShrunk, ReadsColoursByTheirChannel) {
    TiffVariant variant;
    variant.samples = 3;
    variant.photometric = PHOTOMETRIC_RGB;
    write(variant);
    for (const char* channel : {"luminance", "red", "2"}) {
        ReadOptions options;
        options.channel = ChannelChoice::parse(channel);
        expectAlike(options);
    }
}

TEST_F(ReadShrunk, StopsAndRefuses) {
    write({});
    ReadOptions options;
    options.shrink = 2;
    std::stop_source stop;
    int bands = 0;
    const JobControl control(stop.get_token(), [&](double fraction, std::string_view) {
        EXPECT_LE(fraction, 1);
        if (++bands == 3) {
            stop.request_stop();
        }
    });
    EXPECT_THROW((void)readShrunk(file, options, control, 1), Cancelled);
    EXPECT_LE(bands, 4);
    options.shrink = 0;
    EXPECT_THROW((void)readShrunk(file, options), Error);
    options.shrink = 2;
    options.region = PixelRegion{30, 0, 20, 20};
    try {
        (void)readShrunk(file, options);
        FAIL() << "beyond the page";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("region"));
    }
}

} // namespace
} // namespace pollard::test
