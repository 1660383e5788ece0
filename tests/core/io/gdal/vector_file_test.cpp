#include "core/io/gdal/gdal_files.hpp"

#include "geo/map_coordinates.hpp"
#include "geo/vector_file.hpp"
#include "snake/contour/contour_files.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <gmock/gmock.h>
#include <memory>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <string>
#include <utility>
#include <vector>

// Polygons of vector files in px of a picture.

namespace pollard::test {

namespace {

using Ring = std::vector<std::pair<double, double>>;
using Polygon = std::vector<Ring>; ///< the outer ring first

struct Format {
    std::string name;
    std::string extension;
};
const std::vector<Format> kFormats{{"GPKG", ".gpkg"}, {"ESRI Shapefile", ".shp"}, {"FlatGeobuf", ".fgb"}};

/// Corners of a box in px, as a contour of the box's picture has them.
Ring boxOf(double left, double top, double right, double bottom) {
    return {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
}
Contour contourOf(const Ring& ring) {
    Contour contour;
    for (const auto& [x, y] : ring) {
        contour.push_back({static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)});
    }
    return contour;
}

/// The place of a corner of a pixel of GdalPicture in UTM zone 32 N.
std::pair<double, double> onMap(const std::pair<double, double>& pixel) {
    return {500'000 + 10 * pixel.first, 5'600'000 - 10 * pixel.second};
}

/// The error of a call.
template <class Call> std::string errorOf(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

class VectorFile : public ::testing::TestWithParam<Format> {
protected:
    void SetUp() override {
        if (vectorDriver(GetParam().name) == nullptr) {
            GTEST_SKIP() << "GDAL without its driver " << GetParam().name;
        }
    }

    [[nodiscard]] std::filesystem::path path() const { return dir_ / ("p" + GetParam().extension); }

    /// Writes a layer of features, each with polygons of px. @param epsg system of the file; 0: px
    void write(const std::vector<std::vector<Polygon>>& features, int epsg,
               OGRwkbGeometryType type = wkbMultiPolygon) const {
        const std::filesystem::path memory = "/vsimem/vector";
        VSIMkdir(memory.c_str(), 0755);
        GdalHandle made(GDALCreate(vectorDriver(GetParam().name), (memory / path().filename()).c_str(), 0, 0, 0,
                                   GDT_Unknown, nullptr));
        ASSERT_NE(made, nullptr) << CPLGetLastErrorMsg();
        OGRSpatialReferenceH utm = OSRNewSpatialReference(nullptr);
        OSRImportFromEPSG(utm, 32632);
        OSRSetAxisMappingStrategy(utm, OAMS_TRADITIONAL_GIS_ORDER);
        OGRSpatialReferenceH system = epsg != 0 ? OSRNewSpatialReference(nullptr) : nullptr;
        OGRCoordinateTransformationH fromUtm = nullptr;
        if (epsg != 0) {
            OSRImportFromEPSG(system, epsg);
            OSRSetAxisMappingStrategy(system, OAMS_TRADITIONAL_GIS_ORDER);
            fromUtm = OCTNewCoordinateTransformation(utm, system);
        }
        OGRLayerH layer = GDALDatasetCreateLayer(made.get(), "p", system, type, nullptr);
        ASSERT_NE(layer, nullptr) << CPLGetLastErrorMsg();
        for (const std::vector<Polygon>& polygons : features) {
            OGRGeometryH geometry = OGR_G_CreateGeometry(wkbMultiPolygon);
            for (const Polygon& rings : polygons) {
                OGRGeometryH polygon = OGR_G_CreateGeometry(wkbPolygon);
                for (const Ring& ring : rings) {
                    OGRGeometryH line = OGR_G_CreateGeometry(wkbLinearRing);
                    for (std::size_t i = 0; i <= ring.size(); ++i) {
                        const auto& corner = ring[i % ring.size()];
                        const auto [x, y] = epsg != 0 ? onMap(corner) : corner;
                        OGR_G_AddPoint_2D(line, x, y);
                    }
                    OGR_G_AddGeometryDirectly(polygon, line);
                }
                OGR_G_AddGeometryDirectly(geometry, polygon);
            }
            if (fromUtm != nullptr) {
                ASSERT_EQ(OGR_G_Transform(geometry, fromUtm), OGRERR_NONE);
            }
            if (type == wkbPoint) {
                OGRGeometryH point = OGR_G_CreateGeometry(wkbPoint);
                OGR_G_Centroid(geometry, point);
                OGR_G_DestroyGeometry(std::exchange(geometry, point));
            }
            OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
            OGR_F_SetGeometryDirectly(feature, geometry);
            EXPECT_EQ(OGR_L_CreateFeature(layer, feature), OGRERR_NONE) << CPLGetLastErrorMsg();
            OGR_F_Destroy(feature);
        }
        OCTDestroyCoordinateTransformation(fromUtm);
        OSRRelease(system);
        OSRRelease(utm);
        made.reset();
        takeFiles(memory, dir_.path());
    }

    /// The outer rings in a picture of 23 x 17 px in UTM.
    [[nodiscard]] std::vector<Contour> contoursInPicture() const {
        const GdalHandle picture = GdalPicture{}.make();
        EXPECT_TRUE(copyTo("GTiff", picture.get(), dir_ / "picture.tif"));
        const auto map = MapCoordinates::of(readImageInfo(dir_ / "picture.tif").carried, 23, 17);
        return contoursOf(readFiledRings(path()), map.get());
    }

    /// The error of polygonsAsGeoJson(), one line.
    [[nodiscard]] std::string refusal(ErrorCode code) const {
        const auto start = std::chrono::steady_clock::now();
        try {
            ADD_FAILURE() << polygonsAsGeoJson(path());
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), code) << error.what();
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
            EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
            return error.what();
        }
        return {};
    }

    TempDir dir_;
};

const Polygon kBox{boxOf(2, 3, 9, 11)};
const Polygon kWithHole{boxOf(10, 1, 22, 15), {{12, 4}, {12, 9}, {18, 9}, {18, 4}}};
const Polygon kTriangle{{{1, 16}, {5, 12}, {9, 16}}};

TEST_P(VectorFile, GivesItsPolygonsInPixelsOfThePicture) {
    for (const int epsg : {32632, 4326, 3857, 25832}) {
        SCOPED_TRACE(epsg);
        write({{kBox}, {kWithHole, kTriangle}}, epsg);
        EXPECT_THAT(contoursInPicture(),
                    ::testing::ElementsAre(contourOf(kBox[0]), contourOf(kWithHole[0]), contourOf(kTriangle[0])));
    }
}

TEST_P(VectorFile, GivesTheDegreesOfItsTransformation) {
    write({{kBox}}, 3857);
    const FiledRings filed = readFiledRings(path());
    ASSERT_EQ(filed.positions, GeoJsonIn::degrees);
    OGRSpatialReferenceH utm = OSRNewSpatialReference(nullptr);
    OGRSpatialReferenceH degrees = OSRNewSpatialReference(nullptr);
    OSRImportFromEPSG(utm, 32632);
    OSRImportFromEPSG(degrees, 4326);
    OSRSetAxisMappingStrategy(utm, OAMS_TRADITIONAL_GIS_ORDER);
    OSRSetAxisMappingStrategy(degrees, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH transformation = OCTNewCoordinateTransformation(utm, degrees);
    for (const auto& pixel : kBox[0]) {
        auto [x, y] = onMap(pixel);
        ASSERT_TRUE(OCTTransform(transformation, 1, &x, &y, nullptr));
        EXPECT_TRUE(std::ranges::any_of(
            filed.rings[0],
            [&](const MapPoint& place) { return std::abs(place.x - x) < 1e-9 && std::abs(place.y - y) < 1e-9; }))
            << x << ' ' << y;
    }
    OCTDestroyCoordinateTransformation(transformation);
    OSRRelease(utm);
    OSRRelease(degrees);
}

TEST_P(VectorFile, WithoutASystemIsInPixels) {
    write({{kBox}, {kTriangle}}, 0);
    const FiledRings filed = readFiledRings(path());
    EXPECT_EQ(filed.positions, GeoJsonIn::pixels);
    const auto sorted = [](Contour contour) { // a shapefile turns rings
        std::ranges::sort(contour, {}, [](const ContourNode& node) { return std::pair(node.x, node.y); });
        return contour;
    };
    const std::vector<Contour> contours = contoursOf(filed, nullptr);
    ASSERT_EQ(contours.size(), 2U);
    EXPECT_EQ(sorted(contours[0]), sorted(contourOf(kBox[0])));
    EXPECT_EQ(sorted(contours[1]), sorted(contourOf(kTriangle[0])));
}

TEST_P(VectorFile, WithoutPolygonsIsRefused) {
    write({{kBox}}, 32632, wkbPoint);
    EXPECT_THAT(refusal(ErrorCode::formatUnsupported), ::testing::HasSubstr("no layer has polygons"));
}

TEST_P(VectorFile, ThatIsDamagedIsRefused) {
    write({{kBox}, {kWithHole, kTriangle}}, 32632);
    const std::string whole = readBytes(path());
    const std::string polygons = polygonsAsGeoJson(path());
    for (std::size_t size = 0; size < whole.size(); size += whole.size() / 40 + 1) {
        writeBytes(path(), whole.substr(0, size));
        try {
            EXPECT_EQ(polygonsAsGeoJson(path()), polygons) << size << " of " << whole.size() << " bytes";
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        }
    }
    writeBytes(path(), "");
    EXPECT_NE(refusal(ErrorCode::fileDamaged), "");
    writeBytes(path(), std::string(5000, 'x'));
    EXPECT_NE(refusal(ErrorCode::fileDamaged), "");
}

TEST_P(VectorFile, OfTheUserIsNamedOnce) {
    EXPECT_EQ(errorOf([&] { (void)readFiledRings(path()); }),
              "read the contour: " + path().string() + ": there is no such file");
    writeBytes(path(), std::string(5000, 'x'));
    const std::string error = errorOf([&] { (void)readFiledRings(path()); });
    EXPECT_THAT(error, ::testing::StartsWith("read the contour: " + path().string() + ": "));
    EXPECT_EQ(error.find(path().string()), error.rfind(path().string())) << error;
}

INSTANTIATE_TEST_SUITE_P(Formats, VectorFile, ::testing::ValuesIn(kFormats),
                         [](const auto& format) { return format.param.extension.substr(1); });

/// A table of contents that calls a function: GDAL has functions that ask servers.
TEST(VectorFileContent, CannotCallFunctions) {
    if (vectorDriver("GPKG") == nullptr) {
        GTEST_SKIP() << "GDAL without its driver GPKG";
    }
    const TempDir dir;
    const auto write = [&](const char* name, bool callsFunction) {
        const std::filesystem::path path = dir / name;
        const GdalHandle made(GDALCreate(vectorDriver("GPKG"), path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
        OGRLayerH layer = GDALDatasetCreateLayer(made.get(), "p", nullptr, wkbPolygon, nullptr);
        OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
        std::string text = "POLYGON ((1 1,1 5,5 5,1 1))";
        char* rest = text.data();
        OGRGeometryH polygon = nullptr;
        EXPECT_EQ(OGR_G_CreateFromWkt(&rest, nullptr, &polygon), OGRERR_NONE);
        OGR_F_SetGeometryDirectly(feature, polygon);
        EXPECT_EQ(OGR_L_CreateFeature(layer, feature), OGRERR_NONE);
        OGR_F_Destroy(feature);
        GDALFlushCache(made.get());
        const auto run = [&](const std::string& statement) {
            GDALDatasetReleaseResultSet(made.get(),
                                        GDALDatasetExecuteSQL(made.get(), statement.c_str(), nullptr, nullptr));
        };
        run("ALTER TABLE gpkg_contents RENAME TO stored_contents");
        run("CREATE VIEW gpkg_contents AS SELECT * FROM stored_contents WHERE " +
            std::string(callsFunction ? "ST_MinX(NULL) IS NULL" : "1 = 1"));
        return path;
    };
    EXPECT_THAT(polygonsAsGeoJson(write("plain.gpkg", false)), ::testing::HasSubstr("[1,1],[1,5],[5,5],[1,1]"));
    const std::filesystem::path path = write("calls.gpkg", true);
    EXPECT_THAT(errorOf([&] { (void)polygonsAsGeoJson(path); }), ::testing::HasSubstr("unsafe use of ST_MinX"));
}

} // namespace

} // namespace pollard::test
