#include "region_geojson.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace pollard::vm {
namespace {

using Kind = RegionShape::Kind;

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

} // namespace
} // namespace pollard::vm
