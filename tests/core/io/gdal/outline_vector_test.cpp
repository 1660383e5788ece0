#include "core/io/gdal/gdal_files.hpp"

#include "components/objects/object_files.hpp"
#include "components/outline_files/outlines.hpp"
#include "cpu/cpu_engine.hpp"
#include "geo/vector_layer.hpp"
#include "snake/contour/contour_files.hpp"
#include "snake/contour/contour_output.hpp"

#include <algorithm>
#include <gdal_alg.h>
#include <gmock/gmock.h>
#include <map>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <random>
#include <stop_token>
#include <utility>
#include <vector>

namespace pollard::test {

namespace {

using Corners = std::vector<std::pair<double, double>>;

void addCorners(OGRGeometryH geometry, Corners& corners) {
    for (int i = 0; i < OGR_G_GetGeometryCount(geometry); ++i) {
        addCorners(OGR_G_GetGeometryRef(geometry, i), corners);
    }
    for (int i = 0; i + 1 < OGR_G_GetPointCount(geometry); ++i) {
        corners.emplace_back(OGR_G_GetX(geometry, i), OGR_G_GetY(geometry, i));
    }
}

/// Corners of all rings by the value of a field, sorted: the start and the direction of a ring depend on the program,
/// and holes that meet in a point may be one ring.
std::map<int, Corners> cornersIn(OGRLayerH layer, const char* field) {
    std::map<int, Corners> all;
    OGR_L_ResetReading(layer);
    while (OGRFeatureH feature = OGR_L_GetNextFeature(layer)) {
        addCorners(OGR_F_GetGeometryRef(feature),
                   all[OGR_F_GetFieldAsInteger(feature, OGR_F_GetFieldIndex(feature, field))]);
        OGR_F_Destroy(feature);
    }
    for (auto& [value, corners] : all) {
        std::sort(corners.begin(), corners.end());
    }
    return all;
}

Components randomObjects(std::uint32_t width, std::uint32_t height) {
    Mask mask(width, height, false);
    std::mt19937 random(3);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            mask.set(x, y, random() % 100 < 55);
        }
    }
    ComponentsSpec spec;
    spec.labels = true;
    spec.features = true;
    return makeCpuEngine()->labelComponents(mask, nullptr, spec, {});
}

class VectorOutlines : public ::testing::Test {
protected:
    void SetUp() override {
        prepareGdal();
        if (GDALGetDriverByName("GPKG") == nullptr) {
            GTEST_SKIP() << "GDAL without its driver GPKG";
        }
    }
    [[nodiscard]] std::filesystem::path write(const Components& components, const std::vector<CopiedTag>& tags,
                                              const std::string& name = "o.gpkg") {
        AtomicFile file(dir_ / name, "write outlines");
        writeVectorOutlines(file, dir_ / name, components, allLabels(components), tags);
        file.commit();
        return dir_ / name;
    }
    static GdalHandle open(const std::filesystem::path& path) {
        return GdalHandle(GDALOpenEx(path.c_str(), GDAL_OF_VECTOR, nullptr, nullptr, nullptr));
    }

    TempDir dir_;
};

TEST_F(VectorOutlines, HasThePolygonsOfGdalPolygonize) {
    const Components components = randomObjects(40, 30);
    GdalImage image;
    image.width = 40;
    image.height = 30;
    image.type = GDT_Int32;
    image.value = [&](int, int x, int y) {
        return components.labels[static_cast<std::size_t>(y) * 40 + static_cast<std::size_t>(x)];
    };
    const GdalHandle labels = image.make();
    ASSERT_TRUE(copyTo("GTiff", labels.get(), dir_ / "l.tif"));
    const std::vector<CopiedTag> tags = readImageInfo(dir_ / "l.tif").carried;
    const GdalHandle written = open(write(components, tags));
    ASSERT_NE(written, nullptr);
    OGRLayerH layer = GDALDatasetGetLayerByName(written.get(), "objects");
    ASSERT_NE(layer, nullptr);
    EXPECT_EQ(OGR_L_GetFeatureCount(layer, TRUE), static_cast<GIntBig>(components.count));
    OGRSpatialReferenceH system = OGR_L_GetSpatialRef(layer);
    ASSERT_NE(system, nullptr);
    EXPECT_STREQ(OSRGetAuthorityCode(system, nullptr), "32632");

    const GdalHandle expected(
        GDALCreate(GDALGetDriverByName("GPKG"), "/vsimem/expected.gpkg", 0, 0, 0, GDT_Unknown, nullptr));
    OGRLayerH polygons = GDALDatasetCreateLayer(expected.get(), "p", nullptr, wkbPolygon, nullptr);
    OGRFieldDefnH field = OGR_Fld_Create("label", OFTInteger);
    OGR_L_CreateField(polygons, field, TRUE);
    OGR_Fld_Destroy(field);
    GDALRasterBandH band = GDALGetRasterBand(labels.get(), 1);
    ASSERT_EQ(GDALPolygonize(band, band, polygons, 0, nullptr, nullptr, nullptr), CE_None);
    const std::map<int, Corners> got = cornersIn(layer, "label");
    const std::map<int, Corners> wanted = cornersIn(polygons, "label");
    ASSERT_EQ(got.size(), wanted.size());
    for (const auto& [label, corners] : wanted) {
        const Corners& own = got.at(label);
        ASSERT_EQ(own.size(), corners.size()) << label;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            EXPECT_NEAR(own[i].first, corners[i].first, 1e-5) << label; // 1e-6 px of 10 m
            EXPECT_NEAR(own[i].second, corners[i].second, 1e-5) << label;
        }
    }
    VSIUnlink("/vsimem/expected.gpkg");

    const GdalHandle flat = open(write(components, tags, "o.fgb"));
    ASSERT_NE(flat, nullptr);
    EXPECT_EQ(cornersIn(GDALDatasetGetLayer(flat.get(), 0), "label"), got);
    EXPECT_STREQ(OSRGetAuthorityCode(OGR_L_GetSpatialRef(GDALDatasetGetLayer(flat.get(), 0)), nullptr), "32632");
    const GdalHandle table = open(write(components, tags, "o.csv"));
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(cornersIn(GDALDatasetGetLayer(table.get(), 0), "label"), got);
    EXPECT_THROW((void)write(components, tags, "o.shp"), Error) << "several files";
    EXPECT_EQ(dir_.entries(), 4U);

    // They are read again on the same pixels.
    VectorPolygons read = readVectorPolygons(dir_ / "o.gpkg");
    const Outlines outlines = traceOutlines(components);
    ASSERT_EQ(read.polygons.size(),
              static_cast<std::size_t>(std::ranges::count(outlines.rings, false, &OutlineRing::hole)));
    std::size_t ring = 0;
    for (MapPolygon& polygon : read.polygons) {
        toPixels(polygon, read.system, tags, 40, 30);
        for (const MapRing& own : polygon) {
            const auto points = outlines.pointsOf(outlines.rings[ring++]);
            ASSERT_EQ(own.size(), points.size());
            for (std::size_t i = 0; i < own.size(); ++i) {
                EXPECT_EQ(own[i].x, points[i].x);
                EXPECT_EQ(own[i].y, points[i].y);
            }
        }
    }
}

TEST_F(VectorOutlines, HasThePropertiesOfObjects) {
    const Components components = randomObjects(20, 20);
    const GdalHandle written = open(write(components, {}));
    OGRLayerH layer = GDALDatasetGetLayerByName(written.get(), "objects");
    OGR_L_ResetReading(layer);
    std::uint32_t label = 0;
    while (OGRFeatureH feature = OGR_L_GetNextFeature(layer)) {
        ++label;
        EXPECT_EQ(OGR_F_GetFieldAsInteger64(feature, OGR_F_GetFieldIndex(feature, "label")), label);
        const double area = OGR_F_GetFieldAsDouble(feature, OGR_F_GetFieldIndex(feature, "area"));
        EXPECT_EQ(area, static_cast<double>(components.objects[label - 1].area));
        EXPECT_DOUBLE_EQ(OGR_G_Area(OGR_F_GetGeometryRef(feature)), area) << "without a map, in px";
        OGR_F_Destroy(feature);
    }
    EXPECT_EQ(label, components.count);
}

TEST_F(VectorOutlines, ContoursComeBack) {
    ASSERT_TRUE(copyTo("GTiff", GdalImage{}.make().get(), dir_ / "l.tif"));
    const std::vector<CopiedTag> onMap = readImageInfo(dir_ / "l.tif").carried;
    const std::vector<Contour> contours{{{1, 0}, {20, 2}, {22, 17}, {0, 16}}, {{3, 3}, {9, 3}, {6, 8}}};
    for (const std::vector<CopiedTag>& tags : {onMap, std::vector<CopiedTag>{}}) {
        ContourOutput output;
        output.contours = contours;
        output.mask.carried = tags;
        writeContourFile(ContourFile::vector, dir_ / "c.gpkg", output);
        for (const char* name : {"c.gpkg", "c.fgb", "c.csv"}) {
            const std::vector<LabelledContour> filed{{contours[0], 1, 4}, {contours[1], 2, 7}};
            if (dir_ / name != dir_ / "c.gpkg") {
                writeContourVector(dir_ / name, filed, tags);
            }
            FileRings read = readRings(dir_ / name);
            const bool statesSystem = !tags.empty() && std::string(name) != "c.csv";
            EXPECT_EQ(read.system->empty(), !statesSystem) << name;
            if (std::string(name) == "c.csv" && !tags.empty()) {
                read.system = GdalImage::utm(); // CSV has the positions without their system
            }
            std::vector<Contour> back = contoursOf(read, tags, 23, 17);
            std::ranges::sort(back, {}, [](const Contour& contour) { return contour.size() == 3; }); // by number
            EXPECT_EQ(back, contours) << name;
        }
        const GdalHandle pages = open(dir_ / "c.csv");
        OGRLayerH layer = GDALDatasetGetLayer(pages.get(), 0);
        OGR_L_ResetReading(layer);
        for (const int page : {4, 7}) {
            OGRFeatureH feature = OGR_L_GetNextFeature(layer);
            ASSERT_NE(feature, nullptr);
            EXPECT_EQ(OGR_F_GetFieldAsInteger(feature, OGR_F_GetFieldIndex(feature, "label")), page == 4 ? 1 : 2);
            EXPECT_EQ(OGR_F_GetFieldAsInteger(feature, OGR_F_GetFieldIndex(feature, "page")), page);
            OGR_F_Destroy(feature);
        }
    }
    const GdalHandle single = open(dir_ / "c.gpkg");
    OGRLayerH layer = GDALDatasetGetLayerByName(single.get(), "contours");
    ASSERT_NE(layer, nullptr);
    EXPECT_LT(OGR_FD_GetFieldIndex(OGR_L_GetLayerDefn(layer), "page"), 0) << "without pages";
    EXPECT_THROW(writeContourVector(dir_ / "c.shp", {}, {}), Error);
    EXPECT_THROW(writeContourVector(dir_ / "no" / "c.gpkg", {}, {}), Error);
}

TEST_F(VectorOutlines, LeavesTheTargetAsItIsAfterAFailure) {
    writeBytes(dir_ / "o.gpkg", "before");
    const Components components = randomObjects(20, 20);
    std::stop_source stop;
    stop.request_stop();
    {
        AtomicFile file(dir_ / "o.gpkg", "write outlines");
        EXPECT_THROW(writeVectorOutlines(file, dir_ / "o.gpkg", components, allLabels(components), {},
                                         JobControl(stop.get_token())),
                     Cancelled);
    }
    EXPECT_EQ(readBytes(dir_ / "o.gpkg"), "before");
    EXPECT_EQ(dir_.entries(), 1U);
}

} // namespace

} // namespace pollard::test
