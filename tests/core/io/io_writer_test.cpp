#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"
#include "core/io/write/file_size_limit.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/write/atomic_file.hpp"

#include <algorithm>
#include <cstring>
#include <sys/stat.h>
#include <tiffio.h>

namespace pollard::test {

namespace {

namespace fs = std::filesystem;

Image makeImage(PixelType type, std::uint32_t width, std::uint32_t height, std::uint32_t seed = 1) {
    Image image(type, width, height);
    const auto levels = testSamples(image.pixelCount(), bitsOf(type), seed);
    dispatch(type, [&]<class T>(T) {
        std::transform(levels.begin(), levels.end(), image.pixels<T>().begin(),
                       [](std::uint16_t v) { return static_cast<T>(v); });
    });
    return image;
}

template <class T> CopiedTag carry(std::uint16_t tag, std::uint16_t type, const std::vector<T>& values) {
    CopiedTag carried{tag, type, values.size(), std::vector<std::byte>(values.size() * sizeof(T))};
    std::memcpy(carried.data.data(), values.data(), carried.data.size());
    return carried;
}

std::vector<CopiedTag> everyCopiedTag() {
    const std::string metadata = "<GDALMetadata></GDALMetadata>";
    return {carry<float>(TIFFTAG_XRESOLUTION, TIFF_RATIONAL, {300.5F}),
            carry<float>(TIFFTAG_YRESOLUTION, TIFF_RATIONAL, {72.F}),
            carry<std::uint16_t>(TIFFTAG_RESOLUTIONUNIT, TIFF_SHORT, {RESUNIT_CENTIMETER}),
            carry<double>(33550, TIFF_DOUBLE, {10.5, 10.5, 0}),
            carry<double>(33922, TIFF_DOUBLE, {0, 0, 0, 440720.123456789, 100000, 0}),
            carry<double>(34264, TIFF_DOUBLE, std::vector<double>(16, 1.25)),
            carry<std::uint16_t>(34735, TIFF_SHORT, {1, 1, 0, 1, 1024, 0, 1, 1}),
            carry<double>(34736, TIFF_DOUBLE, {6378137.0, 298.257223563}),
            carry<char>(34737, TIFF_ASCII, {'U', 'T', 'M', '|', '\0'}),
            carry<char>(42112, TIFF_ASCII, {metadata.c_str(), metadata.c_str() + metadata.size() + 1}),
            carry<char>(42113, TIFF_ASCII, {'-', '1', '\0'})};
}

TEST(TiffWriter, RoundTripsEveryTypeAndSize) {
    const TempDir dir;
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 500U}, {500U, 1U}, {333U, 1001U}}) {
            for (const bool deflate : {true, false}) {
                const Image image = makeImage(type, width, height);
                writeTiff(dir / "out.tif", image,
                          {.compression = deflate ? TiffCompression::deflate : TiffCompression::none});
                const LoadedImage loaded = readImage(dir / "out.tif");
                EXPECT_EQ(loaded.image->type(), type);
                EXPECT_EQ(levelsOf(*loaded.image), levelsOf(image));
                EXPECT_EQ(loaded.info.compression, deflate ? "Deflate" : "none");
                EXPECT_EQ(loaded.info.format, "TIFF");
                EXPECT_TRUE(loaded.info.carried.empty());
            }
        }
    }
    EXPECT_EQ(dir.entries(), 1U);
}

TEST(TiffWriter, CompressesAsAsked) {
    const TempDir dir;
    for (const TiffCompression compression :
         {TiffCompression::deflate, TiffCompression::deflatePredictor, TiffCompression::zstd, TiffCompression::none}) {
        if (!isAvailable(compression)) {
            continue;
        }
        const Image image = makeImage(PixelType::u16, 333, 101);
        writeTiff(dir / "out.tif", image, {.compression = compression});
        EXPECT_EQ(levelsOf(*readImage(dir / "out.tif").image), levelsOf(image));
        TIFF* tiff = TIFFOpen((dir / "out.tif").c_str(), "r");
        ASSERT_NE(tiff, nullptr);
        std::uint16_t predictor = 0;
        TIFFGetFieldDefaulted(tiff, TIFFTAG_PREDICTOR, &predictor);
        TIFFClose(tiff);
        const bool predicts = compression == TiffCompression::deflatePredictor || compression == TiffCompression::zstd;
        EXPECT_EQ(predictor == PREDICTOR_HORIZONTAL, predicts);
    }
}

TEST(TiffWriter, LeavesThePixelsItWasGivenAlone) {
    const TempDir dir;
    const Image image = makeImage(PixelType::u16, 64, 64);
    const auto before = levelsOf(image);
    writeTiff(dir / "out.tif", image);
    EXPECT_EQ(levelsOf(image), before);
}

TEST(TiffWriter, RoundTripsThirtyTwoBitValues) {
    const TempDir dir;
    std::vector<std::uint32_t> values(300 * 700);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::uint32_t>(i * 2654435761U);
    }
    writeTiff(dir / "labels.tif", measuredRowsOf(values, Extent{300, 700}));
    TIFF* tiff = TIFFOpen((dir / "labels.tif").c_str(), "r");
    ASSERT_NE(tiff, nullptr);
    std::vector<std::uint32_t> row(300);
    for (std::uint32_t y = 0; y < 700; ++y) {
        ASSERT_EQ(TIFFReadScanline(tiff, row.data(), y), 1);
        ASSERT_TRUE(std::equal(row.begin(), row.end(), values.begin() + y * 300)) << y;
    }
    std::uint16_t predictor = 0;
    EXPECT_EQ(TIFFGetFieldDefaulted(tiff, TIFFTAG_PREDICTOR, &predictor), 1);
    EXPECT_EQ(predictor, PREDICTOR_NONE) << "ImageJ undoes the predictor of LZW only";
    EXPECT_LE(TIFFStripSize(tiff), 256 << 10);
    TIFFClose(tiff);
    const LoadedImage read = readImage(dir / "labels.tif");
    ASSERT_TRUE(read.info.mapping);
    EXPECT_NEAR(read.info.mapping->valueOf(read.image->level(1)), values[1], read.info.mapping->step);
    EXPECT_THROW(writeTiff(dir / "labels.tif", measuredRowsOf(values, Extent{300, 701})), Error);
}

TEST(TiffWriter, CarriesResolutionAndGeoTags) {
    const TempDir dir;
    const Image image = makeImage(PixelType::u8, 10, 10);
    PlaneFacts facts;
    facts.carried = everyCopiedTag();
    writeTiff(dir / "geo.tif", {image, facts});
    EXPECT_EQ(readImage(dir / "geo.tif").info.carried, facts.carried);
    facts.carried = readImageInfo(dir / "geo.tif").carried;
    writeTiff(dir / "again.tif", {image, facts});
    EXPECT_EQ(readImage(dir / "again.tif").info.carried, everyCopiedTag());
    EXPECT_EQ(levelsOf(*readImage(dir / "again.tif").image), levelsOf(image));
}

TEST(TiffWriter, LeavesOutTagsThatContradictThemselves) {
    const TempDir dir;
    PlaneFacts facts;
    facts.carried = {CopiedTag{33550, TIFF_DOUBLE, 100, {}}, CopiedTag{34735, 99, 1, {}},
                     CopiedTag{TIFFTAG_XRESOLUTION, TIFF_SHORT, 1, std::vector<std::byte>(2)},
                     carry<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, {4})};
    const Image image = makeImage(PixelType::u8, 10, 10);
    writeTiff(dir / "odd.tif", {image, facts});
    EXPECT_EQ(levelsOf(*readImage(dir / "odd.tif").image), levelsOf(image));
    EXPECT_TRUE(readImageInfo(dir / "odd.tif").carried.empty());
}

/// Checks that writing fails, and that the directory @p dir and the old file are unchanged.
void expectRefusal(const TempDir& dir, const fs::path& target, const char* says, const Image& image) {
    const std::size_t entries = dir.entries();
    try {
        writeTiff(target, image);
        ADD_FAILURE() << target;
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::writeFailed);
        EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find(target.string()), std::string::npos) << error.what();
    }
    EXPECT_EQ(dir.entries(), entries);
}

TEST(TiffWriter, RefusesImpossibleTargets) {
    const TempDir dir;
    const Image image = makeImage(PixelType::u8, 10, 10);
    expectRefusal(dir, dir / "missing" / "out.tif", "does not exist", image);
    fs::create_directory(dir / "folder.tif");
    expectRefusal(dir, dir / "folder.tif", "is a directory", image);
    expectRefusal(dir, "/dev/null", "is a pipe or a device", image);
    expectRefusal(dir, dir.path() / "", "not a file name", image);
}

TEST(TiffWriter, LeavesTheOldFileWhenTheDiskIsFull) {
    const TempDir dir;
    writeTiff(dir / "out.tif", makeImage(PixelType::u8, 20, 20));
    const std::string before = readBytes(dir / "out.tif");
    const Image large = makeImage(PixelType::u16, 1000, 1000);
    for (const rlim_t limit : {0, 4, 100, 5000, 300000}) {
        const FileSizeLimit full(limit);
        expectRefusal(dir, dir / "out.tif", "out.tif", large);
        EXPECT_EQ(readBytes(dir / "out.tif"), before);
    }
}

TEST(TiffWriter, LeavesTheOldFileWhenCancelled) {
    const TempDir dir;
    writeTiff(dir / "out.tif", makeImage(PixelType::u8, 20, 20));
    const std::string before = readBytes(dir / "out.tif");
    std::stop_source stop;
    const JobControl control(stop.get_token(), [&](double f, std::string_view) {
        if (f > 0.3) {
            stop.request_stop();
        }
    });
    EXPECT_THROW(writeTiff(dir / "out.tif", makeImage(PixelType::u8, 2000, 2000), {}, control), Cancelled);
    EXPECT_EQ(readBytes(dir / "out.tif"), before);
    EXPECT_EQ(dir.entries(), 1U);
}

mode_t modeOf(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::lstat(path.c_str(), &status), 0);
    return status.st_mode & 0777;
}

TEST(AtomicFile, HonoursTheUmaskAndKeepsTheModeOfWhatItReplaces) {
    const TempDir dir;
    const Image image = makeImage(PixelType::u8, 4, 4);
    const mode_t old = ::umask(027);
    writeTiff(dir / "new.tif", image);
    ::umask(old);
    EXPECT_EQ(modeOf(dir / "new.tif"), 0640U);
    ASSERT_EQ(::chmod((dir / "new.tif").c_str(), 0604), 0);
    writeTiff(dir / "new.tif", image);
    EXPECT_EQ(modeOf(dir / "new.tif"), 0604U);
}

TEST(AtomicFile, ReplacesWhatALinkPointsTo) {
    const TempDir dir;
    writeBytes(dir / "real.tif", "old");
    fs::create_symlink("real.tif", dir / "link.tif");
    writeTiff(dir / "link.tif", makeImage(PixelType::u8, 4, 4));
    EXPECT_TRUE(fs::is_symlink(dir / "link.tif"));
    EXPECT_EQ(readImage(dir / "real.tif").image->width(), 4U);
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
    const TempDir dir;
    {
        AtomicFile file(dir / "a.txt", "cannot write text");
        file.writeAll("abc", 3);
        EXPECT_FALSE(fs::exists(dir / "a.txt"));
        EXPECT_EQ(file.temporary().parent_path(), dir.path());
    }
    EXPECT_EQ(dir.entries(), 0U);
    AtomicFile file(dir / "a.txt", "cannot write text");
    file.writeAll("abc", 3);
    file.commit();
    EXPECT_EQ(readBytes(dir / "a.txt"), "abc");
    EXPECT_EQ(dir.entries(), 1U);
}

TEST(AtomicFile, WritesNamesAsLongAsTheSystemAllows) {
    const TempDir dir;
    const std::string name = std::string(251, 'n') + ".tif";
    writeTiff(dir / name, makeImage(PixelType::u8, 4, 4));
    EXPECT_EQ(readImage(dir / name).image->width(), 4U);
}

} // namespace

} // namespace pollard::test
