#include "core/io/io_tiff_support.hpp"
#include "core/io/io_tiff_variants.hpp"

#include "io/reduce.hpp"

#include <chrono>
#include <gmock/gmock.h>
#include <sys/stat.h>

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

ReadOptions withRegion(const PixelRegion& region) {
    ReadOptions options;
    options.region = region;
    return options;
}

/// Upright position by TIFF 6.0: side of the image for row 0, side for column 0.
std::pair<std::uint32_t, std::uint32_t> uprightPosition(int orientation, std::uint32_t column, std::uint32_t row,
                                                        std::uint32_t columns, std::uint32_t rows) {
    const std::uint32_t lastColumn = columns - 1 - column;
    const std::uint32_t lastRow = rows - 1 - row;
    switch (orientation) {
    case ORIENTATION_TOPLEFT:
        return {column, row};
    case ORIENTATION_TOPRIGHT:
        return {lastColumn, row};
    case ORIENTATION_BOTRIGHT:
        return {lastColumn, lastRow};
    case ORIENTATION_BOTLEFT:
        return {column, lastRow};
    case ORIENTATION_LEFTTOP:
        return {row, column};
    case ORIENTATION_RIGHTTOP:
        return {lastRow, column};
    case ORIENTATION_RIGHTBOT:
        return {lastRow, lastColumn};
    default:
        return {row, lastColumn};
    }
}

class TiffOrientation : public ::testing::TestWithParam<int> {};

TEST_P(TiffOrientation, IsAppliedToPixelsMaskSidesAndRegions) {
    const int orientation = GetParam();
    const TempDir dir;
    TiffVariant v{.width = 150, .height = 67, .samples = 2, .tile = 32, .extraSamples = {EXTRASAMPLE_UNASSALPHA}};
    v.orientation = static_cast<std::uint16_t>(orientation);
    auto samples = testSamples(v.sampleCount(), 8);
    writeVariant(dir / "turned.tif", v, {samples});
    const LoadedImage loaded = readImage(dir / "turned.tif");
    const bool swapped = orientation >= 5;
    ASSERT_EQ(loaded.image->width(), swapped ? v.height : v.width);
    ASSERT_EQ(loaded.image->height(), swapped ? v.width : v.height);
    EXPECT_EQ(loaded.info.width, loaded.image->width());
    EXPECT_EQ(loaded.info.height, loaded.image->height());
    EXPECT_EQ(loaded.info.orientation, orientation);
    ASSERT_NE(loaded.valid, nullptr);
    for (std::uint32_t row = 0; row < v.height; ++row) {
        for (std::uint32_t column = 0; column < v.width; ++column) {
            const auto [x, y] = uprightPosition(orientation, column, row, v.width, v.height);
            const std::size_t stored = 2 * (std::size_t{row} * v.width + column);
            ASSERT_EQ(loaded.image->level(std::size_t{y} * loaded.image->width() + x), samples[stored]);
            ASSERT_EQ(loaded.valid->test(x, y), samples[stored + 1] != 0);
        }
    }
    const PixelRegion region{11, 7, 40, 35};
    const LoadedImage part = readImage(dir / "turned.tif", withRegion(region));
    const LoadedImage expected = cropped(loaded, region);
    EXPECT_EQ(levelsOf(*part.image), levelsOf(*expected.image));
    ASSERT_EQ(part.valid == nullptr, expected.valid == nullptr);
    EXPECT_TRUE(part.valid == nullptr || *part.valid == *expected.valid);
}

INSTANTIATE_TEST_SUITE_P(All, TiffOrientation, ::testing::Range(1, 9));

TEST(TiffRegions, AreTheCroppedPage) {
    const TempDir dir;
    std::vector<TiffVariant> variants;
    for (const int bits : {1, 4, 8, 11, 16}) {
        for (const std::uint32_t tile : {0U, 16U}) {
            for (const bool separate : {false, true}) {
                variants.push_back(
                    {.width = 101, .height = 83, .bits = bits, .samples = 3, .separate = separate, .tile = tile});
                variants.back().photometric = PHOTOMETRIC_RGB;
                variants.back().compression = COMPRESSION_LZW;
            }
        }
    }
    variants.push_back({.width = 101, .height = 83, .photometric = PHOTOMETRIC_MINISWHITE, .rowsPerStrip = 83});
    for (const TiffVariant& v : variants) {
        SCOPED_TRACE(v.describe());
        writeVariant(dir / "whole.tif", v, {testSamples(v.sampleCount(), v.bits)});
        const LoadedImage whole = readImage(dir / "whole.tif");
        for (const PixelRegion& region :
             {PixelRegion{0, 0, 101, 83}, PixelRegion{17, 16, 16, 16}, PixelRegion{100, 82, 1, 1},
              PixelRegion{3, 5, 90, 71}, PixelRegion{0, 40, 101, 1}}) {
            const LoadedImage part = readImage(dir / "whole.tif", withRegion(region));
            ASSERT_EQ(part.image->width(), region.width);
            ASSERT_EQ(levelsOf(*part.image), levelsOf(*cropped(whole, region).image));
        }
        EXPECT_EQ(readFailure(dir / "whole.tif", withRegion({50, 50, 52, 1})), ErrorCode::invalidArgument);
    }
}

TEST(TiffRegions, LeaveDamageElsewhereAlone) {
    const TempDir dir;
    TiffVariant v{.width = 64, .height = 64, .compression = COMPRESSION_ADOBE_DEFLATE, .tile = 32};
    const auto samples = testSamples(v.sampleCount(), 8);
    writeVariant(dir / "image.tif", v, {samples});
    std::string bytes = readBytes(dir / "image.tif");
    TIFF* tiff = TIFFOpen((dir / "image.tif").c_str(), "r");
    const auto offset = static_cast<std::size_t>(TIFFGetStrileOffset(tiff, 3));
    TIFFClose(tiff);
    for (std::size_t i = 0; i < 40; ++i) {
        bytes[offset + i] = '\x55';
    }
    writeBytes(dir / "image.tif", bytes);
    EXPECT_EQ(readFailure(dir / "image.tif"), ErrorCode::fileDamaged);
    EXPECT_EQ(readFailure(dir / "image.tif", withRegion({0, 0, 64, 32})), std::nullopt);
    EXPECT_EQ(readFailure(dir / "image.tif", withRegion({40, 40, 1, 1})), ErrorCode::fileDamaged);
}

TEST(TiffThreads, GiveTheSamePixelsAndTheSameError) {
    const TempDir dir;
    for (const std::uint32_t tile : {0U, 64U}) {
        for (const bool separate : {false, true}) {
            TiffVariant v{.width = 700, .height = 700, .samples = 4, .separate = separate, .tile = tile};
            v.photometric = PHOTOMETRIC_RGB;
            v.compression = COMPRESSION_ADOBE_DEFLATE;
            v.extraSamples = {EXTRASAMPLE_UNASSALPHA};
            writeVariant(dir / "image.tif", v, {testSamples(v.sampleCount(), 8)});
            std::string bytes = readBytes(dir / "image.tif");
            ReadOptions options;
            options.threads = 1;
            const LoadedImage one = readImage(dir / "image.tif", options);
            for (std::size_t at = bytes.size() / 3; at < bytes.size() / 3 * 2; at += 500) {
                bytes[at] = static_cast<char>(~bytes[at]);
            }
            writeBytes(dir / "damaged.tif", bytes);
            std::string message;
            EXPECT_EQ(readFailure(dir / "damaged.tif", options, &message), ErrorCode::fileDamaged);
            for (const int threads : {2, 5, 0}) {
                options.threads = threads;
                const LoadedImage many = readImage(dir / "image.tif", options);
                EXPECT_EQ(levelsOf(*many.image), levelsOf(*one.image));
                EXPECT_TRUE(*many.valid == *one.valid);
                std::string other;
                EXPECT_EQ(readFailure(dir / "damaged.tif", options, &other), ErrorCode::fileDamaged);
                EXPECT_EQ(other, message);
            }
        }
    }
}

TEST(TiffThreads, ReportAscendingProgressAndStop) {
    const TempDir dir;
    TiffVariant v{.width = 1500, .height = 1500, .tile = 64};
    writeVariant(dir / "long.tif", v, {testSamples(v.sampleCount(), 8)});
    std::vector<double> fractions;
    (void)readImage(dir / "long.tif", {}, JobControl({}, [&](double f, std::string_view) { fractions.push_back(f); }));
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
    EXPECT_EQ(fractions.back(), 1.0);
    std::stop_source stop;
    const JobControl stopping(stop.get_token(), [&](double f, std::string_view) {
        if (f > 0.3) {
            stop.request_stop();
        }
    });
    EXPECT_THROW((void)readImage(dir / "long.tif", {}, stopping), Cancelled);
}

TEST(TiffLargeStrips, OfPlanesAndValuesAreReadRowByRow) {
    const TempDir dir;
    for (const bool separate : {false, true}) {
        TiffVariant v{
            .width = 2100, .height = 2100, .bits = 16, .samples = 3, .separate = separate, .rowsPerStrip = 2100};
        v.photometric = PHOTOMETRIC_RGB;
        v.compression = COMPRESSION_LZW;
        const auto samples = testSamples(v.sampleCount(), 16);
        writeVariant(dir / "large.tif", v, {samples});
        const PixelRegion region{500, 1000, 700, 60};
        const LoadedImage part = readImage(dir / "large.tif", withRegion(region));
        for (std::uint32_t y = 0; y < region.height; ++y) {
            for (std::uint32_t x = 0; x < region.width; ++x) {
                const std::size_t at = 3 * (std::size_t{region.y + y} * v.width + region.x + x);
                ASSERT_EQ(part.image->level(std::size_t{y} * region.width + x),
                          luminanceOf(samples[at], samples[at + 1], samples[at + 2]));
            }
        }
    }
}

TEST(TiffSparse, BlocksThatAreLeftOutAreZeroOrNoData) {
    const TempDir dir;
    for (const std::uint32_t tile : {0U, 16U}) {
        TiffVariant v{.width = 48, .height = 48, .compression = COMPRESSION_LZW, .tile = tile, .rowsPerStrip = 16};
        v.skipped = {1};
        const std::vector<std::uint16_t> samples(v.sampleCount(), 9);
        writeVariant(dir / "sparse.tif", v, {samples});
        const LoadedImage loaded = readImage(dir / "sparse.tif");
        const std::size_t inside = 20 * 48 + 20;
        const std::size_t gap = tile != 0 ? 5 * 48 + 20 : inside;
        EXPECT_EQ(loaded.image->level(gap), 0);
        EXPECT_EQ(loaded.image->level(0), 9);
        EXPECT_EQ(loaded.valid, nullptr);
        EXPECT_THAT(loaded.info.notes, Contains(HasSubstr("left out of the file and count as 0")));
        v.noData = "9";
        writeVariant(dir / "sparse.tif", v, {std::vector<std::uint16_t>(v.sampleCount(), 3)});
        const LoadedImage masked = readImage(dir / "sparse.tif");
        EXPECT_EQ(masked.info.invalidPixels, tile != 0 ? 256U : 16U * 48);
        v.skipped = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        writeVariant(dir / "sparse.tif", v, {samples});
        EXPECT_EQ(readFailure(dir / "sparse.tif"), ErrorCode::fileDamaged);
    }
}

/// Levels of half and quarter size, filled with their index.
void writePyramid(const std::filesystem::path& path, bool subIfds) {
    TIFF* tiff = TIFFOpen(path.c_str(), "w");
    TiffVariant v{.width = 101, .height = 60, .subIfds = static_cast<std::uint16_t>(subIfds ? 2 : 0)};
    writePage(tiff, v, std::string(v.sampleCount(), '\1'));
    TiffVariant half{.width = 51, .height = 30, .tile = 16, .subfileType = FILETYPE_REDUCEDIMAGE};
    writePage(tiff, half, std::string(half.sampleCount(), '\2'));
    TiffVariant quarter{.width = 26, .height = 15, .subfileType = FILETYPE_REDUCEDIMAGE};
    writePage(tiff, quarter, std::string(quarter.sampleCount(), '\3'));
    TiffVariant next{.width = 30, .height = 30};
    writePage(tiff, next, std::string(next.sampleCount(), '\4'));
    TIFFClose(tiff);
}

TEST(TiffPyramid, LevelsAreNoPagesAndCanBeChosen) {
    const TempDir dir;
    for (const bool subIfds : {false, true}) {
        SCOPED_TRACE(subIfds);
        const auto path = dir / "pyramid.tif";
        std::filesystem::remove(path);
        writePyramid(path, subIfds);
        const ImageInfo info = readImageInfo(path);
        EXPECT_EQ(info.pages, 2);
        EXPECT_EQ(info.levels, (std::vector<ResolutionLevel>{{101, 60}, {51, 30}, {26, 15}}));
        for (int level = 0; level < 3; ++level) {
            ReadOptions options;
            options.level = level;
            const LoadedImage loaded = readImage(path, options);
            EXPECT_EQ(loaded.image->width(), info.levels[static_cast<std::size_t>(level)].width);
            EXPECT_EQ(loaded.info.width, loaded.image->width());
            EXPECT_EQ(loaded.image->level(0), level + 1);
            EXPECT_EQ(loaded.info.level, level);
        }
        ReadOptions options;
        options.level = 1;
        options.region = PixelRegion{40, 20, 11, 10};
        EXPECT_EQ(readImage(path, options).image->width(), 11U);
        options.level = 3;
        EXPECT_EQ(readFailure(path, options), ErrorCode::invalidArgument);
        ReadOptions second;
        second.page = 1;
        const LoadedImage next = readImage(path, second);
        EXPECT_EQ(next.image->level(0), 4);
        EXPECT_TRUE(next.info.levels.empty());
    }
}

TEST(TiffPages, ReducedOnesOfAnotherShapeAreKept) {
    const TempDir dir;
    TIFF* tiff = TIFFOpen((dir / "label.tif").c_str(), "w");
    writePage(tiff, {.width = 100, .height = 50}, std::string(5000, 'a'));
    writePage(tiff, {.width = 30, .height = 30, .subfileType = FILETYPE_REDUCEDIMAGE}, std::string(900, 'b'));
    TIFFClose(tiff);
    EXPECT_EQ(readImageInfo(dir / "label.tif").pages, 2);
}

TEST(TiffPages, ManyAreFoundQuickly) {
    const TempDir dir;
    // Consecutive directories without relevant tags: 6 bytes each, except the first.
    HandmadeTiff made{.width = 4, .height = 4};
    made.strip.assign(16, 'x');
    std::string bytes = made.bytes();
    constexpr std::size_t kPages = 70000;
    const auto put32 = [&](std::size_t at, std::size_t value) {
        for (std::size_t i = 0; i < 4; ++i) {
            bytes[at + i] = static_cast<char>(value >> 8 * i & 0xff);
        }
    };
    std::size_t link = 8 + 2 + 10 * 12;
    for (std::size_t i = 0; i < kPages; ++i) {
        put32(link, bytes.size());
        bytes += std::string("\1\0", 2);
        bytes += std::string("\0\1\3\0\1\0\0\0\4\0\0\0", 12); // ImageWidth 4
        link = bytes.size();
        bytes += std::string(4, '\0');
    }
    writeBytes(dir / "many.tif", bytes);
    const auto start = std::chrono::steady_clock::now();
    const LoadedImage loaded = readImage(dir / "many.tif");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
    EXPECT_EQ(loaded.info.pages, 1 << 16);
    EXPECT_THAT(loaded.info.notes, Contains(HasSubstr("only the first 65536 pages")));
}

/// Little-endian BigTIFF of @p rows one-row strips that follow the directory without gaps.
std::string bigTiffHead(std::uint64_t width, std::uint64_t rows) {
    std::string out = "II";
    const auto put = [&](std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) {
            out += static_cast<char>(value >> 8 * i & 0xff);
        }
    };
    put(43, 2);
    put(8, 2);
    put(0, 2);
    put(16, 8);
    constexpr std::uint64_t kEntries = 7;
    put(kEntries, 8);
    const std::uint64_t tables = 16 + 8 + kEntries * 20 + 8;
    const std::uint64_t data = tables + 16 * rows;
    const auto entry = [&](std::uint32_t tag, std::uint32_t type, std::uint64_t count, std::uint64_t value) {
        put(tag, 2);
        put(type, 2);
        put(count, 8);
        put(value, 8);
    };
    entry(TIFFTAG_IMAGEWIDTH, TIFF_LONG, 1, width);
    entry(TIFFTAG_IMAGELENGTH, TIFF_LONG, 1, rows);
    entry(TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, 1, 8);
    entry(TIFFTAG_PHOTOMETRIC, TIFF_SHORT, 1, PHOTOMETRIC_MINISBLACK);
    entry(TIFFTAG_STRIPOFFSETS, TIFF_LONG8, rows, tables);
    entry(TIFFTAG_ROWSPERSTRIP, TIFF_LONG, 1, 1);
    entry(TIFFTAG_STRIPBYTECOUNTS, TIFF_LONG8, rows, tables + 8 * rows);
    put(0, 8);
    for (std::uint64_t i = 0; i < rows; ++i) {
        put(data + i * width, 8);
    }
    for (std::uint64_t i = 0; i < rows; ++i) {
        put(width, 8);
    }
    return out;
}

TEST(TiffBig, BeyondFourGigabytesARegionIsReadQuickly) {
    const TempDir dir;
    const auto path = dir / "big.tif";
    constexpr std::uint64_t kSide = 70000; // 4.9 GB, above the largest number of pixels
    const std::string head = bigTiffHead(kSide, kSide);
    writeBytes(path, head);
    std::error_code error;
    std::filesystem::resize_file(path, head.size() + kSide * kSide, error);
    struct stat status {};
    if (error || ::stat(path.c_str(), &status) != 0 || status.st_blocks > 1'000'000) {
        GTEST_SKIP() << "the file system has no holes for a file of 4.9 GB";
    }
    {
        std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(static_cast<std::streamoff>(head.size() + (kSide - 1) * kSide + 12345));
        file.put('\x2a');
    }
    const auto start = std::chrono::steady_clock::now();
    const LoadedImage part = readImage(path, withRegion({12000, 69000, 1000, 1000}));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
    EXPECT_EQ(part.image->level(999 * 1000 + 345), 42);
    EXPECT_EQ(part.image->level(999 * 1000 + 344), 0);
    EXPECT_EQ(part.info.format, "BigTIFF");
    EXPECT_EQ(part.info.width, kSide);
    EXPECT_EQ(readFailure(path), ErrorCode::limitExceeded) << "more than 2^32 - 1 pixels";
}

} // namespace

} // namespace pollard::test
