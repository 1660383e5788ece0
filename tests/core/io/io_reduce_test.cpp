#include "io/reduce.hpp"

#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"
#include "formats/tiff/tiff_writer.hpp"

#include "support/random_images.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <limits>
#include <random>
#include <string>

namespace pollard::test {
namespace {

using pollard::testing::Random;
using pollard::testing::randomImage;
using ::testing::HasSubstr;

std::shared_ptr<const Mask> randomMask(Random& random, std::uint32_t width, std::uint32_t height) {
    auto mask = std::make_shared<Mask>(width, height, true);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask->set(x, y, random() % 3 != 0);
        }
    }
    return mask;
}

bool isValid(const LoadedImage& loaded, std::uint32_t x, std::uint32_t y) {
    return !loaded.valid || loaded.valid->test(x, y);
}

TEST(Crop, TakesThePixelsAndTheMaskOfTheRegion) {
    Random random(3);
    for (int round = 0; round < 200; ++round) {
        const std::uint32_t width = 1 + random() % 90;
        const std::uint32_t height = 1 + random() % 20;
        LoadedImage whole{randomImage(random, width, height), nullptr, {}};
        if (round % 2 == 0) {
            whole.valid = randomMask(random, width, height);
        }
        PixelRegion region{random() % width, random() % height, 0, 0};
        region.width = 1 + random() % (width - region.x);
        region.height = 1 + random() % (height - region.y);
        const LoadedImage part = cropped(whole, region);
        ASSERT_EQ(part.image->type(), whole.image->type());
        ASSERT_EQ(part.image->width(), region.width);
        ASSERT_EQ(part.image->height(), region.height);
        std::uint64_t invalid = 0;
        for (std::uint32_t y = 0; y < region.height; ++y) {
            for (std::uint32_t x = 0; x < region.width; ++x) {
                ASSERT_EQ(part.image->level(std::size_t{y} * region.width + x),
                          whole.image->level(std::size_t{region.y + y} * width + region.x + x));
                ASSERT_EQ(isValid(part, x, y), isValid(whole, region.x + x, region.y + y));
                invalid += isValid(part, x, y) ? 0U : 1U;
            }
        }
        EXPECT_EQ(part.info.invalidPixels, invalid);
        EXPECT_EQ(part.valid == nullptr, invalid == 0);
    }
}

TEST(Crop, RefusesRegionsBeyondThePage) {
    for (const PixelRegion& region :
         {PixelRegion{0, 0, 0, 1}, PixelRegion{0, 0, 1, 0}, PixelRegion{10, 0, 1, 1}, PixelRegion{0, 8, 1, 1},
          PixelRegion{9, 0, 2, 1}, PixelRegion{1, 1, 0xffff'ffffU, 1}, PixelRegion{1, 7, 1, 0xffff'ffffU}}) {
        try {
            (void)checkedRegion(region, 10, 8);
            ADD_FAILURE() << region.x << "," << region.y << "," << region.width << "," << region.height;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalidArgument);
        }
    }
    EXPECT_EQ(checkedRegion({9, 7, 1, 1}, 10, 8), (PixelRegion{9, 7, 1, 1}));
}

TEST(Shrink, TakesTheRoundedMeanOfTheValidPixelsOfEveryBlock) {
    Random random(5);
    for (int round = 0; round < 200; ++round) {
        const std::uint32_t width = 1 + random() % 40;
        const std::uint32_t height = 1 + random() % 40;
        const std::uint32_t factor = 1 + random() % 9;
        LoadedImage whole{randomImage(random, width, height), nullptr, {}};
        whole.info.pixelSize = PixelSize{0.5, 0.25, "µm", "test", false};
        if (round % 2 == 0) {
            whole.valid = randomMask(random, width, height);
        }
        const LoadedImage small = shrunk(whole, static_cast<int>(factor));
        ASSERT_EQ(small.image->width(), (width + factor - 1) / factor);
        ASSERT_EQ(small.image->height(), (height + factor - 1) / factor);
        EXPECT_DOUBLE_EQ(small.info.pixelSize->x, 0.5 * factor);
        EXPECT_DOUBLE_EQ(small.info.pixelSize->y, 0.25 * factor);
        for (std::uint32_t v = 0; v < small.image->height(); ++v) {
            for (std::uint32_t u = 0; u < small.image->width(); ++u) {
                std::vector<std::uint32_t> all;
                std::vector<std::uint32_t> valid;
                for (std::uint32_t y = v * factor; y < std::min(height, (v + 1) * factor); ++y) {
                    for (std::uint32_t x = u * factor; x < std::min(width, (u + 1) * factor); ++x) {
                        all.push_back(whole.image->level(std::size_t{y} * width + x));
                        if (isValid(whole, x, y)) {
                            valid.push_back(all.back());
                        }
                    }
                }
                ASSERT_EQ(isValid(small, u, v), !valid.empty());
                const auto& counted = valid.empty() ? all : valid;
                double sum = 0;
                for (const std::uint32_t level : counted) {
                    sum += level;
                }
                ASSERT_EQ(small.image->level(std::size_t{v} * small.image->width() + u),
                          static_cast<std::uint16_t>(std::floor(sum / static_cast<double>(counted.size()) + 0.5)));
            }
        }
    }
}

TEST(Shrink, TurnsAnImageIntoOnePixel) {
    const auto image = pollard::testing::makeImage(PixelType::u16, 3, 2, [](auto x, auto) { return 65535 - x; });
    const LoadedImage small = shrunk({image, nullptr, {}}, 100);
    ASSERT_EQ(small.image->pixelCount(), 1U);
    EXPECT_EQ(small.image->level(0), 65534);
    EXPECT_THROW((void)shrunk({image, nullptr, {}}, 0), Error);
}

TEST(Reading, CutsAndShrinksEveryFormatAlike) {
    const TempDir dir;
    Random random(11);
    const auto image = randomImage(random, 61, 47);
    writeTiff(dir / "a.tif", *image);
    ReadOptions options;
    options.region = PixelRegion{7, 5, 40, 30};
    options.shrink = 3;
    const LoadedImage read = readImage(dir / "a.tif", options);
    const LoadedImage expected = shrunk(cropped({image, nullptr, {}}, *options.region), 3);
    EXPECT_EQ(levelsOf(*read.image), levelsOf(*expected.image));
    EXPECT_EQ(read.image->width(), 14U);
    EXPECT_EQ(read.info.width, 61U) << "the page keeps its size";

    options.region = PixelRegion{30, 5, 40, 30};
    std::string message;
    EXPECT_EQ(readFailure(dir / "a.tif", options, &message), ErrorCode::invalidArgument);
    EXPECT_NE(message.find("a.tif"), std::string::npos) << message;
    options.region.reset();
    options.shrink = 0;
    EXPECT_EQ(readFailure(dir / "a.tif", options), ErrorCode::invalidArgument);
}

TEST(Reading, StopsWhileItShrinks) {
    Random random(13);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)shrunk({randomImage(random, 50, 50), nullptr, {}}, 2, JobControl(stop.get_token())), Cancelled);
}

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
            options.mapping.proportional = true;
            const LoadedImage expected = shrunk(readImage(file, options), factor);
            options.mapping.proportional = false;
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
