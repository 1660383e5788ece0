// Pixel size set by the user, in place of the size in the file.
#include "io/metadata/length_units.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace pollard {
namespace {

TEST(StatedSize, KnowsUnitsOfLengthAsPeopleTypeThem) {
    for (const std::string_view unit : kStatedUnits) {
        EXPECT_EQ(statedUnit(unit), unit);
    }
    EXPECT_EQ(statedUnit("um"), "µm");
    EXPECT_EQ(statedUnit("\u03bcm"), "\u00b5m") << "the letter and the sign";
    for (const char* text : {"", "px", "inch", "in", "arcsec", "°", "UM", "ha", " um", "m m"}) {
        EXPECT_FALSE(statedUnit(text)) << text;
    }
}

TEST(StatedSize, IsWithinBounds) {
    for (const double side : {1e-9, 0.325, 1e9}) {
        EXPECT_TRUE(isStatedSide(side)) << side;
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double side : {0.0, -1.0, 0.9e-9, 1.1e9, kInfinity, -kInfinity, std::nan("")}) {
        EXPECT_FALSE(isStatedSide(side)) << side;
    }
}

TEST(StatedSize, AccountsForLevelAndShrinking) {
    ImageInfo info;
    info.levels = {{1000, 600}, {250, 200}};
    info.level = 1;
    EXPECT_EQ(pixelScale(info, 3), (std::pair{12.0, 9.0}));
    statePixelSize(info, {0.5, 0.25, "mm", "x"}, 3);
    EXPECT_EQ(info.pixelSize, (PixelSize{6, 2.25, "mm", "x"}));
    info.level = 0;
    EXPECT_EQ(pixelScale(info, 1), (std::pair{1.0, 1.0}));
    info.level = 7; // does not exist
    EXPECT_EQ(pixelScale(info, 0), (std::pair{1.0, 1.0}));
}

TEST(StatedSize, KeepsTheDistanceOfSlices) {
    ImageInfo info;
    info.pixelSize = PixelSize{1, 1, "µm", "OME-XML", false, 2.5};
    statePixelSize(info, {300, 300, "nm", "x"}, 1);
    EXPECT_DOUBLE_EQ(info.pixelSize->z, 2500);
    info.pixelSize = PixelSize{1, 1, "arcsec", "FITS WCS", false, 2.5};
    statePixelSize(info, {300, 300, "nm", "x"}, 1);
    EXPECT_EQ(info.pixelSize->z, 0) << "an angle is no length";
    statePixelSize(info, {300, 300, "nm", "x", false, 9}, 1);
    EXPECT_EQ(info.pixelSize->z, 9);
}

TEST(StatedSize, TakesThePlaceOfTheFilesInEveryWayOfReading) {
    const test::TempDir folder;
    const auto path = folder / "a.tif";
    writeTiff(path, *testing::makeImage(PixelType::u8, 40, 30, [](auto x, auto) { return x; }));
    ReadOptions options;
    options.pixelSize = PixelSize{0.325, 0.65, "µm", std::string(kSetByHand)};
    EXPECT_FALSE(readImage(path).info.pixelSize);
    EXPECT_EQ(readImage(path, options).info.pixelSize, options.pixelSize);
    EXPECT_EQ(readImageInfo(path, options).pixelSize, options.pixelSize);
    options.region = PixelRegion{3, 4, 20, 10};
    EXPECT_EQ(readImage(path, options).info.pixelSize, options.pixelSize);
    options.shrink = 4;
    EXPECT_EQ(readImage(path, options).info.pixelSize, (PixelSize{1.3, 2.6, "µm", std::string(kSetByHand)}));
    options.pixelSize->x = std::nan("");
    EXPECT_THROW((void)readImage(path, options), Error);
}

} // namespace
} // namespace pollard
