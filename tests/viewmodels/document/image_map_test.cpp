#include "vm/document/image_map.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/image/world_scale.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "geo/map_coordinates.hpp"
#include "geo/vector_layer.hpp"
#include "support/map_tags.hpp"
#include "support/random_images.hpp"
#include "support/sky_cards.hpp"
#include "viewmodels/support/fake_engine.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QLocale>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <fstream>
#include <optional>
#include <string>

namespace pollard::vm {
namespace {

using testing::eventually;
using ::testing::HasSubstr;
using testing::MapKeys;
using testing::mapTags;

/// A document of 40 x 30 px with given tags.
class ImageMaps : public ::testing::Test {
protected:
    testing::FakeWorld world;
    std::vector<CopiedTag> tags;
    std::optional<SkyHeader> sky;
    DocumentViewModel document{services()};
    ImageMap map{document};

    void SetUp() override { QLocale::setDefault(QLocale::c()); }
    DocumentServices services() {
        DocumentServices s = testing::fakeServices(world);
        s.read = [this](const std::filesystem::path&, const ReadOptions&, const JobControl&) {
            LoadedImage loaded{
                testing::makeImage(PixelType::u8, 40, 30, [](auto x, auto y) { return x + y; }), nullptr, {}};
            loaded.info.bits = 8;
            loaded.info.carried = tags;
            loaded.info.sky = sky;
            return loaded;
        };
        return s;
    }
    void open(const QString& name, std::vector<CopiedTag> of) {
        tags = std::move(of);
        document.open(name);
        ASSERT_TRUE(eventually([&] {
            return document.activity().state() == DocumentActivity::State::ready && !document.activity().isBusy();
        }));
        ASSERT_TRUE(eventually([&] { return !map.isPending(); }));
    }
};

TEST_F(ImageMaps, TellLongitudeAndLatitudeOfAGeographicSystem) {
    POLLARD_NEED_PROJ();
    QSignalSpy changed(&map, &ImageMap::changed);
    open(QStringLiteral("vienna"), mapTags(MapKeys::geographic(4326), 16, 48.5, 0.001, 0.001));
    EXPECT_GE(changed.count(), 1);
    EXPECT_EQ(map.textAt(20, 10), QStringLiteral("48.48950° N, 16.02050° E"));
    EXPECT_EQ(map.detailsAt(20, 10), QStringLiteral("WGS 84"));
    open(QStringLiteral("rio"), mapTags(MapKeys::geographic(4326), -43.5, -22.5, 0.01, 0.01));
    EXPECT_EQ(map.textAt(0, 0), QStringLiteral("22.5050° S, 43.4950° W"));
    open(QStringLiteral("pacific"), mapTags(MapKeys::geographic(4326), 190, 0.5, 1, 1));
    EXPECT_EQ(map.textAt(0, 0), QStringLiteral("0.00° N, 169.50° W"));
}

TEST_F(ImageMaps, HaveCoordinatesAlongTheEdges) {
    POLLARD_NEED_PROJ();
    EXPECT_FALSE(map.axes());
    open(QStringLiteral("utm"), mapTags(MapKeys::projected(32633), 600000, 5350000, 10, 20));
    const auto axes = map.axes();
    ASSERT_TRUE(axes);
    EXPECT_EQ(axes->x.first, 600000);
    EXPECT_EQ(axes->x.perPixel, 10);
    EXPECT_EQ(axes->y.first, 5350000);
    EXPECT_EQ(axes->y.perPixel, -20);
    EXPECT_EQ(axes->y.unit, QStringLiteral("m"));
    EXPECT_TRUE(axes->x.isMap);
    open(QStringLiteral("vienna"), mapTags(MapKeys::geographic(4326), 16, 48.5, 0.001, 0.001));
    EXPECT_EQ(map.axes()->x.unit, QStringLiteral("°"));
    EXPECT_DOUBLE_EQ(map.axes()->x.first, 16);
    open(QStringLiteral("none"), {});
    EXPECT_FALSE(map.axes());
}

TEST_F(ImageMaps, TellCoordinatesOfAProjectedSystem) {
    POLLARD_NEED_PROJ();
    open(QStringLiteral("utm"), mapTags(MapKeys::projected(32633), 600000, 5350000, 10, 10));
    EXPECT_EQ(map.textAt(0, 0), QStringLiteral("E 600005 m, N 5349995 m (UTM zone 33N)"));
    EXPECT_THAT(map.detailsAt(0, 0).toStdString(), HasSubstr("48.2952"));
    EXPECT_THAT(map.detailsAt(0, 0).toStdString(), HasSubstr("WGS 84 / UTM zone 33N"));
    open(QStringLiteral("feet"), mapTags(MapKeys::projected(2263), 980000, 200000, 0.5, 0.5));
    EXPECT_EQ(map.textAt(0, 0), QStringLiteral("E 980000.25 ft, N 199999.75 ft (New York Long Island (ftUS))"));
}

TEST_F(ImageMaps, TellPositionsInTheSky) {
    POLLARD_NEED_WCS();
    sky = testing::sipHeader();
    open(QStringLiteral("sky"), {});
    EXPECT_EQ(map.textAt(33, 12), QStringLiteral("RA 150.101572°, Dec 2.205743° (FK5)"));
    EXPECT_EQ(map.detailsAt(33, 12), QString::fromUtf8("10h 00m 24.377s, +02° 12′ 20.68″"));
    sky.reset();
    open(QStringLiteral("plain"), {});
    EXPECT_EQ(map.textAt(33, 12), QString());
}

TEST_F(ImageMaps, SayNothingWithoutAMapAndWhyWithAnUnknownOne) {
    open(QStringLiteral("plain"), {});
    EXPECT_EQ(map.map(), nullptr);
    EXPECT_EQ(map.textAt(0, 0), QString());
    EXPECT_EQ(map.detailsAt(0, 0), QString());
    EXPECT_EQ(map.problem(), QString());
    MapKeys keys = MapKeys::projected(kUserDefinedKey);
    keys.citation = "Grid of the mine";
    open(QStringLiteral("mine"), mapTags(keys, 0, 0, 1, 1));
    EXPECT_EQ(map.map(), nullptr);
    EXPECT_THAT(map.problem().toStdString(), HasSubstr("Grid of the mine"));
    EXPECT_EQ(map.textAt(0, 0), QString());
    open(QStringLiteral("plain"), {});
    EXPECT_EQ(map.problem(), QString());
}

/// An ASCII grid, which GDAL reads, with the coordinate system in a sidecar file.
TEST(ImageMapOfAFile, HasThePlacesAndLengthsOfItsSystem) {
    POLLARD_NEED_PROJ();
    if (!writesVectorFiles()) {
        GTEST_SKIP() << "a build without GDAL";
    }
    QLocale::setDefault(QLocale::c());
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.asc"));
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document(DocumentServices::standard(registry));
    const ImageMap map(document);
    const std::string degrees =
        R"(GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],)"
        R"(PRIMEM["Greenwich",0],UNIT["Degree",0.017453292519943295]])";
    const std::string metres = R"(PROJCS["WGS_1984_UTM_Zone_33N",)" + degrees +
                               R"(,PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000],)"
                               R"(PARAMETER["False_Northing",0],PARAMETER["Central_Meridian",15],)"
                               R"(PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0],UNIT["Meter",1]])";
    const auto open = [&](const std::string& system, const std::string& corner, const std::string& side) {
        std::ofstream(path.toStdString()) << "ncols 4\nnrows 2\n"
                                          << corner << "\ncellsize " << side << "\n1 2 3 4\n5 6 7 8\n";
        std::ofstream(folder.filePath(QStringLiteral("a.prj")).toStdString()) << system;
        document.close();
        document.open(path);
        return eventually([&] { return document.hasImage() && !document.activity().isBusy() && !map.isPending(); });
    };
    constexpr double kZoom = 50; // of the view
    const auto bar = [&] { return scaleBarFor(kZoom, 2 * kZoom, sceneSize(document.imageInfo().get())); };
    ASSERT_TRUE(open(metres, "xllcorner 600000\nyllcorner 5349980", "10"));
    EXPECT_EQ(map.textAt(0, 0), QStringLiteral("E 600005 m, N 5349995 m (UTM zone 33N)"));
    EXPECT_THAT(map.detailsAt(0, 0).toStdString(), HasSubstr("48.2952"));
    ASSERT_TRUE(bar());
    EXPECT_EQ(bar()->text, QStringLiteral("20\u00a0m"));
    ASSERT_TRUE(open(degrees, "xllcorner 16\nyllcorner 48", "0.5"));
    EXPECT_EQ(map.textAt(3, 1), QStringLiteral("48.25° N, 17.75° E"));
    ASSERT_TRUE(bar());
    EXPECT_EQ(bar()->text, QStringLiteral("50\u00a0km")) << "on the ground";
}

} // namespace
} // namespace pollard::vm
