#include "core/io/io_support.hpp"

#include "formats/tiff/tiff_handle.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/length_units.hpp"

#include <cmath>
#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <png.h>
#include <tiffio.h>

#include <jpeglib.h>

namespace pollard::test {

namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr std::uint32_t kWidth = 12;
constexpr std::uint32_t kHeight = 8;

/// A TIFF of grey pages; @p setTags adds tags to each directory.
void writePages(const std::filesystem::path& path, int pages, const std::function<void(TIFF*, int)>& setTags) {
    TIFF* tiff = TIFFOpen(path.c_str(), "w");
    ASSERT_NE(tiff, nullptr);
    for (int page = 0; page < pages; ++page) {
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kWidth);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kHeight);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, kHeight);
        setTags(tiff, page);
        std::vector<std::uint8_t> row(kWidth, static_cast<std::uint8_t>(page + 1));
        for (std::uint32_t y = 0; y < kHeight; ++y) {
            TIFFWriteScanline(tiff, row.data(), y, 0);
        }
        TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
}

void setResolution(TIFF* tiff, double x, double y, std::uint16_t unit) {
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, x);
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, y);
    TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, unit);
}

ImageInfo infoOf(const std::filesystem::path& path, int page = 0) {
    ReadOptions options;
    options.page = page;
    return readImageInfo(path, options);
}

TEST(TiffDescription, OmeOfTheFirstPageDescribesAllPages) {
    const TempDir dir;
    const char* xml = R"(<OME><Image Name="n"><Pixels DimensionOrder="XYZCT" SizeC="2" SizeZ="3" SizeT="1"
        PhysicalSizeX="0.1" PhysicalSizeY="0.2"><Channel Name="red dye"/><Channel Name="green dye"/><TiffData/>
        </Pixels></Image></OME>)";
    writePages(dir / "ome.tif", 6, [&](TIFF* tiff, int page) {
        setResolution(tiff, 300, 300, RESUNIT_INCH);
        if (page == 0) {
            TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, xml);
        }
    });
    for (const int page : {0, 5}) {
        const ImageInfo info = infoOf(dir / "ome.tif", page);
        EXPECT_THAT(info.axes, ElementsAre(StackAxis{'z', 3, {}}, StackAxis{'c', 2, {"red dye", "green dye"}}));
        EXPECT_EQ(info.pixelSize, (PixelSize{0.1, 0.2, "µm", "OME-XML", false}));
        EXPECT_EQ(info.pages, 6);
    }
}

TEST(TiffDescription, ImageJTakesItsUnitFromTheText) {
    const TempDir dir;
    writePages(dir / "ij.tif", 4, [&](TIFF* tiff, int) {
        setResolution(tiff, 8, 8, RESUNIT_NONE);
        TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "ImageJ=1.53t\nimages=4\nchannels=2\nframes=2\nunit=micron\n");
    });
    const ImageInfo info = infoOf(dir / "ij.tif", 3);
    EXPECT_THAT(info.axes, ElementsAre(StackAxis{'c', 2, {}}, StackAxis{'t', 2, {}}));
    EXPECT_EQ(info.pixelSize, (PixelSize{0.125, 0.125, "µm", "ImageJ", false}));
}

TEST(TiffDescription, PlainPagesHaveAnAxisWithoutMeaning) {
    const TempDir dir;
    writePages(dir / "p.tif", 3, [](TIFF* tiff, int) {
        TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "two\nlines \xb5");
        TIFFSetField(tiff, TIFFTAG_SOFTWARE, "a program");
    });
    const ImageInfo info = infoOf(dir / "p.tif");
    EXPECT_THAT(info.axes, ElementsAre(StackAxis{'p', 3, {}}));
    EXPECT_THAT(info.facts, ElementsAre(Pair("Description", "two lines µ"), Pair("Software", "a program")));
    EXPECT_FALSE(info.pixelSize);
    writePages(dir / "one.tif", 1, [](TIFF*, int) {});
    EXPECT_TRUE(infoOf(dir / "one.tif").axes.empty());
}

TEST(TiffDescription, ResolutionBecomesPixelSize) {
    const TempDir dir;
    const auto size = [&](double resolution, std::uint16_t unit) {
        writePages(dir / "r.tif", 1, [&](TIFF* tiff, int) { setResolution(tiff, resolution, resolution, unit); });
        return infoOf(dir / "r.tif").pixelSize;
    };
    EXPECT_EQ(size(40000, RESUNIT_CENTIMETER), (PixelSize{0.25, 0.25, "µm", "TIFF resolution", false}));
    EXPECT_EQ(size(25400, RESUNIT_INCH), (PixelSize{1, 1, "µm", "TIFF resolution", false}));
    EXPECT_FALSE(size(300, RESUNIT_NONE));
    EXPECT_FALSE(size(0, RESUNIT_INCH));
    const auto print = size(254, RESUNIT_INCH);
    ASSERT_TRUE(print);
    EXPECT_DOUBLE_EQ(print->x, 100);
    EXPECT_TRUE(print->print);
}

TEST(TiffDescription, AperioTellsMicrometres) {
    const TempDir dir;
    writePages(dir / "a.tif", 1, [](TIFF* tiff, int) {
        TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION,
                     "Aperio Image Library v1\r\n12x8|AppMag = 20|MPP = 0.4990|Left = 1");
    });
    EXPECT_EQ(infoOf(dir / "a.tif").pixelSize, (PixelSize{0.499, 0.499, "µm", "Aperio", false}));
}

TEST(TiffDescription, ImageJWithoutAUnitStatesTheProportionsOfVoxels) {
    const TempDir dir;
    writePages(dir / "v.tif", 8, [](TIFF* tiff, int page) {
        setResolution(tiff, 1, 1, RESUNIT_NONE);
        if (page == 0) {
            TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "ImageJ=1.53t\nimages=8\nslices=8\nunit=pixel\nspacing=4.0\n");
        }
    });
    const ImageInfo info = infoOf(dir / "v.tif");
    EXPECT_FALSE(info.pixelSize);
    EXPECT_EQ(info.spacing, (VoxelSides{1, 1, 4}));
}

TEST(TiffDescription, ProportionsOfPixelsFollowTheOrientation) {
    const TempDir dir;
    const auto spacing = [&](std::uint16_t orientation) {
        writePages(dir / "o.tif", 1, [&](TIFF* tiff, int) {
            setResolution(tiff, 2, 1, RESUNIT_NONE);
            TIFFSetField(tiff, TIFFTAG_ORIENTATION, orientation);
        });
        return infoOf(dir / "o.tif").spacing;
    };
    EXPECT_EQ(spacing(ORIENTATION_TOPLEFT), (VoxelSides{0.5, 1, 0}));
    EXPECT_EQ(spacing(ORIENTATION_RIGHTTOP), (VoxelSides{1, 0.5, 0}));
}

TEST(PrintResolution, IsMarkedBetween72And1200Dots) {
    constexpr double kInch = 25400;
    EXPECT_TRUE(pixelSizeOfResolution(72, 72, kInch, "")->print);
    EXPECT_TRUE(pixelSizeOfResolution(28, 28.35, 10000, "")->print == false);
    EXPECT_TRUE(pixelSizeOfResolution(2835, 2835, 1e6, "")->print);
    EXPECT_TRUE(pixelSizeOfResolution(1200, 1200, kInch, "")->print);
    EXPECT_FALSE(pixelSizeOfResolution(1300, 1300, kInch, "")->print);
    EXPECT_FALSE(pixelSizeOfResolution(60, 60, kInch, "")->print);
    EXPECT_FALSE(pixelSizeOfResolution(0, 1, kInch, ""));
    EXPECT_FALSE(pixelSizeOfResolution(-1, 1, kInch, ""));
    EXPECT_FALSE(pixelSizeOfResolution(std::nan(""), 1, kInch, ""));
}

TEST(PngDescription, ResolutionBecomesPixelSize) {
    const TempDir dir;
    const auto size = [&](png_uint_32 perUnit, int unit) {
        std::FILE* file = std::fopen((dir / "p.png").c_str(), "wb");
        png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
        png_infop info = png_create_info_struct(png);
        png_init_io(png, file);
        png_set_IHDR(png, info, 1, 1, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                     PNG_FILTER_TYPE_DEFAULT);
        png_set_pHYs(png, info, perUnit, perUnit, unit);
        png_write_info(png, info);
        const png_byte pixel = 7;
        png_write_row(png, &pixel);
        png_write_end(png, info);
        png_destroy_write_struct(&png, &info);
        std::fclose(file);
        return infoOf(dir / "p.png").pixelSize;
    };
    EXPECT_EQ(size(2000000, PNG_RESOLUTION_METER), (PixelSize{0.5, 0.5, "µm", "PNG resolution", false}));
    EXPECT_TRUE(size(2835, PNG_RESOLUTION_METER)->print);
    EXPECT_FALSE(size(3, PNG_RESOLUTION_UNKNOWN));
}

TEST(JpegDescription, DensityBecomesPixelSize) {
    const TempDir dir;
    std::FILE* file = std::fopen((dir / "d.jpg").c_str(), "wb");
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = 1;
    jpeg.image_height = 1;
    jpeg.input_components = 1;
    jpeg.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg.density_unit = 2; // per centimetre
    jpeg.X_density = 100;
    jpeg.Y_density = 50;
    jpeg_start_compress(&jpeg, TRUE);
    JSAMPLE pixel = 9;
    JSAMPROW row = &pixel;
    jpeg_write_scanlines(&jpeg, &row, 1);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    std::fclose(file);
    EXPECT_EQ(infoOf(dir / "d.jpg").pixelSize, (PixelSize{100, 200, "µm", "JPEG density", true}));
}

PlaneFacts carrying(const LoadedImage& loaded) {
    PlaneFacts facts;
    facts.carried = loaded.info.carried;
    return facts;
}

/// All georeferencing tags, from a file through reading a part or a reduced version to a written file.
TEST(GeoTiff, TagsFollowRegionAndShrinkIntoTheWrittenFile) {
    const TempDir dir;
    const std::vector<double> scale = {10, 20, 0};
    const std::vector<double> tie = {0, 0, 0, 500000, 5400000, 0};
    const std::vector<double> doubles = {6378137, 298.25};
    std::vector<double> rpc(92, 0.5);
    const std::vector<std::uint16_t> keys = {1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32632};
    const auto add = [](TIFF* tiff, std::uint32_t tag, TIFFDataType type, const auto& values) {
        char name[] = "geo";
        const TIFFFieldInfo field{tag, TIFF_VARIABLE2, TIFF_VARIABLE2, type, FIELD_CUSTOM, 1, 1, name};
        TIFFMergeFieldInfo(tiff, &field, 1);
        EXPECT_EQ(TIFFSetField(tiff, tag, static_cast<std::uint32_t>(values.size()), values.data()), 1) << tag;
    };
    writePages(dir / "geo.tif", 1, [&](TIFF* tiff, int) {
        setResolution(tiff, 300, 600, RESUNIT_INCH);
        add(tiff, kModelPixelScaleTag, TIFF_DOUBLE, scale);
        add(tiff, kModelTiepointTag, TIFF_DOUBLE, tie);
        add(tiff, kGeoKeyDirectoryTag, TIFF_SHORT, keys);
        add(tiff, kGeoDoubleParamsTag, TIFF_DOUBLE, doubles);
        add(tiff, kGeoAsciiParamsTag, TIFF_ASCII, std::string("WGS 84|") + '\0');
        add(tiff, kGdalMetadataTag, TIFF_ASCII, std::string("<GDALMetadata/>") + '\0');
        add(tiff, kGdalNoDataTag, TIFF_ASCII, std::string("200") + '\0');
        add(tiff, kRpcCoefficientTag, TIFF_DOUBLE, rpc);
    });
    const LoadedImage whole = readImage(dir / "geo.tif");
    EXPECT_EQ(whole.info.carried.size(), 11U);
    writeTiff(dir / "whole.tif", {*whole.image, carrying(whole)});
    EXPECT_EQ(readImage(dir / "whole.tif").info.carried, whole.info.carried);
    EXPECT_EQ(whole.info.pixelSize, (PixelSize{10, 20, "m", "GeoTIFF", false}));

    ReadOptions options;
    options.region = PixelRegion{4, 2, 6, 6};
    options.shrink = 2;
    const LoadedImage part = readImage(dir / "geo.tif", options);
    writeTiff(dir / "part.tif", {*part.image, carrying(part)});
    const LoadedImage again = readImage(dir / "part.tif");
    EXPECT_EQ(again.info.carried.size(), 11U);
    const auto get = [&](std::uint16_t tag) { return geoValues<double>(again.info.carried, tag, TIFF_DOUBLE); };
    EXPECT_THAT(get(kModelPixelScaleTag), ElementsAre(20, 40, 0));
    EXPECT_THAT(get(kModelTiepointTag), ElementsAre(0, 0, 0, 500040, 5399960, 0));
    EXPECT_EQ(get(kGeoDoubleParamsTag), doubles);
    EXPECT_EQ(get(kRpcCoefficientTag)[2], (0.5 + 0.5 - 2) / 2 - 0.5);
    EXPECT_EQ(geoValues<std::uint16_t>(again.info.carried, kGeoKeyDirectoryTag, TIFF_SHORT), keys);
    EXPECT_EQ(geoText(again.info.carried, kGeoAsciiParamsTag), "WGS 84|");
    EXPECT_EQ(geoText(again.info.carried, kGdalNoDataTag), "200");
    EXPECT_EQ(geoText(again.info.carried, kGdalMetadataTag), "<GDALMetadata/>");
    EXPECT_EQ(again.info.pixelSize, (PixelSize{20, 40, "m", "GeoTIFF", false}));
}

} // namespace

} // namespace pollard::test
