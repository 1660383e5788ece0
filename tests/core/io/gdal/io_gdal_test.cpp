#include "core/io/gdal/gdal_files.hpp"

#include "io/channels.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/geo_tags.hpp"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <stop_token>

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;

std::vector<CopiedTag> withoutMetadata(std::vector<CopiedTag> tags) {
    std::erase_if(tags, [](const CopiedTag& tag) { return tag.tag == kGdalMetadataTag; });
    std::sort(tags.begin(), tags.end(), [](const CopiedTag& a, const CopiedTag& b) { return a.tag < b.tag; });
    return tags;
}

/// Compares pixels and facts of all channels with the TIFF that gdal_translate makes of the file.
void expectAsTranslated(const std::filesystem::path& file, const ReadOptions& options = {}, std::string part = {}) {
    const std::filesystem::path tiff = file.parent_path() / "translated.tif";
    translate(part.empty() ? file.string() : part, tiff);
    ReadOptions ofTiff = options;
    ofTiff.page = 0;
    const int samples = readImageInfo(tiff, ofTiff).samples;
    for (int i = -1; i < samples; ++i) {
        ReadOptions one = options;
        ofTiff.channel = one.channel = i < 0 ? ChannelChoice{} : ChannelChoice{ChannelChoice::Kind::sample, i};
        const LoadedImage expected = readImage(tiff, ofTiff);
        const LoadedImage got = readImage(file, one);
        if (i < 0 && got.info.photometric != expected.info.photometric) {
            continue; // GDAL states red, green and blue for any three bands of bytes that it writes
        }
        EXPECT_EQ(levelsOf(*got.image), levelsOf(*expected.image)) << "sample " << i;
        EXPECT_EQ(got.image->type(), expected.image->type());
        EXPECT_EQ(got.valid == nullptr, expected.valid == nullptr);
        if (got.valid && expected.valid) {
            EXPECT_EQ(*got.valid, *expected.valid) << "sample " << i;
        }
        EXPECT_EQ(got.info.mapping, expected.info.mapping);
        EXPECT_EQ(got.info.pixelSize, expected.info.pixelSize);
        EXPECT_EQ(withoutMetadata(got.info.carried), withoutMetadata(expected.info.carried));
        EXPECT_EQ(got.info.sampleFormat, expected.info.sampleFormat);
        EXPECT_EQ(got.info.samples, expected.info.samples);
        EXPECT_EQ(channelsOf(got.info).size(), channelsOf(expected.info).size());
    }
}

struct Driver {
    std::string name;
    std::string file;
    GDALDataType type = GDT_Byte;
    int bands = 1;
    std::vector<const char*> options = {};
    bool onMap = true;
};

std::ostream& operator<<(std::ostream& out, const Driver& driver) { return out << driver.name; }

class GdalDrivers : public ::testing::TestWithParam<Driver> {};

TEST_P(GdalDrivers, ReadAsGdalTranslatesThem) {
    const Driver& driver = GetParam();
    const TempDir dir;
    GdalImage image;
    image.type = driver.type;
    image.bands = driver.bands;
    image.onMap = driver.onMap;
    if (!copyTo(driver.name, image.make().get(), dir / driver.file, driver.options)) {
        GTEST_SKIP() << "GDAL " << GDALVersionInfo("RELEASE_NAME") << " does not write " << driver.name;
    }
    const ImageInfo info = readImageInfo(dir / driver.file);
    EXPECT_EQ(info.format, driver.name);
    EXPECT_EQ(info.width, 23U);
    EXPECT_EQ(info.height, 17U);
    EXPECT_EQ(info.samples, driver.bands);
    expectAsTranslated(dir / driver.file);
    ReadOptions part;
    part.region = PixelRegion{3, 2, 11, 9};
    const auto whole = readImage(dir / driver.file).image;
    const LoadedImage region = readImage(dir / driver.file, part);
    if (!region.info.mapping || region.info.mapping->exact) {
        const auto page = openPage(dir / driver.file, {}, PageUse::regions);
        const LoadedImage again = page->readRegion(*part.region, {});
        EXPECT_EQ(levelsOf(*again.image), levelsOf(*region.image));
    }
    if (!region.info.mapping) {
        for (std::uint32_t y = 0; y < 9; ++y) {
            for (std::uint32_t x = 0; x < 11; ++x) {
                ASSERT_EQ(region.image->level(y * 11 + x), whole->level((y + 2) * 23 + x + 3));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, GdalDrivers,
    ::testing::Values(
        Driver{"ENVI", "a.dat", GDT_Byte, 3}, Driver{"ENVI", "a.bin", GDT_UInt16, 2, {"INTERLEAVE=BIL"}},
        Driver{"ENVI", "i16.dat", GDT_Int16, 2, {"INTERLEAVE=BIP"}}, Driver{"ENVI", "u32.dat", GDT_UInt32},
        Driver{"ENVI", "i32.dat", GDT_Int32}, Driver{"ENVI", "f32.dat", GDT_Float32, 2},
        Driver{"ENVI", "f64.dat", GDT_Float64}, Driver{"EHdr", "a.bil", GDT_Int16},
        Driver{"HFA", "a.img", GDT_UInt16, 3}, Driver{"HFA", "i8.img", GDT_Byte, 1, {"PIXELTYPE=SIGNEDBYTE"}},
        Driver{"HFA", "packed.img", GDT_Byte, 2, {"COMPRESSED=YES"}}, Driver{"AAIGrid", "a.asc", GDT_Int32},
        Driver{"AAIGrid", "f.asc", GDT_Float32}, Driver{"GSAG", "g.grd", GDT_Float32},
        Driver{"GSBG", "b.grd", GDT_Float32}, Driver{"GS7BG", "7.grd", GDT_Float64}, Driver{"RST", "a.rst", GDT_Int16},
        Driver{"SAGA", "a.sdat", GDT_Float32}, Driver{"PCIDSK", "a.pix", GDT_UInt16, 3},
        Driver{"ERS", "a.ers", GDT_Int16, 2}, Driver{"BMP", "a.bmp"}, Driver{"BMP", "rgb.bmp", GDT_Byte, 3},
        Driver{"GIF", "a.gif"}, Driver{"XPM", "a.xpm", GDT_Byte, 1, {}, false}, Driver{"BT", "a.bt", GDT_Int16},
        Driver{"GTX", "a.gtx", GDT_Float32}, Driver{"RRASTER", "a.grd", GDT_Float32, 2},
        Driver{"KRO", "a.kro", GDT_UInt16, 3, {}, false}, Driver{"RMF", "a.rsw", GDT_Byte, 3},
        Driver{"ISIS3", "a.cub", GDT_Int16, 2}, Driver{"PDS4", "a.xml", GDT_UInt16, 2},
        Driver{"VICAR", "a.vic", GDT_Int16}, Driver{"NITF", "a.ntf", GDT_UInt16, 2},
        Driver{"SIGDEM", "a.sigdem", GDT_Float64}, Driver{"ZMap", "a.zmap", GDT_Float64},
        Driver{"HF2", "a.hf2", GDT_Float32}, Driver{"ROI_PAC", "a.dem", GDT_Int16},
        Driver{"MFF", "a.hdr", GDT_Byte, 2, {}, false}, Driver{"PAux", "a.raw", GDT_Int16, 2},
        Driver{"ISCE", "a.slc", GDT_Int32}, Driver{"SGI", "a.rgb", GDT_Byte, 3, {}, false},
        Driver{"GRIB", "a.grb", GDT_Float64}),
    [](const auto& test) { return test.param.name + std::to_string(test.index); });

TEST(Gdal, ReadsAVirtualRasterOfFilesInItsFolder) {
    const TempDir dir;
    GdalImage image;
    image.type = GDT_UInt16;
    ASSERT_TRUE(copyTo("GTiff", image.make().get(), dir / "a.tif"));
    writeBytes(dir / "a.vrt",
               R"(<VRTDataset rasterXSize="46" rasterYSize="17"><VRTRasterBand dataType="UInt16" band="1">
<SimpleSource><SourceFilename relativeToVRT="1">a.tif</SourceFilename><SourceBand>1</SourceBand>
<SrcRect xOff="0" yOff="0" xSize="23" ySize="17"/><DstRect xOff="0" yOff="0" xSize="23" ySize="17"/></SimpleSource>
<SimpleSource><SourceFilename relativeToVRT="1">a.tif</SourceFilename><SourceBand>1</SourceBand>
<SrcRect xOff="0" yOff="0" xSize="23" ySize="17"/><DstRect xOff="23" yOff="0" xSize="23" ySize="17"/></SimpleSource>
</VRTRasterBand></VRTDataset>)");
    const auto source = readImage(dir / "a.tif").image;
    const LoadedImage mosaic = readImage(dir / "a.vrt");
    EXPECT_EQ(mosaic.info.format, "VRT");
    for (std::uint32_t y = 0; y < 17; ++y) {
        for (std::uint32_t x = 0; x < 46; ++x) {
            ASSERT_EQ(mosaic.image->level(y * 46 + x), source->level(y * 23 + x % 23));
        }
    }
}

TEST(Gdal, LeavesTheTagsOfTiffsAsTheyAre) {
    const TempDir dir;
    ASSERT_TRUE(copyTo("GTiff", GdalImage{}.make().get(), dir / "a.tif"));
    const ImageInfo info = readImageInfo(dir / "a.tif");
    EXPECT_EQ(info.format, "TIFF");
    EXPECT_THAT(info.facts, Contains(Pair("Coordinate system", HasSubstr("32632"))));
    EXPECT_THAT(info.facts, Contains(Pair("Upper left corner", "500000, 5600000")));
}

TEST(Gdal, StatesTheMapAndItsPixelSize) {
    const TempDir dir;
    ASSERT_TRUE(copyTo("HFA", GdalImage{}.make().get(), dir / "a.img"));
    const ImageInfo info = readImageInfo(dir / "a.img");
    ASSERT_TRUE(info.pixelSize.has_value());
    EXPECT_EQ(*info.pixelSize, (PixelSize{10, 10, "m", "GeoTIFF", false}));
    EXPECT_THAT(info.facts, Contains(Pair("Coordinate system", HasSubstr("32632"))));
    EXPECT_THAT(info.facts, Contains(Pair("Upper left corner", "500000, 5600000")));
    EXPECT_EQ(GeoKeys(info.carried).number(kProjectedCrsKey), std::uint16_t{32632});
}

TEST(Gdal, LeavesOutPixelsWithoutData) {
    const TempDir dir;
    for (const GDALDataType type : {GDT_Byte, GDT_Int16, GDT_Float32}) {
        GdalImage image;
        image.type = type;
        image.more = [](GDALDatasetH made) { GDALSetRasterNoDataValue(GDALGetRasterBand(made, 1), 7); };
        const std::string name = std::string(GDALGetDataTypeName(type)) + ".img";
        ASSERT_TRUE(copyTo("HFA", image.make().get(), dir / name));
        const LoadedImage loaded = readImage(dir / name);
        ASSERT_NE(loaded.valid, nullptr);
        for (std::uint32_t y = 0; y < 17; ++y) {
            for (std::uint32_t x = 0; x < 23; ++x) {
                const int value = static_cast<int>(image.value(0, static_cast<int>(x), static_cast<int>(y)));
                ASSERT_EQ(loaded.valid->test(x, y), value != 7) << x << ", " << y;
            }
        }
        EXPECT_THAT(loaded.info.facts, Contains(Pair("No-data value", "7")));
        EXPECT_TRUE(openPage(dir / name, {}, PageUse::regions)->mayHaveGaps());
    }
}

TEST(Gdal, NoPixelHasANoDataValueThatIsNoLevel) {
    const TempDir dir;
    for (const double noData : {3.5, -1.0, 300.0, 65536.0 + 7}) {
        GdalImage image;
        image.value = [](int /*band*/, int x, int y) { return (x + y) % 2 == 0 ? 3 : x % 2 == 0 ? 44 : 255; };
        image.more = [&](GDALDatasetH made) { GDALSetRasterNoDataValue(GDALGetRasterBand(made, 1), noData); };
        ASSERT_TRUE(copyTo("HFA", image.make().get(), dir / "a.img"));
        const LoadedImage loaded = readImage(dir / "a.img");
        EXPECT_EQ(loaded.valid, nullptr) << noData;
        EXPECT_EQ(loaded.info.invalidPixels, 0U);
        EXPECT_EQ(loaded.image->level(0), 3);
    }
}

TEST(Gdal, LeavesOutPixelsOfAMask) {
    const TempDir dir;
    GdalImage image;
    image.type = GDT_UInt16;
    image.more = [](GDALDatasetH made) {
        GDALCreateDatasetMaskBand(made, GMF_PER_DATASET);
        std::vector<GByte> mask(23 * 17, 255);
        std::fill(mask.begin(), mask.begin() + 23, GByte{0});
        EXPECT_EQ(GDALRasterIO(GDALGetMaskBand(GDALGetRasterBand(made, 1)), GF_Write, 0, 0, 23, 17, mask.data(), 23, 17,
                               GDT_Byte, 0, 0),
                  CE_None);
    };
    ASSERT_TRUE(copyTo("ENVI", image.make().get(), dir / "a.dat"));
    ASSERT_TRUE(std::filesystem::exists(dir / "a.dat.msk")) << "GDAL keeps the mask beside";
    const LoadedImage loaded = readImage(dir / "a.dat");
    ASSERT_NE(loaded.valid, nullptr);
    EXPECT_EQ(loaded.info.invalidPixels, 23U);
    EXPECT_FALSE(loaded.valid->test(22, 0));
    EXPECT_TRUE(loaded.valid->test(0, 1));
}

TEST(Gdal, StatesScaleOffsetAndUnitOfValues) {
    const TempDir dir;
    GdalImage image;
    image.type = GDT_Int16;
    image.more = [](GDALDatasetH made) {
        GDALSetRasterScale(GDALGetRasterBand(made, 1), 0.25);
        GDALSetRasterOffset(GDALGetRasterBand(made, 1), -40);
        GDALSetDescription(GDALGetRasterBand(made, 1), "temperature");
    };
    ASSERT_TRUE(copyTo("ENVI", image.make().get(), dir / "a.dat"));
    expectAsTranslated(dir / "a.dat");
    const ImageInfo info = readImageInfo(dir / "a.dat");
    EXPECT_THAT(info.facts, Contains(Pair("Scale of values", "0.25")));
    EXPECT_THAT(info.facts, Contains(Pair("Offset of values", "-40")));
    EXPECT_EQ(channelsOf(info).front().name, "temperature");
    writeBytes(dir / "a.vrt", R"(<VRTDataset rasterXSize="2" rasterYSize="1"><VRTRasterBand dataType="Int16" band="1">
<UnitType>degC</UnitType></VRTRasterBand></VRTDataset>)");
    EXPECT_THAT(readImageInfo(dir / "a.vrt").facts, Contains(Pair("Unit of values", "degC")));
}

TEST(Gdal, NamesBandsByTheirDescriptions) {
    const TempDir dir;
    GdalImage image;
    image.bands = 2;
    image.more = [](GDALDatasetH made) {
        GDALSetDescription(GDALGetRasterBand(made, 1), "red edge");
        GDALSetDescription(GDALGetRasterBand(made, 2), "nir");
    };
    ASSERT_TRUE(copyTo("ENVI", image.make().get(), dir / "a.dat"));
    ReadOptions options;
    options.channel = ChannelChoice::parse("nir");
    EXPECT_EQ(levelsOf(*readImage(dir / "a.dat", options).image),
              levelsOf(*readImage(dir / "a.dat", withChannel(1)).image));
}

TEST(Gdal, ShowsPalettesAsLuminance) {
    const TempDir dir;
    GdalImage image;
    image.value = [](int, int x, int) { return x % 3; };
    image.more = [](GDALDatasetH made) {
        GDALColorTableH table = GDALCreateColorTable(GPI_RGB);
        for (const auto& [index, colour] :
             {std::pair<int, GDALColorEntry>{0, {255, 0, 0, 255}}, {1, {0, 255, 0, 255}}, {2, {0, 0, 255, 255}}}) {
            GDALSetColorEntry(table, index, &colour);
        }
        GDALSetRasterColorTable(GDALGetRasterBand(made, 1), table);
        GDALDestroyColorTable(table);
    };
    ASSERT_TRUE(copyTo("GIF", image.make().get(), dir / "a.gif"));
    const LoadedImage loaded = readImage(dir / "a.gif");
    EXPECT_EQ(loaded.info.photometric, "Palette");
    EXPECT_EQ(loaded.image->level(0), 54U);
    EXPECT_EQ(loaded.image->level(1), 182U);
    EXPECT_EQ(loaded.image->level(2), 18U);
    expectAsTranslated(dir / "a.gif");
}

TEST(Gdal, ReadsOverviewsAsLevels) {
    const TempDir dir;
    GdalImage image;
    image.width = 200;
    image.height = 120;
    ASSERT_TRUE(copyTo("HFA", image.make().get(), dir / "a.img", {}, {2, 4}));
    translate((dir / "a.img").string(), dir / "a.tif", {"COPY_SRC_OVERVIEWS=YES", "TILED=YES"});
    ReadOptions options;
    for (options.level = 0; options.level < 3; ++options.level) {
        const LoadedImage expected = readImage(dir / "a.tif", options);
        const LoadedImage level = readImage(dir / "a.img", options);
        EXPECT_EQ(level.info.levels, expected.info.levels);
        EXPECT_EQ(level.image->width(), 200U >> options.level);
        EXPECT_EQ(levelsOf(*level.image), levelsOf(*expected.image));
        EXPECT_EQ(level.info.pixelSize, expected.info.pixelSize);
        EXPECT_EQ(withoutMetadata(level.info.carried), withoutMetadata(expected.info.carried));
        EXPECT_EQ(levelsOf(*openPage(dir / "a.img", options, PageUse::regions)->readRegion({5, 3, 20, 11}, {}).image),
                  levelsOf(*openPage(dir / "a.tif", options, PageUse::regions)->readRegion({5, 3, 20, 11}, {}).image));
    }
    EXPECT_EQ(readFailure(dir / "a.img", options), ErrorCode::invalidArgument);
}

TEST(Gdal, PixelsOfAnOverviewCoverTheImage) {
    const TempDir dir;
    GdalImage image;
    image.width = 200;
    image.height = 101;
    ASSERT_TRUE(copyTo("HFA", image.make().get(), dir / "a.img", {}, {2}));
    ReadOptions options;
    options.level = 1;
    const ImageInfo info = readImageInfo(dir / "a.img", options);
    ASSERT_EQ(info.width, 100U);
    ASSERT_EQ(info.height, 51U);
    ASSERT_TRUE(info.pixelSize);
    EXPECT_DOUBLE_EQ(info.pixelSize->x * info.width, 200 * 10);
    EXPECT_DOUBLE_EQ(info.pixelSize->y * info.height, 101 * 10);
}

TEST(Gdal, ReadsTheArraysOfAFileAsPages) {
    const TempDir dir;
    if (!writeArrays(dir / "a.nc")) {
        GTEST_SKIP() << "GDAL without netCDF";
    }
    writeBytes(dir / "a.h5", readBytes(dir / "a.nc"));
    writeBytes(dir / "a.ims", readBytes(dir / "a.nc"));
    for (const char* name : {"a.nc", "a.h5", "a.ims"}) {
        ReadOptions options;
        const ImageInfo info = readImageInfo(dir / name);
        ASSERT_GE(info.pages, 2) << name;
        EXPECT_EQ(info.axes.at(0).labels.size(), static_cast<std::size_t>(info.pages));
        int found = 0;
        for (options.page = 0; options.page < info.pages; ++options.page) {
            const LoadedImage page = readImage(dir / name, options);
            EXPECT_EQ(page.info.page, options.page);
            const std::string& label = info.axes[0].labels[static_cast<std::size_t>(options.page)];
            const bool isFirst = label.find("first") != std::string::npos && label.find("23") != std::string::npos &&
                                 label.find("17") != std::string::npos;
            const bool isSecond = label.find("second") != std::string::npos && label.find("5x8") != std::string::npos;
            if (isFirst || isSecond) {
                ++found;
                ASSERT_EQ(page.image->width(), isFirst ? 23U : 8U) << label;
                for (std::size_t i = 0; i < page.image->pixelCount(); ++i) {
                    // GDAL counts rows of netCDF from the bottom.
                    const std::size_t width = page.image->width();
                    const std::size_t row = i / width;
                    const std::size_t stored =
                        name == std::string("a.nc") ? (page.image->height() - 1 - row) * width + i % width : i;
                    ASSERT_EQ(page.image->level(i), stored * 3 % 1000 + width) << name << ": " << label;
                }
            }
        }
        EXPECT_EQ(found, 2) << name;
        options.page = info.pages;
        EXPECT_EQ(readFailure(dir / name, options), ErrorCode::invalidArgument);
    }
}

TEST(Gdal, StopsQuickly) {
    const TempDir dir;
    ASSERT_TRUE(copyTo("ENVI", GdalImage{}.make().get(), dir / "a.dat"));
    const auto page = openPage(dir / "a.dat", {}, PageUse::regions);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)page->readRegion({0, 0, 23, 17}, JobControl(stop.get_token())), Cancelled);
    EXPECT_EQ(page->readRegion({0, 0, 23, 17}, {}).image->pixelCount(), 391U) << "it can be read later";
}

TEST(Gdal, RefusesComplexNumbers) {
    const TempDir dir;
    GdalImage image;
    image.type = GDT_CFloat32;
    ASSERT_TRUE(copyTo("ENVI", image.make().get(), dir / "a.dat"));
    std::string message;
    EXPECT_EQ(readFailure(dir / "a.dat", {}, &message), ErrorCode::formatUnsupported);
    EXPECT_THAT(message, HasSubstr("CFloat32 samples are not supported"));
}

} // namespace

} // namespace pollard::test
