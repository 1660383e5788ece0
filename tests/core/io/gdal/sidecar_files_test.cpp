// Sidecar files of images, compared with GDAL's writers.

#include "core/io/gdal/gdal_files.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "io/reduce.hpp"
#include "io/region_source.hpp"

#include <gmock/gmock.h>

#include <string>

namespace pollard::test {

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// An image of a driver without a place, 40 x 30 px: column + 2 row.
void writeImage(const std::string& driver, const std::filesystem::path& path) {
    GdalImage image;
    image.width = 40;
    image.height = 30;
    image.onMap = false;
    image.value = [](int, int x, int y) { return x + 2 * y; };
    ASSERT_TRUE(copyTo(driver, image.make().get(), path));
}

void expectUtmPixels(const ImageInfo& info, double x, double y) {
    ASSERT_TRUE(info.pixelSize);
    EXPECT_EQ(info.pixelSize->unit, "m");
    EXPECT_NEAR(info.pixelSize->x, 10, 1e-9);
    const auto map = geoTransform(info.carried);
    ASSERT_TRUE(map);
    EXPECT_NEAR(map->x[0], x, 1e-6);
    EXPECT_NEAR(map->y[0], y, 1e-6);
    EXPECT_EQ(GeoKeys(info.carried).number(kProjectedCrsKey), std::uint16_t{32632});
}

TEST(SidecarFiles, AWorldFileAndItsSystemPlaceAnImage) {
    for (const auto& [driver, name, world] : {std::tuple{"PNG", "a.png", "a.pgw"},
                                              {"JPEG", "b.jpg", "b.jgw"},
                                              {"GTiff", "c.tif", "c.tfw"},
                                              {"GTiff", "d.tif", "d.TIFW"},
                                              {"JP2OpenJPEG", "e.jp2", "e.j2w"},
                                              {"PNM", "f.pgm", "f.wld"}}) {
        SCOPED_TRACE(name);
        const TempDir dir;
        writeImage(driver, dir / name);
        EXPECT_FALSE(geoTransform(readImageInfo(dir / name).carried));
        writeBytes(dir / world, "10\n0\n0\n-10\n500005\n6649995\n");
        writeBytes((dir / name).replace_extension(".prj"), GdalImage::utm());
        expectUtmPixels(readImageInfo(dir / name), 500'000, 6'650'000);
        ReadOptions part;
        part.region = PixelRegion{3, 2, 20, 10};
        expectUtmPixels(readImage(dir / name, part).info, 500'030, 6'649'980);
        if (readsRegions(dir / name, {})) {
            const auto regions = openRegions(dir / name, {});
            regions->prepare();
            expectUtmPixels(regions->read(*part.region, {}).info, 500'030, 6'649'980);
        }
    }
}

TEST(SidecarFiles, AnAuxiliaryFileStatesPlaceAndNoData) {
    const TempDir dir;
    writeImage("GTiff", dir / "a.tif");
    writeBytes(dir / "a.tif.aux.xml", "<PAMDataset><SRS>" + GdalImage::utm() +
                                          "</SRS><GeoTransform>500000,10,0,6650000,0,-10</GeoTransform>"
                                          "<PAMRasterBand band=\"1\"><NoDataValue>7</NoDataValue></PAMRasterBand>"
                                          "</PAMDataset>");
    const LoadedImage read = readImage(dir / "a.tif");
    expectUtmPixels(read.info, 500'000, 6'650'000);
    EXPECT_EQ(read.info.invalidPixels, 4U) << "7 = column + 2 row";
    ASSERT_TRUE(read.valid);
    EXPECT_FALSE(read.valid->test(7, 0));
    EXPECT_TRUE(read.valid->test(8, 0));
    // Statistics alone are no facts.
    writeBytes(dir / "a.tif.aux.xml", "<PAMDataset><PAMRasterBand band=\"1\"/></PAMDataset>");
    EXPECT_FALSE(readImageInfo(dir / "a.tif").pixelSize);
}

TEST(SidecarFiles, AnAuxiliaryFileStatesTheScaleOfValues) {
    const TempDir dir;
    writeImage("PNG", dir / "a.png");
    writeBytes(dir / "a.png.aux.xml", "<PAMDataset><PAMRasterBand band=\"1\"><Offset>-3</Offset><Scale>0.5</Scale>"
                                      "<UnitType>m</UnitType></PAMRasterBand></PAMDataset>");
    const LoadedImage loaded = readImage(dir / "a.png");
    ASSERT_TRUE(loaded.info.mapping);
    EXPECT_EQ(loaded.info.mapping->valueOf(loaded.image->level(41)), -3 + 0.5 * 3);
    EXPECT_EQ(loaded.info.mapping->unit, "m");
    EXPECT_EQ(readImageInfo(dir / "a.png").mapping->offset, -3);
}

TEST(SidecarFiles, AnAuxiliaryFileStatesTheNoDataValueOfFloats) {
    const TempDir dir;
    GdalImage image;
    image.type = GDT_Float32;
    image.width = 40;
    image.height = 30;
    image.onMap = false;
    image.value = [](int, int x, int y) { return x == 3 && y == 2 ? -9999.9 : x; };
    ASSERT_TRUE(copyTo("GTiff", image.make().get(), dir / "f.tif"));
    EXPECT_EQ(readImage(dir / "f.tif").info.invalidPixels, 0U);
    writeBytes(dir / "f.tif.aux.xml", "<PAMDataset><PAMRasterBand band=\"1\"><NoDataValue>-9999.9</NoDataValue>"
                                      "</PAMRasterBand></PAMDataset>");
    const LoadedImage loaded = readImage(dir / "f.tif");
    EXPECT_EQ(loaded.info.invalidPixels, 1U);
    ASSERT_TRUE(loaded.valid);
    EXPECT_FALSE(loaded.valid->test(3, 2));
    const auto regions = openRegions(dir / "f.tif");
    regions->prepare();
    EXPECT_EQ(regions->info().invalidPixels, 1U);
}

TEST(SidecarFiles, AMaskMarksPixels) {
    const TempDir dir;
    writeImage("GTiff", dir / "a.tif");
    GdalImage mask;
    mask.width = 40;
    mask.height = 30;
    mask.onMap = false;
    mask.value = [](int, int x, int) { return x < 5 ? 0 : 255; };
    ASSERT_TRUE(copyTo("GTiff", mask.make().get(), dir / "m.tif"));
    std::filesystem::rename(dir / "m.tif", dir / "a.tif.msk");
    const LoadedImage read = readImage(dir / "a.tif");
    EXPECT_EQ(read.info.invalidPixels, 150U);
    EXPECT_FALSE(read.valid->test(4, 29));
    EXPECT_TRUE(read.valid->test(5, 29));
    ReadOptions part;
    part.region = PixelRegion{3, 2, 20, 10};
    EXPECT_EQ(readImage(dir / "a.tif", part).info.invalidPixels, 20U);
    // A mask of another size is not read, and a note says so.
    writeImage("GTiff", dir / "b.tif");
    mask.width = 39;
    ASSERT_TRUE(copyTo("GTiff", mask.make().get(), dir / "n.tif"));
    std::filesystem::rename(dir / "n.tif", dir / "b.tif.msk");
    const LoadedImage unmarked = readImage(dir / "b.tif");
    EXPECT_EQ(unmarked.info.invalidPixels, 0U);
    EXPECT_THAT(unmarked.info.notes, Contains(HasSubstr("b.tif.msk beside the image is not read")));
    writeBytes(dir / "b.tif.msk", "no image");
    EXPECT_THAT(readImageInfo(dir / "b.tif").notes, Contains(HasSubstr("is not read")));
}

TEST(SidecarFiles, ReducedVersionsAreLevels) {
    const TempDir dir;
    writeImage("GTiff", dir / "a.tif");
    // As gdaladdo -ro writes them: directories of reduced versions.
    const auto reduced = [&](int factor) {
        GdalImage image;
        image.width = 40 / factor;
        image.height = 30 / factor;
        image.onMap = false;
        image.value = [factor](int, int x, int y) { return factor * (x + 2 * y); };
        return image;
    };
    ASSERT_TRUE(copyTo("GTiff", reduced(2).make().get(), dir / "o.tif"));
    std::filesystem::rename(dir / "o.tif", dir / "a.tif.ovr");
    const ImageInfo info = readImageInfo(dir / "a.tif");
    ASSERT_EQ(info.levels.size(), 2U);
    EXPECT_EQ(info.levels[1], (ResolutionLevel{20, 15}));
    ReadOptions level;
    level.level = 1;
    const LoadedImage read = readImage(dir / "a.tif", level);
    EXPECT_EQ(read.image->width(), 20U);
    EXPECT_EQ(read.image->level(21), 4U + 2) << "second pixel of the second row";
    writeImage("PNG", dir / "b.png"); // a format that is read as a whole
    std::filesystem::copy_file(dir / "a.tif.ovr", dir / "b.png.ovr");
    level.region = PixelRegion{3, 2, 5, 4};
    for (const char* const name : {"a.tif", "b.png"}) {
        const LoadedImage part = readImage(dir / name, level);
        EXPECT_EQ(part.image->width(), 5U) << name;
        EXPECT_EQ(part.image->level(6), 2U * (4 + 2 * 3)) << name;
    }
    const auto regions = openRegions(dir / "a.tif", level);
    EXPECT_EQ(regions->extent(), (Extent{5, 4, 1}));
    regions->prepare();
    EXPECT_EQ(regions->read({1, 1, 2, 2}).image->level(0), 2U * (4 + 2 * 3));
    level.region.reset();
    level.level = 2;
    EXPECT_THROW((void)readImage(dir / "a.tif", level), Error);
}

TEST(SidecarFiles, AnImageAloneIsReadByItsReader) {
    const TempDir dir;
    writeImage("GTiff", dir / "a.tif");
    const SourceFile source = openSource(dir / "a.tif");
    EXPECT_EQ(&withSidecarFiles(tiffReader(), source), &tiffReader());
    EXPECT_THAT(readImageInfo(dir / "a.tif").notes, IsEmpty());
}

} // namespace

} // namespace pollard::test
