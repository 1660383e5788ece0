#include "core/io/gdal/gdal_files.hpp"
#include "support/map_tags.hpp"

#include "geo/vector_layer.hpp"
#include "snake/contour/contour_files.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <numbers>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <random>
#include <sqlite3.h>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard::test {

namespace {

using ::testing::HasSubstr;
using testing::MapKeys;
using testing::mapTags;

constexpr std::array<const char*, 4> kExtensions{"gpkg", "shp", "fgb", "csv"};

OGRGeometryH ringOf(const MapRing& corners) {
    OGRGeometryH ring = OGR_G_CreateGeometry(wkbLinearRing);
    for (std::size_t i = 0; i <= corners.size(); ++i) {
        OGR_G_AddPoint_2D(ring, corners[i % corners.size()].x, corners[i % corners.size()].y);
    }
    return ring;
}

OGRGeometryH geometryOf(const MapPolygon& polygon) {
    OGRGeometryH geometry = OGR_G_CreateGeometry(wkbPolygon);
    for (const MapRing& ring : polygon) {
        OGR_G_AddGeometryDirectly(geometry, ringOf(ring));
    }
    return geometry;
}

/// A layer for a file. It takes the geometries.
struct LayerContent {
    std::string name;
    std::vector<OGRGeometryH> geometries;
    std::string system; ///< as users write it; empty for none
    OGRwkbGeometryType type = wkbUnknown;
};

/// Writes a file of the format of the name.
void writeVector(const std::filesystem::path& path, const std::vector<LayerContent>& layers) {
    prepareGdal();
    const std::string extension = path.extension().string();
    const char* driver = extension == ".gpkg"  ? "GPKG"
                         : extension == ".shp" ? "ESRI Shapefile"
                         : extension == ".fgb" ? "FlatGeobuf"
                                               : "CSV";
    const std::filesystem::path memory = "/vsimem/vector";
    VSIMkdir(memory.c_str(), 0755);
    GdalHandle made(
        GDALCreate(GDALGetDriverByName(driver), (memory / path.filename()).c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    ASSERT_NE(made, nullptr) << CPLGetLastErrorMsg();
    for (const LayerContent& content : layers) {
        const GdalSystem system(content.system.empty() ? nullptr : OSRNewSpatialReference(nullptr));
        if (system) {
            ASSERT_EQ(OSRSetFromUserInput(system.get(), content.system.c_str()), OGRERR_NONE);
            OSRSetAxisMappingStrategy(system.get(), OAMS_TRADITIONAL_GIS_ORDER);
        }
        std::array<const char*, 2> options{extension == ".csv"   ? "GEOMETRY=AS_WKT"
                                           : extension == ".fgb" ? "SPATIAL_INDEX=NO" // keeps the order
                                                                 : nullptr,
                                           nullptr};
        OGRLayerH layer = GDALDatasetCreateLayer(made.get(), content.name.c_str(), system.get(), content.type,
                                                 const_cast<char**>(options.data()));
        ASSERT_NE(layer, nullptr) << CPLGetLastErrorMsg();
        OGRFieldDefnH field = OGR_Fld_Create("label", OFTInteger);
        OGR_L_CreateField(layer, field, TRUE);
        OGR_Fld_Destroy(field);
        for (OGRGeometryH geometry : content.geometries) {
            OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
            OGR_F_SetGeometryDirectly(feature, geometry);
            EXPECT_EQ(OGR_L_CreateFeature(layer, feature), OGRERR_NONE) << CPLGetLastErrorMsg();
            OGR_F_Destroy(feature);
        }
    }
    made.reset();
    takeFiles(memory, path.parent_path());
}

/// Polygons with whole px around separate places, some as parts of one feature.
std::vector<MapPolygon> stars(int count) {
    std::mt19937 random(7);
    std::vector<MapPolygon> all;
    for (int i = 0; i < count; ++i) {
        const double x = 60.0 + 100 * (i % 4);
        const double y = 60.0 + 100 * (i / 4);
        MapRing ring;
        const int corners = 3 + static_cast<int>(random() % 12);
        for (int k = 0; k < corners; ++k) { // clockwise on the screen
            const double angle = 2 * std::numbers::pi * k / corners;
            const double radius = 20 + static_cast<int>(random() % 25);
            ring.push_back({std::round(x + radius * std::cos(angle)), std::round(y + radius * std::sin(angle))});
        }
        all.push_back({ring});
        if (i % 3 == 0) { // a hole
            all.back().push_back({{x - 3, y - 3}, {x - 3, y + 3}, {x + 3, y + 3}, {x + 3, y - 3}});
        }
    }
    return all;
}

/// One feature for each polygon, and the last two in one.
std::vector<OGRGeometryH> featuresOf(const std::vector<MapPolygon>& polygons) {
    std::vector<OGRGeometryH> features;
    for (std::size_t i = 0; i + 2 < polygons.size(); ++i) {
        features.push_back(geometryOf(polygons[i]));
    }
    OGRGeometryH both = OGR_G_CreateGeometry(wkbMultiPolygon);
    OGR_G_AddGeometryDirectly(both, geometryOf(polygons[polygons.size() - 2]));
    OGR_G_AddGeometryDirectly(both, geometryOf(polygons.back()));
    features.push_back(both);
    return features;
}

std::string geoJsonOf(const std::vector<MapPolygon>& polygons) {
    std::string text = R"({"type":"MultiPolygon","coordinates":[)";
    for (const MapPolygon& polygon : polygons) {
        text += &polygon == polygons.data() ? "[" : ",[";
        for (const MapRing& ring : polygon) {
            text += &ring == polygon.data() ? "[" : ",[";
            for (std::size_t i = 0; i <= ring.size(); ++i) {
                const MapPoint& corner = ring[i % ring.size()];
                text += (i == 0 ? "[" : ",[") + std::to_string(corner.x) + ',' + std::to_string(corner.y) + ']';
            }
            text += ']';
        }
        text += ']';
    }
    return text + "]}";
}

class Vectors : public ::testing::Test {
protected:
    static constexpr std::uint32_t kWidth = 420;
    static constexpr std::uint32_t kHeight = 320;

    /// Message of a file that is refused soon.
    std::string refusal(const std::string& name, const std::string& layer = {}) const {
        const auto start = std::chrono::steady_clock::now();
        std::string message;
        try {
            (void)readVectorPolygons(dir_ / name, layer);
            ADD_FAILURE() << name << " was read";
        } catch (const Error& error) {
            message = error.what();
        }
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
        EXPECT_THAT(message, HasSubstr(name));
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        return message;
    }

    TempDir dir_;
};

TEST_F(Vectors, InPixelsAreTheContoursOfGeoJson) {
    const std::vector<MapPolygon> polygons = stars(12);
    const std::vector<Contour> wanted = contoursIn(geoJsonOf(polygons));
    ASSERT_EQ(wanted.size(), polygons.size());
    for (const std::string extension : kExtensions) {
        const std::filesystem::path path = dir_ / ("p." + extension);
        writeVector(path, {{"p", featuresOf(polygons), ""}});
        ASSERT_TRUE(namesVectorFile(path));
        const FileRings filed = readRings(path);
        EXPECT_EQ(filed.system, "") << extension;
        EXPECT_EQ(contoursOf(filed, {}, kWidth, kHeight), wanted) << extension;
        const VectorPolygons read = readVectorPolygons(path);
        ASSERT_EQ(read.polygons.size(), polygons.size()) << extension;
        for (std::size_t i = 0; i < polygons.size(); ++i) {
            EXPECT_EQ(read.polygons[i].size(), polygons[i].size()) << extension << ", holes of " << i;
        }
    }
    EXPECT_FALSE(namesVectorFile("p.geojson"));
    EXPECT_TRUE(namesVectorFile("P.GPKG"));
}

TEST_F(Vectors, OfOtherSystemsLieOnTheSamePixels) {
    POLLARD_NEED_PROJ();
    const std::vector<CopiedTag> tags = mapTags(MapKeys::projected(32632), 500'000, 5'600'000, 10, 10);
    const MapCoordinates map(tags, kWidth, kHeight);
    const MapCoordinates zone33(mapTags(MapKeys::projected(32633), 0, 0, 1, 1), 1, 1);
    const std::vector<MapPolygon> polygons = stars(12);
    struct Case {
        const char* system;
        std::function<MapPoint(MapPoint)> place; ///< of a pixel
    };
    const std::vector<Case> cases{
        {"EPSG:32632", [&](MapPoint pixel) { return map.worldAt(pixel); }},
        {"EPSG:4326", [&](MapPoint pixel) { return map.lonLatAt(pixel); }},
        {"EPSG:32633", [&](MapPoint pixel) { return zone33.worldAt(zone33.pixelAt(map.lonLatAt(pixel))); }}};
    for (const Case& known : cases) {
        std::vector<MapPolygon> placed = polygons;
        for (MapPolygon& polygon : placed) {
            for (MapRing& ring : polygon) {
                for (MapPoint& corner : ring) {
                    corner = known.place(corner);
                }
            }
        }
        for (const std::string extension : {"gpkg", "shp", "fgb"}) { // CSV has no system
            const std::filesystem::path path = dir_ / ("p." + extension);
            writeVector(path, {{"p", featuresOf(placed), known.system}});
            VectorPolygons read = readVectorPolygons(path);
            ASSERT_EQ(read.polygons.size(), polygons.size()) << extension;
            ASSERT_FALSE(read.system.empty());
            for (std::size_t i = 0; i < polygons.size(); ++i) {
                toPixels(read.polygons[i], read.system, tags, kWidth, kHeight);
                for (std::size_t r = 0; r < polygons[i].size(); ++r) {
                    for (const MapPoint& corner : polygons[i][r]) { // exact: 1e-5 px are 0.1 mm here
                        EXPECT_THAT(read.polygons[i][r], ::testing::Contains(corner))
                            << known.system << ", " << extension;
                    }
                }
            }
            EXPECT_EQ(contoursOf(readRings(path), tags, kWidth, kHeight), contoursIn(geoJsonOf(polygons)));
        }
    }
    std::filesystem::remove(dir_ / "p.fgb");
    writeVector(dir_ / "p.fgb", {{"p", featuresOf(polygons), "EPSG:4326"}});
    EXPECT_THROW((void)contoursOf(readRings(dir_ / "p.fgb"), {}, kWidth, kHeight), Error) << "without a map";
}

TEST_F(Vectors, AreOnTheTurnOfTheImage) {
    const std::vector<CopiedTag> tags = mapTags(MapKeys::geographic(4326), 0, 90, 1, 1); // 0 to 360 degrees
    std::vector<MapRing> rings{{{-10, 10}, {-5, 10}, {-5, 20}}};
    writeVector(dir_ / "p.fgb", {{"p", {geometryOf(rings)}, "EPSG:4326"}});
    toPixels(rings, readVectorPolygons(dir_ / "p.fgb").system, tags, 360, 180);
    EXPECT_EQ(rings.front(), (MapRing{{350, 80}, {355, 80}, {355, 70}}));
}

TEST_F(Vectors, HaveLayersByName) {
    const std::vector<MapPolygon> polygons = stars(5);
    writeVector(dir_ / "two.gpkg",
                {{"first", {geometryOf(polygons[0])}, ""}, {"second", featuresOf(polygons), ""}, {"none", {}, ""}});
    EXPECT_EQ(vectorLayers(dir_ / "two.gpkg"), (std::vector<std::string>{"first", "second", "none"}));
    EXPECT_EQ(readVectorPolygons(dir_ / "two.gpkg").polygons.size(), 1U);
    EXPECT_EQ(readVectorPolygons(dir_ / "two.gpkg", "second").polygons.size(), 5U);
    EXPECT_THAT(refusal("two.gpkg", "third"), HasSubstr("first, second, none"));
    EXPECT_THAT(refusal("two.gpkg", "none"), HasSubstr("there is no polygon"));
    writeBytes(dir_ / "p.geojson", geoJsonOf(polygons));
    EXPECT_THROW((void)readRings(dir_ / "p.geojson", GeoJsonIn::pixels, "second"), Error);
}

TEST_F(Vectors, OfOtherGeometryAreRefused) {
    OGRGeometryH line = OGR_G_CreateGeometry(wkbLineString);
    OGR_G_AddPoint_2D(line, 1, 2);
    OGR_G_AddPoint_2D(line, 5, 2);
    writeVector(dir_ / "line.fgb", {{"l", {line}, "", wkbLineString}});
    EXPECT_THAT(refusal("line.fgb"), HasSubstr("only polygons"));
    OGRGeometryH collection = OGR_G_CreateGeometry(wkbGeometryCollection);
    OGR_G_AddGeometryDirectly(collection, geometryOf(stars(1).front()));
    writeVector(dir_ / "all.gpkg", {{"c", {collection}, ""}});
    EXPECT_EQ(readVectorPolygons(dir_ / "all.gpkg").polygons.size(), 1U);
    writeBytes(dir_ / "c.csv", "WKT,label\n\"CURVEPOLYGON (CIRCULARSTRING (0 0,10 0,10 10,0 10,0 0))\",1\n");
    EXPECT_GT(readVectorPolygons(dir_ / "c.csv").polygons.front().front().size(), 20U);
    writeBytes(dir_ / "n.csv", "WKT,label\n\"POLYGON ((0 0,nan 0,10 10,0 0))\",1\n");
    (void)refusal("n.csv");
    writeBytes(dir_ / "t.csv", "a,b\n1,2\n");
    EXPECT_THAT(refusal("t.csv"), HasSubstr("there is no polygon"));
    writeBytes(dir_ / "empty.fgb", "");
    (void)refusal("empty.fgb");
    (void)refusal("missing.gpkg");
}

/// Changes a data base by SQL.
void change(const std::filesystem::path& path, const std::string& sql) {
    sqlite3* base = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &base), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(base, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(base);
    sqlite3_close(base);
}

TEST_F(Vectors, WithComputedTablesAreRefused) {
    const std::string endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ";
    const std::array<std::string, 4> changes{
        "CREATE VIEW endless AS " + endless + "SELECT i FROM n",
        "ALTER TABLE gpkg_contents RENAME TO old; CREATE VIEW gpkg_contents AS " + endless + "SELECT old.* FROM old, n",
        "CREATE VIRTUAL TABLE words USING fts4(text)",
        "CREATE TABLE computed(a INTEGER, b GENERATED ALWAYS AS (length(zeroblob(a))))"};
    for (const std::string& sql : changes) {
        std::filesystem::remove(dir_ / "p.gpkg");
        writeVector(dir_ / "p.gpkg", {{"p", featuresOf(stars(3)), ""}});
        EXPECT_EQ(readVectorPolygons(dir_ / "p.gpkg").polygons.size(), 3U);
        change(dir_ / "p.gpkg", sql);
        EXPECT_THAT(refusal("p.gpkg"), HasSubstr("is computed")) << sql;
    }
}

TEST_F(Vectors, AreReadInTheirFolderOnly) {
    TempDir other;
    writeVector(dir_ / "p.shp", {{"p", featuresOf(stars(3)), ""}});
    std::filesystem::rename(dir_ / "p.shx", other / "p.shx");
    std::filesystem::create_symlink(other / "p.shx", dir_ / "p.shx");
    EXPECT_THAT(refusal("p.shp"), HasSubstr("only files of the folder"));
    EXPECT_TRUE(readFailure(dir_ / "p.shp").has_value()) << "no image";
    writeVector(dir_ / "p.gpkg", {{"p", featuresOf(stars(3)), ""}});
    EXPECT_TRUE(readFailure(dir_ / "p.gpkg").has_value()) << "no image";
    EXPECT_FALSE(std::filesystem::exists(dir_ / "p.gpkg-wal"));
    writeBytes(dir_ / "p.gpkg-wal", "changes");
    EXPECT_THAT(refusal("p.gpkg"), HasSubstr("another program"));
}

TEST_F(Vectors, ThatAreDamagedAreReadOrRefusedSoon) {
    std::mt19937 random(11);
    for (const std::string extension : kExtensions) {
        const std::filesystem::path path = dir_ / ("d." + extension);
        writeVector(path, {{"d", featuresOf(stars(6)), "EPSG:32632"}});
        const std::string whole = readBytes(path);
        for (int i = 0; i < 150; ++i) {
            std::string bytes = whole;
            if (i % 3 == 0) {
                bytes.resize(random() % bytes.size());
            }
            for (std::size_t k = 0; k < 1 + random() % 8 && !bytes.empty(); ++k) {
                bytes[random() % std::min<std::size_t>(bytes.size(), 4096)] = static_cast<char>(random());
            }
            writeBytes(path, bytes);
            const auto start = std::chrono::steady_clock::now();
            try {
                (void)readVectorPolygons(path);
            } catch (const Error& error) {
                EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
            }
            EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << extension;
        }
    }
}

TEST_F(Vectors, CanBeCancelled) {
    writeVector(dir_ / "p.fgb", {{"p", featuresOf(stars(3)), ""}});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)readVectorPolygons(dir_ / "p.fgb", {}, JobControl(stop.get_token())), Cancelled);
}

} // namespace

} // namespace pollard::test
