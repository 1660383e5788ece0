// The parts of a region without a document.
#include "vm/region/region_file.hpp"
#include "vm/region/region_view_model.hpp"

#include "viewmodels/support/wait.hpp"

#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace pollard::vm {
namespace {

using Kind = RegionShape::Kind;
using Tool = RegionDrawing::Tool;
using testing::eventually;

constexpr QSize kImage(100, 80);

TEST(RegionDrawing, DrawsPolygonsCornerByCorner) {
    RegionDrawing drawing;
    EXPECT_FALSE(drawing.begin({1, 1}, kImage)) << "the hand does not draw";
    drawing.setTool(Tool::polygon, false);
    EXPECT_TRUE(drawing.begin({1, 1}, kImage));
    EXPECT_TRUE(drawing.move({50, 1}, false, kImage));
    EXPECT_FALSE(drawing.move({50, 1}, false, kImage));
    EXPECT_TRUE(drawing.addPoint({50, 1}, kImage));
    EXPECT_TRUE(drawing.addPoint({50, 200}, kImage));
    EXPECT_TRUE(drawing.addPoint({20, 20}, kImage));
    EXPECT_TRUE(drawing.removePoint());
    EXPECT_EQ(drawing.finish(), (RegionShape{Kind::polygon, {{1, 1}, {50, 1}, {50, 80}}}));
    EXPECT_FALSE(drawing.draft());
}

TEST(RegionDrawing, DropsShapesWithoutInterior) {
    RegionDrawing drawing;
    drawing.setTool(Tool::rectangle, true);
    EXPECT_TRUE(drawing.begin({10, 10}, kImage));
    EXPECT_FALSE(drawing.finish());
    EXPECT_FALSE(drawing.draft());
    EXPECT_FALSE(drawing.cancel()) << "nothing is drawn";
    EXPECT_TRUE(drawing.begin({10, 10}, kImage));
    EXPECT_TRUE(drawing.move({30, 50}, true, kImage));
    EXPECT_EQ(drawing.finish(), (RegionShape{Kind::rectangle, {{10, 10}, {30, 30}}}));
    EXPECT_TRUE(drawing.isOnce());
}

TEST(RegionMask, IsThatOfTheLatestShapes) {
    const Image image(PixelType::u8, 10, 10);
    RegionMask region;
    QSignalSpy made(&region, &RegionMask::made);
    region.make(&image, {{Kind::rectangle, {{0, 0}, {4, 4}}}}, false);
    EXPECT_EQ(region.count(), -1);
    region.make(&image, {{Kind::rectangle, {{0, 0}, {3, 3}}}}, true);
    ASSERT_TRUE(eventually([&] { return region.count() >= 0 && !region.isBusy(); }));
    EXPECT_EQ(made.size(), 1) << "the first mask was replaced";
    EXPECT_EQ(region.count(), 91);
    ASSERT_NE(region.mask(), nullptr);
    EXPECT_FALSE(region.mask()->test(2, 2));
    EXPECT_TRUE(region.mask()->test(3, 2));
}

TEST(RegionMask, IsNullForTheWholeImageAndForNoPixel) {
    const Image image(PixelType::u8, 10, 10);
    RegionMask region;
    region.make(&image, {}, true);
    EXPECT_EQ(region.count(), 100);
    EXPECT_EQ(region.mask(), nullptr);
    for (const bool inverted : {false, true}) {
        region.make(&image, {{Kind::rectangle, {{0, 0}, {10, 10}}}}, inverted);
        ASSERT_TRUE(eventually([&] { return region.count() >= 0; }));
        EXPECT_EQ(region.count(), inverted ? 0 : 100);
        EXPECT_EQ(region.mask(), nullptr);
    }
    region.make(nullptr, {{Kind::rectangle, {{0, 0}, {4, 4}}}}, false);
    EXPECT_EQ(region.count(), 0);
}

TEST(RegionFile, ReadsWhatItWrote) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("region.geojson");
    const std::vector<RegionShape> shapes{{Kind::rectangle, {{1, 2}, {30, 40}}},
                                          {Kind::polygon, {{0, 0}, {9, 0}, {9, 9}}}};
    EXPECT_EQ(writeRegionFile(path, shapes, nullptr), QString());
    const ReadRegion read = readRegionFile(path, nullptr, GeoJsonIn::pixels);
    EXPECT_EQ(read.problem, QString());
    EXPECT_EQ(read.shapes, shapes);
    EXPECT_FALSE(read.isAmbiguous);
}

TEST(RegionFile, NamesTheFileOfAFailure) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("none/region.geojson");
    EXPECT_TRUE(readRegionFile(path, nullptr, GeoJsonIn::pixels).problem.contains(path));
    EXPECT_TRUE(writeRegionFile(path, {}, nullptr).contains(path));
    QFile damaged(folder.filePath("damaged.geojson"));
    ASSERT_TRUE(damaged.open(QIODevice::WriteOnly));
    damaged.write("{");
    damaged.close();
    const ReadRegion read = readRegionFile(damaged.fileName(), nullptr, GeoJsonIn::pixels);
    EXPECT_TRUE(read.problem.contains(damaged.fileName()));
    EXPECT_TRUE(read.shapes.empty());
}

} // namespace
} // namespace pollard::vm
