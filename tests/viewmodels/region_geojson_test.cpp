#include "vm/region/region_file.hpp"

#include "base/error.hpp"
#include "geo/map_coordinates.hpp"
#include "support/map_tags.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pollard::vm {
namespace {

using Kind = RegionShape::Kind;

std::vector<RegionShape> fromGeoJson(const QByteArray& json) {
    return readGeoJson(json, nullptr, GeoJsonIn::pixels).shapes;
}

TEST(RegionGeoJson, ComesBackAsItWas) {
    const std::vector<RegionShape> shapes{{Kind::rectangle, {{10, 20}, {30, 45}}},
                                          {Kind::ellipse, {{0, 0}, {100, 50}}},
                                          {Kind::polygon, {{1.25, 2}, {30, 4.5}, {7, 60}, {3, 3}}}};
    EXPECT_EQ(fromGeoJson(toGeoJson(shapes)), shapes);
    EXPECT_TRUE(fromGeoJson(toGeoJson({})).empty());
}

TEST(RegionGeoJson, ReadsPolygonsOfOtherPrograms) {
    EXPECT_EQ(fromGeoJson(R"({"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10,7],[0,0]]]})").front().points,
              (std::vector<RegionPoint>{{0, 0}, {10, 0}, {10, 10}}));
    EXPECT_EQ(fromGeoJson(R"({"type":"Feature","properties":null,"geometry":{"type":"MultiPolygon","coordinates":
                          [[[[0,0],[1,0],[1,1]]],[[[5,5],[9,5],[9,9]]]]}})")
                  .size(),
              2U);
}

TEST(RegionGeoJson, EveryPrefixIsAClearErrorOrTheShapes) {
    const QByteArray whole = toGeoJson({{Kind::polygon, {{1, 2}, {30, 4}, {7, 60}}}});
    for (int length = 0; length < whole.size(); ++length) {
        EXPECT_THROW(static_cast<void>(fromGeoJson(whole.first(length))), Error) << length;
    }
}

TEST(RegionGeoJson, RefusesWhatIsNoRegion) {
    for (const char* json :
         {"[]", "{}", "null", R"({"type":"Point","coordinates":[1,2]})", R"({"type":"Polygon","coordinates":[]})",
          R"({"type":"Polygon","coordinates":[[[0,0],[1,1]]]})",
          R"({"type":"Polygon","coordinates":[[["a",0],[1,1],[2,0]]]})",
          R"({"type":"Polygon","coordinates":[[[1e300,0],[1,1],[2,0]]]})",
          R"({"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9]],[[1,1],[2,1],[2,2]]]})"}) {
        EXPECT_THROW(static_cast<void>(fromGeoJson(json)), Error) << json;
    }
    QByteArray deep = R"({"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9]]]})";
    for (int i = 0; i < 30; ++i) {
        deep = R"({"type":"GeometryCollection","geometries":[)" + deep + "]}";
    }
    EXPECT_THROW(static_cast<void>(fromGeoJson(deep)), Error);
}

TEST(RegionGeoJson, DegreesComeBackAsTheyWere) {
    POLLARD_NEED_PROJ();
    using pollard::testing::MapKeys;
    using pollard::testing::mapTags;
    MapKeys points = MapKeys::projected(2154);
    points.points = true;
    const std::vector<std::vector<CopiedTag>> maps{mapTags(MapKeys::projected(32633), 600000, 5350000, 0.5, 0.5),
                                                   mapTags(MapKeys::geographic(4326), -60, 40, 0.1, 0.2),
                                                   mapTags(points, {{700000, 8, 6}, {6600000, 6, -8}})};
    const std::vector<RegionShape> shapes{{Kind::rectangle, {{10, 20}, {30, 45}}},
                                          {Kind::ellipse, {{0, 0}, {100, 50}}},
                                          {Kind::polygon, {{1.25, 2}, {3, 3}, {7, 60}, {30, 4.5}}}};
    for (const auto& tags : maps) {
        const MapCoordinates map(tags, 120, 80);
        const QByteArray json = toGeoJson(shapes, &map);
        EXPECT_TRUE(json.contains("longitude/latitude"));
        const FiledRegion read = readGeoJson(json, &map, GeoJsonIn::pixels);
        EXPECT_EQ(read.positions, GeoJsonIn::degrees);
        ASSERT_EQ(read.shapes.size(), shapes.size());
        EXPECT_EQ(read.shapes[0], shapes[0]) << "whole pixels are whole again";
        EXPECT_EQ(read.shapes[1].kind, Kind::ellipse);
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            for (const RegionPoint& corner : shapes[i].points) {
                EXPECT_TRUE(std::ranges::any_of(read.shapes[i].points,
                                                [&](const RegionPoint& found) {
                                                    return std::hypot(found.x - corner.x, found.y - corner.y) < 1e-6;
                                                }))
                    << corner.x << ' ' << corner.y;
            }
        }
        EXPECT_THROW(static_cast<void>(fromGeoJson(json)), Error) << "without a map degrees say nothing";
    }
}

TEST(RegionGeoJson, DegreesOfOtherProgramsAreTakenIfToldSo) {
    POLLARD_NEED_PROJ();
    using pollard::testing::MapKeys;
    const MapCoordinates map(pollard::testing::mapTags(MapKeys::geographic(4326), 10, 50, 0.1, 0.1), 120, 80);
    const QByteArray json = R"({"type":"Polygon","coordinates":[[[10,50],[12,50],[12,49],[10,50]]]})";
    EXPECT_EQ(readGeoJson(json, &map, GeoJsonIn::degrees).shapes.front().points,
              (std::vector<RegionPoint>{{0, 0}, {20, 0}, {20, 10}}));
    EXPECT_EQ(readGeoJson(json, &map, GeoJsonIn::pixels).shapes.front().points,
              (std::vector<RegionPoint>{{10, 50}, {12, 50}, {12, 49}}));
    for (const char* wrong : {R"({"type":"Polygon","coordinates":[[[200,50],[12,50],[12,49]]]})",
                              R"({"type":"Polygon","coordinates":[[[10,50],[12,95],[12,49]]]})"}) {
        EXPECT_THROW(static_cast<void>(readGeoJson(wrong, &map, GeoJsonIn::degrees)), Error);
    }
    EXPECT_THROW(
        static_cast<void>(readGeoJson(R"({"type":"FeatureCollection","features":[],"pollard_coordinates":"x"})", &map,
                                      GeoJsonIn::pixels)),
        Error);
}

} // namespace
} // namespace pollard::vm
