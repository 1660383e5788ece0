#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/region_edit.hpp"
#include "vm/region/region_view_model.hpp"

#include "support/fake_engine.hpp"
#include "support/map_tags.hpp"
#include "support/random_images.hpp"
#include "support/wait.hpp"

#include <gtest/gtest.h>

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <vector>

namespace pollard::vm {
namespace {

using testing::eventually;
using testing::FakeWorld;
using Kind = RegionShape::Kind;
using Tool = RegionViewModel::Tool;

/// A document of 100 x 80 px, or a requested part.
class Region : public ::testing::Test {
protected:
    FakeWorld world;
    DocumentViewModel document{services()};
    RegionViewModel region{document};

    DocumentServices services() {
        DocumentServices s = testing::fakeServices(world);
        s.read = [](const std::filesystem::path&, const ReadOptions& options, const JobControl&) {
            const PixelRegion part = options.region.value_or(PixelRegion{0, 0, 100, 80});
            const auto shrink = static_cast<std::uint32_t>(options.shrink);
            LoadedImage loaded{testing::makeImage(PixelType::u8, (part.width + shrink - 1) / shrink,
                                                  (part.height + shrink - 1) / shrink,
                                                  [](auto x, auto y) { return x + y; }),
                               nullptr,
                               {}};
            loaded.info.width = 100;
            loaded.info.height = 80;
            loaded.info.bits = 8;
            loaded.info.pages = 3;
            loaded.info.pixelSize = PixelSize{0.5, 0.5, "µm", "test", false};
            return loaded;
        };
        return s;
    }
    void SetUp() override { open(QStringLiteral("picture")); }
    void open(const QString& name) {
        document.open(name);
        ASSERT_TRUE(eventually([&] {
            return document.activity().state() == DocumentActivity::State::ready && !document.activity().isBusy();
        }));
    }
    /// The problem of loading a file; empty after success.
    QString load(const QString& path, std::shared_ptr<const MapCoordinates> map = {}, const QString& layer = {}) {
        const QSignalSpy problems(&region, &RegionViewModel::loadFailed);
        region.load(path, std::move(map), GeoJsonIn::pixels, layer);
        EXPECT_TRUE(region.isLoading());
        EXPECT_TRUE(eventually([&] { return !region.isLoading(); }));
        return problems.isEmpty() ? QString() : problems.front().front().toString();
    }
    void calm() {
        ASSERT_TRUE(eventually([&] { return region.pixelCount() >= 0 && !document.activity().isBusy(); }));
    }
    static RegionShape rectangle(double left, double top, double right, double bottom) {
        return {Kind::rectangle, {{left, top}, {right, bottom}}};
    }
};

TEST_F(Region, UnionOfShapesBecomesTheDomain) {
    EXPECT_EQ(region.pixelCount(), 8000);
    region.add(rectangle(10, 10, 30, 30));
    region.add(rectangle(20, 20, 40, 40));
    calm();
    ASSERT_NE(document.choices().domain(), nullptr);
    EXPECT_EQ(document.choices().domain()->count(), 700U);
    EXPECT_EQ(region.pixelCount(), 700);
    EXPECT_TRUE(document.choices().domain()->test(10, 10));
    EXPECT_FALSE(document.choices().domain()->test(39, 10));
    region.setInverted(true);
    calm();
    EXPECT_EQ(document.choices().domain()->count(), 7300U);
    region.clear();
    calm();
    EXPECT_EQ(document.choices().domain(), nullptr);
    EXPECT_FALSE(region.isInverted());
}

TEST_F(Region, ThatCoversEverythingOrNothingRestrictsNothing) {
    region.selectAll();
    calm();
    EXPECT_EQ(document.choices().domain(), nullptr);
    EXPECT_EQ(region.pixelCount(), 8000);
    region.setInverted(true);
    calm();
    EXPECT_EQ(document.choices().domain(), nullptr);
    EXPECT_EQ(region.pixelCount(), 0);
    EXPECT_FALSE(region.areaText().isEmpty());
}

TEST_F(Region, ReachesTheDocumentOnlyWhenAMovementIsFinished) {
    region.add(rectangle(10, 10, 30, 30));
    calm();
    const auto before = document.choices().domain();
    const RegionViewModel::State state = region.state();
    QSignalSpy domains(&document.choices(), &DocumentChoices::domainChanged);
    region.beginEdit();
    for (int i = 0; i < 20; ++i) {
        region.moveSelected({1, 0});
    }
    testing::settle();
    EXPECT_EQ(document.choices().domain(), before);
    region.endEdit();
    ASSERT_TRUE(eventually([&] { return document.choices().domain() != before; }));
    EXPECT_EQ(domains.count(), 1);
    EXPECT_TRUE(document.choices().domain()->test(49, 29));
    region.setState(state);
    ASSERT_TRUE(eventually([&] { return document.choices().domain() && document.choices().domain()->test(10, 10); }));
    EXPECT_EQ(boxOf(region.shapes().front()), QRectF(10, 10, 20, 20));
}

TEST_F(Region, CancelledMovementLeavesNoTrace) {
    region.add(rectangle(10, 10, 30, 30));
    calm();
    const auto before = document.choices().domain();
    region.beginEdit();
    region.moveSelected({5, 5});
    region.cancelEdit();
    EXPECT_EQ(boxOf(region.shapes().front()), QRectF(10, 10, 20, 20));
    testing::settle();
    EXPECT_EQ(document.choices().domain(), before);
}

TEST_F(Region, BurstOfChangesEndsWithTheLastOne) {
    region.add(rectangle(0, 0, 10, 10));
    for (int i = 0; i < 100; ++i) {
        region.setSelectedBox({i * 0.5, 0, 10.0 + i % 7, 10});
    }
    calm();
    EXPECT_EQ(document.choices().domain()->count(), static_cast<std::uint64_t>((10 + 99 % 7) * 10));
}

TEST_F(Region, ShapesStayWithinTheImage) {
    region.add(rectangle(90, 70, 120, 95));
    EXPECT_EQ(boxOf(region.shapes()[0]), QRectF(70, 55, 30, 25)) << "moved, not cut";
    region.moveSelected({-500, 500});
    EXPECT_EQ(boxOf(region.shapes()[0]), QRectF(0, 55, 30, 25));
    region.setSelectedBox({50, 50, 1000, 0.2});
    EXPECT_EQ(boxOf(region.shapes()[0]), QRectF(0, 50, 100, 1));
}

TEST_F(Region, PolygonScalesWithItsBox) {
    region.add({Kind::polygon, {{10, 10}, {30, 10}, {10, 50}}});
    region.setSelectedBox({0, 0, 40, 20});
    EXPECT_EQ(region.shapes()[0].points, (std::vector<RegionPoint>{{0, 0}, {40, 0}, {0, 20}}));
}

TEST_F(Region, DraftOfAPolygonGoesBackCornerByCorner) {
    region.setTool(Tool::polygon);
    region.beginDraft({10, 10});
    region.addDraftPoint({10, 10});
    region.addDraftPoint({50, 10});
    region.addDraftPoint({50, 50});
    region.removeDraftPoint();
    region.moveDraft({20, 60});
    EXPECT_EQ(region.draft()->points.size(), 3U);
    EXPECT_FALSE(region.finishDraft()) << "two corners are no polygon";
    EXPECT_EQ(region.count(), 0);
}

TEST_F(Region, DraftOfARectangleFollowsThePointerInEveryDirection) {
    region.setTool(Tool::rectangle);
    region.beginDraft({50, 40});
    region.moveDraft({20.4, 10.6});
    EXPECT_EQ(boxOf(*region.draft()), QRectF(20, 11, 30, 29));
    region.moveDraft({70, 44}, true);
    EXPECT_EQ(boxOf(*region.draft()), QRectF(50, 40, 4, 4));
    region.moveDraft({500, 500});
    ASSERT_TRUE(region.finishDraft());
    EXPECT_EQ(boxOf(region.shapes()[0]), QRectF(50, 40, 50, 40));
    region.setTool(Tool::hand);
    region.beginDraft({1, 1});
    EXPECT_FALSE(region.isDrawing());
}

TEST_F(Region, AShapeThatIsDrawnOnceIsGivenAwayAndChangesNothing) {
    region.add({Kind::rectangle, {{10, 10}, {30, 30}}});
    ASSERT_TRUE(
        eventually([&] { return !region.isBusy() && document.activity().state() == DocumentActivity::State::ready; }));
    const RegionViewModel::State before = region.state();
    const auto domain = document.choices().domain();
    std::vector<RegionShape> drawn;
    QObject::connect(&region, &RegionViewModel::drawnOnce, &region,
                     [&](const RegionShape& shape) { drawn.push_back(shape); });
    region.drawOnce(Tool::ellipse);
    EXPECT_EQ(region.tool(), Tool::ellipse);
    EXPECT_TRUE(region.isDrawingOnce());
    region.beginDraft({40, 40});
    region.moveDraft({60, 55});
    EXPECT_TRUE(region.finishDraft());
    ASSERT_EQ(drawn.size(), 1U);
    EXPECT_EQ(drawn.front().kind, Kind::ellipse);
    EXPECT_EQ(boxOf(drawn.front()), QRectF(40, 40, 20, 15));
    EXPECT_EQ(region.tool(), Tool::hand);
    EXPECT_FALSE(region.isDrawingOnce());
    EXPECT_EQ(region.state(), before);
    EXPECT_EQ(document.choices().domain(), domain);
    region.drawOnce(Tool::rectangle);
    region.beginDraft({40, 40});
    EXPECT_FALSE(region.finishDraft()) << "a click draws nothing";
    EXPECT_TRUE(region.isDrawingOnce()) << "and is no end";
    QSignalSpy tools(&region, &RegionViewModel::toolChanged);
    region.setTool(Tool::rectangle); // a tool for the region
    EXPECT_EQ(tools.size(), 1);
    EXPECT_FALSE(region.isDrawingOnce());
    region.beginDraft({40, 40});
    region.moveDraft({60, 55});
    EXPECT_TRUE(region.finishDraft());
    EXPECT_EQ(region.count(), 2);
    EXPECT_EQ(drawn.size(), 1U);
}

TEST_F(Region, StaysWhenAPageIsTurnedAndGoesWithTheDocument) {
    region.add(rectangle(10, 10, 30, 30));
    calm();
    document.reading().setPage(1);
    ASSERT_TRUE(eventually([&] { return document.page() == 1 && !document.activity().isBusy(); }));
    EXPECT_EQ(region.count(), 1);
    ASSERT_NE(document.choices().domain(), nullptr);
    EXPECT_EQ(document.choices().domain()->count(), 400U);
    open(QStringLiteral("another"));
    EXPECT_EQ(region.count(), 0);
    EXPECT_EQ(document.choices().domain(), nullptr);
}

TEST_F(Region, FollowsTheImageWhenItIsCutOutAndComesBack) {
    region.add(rectangle(20, 10, 60, 50));
    region.add({Kind::polygon, {{30, 20}, {50, 20}, {30, 40}}});
    calm();
    region.select(0);
    region.cropToBounds();
    ASSERT_TRUE(eventually([&] { return region.imageSize() == QSize(40, 40) && !document.activity().isBusy(); }));
    calm();
    EXPECT_EQ(document.request().region, (PixelRegion{20, 10, 40, 40}));
    EXPECT_EQ(boxOf(region.shapes()[0]), QRectF(0, 0, 40, 40));
    EXPECT_EQ(boxOf(region.shapes()[1]), QRectF(10, 10, 20, 20));
    region.select(1);
    region.cropToBounds(); // a part of the part
    ASSERT_TRUE(eventually([&] { return region.imageSize() == QSize(20, 20) && !document.activity().isBusy(); }));
    EXPECT_EQ(document.request().region, (PixelRegion{30, 20, 20, 20}));
    document.reading().setReadRegion(std::nullopt);
    ASSERT_TRUE(eventually([&] { return region.imageSize() == QSize(100, 80) && !document.activity().isBusy(); }));
    EXPECT_EQ(boxOf(region.shapes()[0]), QRectF(20, 10, 40, 40));
    document.reading().setShrink(2);
    ASSERT_TRUE(eventually([&] { return region.imageSize() == QSize(50, 40) && !document.activity().isBusy(); }));
    EXPECT_EQ(boxOf(region.shapes()[0]), QRectF(10, 5, 20, 20));
}

TEST_F(Region, OfAShrunkImageIsCutOutWithinThePage) {
    document.reading().setShrink(3);
    ASSERT_TRUE(eventually([&] { return region.imageSize() == QSize(34, 27) && !document.activity().isBusy(); }));
    region.add(rectangle(30, 20, 34, 27)); // the last blocks are smaller
    calm();
    region.cropToBounds();
    ASSERT_TRUE(eventually([&] { return region.imageSize() == QSize(4, 7) && !document.activity().isBusy(); }));
    EXPECT_EQ(document.request().region, (PixelRegion{90, 60, 10, 20}));
    region.selectAll();
    calm();
    region.cropToBounds();
    EXPECT_EQ(document.request().region, (PixelRegion{90, 60, 10, 20})) << "all of it already";
}

TEST_F(Region, TellsAreasInPixelsAndInTheScene) {
    region.add(rectangle(0, 0, 40, 20));
    calm();
    const auto plain = [](QString text) { return text.replace(QChar(QChar::Nbsp), u' '); };
    EXPECT_EQ(plain(region.areaText()), QStringLiteral("800 px (10 %), 200 µm²"));
    EXPECT_EQ(plain(region.selectedAreaText()), QStringLiteral("800 px², 200 µm²"));
    region.select(-1);
    EXPECT_TRUE(region.selectedAreaText().isEmpty());
}

TEST_F(Region, IsSavedAndLoadedAndTellsWhyNot) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("region.geojson"));
    region.add(rectangle(10, 10, 30, 30));
    const auto shapes = region.shapes();
    EXPECT_EQ(region.save(path), QString());
    region.clear();
    EXPECT_EQ(load(path), QString());
    EXPECT_EQ(region.shapes(), shapes);
    calm();
    EXPECT_EQ(document.choices().domain()->count(), 400U);
    const QString missing = folder.filePath(QStringLiteral("none/region.geojson"));
    EXPECT_TRUE(load(missing).contains(missing));
    EXPECT_TRUE(region.save(missing).contains(missing));
    EXPECT_EQ(region.shapes(), shapes) << "a failure changes nothing";
}

TEST_F(Region, IsLoadedFromAVectorFile) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("region.csv"));
    const auto loadPolygons = [&](const QByteArray& polygons) {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly) && file.write("WKT,label\n" + polygons) > 0);
        file.close();
        return load(path);
    };
    const QString problem =
        loadPolygons("\"POLYGON ((10 10,30 10,30 30,10 30,10 10))\",1\n"
                     "\"MULTIPOLYGON (((40 10,44 10,44 15,40 10)),((50 10,54 10,54 15,50 10)))\",2\n");
    if (problem.contains(QStringLiteral("no GDAL"))) {
        GTEST_SKIP() << "a build without GDAL";
    }
    EXPECT_EQ(problem, QString());
    const auto shapes = region.shapes();
    ASSERT_EQ(shapes.size(), 3U);
    const std::vector<RegionPoint> corners{{10, 10}, {30, 10}, {30, 30}, {10, 30}};
    EXPECT_EQ(shapes.front().points, corners);
    const QString holes = loadPolygons("\"POLYGON ((10 10,30 10,30 30,10 30,10 10),(12 12,14 12,14 14,12 12))\",1\n");
    EXPECT_TRUE(holes.contains(QStringLiteral("holes")) && holes.contains(path)) << holes.toStdString();
    EXPECT_TRUE(loadPolygons("\"POLYGON ((10 10,3e9 10,30 30,10 10))\",1\n").contains(QStringLiteral("far beside")));
    EXPECT_TRUE(loadPolygons("\"POINT (1 1)\",1\n").contains(QStringLiteral("only polygons")));
    EXPECT_EQ(region.shapes(), shapes) << "a failure changes nothing";
}

TEST_F(Region, AsksForTheLayerOfAVectorFile) {
    const auto path = QStringLiteral(POLLARD_SOURCE_DIR "/tests/support/two_layers.gpkg"); // polygons in px
    QSignalSpy questions(&region, &RegionViewModel::layerNeeded);
    const QString problem = load(path);
    if (problem.contains(QStringLiteral("no GDAL"))) {
        GTEST_SKIP() << "a build without GDAL";
    }
    EXPECT_EQ(problem, QString());
    ASSERT_EQ(questions.count(), 1);
    EXPECT_EQ(questions.front().front().toString(), path);
    EXPECT_EQ(questions.front().at(1).toStringList(), (QStringList{QStringLiteral("ponds"), QStringLiteral("lakes")}));
    EXPECT_EQ(region.count(), 0);
    EXPECT_EQ(load(path, {}, QStringLiteral("lakes")), QString());
    EXPECT_EQ(region.count(), 2);
    EXPECT_EQ(questions.count(), 1);
    EXPECT_TRUE(load(path, {}, QStringLiteral("seas")).contains(QStringLiteral("seas")));
}

TEST_F(Region, IsNotReplacedByAFileForAnotherImage) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("region.geojson"));
    region.add(rectangle(10, 10, 30, 30));
    EXPECT_EQ(region.save(path), QString());
    region.load(path);
    open(QStringLiteral("other"));
    EXPECT_TRUE(eventually([&] { return !region.isLoading(); }));
    calm();
    EXPECT_EQ(region.count(), 0);
}

TEST(OverlaysSettings, AreRemembered) {
    const QTemporaryDir folder;
    QSettings store(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    {
        OverlaysViewModel overlays(store);
        QSignalSpy changes(&overlays, &OverlaysViewModel::changed);
        overlays.setRulers(true);
        overlays.setRulers(true);
        overlays.setScaleBar(false);
        overlays.setRulersInPixels(true);
        EXPECT_EQ(changes.count(), 3);
    }
    const OverlaysViewModel again(store);
    EXPECT_TRUE(again.hasRulers());
    EXPECT_FALSE(again.hasScaleBar());
    EXPECT_TRUE(again.hasMinimap());
    EXPECT_TRUE(again.areRulersInPixels());
}

TEST_F(Region, FilesInDegreesLieOnTheSamePixels) {
    POLLARD_NEED_PROJ();
    const auto map = std::make_shared<const MapCoordinates>(
        testing::mapTags(testing::MapKeys::geographic(4326), 10, 60, 0.5, 0.5), 100, 80);
    const QTemporaryDir folder;
    region.add(rectangle(15, 30, 40, 50));
    EXPECT_EQ(region.save(folder.filePath(QStringLiteral("r.geojson")), map.get()), QString());
    const auto before = region.state().shapes;
    region.clear();
    QSignalSpy notices(&region, &RegionViewModel::noticeRaised);
    EXPECT_EQ(load(folder.filePath(QStringLiteral("r.geojson")), map), QString());
    EXPECT_EQ(region.state().shapes, before);
    EXPECT_EQ(notices.count(), 0);
    EXPECT_TRUE(load(folder.filePath(QStringLiteral("r.geojson"))).contains(QStringLiteral("map coordinates")));
    EXPECT_EQ(region.state().shapes, before);
    // In pixels, although all coordinates are in the image as degrees, too.
    EXPECT_EQ(region.save(folder.filePath(QStringLiteral("p.geojson"))), QString());
    EXPECT_EQ(load(folder.filePath(QStringLiteral("p.geojson")), map), QString());
    EXPECT_EQ(notices.count(), 1);
    EXPECT_EQ(region.state().shapes, before);
}

} // namespace
} // namespace pollard::vm
