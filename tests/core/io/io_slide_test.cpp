#include "core/io/io_support.hpp"

#include "io/samples/row_sink.hpp"

#include <cstdlib>
#include <gmock/gmock.h>
#include <tiffio.h>

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr std::uint32_t kWidth = 600;
constexpr std::uint32_t kHeight = 500;
constexpr std::uint32_t kTile = 240;

/// Colours that JPEG nearly preserves.
std::array<std::uint8_t, 3> colourAt(std::uint32_t x, std::uint32_t y, std::uint32_t downsample) {
    const std::uint32_t column = x * downsample;
    const std::uint32_t row = y * downsample;
    return {static_cast<std::uint8_t>(40 + column / 4), static_cast<std::uint8_t>(60 + row / 4),
            static_cast<std::uint8_t>(120)};
}

void writeLevel(TIFF* tiff, std::uint32_t downsample, const char* description) {
    const std::uint32_t width = kWidth / downsample;
    const std::uint32_t height = kHeight / downsample;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, 98);
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, kTile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, kTile);
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
    std::vector<std::uint8_t> tile(std::size_t{kTile} * kTile * 3);
    for (std::uint32_t top = 0; top < height; top += kTile) {
        for (std::uint32_t left = 0; left < width; left += kTile) {
            for (std::uint32_t i = 0; i < kTile * kTile; ++i) {
                const auto colour = colourAt(left + i % kTile, top + i / kTile, downsample);
                std::copy(colour.begin(), colour.end(), tile.begin() + static_cast<std::ptrdiff_t>(i) * 3);
            }
            TIFFWriteTile(tiff, tile.data(), left, top, 0, 0);
        }
    }
    TIFFWriteDirectory(tiff);
}

/// A slide in the format of Aperio's scanners, with a half-size level.
void writeSlide(const std::filesystem::path& path) {
    TIFF* tiff = TIFFOpen(path.c_str(), "w");
    ASSERT_NE(tiff, nullptr);
    writeLevel(tiff, 1,
               "Aperio Image Library v10.0.50\r\n600x500 [0,0 600x500] (240x240) JPEG/RGB Q=98|AppMag = 20|"
               "MPP = 0.4990");
    writeLevel(tiff, 2, "Aperio Image Library v10.0.50\r\n600x500 -> 300x250 - JPEG/RGB Q=98");
    TIFFClose(tiff);
}

std::uint16_t luminanceAt(std::uint32_t x, std::uint32_t y, std::uint32_t downsample) {
    const auto c = colourAt(x, y, downsample);
    return luminanceOf(c[0], c[1], c[2]);
}

TEST(Slide, GivesLevelsPixelSizeAndColours) {
    const TempDir dir;
    writeSlide(dir / "s.svs");
    ReadOptions options;
    for (const std::uint32_t downsample : {1U, 2U}) {
        options.level = static_cast<int>(downsample) - 1;
        const LoadedImage loaded = readImage(dir / "s.svs", options);
        const ImageInfo& info = loaded.info;
        EXPECT_EQ(info.format, "Whole slide");
        EXPECT_EQ(info.levels, (std::vector<ResolutionLevel>{{kWidth, kHeight}, {kWidth / 2, kHeight / 2}}));
        EXPECT_EQ(info.width, kWidth / downsample);
        ASSERT_TRUE(info.pixelSize);
        EXPECT_NEAR(info.pixelSize->x, 0.499 * downsample, 1e-9);
        EXPECT_EQ(info.pixelSize->unit, "µm");
        EXPECT_THAT(info.facts, Contains(Pair("Scanner format", "aperio")));
        EXPECT_THAT(info.facts, Contains(Pair("Objective", "20x")));
        EXPECT_EQ(loaded.valid, nullptr);
        for (std::uint32_t y = 0; y < loaded.image->height(); y += 7) {
            for (std::uint32_t x = 0; x < loaded.image->width(); x += 3) {
                ASSERT_NEAR(loaded.image->level(std::size_t{y} * loaded.image->width() + x),
                            luminanceAt(x, y, downsample), 4)
                    << x << ", " << y;
            }
        }
        EXPECT_EQ(readImageInfo(dir / "s.svs", options).facts, info.facts);
    }
    options.level = 2;
    EXPECT_EQ(readFailure(dir / "s.svs", options), ErrorCode::invalidArgument);
}

TEST(Slide, ReadsRegionsLikeTheWhole) {
    const TempDir dir;
    writeSlide(dir / "s.svs");
    ReadOptions options;
    const LoadedImage whole = readImage(dir / "s.svs");
    const PixelRegion region{231, 230, 120, 270};
    options.region = region;
    const LoadedImage part = readImage(dir / "s.svs", options);
    ASSERT_EQ(part.image->width(), region.width);
    for (std::uint32_t y = 0; y < region.height; ++y) {
        for (std::uint32_t x = 0; x < region.width; ++x) {
            ASSERT_EQ(part.image->level(std::size_t{y} * region.width + x),
                      whole.image->level(std::size_t{y + region.y} * kWidth + x + region.x));
        }
    }
    options.channel = {ChannelChoice::Kind::sample, 2};
    EXPECT_NEAR(readImage(dir / "s.svs", options).image->level(0), 120, 4);
    options.region = PixelRegion{500, 0, 101, 1};
    EXPECT_EQ(readFailure(dir / "s.svs", options), ErrorCode::invalidArgument);
}

TEST(Slide, NamesRegionAndSmallerLevelsWhenItIsTooLarge) {
    const TempDir dir;
    writeSlide(dir / "s.svs");
    ReadOptions options;
    options.limits.maxPixels = 299999;
    std::string message;
    EXPECT_EQ(readFailure(dir / "s.svs", options, &message), ErrorCode::limitExceeded);
    EXPECT_THAT(message, HasSubstr("read a region of the slide, or a smaller level: 1 (300 x 250)"));
    options.level = 1;
    EXPECT_EQ(readFailure(dir / "s.svs", options), std::nullopt);
}

TEST(Slide, PlainTiledTiffIsNoSlide) {
    const TempDir dir;
    TIFF* tiff = TIFFOpen((dir / "t.tif").c_str(), "w");
    writeLevel(tiff, 1, "a tiled image");
    TIFFClose(tiff);
    EXPECT_EQ(readImageInfo(dir / "t.tif").format, "TIFF");
}

TEST(Slide, CutFilesAreRefused) {
    const TempDir dir;
    writeSlide(dir / "s.svs");
    const std::string bytes = readBytes(dir / "s.svs");
    const auto expected = levelsOf(*readImage(dir / "s.svs").image);
    for (std::size_t length = 0; length < bytes.size(); length += length < 64 ? 1 : 1009) {
        writeBytes(dir / "cut.svs", bytes.substr(0, length));
        try {
            ASSERT_EQ(levelsOf(*readImage(dir / "cut.svs").image), expected) << length;
        } catch (const Error& error) {
            ASSERT_FALSE(std::string(error.what()).empty());
        }
    }
}

} // namespace

} // namespace pollard::test
