#include "core/io/gdal/gdal_files.hpp"

#include "io/image_reader.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace pollard::test {

namespace {

using ::testing::HasSubstr;

constexpr auto kPatience = std::chrono::seconds(5);

/// A virtual raster with one band of 23 x 17 bytes.
std::string virtualRaster(const std::string& source, const std::string& band = "") {
    return R"(<VRTDataset rasterXSize="23" rasterYSize="17"><VRTRasterBand dataType="Byte" band="1" )" + band + ">" +
           source + "</VRTRasterBand></VRTDataset>";
}

std::string simpleSource(const std::string& name, bool relative = true) {
    return std::string("<SimpleSource><SourceFilename relativeToVRT=\"") + (relative ? "1" : "0") + "\">" + name +
           "</SourceFilename><SourceBand>1</SourceBand></SimpleSource>";
}

/// The message of a file that is refused soon, with nothing printed.
std::string refusal(const std::filesystem::path& path) {
    const auto start = std::chrono::steady_clock::now();
    std::string message;
    ::testing::internal::CaptureStderr();
    EXPECT_TRUE(readFailure(path, {}, &message).has_value()) << path << " was read";
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_LT(std::chrono::steady_clock::now() - start, kPatience);
    return message;
}

class HostileGdal : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(copyTo("GTiff", GdalImage{}.make().get(), outside_ / "secret.tif"));
        ASSERT_TRUE(copyTo("GTiff", GdalImage{}.make().get(), dir_ / "a.tif"));
    }
    /// Message of a virtual raster with this text.
    std::string refusalOf(const std::string& text) {
        writeBytes(dir_ / "a.vrt", text);
        return refusal(dir_ / "a.vrt");
    }

    TempDir dir_;
    TempDir outside_;
};

TEST_F(HostileGdal, FilesOutsideOfTheFolderAreNotRead) {
    const std::string secret = (outside_ / "secret.tif").string();
    EXPECT_THAT(refusalOf(virtualRaster(simpleSource(secret, false))), HasSubstr("not " + secret));
    const std::string up = "../" + outside_.path().filename().string() + "/secret.tif";
    EXPECT_THAT(refusalOf(virtualRaster(simpleSource(up))), HasSubstr("only files of the folder"));
    std::filesystem::create_symlink(secret, dir_ / "link.tif");
    EXPECT_THAT(refusalOf(virtualRaster(simpleSource("link.tif"))), HasSubstr("only files of the folder"));
    EXPECT_THAT(refusalOf(virtualRaster("<SourceFilename relativeToVRT=\"0\">" + secret +
                                            "</SourceFilename><ImageOffset>0</ImageOffset>",
                                        "subClass=\"VRTRawRasterBand\"")),
                HasSubstr("only files of the folder"));
}

TEST_F(HostileGdal, OtherFileSystemsAreNotRead) {
    for (const char* name : {"/vsicurl/http://127.0.0.1:9/a.tif", "/vsistdin/", "/vsis3/bucket/a.tif",
                             "/vsigzip//etc/passwd", "/vsizip//tmp/a.zip/a.tif", "/vsicurl?url=http://127.0.0.1:9/a",
                             "/vsitar//tmp/a.tar/a", "/vsisubfile/0_4,/etc/passwd"}) {
        EXPECT_THAT(refusalOf(virtualRaster(simpleSource(name, false))), HasSubstr("only files of the folder")) << name;
    }
}

TEST_F(HostileGdal, DescriptionsInPlaceOfNamesAreRefused) {
    const std::string secret = (outside_ / "secret.tif").string();
    for (const std::string& name :
         {"NETCDF:" + secret + ":v", "HDF5:\"" + secret + "\"://v", "GTIFF_DIR:1:" + secret, "vrt://" + secret,
          std::string("MEM:::DATAPOINTER=4096,PIXELS=23,LINES=17"), std::string("WMS:http://127.0.0.1:9/"),
          std::string("PG:host=127.0.0.1"), std::string("http://127.0.0.1:9/a.tif")}) {
        EXPECT_THAT(refusalOf(virtualRaster(simpleSource(name, false))), HasSubstr("in place of a file")) << name;
    }
    const std::string inner = "&lt;VRTDataset rasterXSize=\"23\" rasterYSize=\"17\">&lt;/VRTDataset>";
    EXPECT_THAT(refusalOf(virtualRaster(simpleSource(inner, false))), HasSubstr("in place of a file"));
}

TEST_F(HostileGdal, StatedPartsOfAVirtualRasterAreNoPages) {
    writeBytes(dir_ / "a.vrt",
               "<VRTDataset rasterXSize=\"23\" rasterYSize=\"17\"><Metadata domain=\"SUBDATASETS\"><MDI "
               "key=\"SUBDATASET_1_NAME\">" +
                   (outside_ / "secret.tif").string() +
                   "</MDI><MDI key=\"SUBDATASET_2_NAME\">NETCDF:/etc/passwd:a</MDI></Metadata>"
                   "<VRTRasterBand dataType=\"Byte\" band=\"1\"/></VRTDataset>");
    EXPECT_EQ(readImageInfo(dir_ / "a.vrt").pages, 1);
}

TEST_F(HostileGdal, PythonIsNotRun) {
    const std::filesystem::path mark = dir_ / "mark";
    ::setenv("GDAL_VRT_ENABLE_PYTHON", "YES", 1);
    const std::string message = refusalOf(
        virtualRaster("<PixelFunctionType>f</PixelFunctionType><PixelFunctionLanguage>Python</PixelFunctionLanguage>"
                      "<PixelFunctionCode><![CDATA[def f(*a, **b):\n  open('" +
                          mark.string() + "','w')\n]]></PixelFunctionCode>" + simpleSource("a.tif"),
                      "subClass=\"VRTDerivedRasterBand\""));
    ::unsetenv("GDAL_VRT_ENABLE_PYTHON");
    EXPECT_THAT(message, HasSubstr("GDAL: "));
    EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(HostileGdal, NothingIsWritten) {
    const std::size_t before = dir_.entries();
    writeBytes(dir_ / "a.vrt", virtualRaster(simpleSource("a.tif")));
    (void)readImage(dir_ / "a.vrt");
    EXPECT_EQ(dir_.entries(), before + 1);
}

TEST_F(HostileGdal, OnlyDriversOfFilesAreThere) {
    for (const char* name : {"WMS", "WMTS", "WCS", "HTTP", "PostGISRaster", "STACIT", "STACTA", "OGCAPI", "PDF", "Zarr",
                             "EEDAI", "KMLSUPEROVERLAY", "DERIVED", "MRF", "XYZ"}) {
        EXPECT_EQ(GDALGetDriverByName(name), nullptr) << name;
    }
    for (const char* name : {"GPKG", "ESRI Shapefile", "FlatGeobuf", "CSV"}) { // drivers of vector files
        GDALDriverH driver = GDALGetDriverByName(name);
        EXPECT_TRUE(driver == nullptr || GDALGetMetadataItem(driver, GDAL_DCAP_RASTER, nullptr) == nullptr) << name;
    }
    EXPECT_STREQ(CPLGetConfigOption("GDAL_DRIVER_PATH", ""), "disable");
}

TEST_F(HostileGdal, RecursionIsRefused) {
    EXPECT_THAT(refusalOf(virtualRaster(simpleSource("a.vrt"))), HasSubstr("a source of itself"));
    writeBytes(dir_ / "b.vrt", virtualRaster(simpleSource("c.vrt")));
    writeBytes(dir_ / "c.vrt", virtualRaster(simpleSource("a.vrt")));
    EXPECT_THAT(refusalOf(virtualRaster(simpleSource("b.vrt"))), HasSubstr("a source of itself"));
}

TEST_F(HostileGdal, TooManySourcesAreRefused) {
    std::string name = "a.tif";
    for (int level = 0; level < 12; ++level) {
        std::string sources;
        for (int i = 0; i < 10; ++i) {
            sources += simpleSource(name);
        }
        name = std::to_string(level) + ".vrt";
        writeBytes(dir_ / name, virtualRaster(sources));
    }
    EXPECT_THAT(refusal(dir_ / name), HasSubstr("more than 1000000 sources"));
    EXPECT_EQ(readFailure(dir_ / "1.vrt"), std::nullopt) << "a hundred are few";
    for (int level = 0; level < 20; ++level) {
        writeBytes(dir_ / ("d" + std::to_string(level) + ".vrt"),
                   virtualRaster(simpleSource(level == 0 ? "a.tif" : "d" + std::to_string(level - 1) + ".vrt")));
    }
    EXPECT_THAT(refusal(dir_ / "d19.vrt"), HasSubstr("more than 16 levels"));
    EXPECT_EQ(readFailure(dir_ / "d15.vrt"), std::nullopt);
}

TEST_F(HostileGdal, OverviewsAreNoVirtualRasters) {
    ASSERT_TRUE(copyTo("ENVI", GdalImage{}.make().get(), dir_ / "b.dat"));
    writeBytes(dir_ / "b.dat.ovr", virtualRaster(simpleSource("b.dat")));
    EXPECT_THAT(refusal(dir_ / "b.dat"), HasSubstr("b.dat.ovr is a virtual raster"));
}

TEST_F(HostileGdal, HugeSizesAreRefused) {
    const std::string message = refusalOf("<VRTDataset rasterXSize=\"2000000000\" rasterYSize=\"2000000000\">"
                                          "<VRTRasterBand dataType=\"Float64\" band=\"1\"/></VRTDataset>");
    EXPECT_THAT(message, HasSubstr("more than the limit"));
    ReadOptions part;
    part.region = PixelRegion{1'999'999'990, 5, 4, 3};
    EXPECT_EQ(readImage(dir_ / "a.vrt", part).image->pixelCount(), 12U) << "a part of it is small";
}

/// Cuts the file off and changes bytes, which must end in pixels or in one line, and soon.
void damage(const std::filesystem::path& path) {
    const std::string whole = readBytes(path);
    std::mt19937 random(7);
    for (int i = 0; i < 40; ++i) {
        std::string bytes = whole;
        if (i % 2 == 0) {
            bytes.resize(bytes.size() * static_cast<std::size_t>(i + 1) / 41);
        } else {
            for (int k = 0; k < 8; ++k) {
                bytes[random() % std::min<std::size_t>(bytes.size(), 2000)] = static_cast<char>(random());
            }
        }
        writeBytes(path, bytes);
        const auto start = std::chrono::steady_clock::now();
        ::testing::internal::CaptureStderr();
        ReadOptions limited;
        limited.limits.maxPixels = 1 << 20;
        (void)readFailure(path, limited); // some changes leave a readable file
        EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << path << " " << i;
        EXPECT_LT(std::chrono::steady_clock::now() - start, kPatience) << path << " " << i;
    }
}

TEST_F(HostileGdal, DamagedFilesEndInOneLine) {
    const std::vector<std::pair<std::string, std::string>> drivers{
        {"HFA", "a.img"}, {"ENVI", "a.dat"},  {"AAIGrid", "a.asc"}, {"PCIDSK", "a.pix"}, {"BMP", "a.bmp"},
        {"GIF", "a.gif"}, {"NITF", "a.ntf"},  {"GRIB", "a.grb"},    {"GSBG", "b.grd"},   {"HF2", "a.hf2"},
        {"SGI", "a.rgb"}, {"VICAR", "a.vic"}, {"RMF", "a.rsw"},     {"PDS4", "a.xml"},   {"ISIS3", "a.cub"}};
    for (const auto& [driver, name] : drivers) {
        const TempDir dir;
        if (copyTo(driver, GdalImage{}.make().get(), dir / name)) {
            damage(dir / name);
        }
    }
}

TEST_F(HostileGdal, DamagedArraysEndInOneLine) {
    if (!writeArrays(dir_ / "a.nc")) {
        GTEST_SKIP() << "GDAL without netCDF";
    }
    std::filesystem::copy(dir_ / "a.nc", dir_ / "a.h5");
    damage(dir_ / "a.nc");
    damage(dir_ / "a.h5");
}

TEST_F(HostileGdal, TextsThatAreNoImagesStayUnknown) {
    for (const char* text :
         {"1 2 3\n4 5 6\n", "<html><body/></html>", "x,y,z\n1,2,3\n", "{\"type\":\"FeatureCollection\"}"}) {
        writeBytes(dir_ / "a.txt", text);
        EXPECT_EQ(readFailure(dir_ / "a.txt"), ErrorCode::formatUnknown) << text;
    }
}

} // namespace

} // namespace pollard::test
