// Polygons of images in longitude and latitude, and their GeoJSON.

#include "components/components.hpp"
#include "components/objects/object_files.hpp"
#include "components/outline_files/outlines.hpp"
#include "core/io/io_support.hpp"
#include "geo/earth_polygons.hpp"
#include "io/write/text_file.hpp"
#include "snake/contour/contour_files.hpp"
#include "support/map_tags.hpp"
#include "support/object_masks.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace pollard::testing {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

double areaOf(const MapRing& ring) {
    double sum = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const MapPoint& a = ring[i];
        const MapPoint& b = ring[(i + 1) % ring.size()];
        sum += a.x * b.y - b.x * a.y;
    }
    return sum / 2;
}

MapRing ringIn(const Json& json) {
    MapRing ring;
    for (const Json& place : json) {
        ring.push_back({place.at(0).get<double>(), place.at(1).get<double>()});
    }
    EXPECT_EQ(ring.front(), ring.back()) << "the first position is repeated";
    ring.pop_back();
    return ring;
}

std::vector<MapPolygon> polygonsIn(const Json& geometry) {
    std::vector<MapPolygon> polygons;
    const bool several = geometry.at("type") == "MultiPolygon";
    EXPECT_TRUE(several || geometry.at("type") == "Polygon");
    for (const Json& rings : several ? geometry.at("coordinates") : Json::array({geometry.at("coordinates")})) {
        MapPolygon& polygon = polygons.emplace_back();
        for (const Json& ring : rings) {
            polygon.push_back(ringIn(ring));
        }
    }
    return polygons;
}

Components objectsOf(const Mask& mask) {
    ComponentsSpec spec;
    spec.connectivity = Connectivity::eight;
    return labelComponents(mask, nullptr, spec);
}

class EarthPolygons : public ::testing::Test {
protected:
    void SetUp() override { POLLARD_NEED_PROJ(); }

    [[nodiscard]] Json outlinesOf(const Components& components, const MapCoordinates* map) const {
        writeObjectFile(ObjectFile::outlines, folder / "o.geojson", components, allLabels(components), {}, {}, map);
        return Json::parse(test::readBytes(folder / "o.geojson"));
    }

    test::TempDir folder;
};

MapKeys pointKeys() {
    MapKeys keys = MapKeys::projected(32633);
    keys.points = true;
    return keys;
}

TEST_F(EarthPolygons, OuterRingsTurnAnticlockwiseAndHolesClockwise) {
    const std::vector<std::vector<CopiedTag>> maps{
        mapTags(MapKeys::projected(32633), 600000, 5350000, 10, 10),
        mapTags(pointKeys(), {{600000, 8, 6}, {5350000, 6, -8}}),
        mapTags(MapKeys::projected(2154), {{700000, 10, 0}, {6600000, 0, 10}}), // mirrored
        mapTags(MapKeys::geographic(4326), -20, 40, 0.01, 0.02),
        mapTags(MapKeys::projected(3031), 100000, 200000, 100, 100)};
    Random random(5);
    for (const auto& tags : maps) {
        const MapCoordinates map(tags, 40, 30);
        for (const std::uint32_t density : {30U, 60U, 85U}) {
            const Components objects = objectsOf(granularMask(random, 40, 30, 1, density));
            const Json json = outlinesOf(objects, &map);
            std::size_t holes = 0;
            for (const Json& feature : json.at("features")) {
                double pixels = 0;
                for (const MapPolygon& polygon : polygonsIn(feature.at("geometry"))) {
                    for (std::size_t i = 0; i < polygon.size(); ++i) {
                        holes += i > 0 ? 1 : 0;
                        EXPECT_EQ(areaOf(polygon[i]) > 0, i == 0);
                        MapRing back = polygon[i];
                        map.toPixels(back);
                        pixels += (i == 0 ? 1 : -1) * std::abs(areaOf(back));
                    }
                }
                EXPECT_NEAR(pixels, feature.at("properties").at("area").get<double>(), 1e-3);
            }
            EXPECT_TRUE(density < 85 || holes > 0) << "masks without holes say nothing of them";
        }
    }
}

TEST_F(EarthPolygons, EveryCornerIsFoundAgain) {
    const MapCoordinates map(mapTags(MapKeys::projected(32633), 600000, 5350000, 0.25, 0.25), 60, 50);
    Random random(8);
    const Components objects = objectsOf(granularMask(random, 60, 50, 3, 50));
    const Json inDegrees = outlinesOf(objects, &map);
    const Json inPixels = outlinesOf(objects, nullptr);
    EXPECT_EQ(inDegrees.at("pollard_coordinates"), "longitude/latitude");
    EXPECT_FALSE(inPixels.contains("pollard_coordinates"));
    EXPECT_FALSE(inDegrees.contains("crs"));
    for (std::size_t i = 0; i < objects.count; ++i) {
        const Json& feature = inDegrees.at("features").at(i);
        EXPECT_EQ(feature.at("properties"), inPixels.at("features").at(i).at("properties"));
        const auto polygons = polygonsIn(feature.at("geometry"));
        const auto expected = polygonsIn(inPixels.at("features").at(i).at("geometry"));
        ASSERT_EQ(polygons.size(), expected.size());
        for (std::size_t p = 0; p < polygons.size(); ++p) {
            for (std::size_t r = 0; r < polygons[p].size(); ++r) {
                MapRing back = polygons[p][r];
                map.toPixels(back);
                ASSERT_EQ(back.size(), expected[p][r].size());
                EXPECT_NEAR(back[0].x, expected[p][r][0].x, 1e-6); // the first corner is kept
                for (const MapPoint& corner : back) {
                    EXPECT_NEAR(corner.x, std::round(corner.x), 1e-6);
                    EXPECT_NEAR(corner.y, std::round(corner.y), 1e-6);
                }
            }
        }
    }
}

/// Compares many positions on every long edge, not only the corners.
TEST_F(EarthPolygons, LongEdgesFollowTheImage) {
    const std::vector<std::vector<CopiedTag>> maps{mapTags(MapKeys::projected(32633), 300000, 5900000, 10, 10),
                                                   mapTags(MapKeys::projected(3031), -2000000, 3000000, 200, 200),
                                                   mapTags(MapKeys::projected(3035), 4000000, 5000000, 100, 100)};
    for (const auto& tags : maps) {
        const MapCoordinates map(tags, 20000, 9000);
        const auto polygons = earthPolygons(map, {{{0, 0}, {20000, 0}, {20000, 9000}, {0, 9000}}});
        ASSERT_EQ(polygons.size(), 1U);
        const MapRing& ring = polygons.front().front();
        EXPECT_GT(ring.size(), 4U);
        double worst = 0;
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const MapPoint& a = ring[i];
            const MapPoint& b = ring[(i + 1) % ring.size()];
            for (const double share : {0.0, 0.25, 0.5, 0.75}) {
                const MapPoint pixel = map.pixelAt({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)});
                const double beside = std::min(
                    {std::abs(pixel.x), std::abs(pixel.x - 20000), std::abs(pixel.y), std::abs(pixel.y - 9000)});
                worst = std::max(worst, beside);
            }
        }
        EXPECT_LT(worst, 0.11);
    }
    const MapCoordinates straight(mapTags(MapKeys::geographic(4326), 0, 50, 0.001, 0.001), 20000, 9000);
    EXPECT_EQ(earthPolygons(straight, {{{0, 0}, {20000, 0}, {20000, 9000}, {0, 9000}}}).front().front().size(), 4U);
}

TEST_F(EarthPolygons, TheWholeEarthReachesFromOneEndToTheOther) {
    const MapCoordinates map(mapTags(MapKeys::geographic(4326), -180, 90, 360.0 / 21600, 180.0 / 10800), 21600, 10800);
    const Json json = [&] {
        writeContourGeojson(folder / "c.geojson",
                            std::vector<LabelledContour>{{{{0, 0}, {21600, 0}, {21600, 10800}, {0, 10800}}, 1, {}}}, {},
                            &map);
        return Json::parse(test::readBytes(folder / "c.geojson"));
    }();
    EXPECT_EQ(json.at("geometry").at("coordinates"),
              Json::parse("[[[-180,90],[-180,-90],[180,-90],[180,90],[-180,90]]]"));
}

double totalArea(const std::vector<MapPolygon>& polygons) {
    double sum = 0;
    for (const MapPolygon& polygon : polygons) {
        for (const MapRing& ring : polygon) {
            sum += areaOf(ring);
        }
    }
    return sum;
}

TEST_F(EarthPolygons, WhatCrossesTheAntimeridianIsCut) {
    const std::vector<std::vector<CopiedTag>> maps{
        mapTags(MapKeys::geographic(4326), 179, 10, 0.05, 0.05), // extends beyond 180
        mapTags(MapKeys::projected(32660), 800000, 1000000, 5000, 5000),
        mapTags(MapKeys::projected(3832), 3200000, 1000000, 5000, 5000)}; // a Mercator map of the Pacific
    Random random(9);
    for (const auto& tags : maps) {
        const MapCoordinates map(tags, 40, 40);
        const Components objects = objectsOf(granularMask(random, 40, 40, 2, 65));
        const Json json = outlinesOf(objects, &map);
        bool west = false;
        bool east = false;
        for (const Json& feature : json.at("features")) {
            double pixels = 0;
            for (const MapPolygon& polygon : polygonsIn(feature.at("geometry"))) {
                for (std::size_t i = 0; i < polygon.size(); ++i) {
                    EXPECT_EQ(areaOf(polygon[i]) > 0, i == 0);
                    double low = 180;
                    double high = -180;
                    for (const MapPoint& place : polygon[i]) {
                        low = std::min(low, place.x);
                        high = std::max(high, place.x);
                        EXPECT_LE(std::abs(place.x), 180);
                    }
                    EXPECT_LT(high - low, 90) << "no ring runs around the earth";
                    west = west || low < 0;
                    east = east || high > 0;
                    MapRing back = polygon[i];
                    for (MapPoint& place : back) { // on the line both signs are valid
                        place.x = std::abs(place.x) == 180 ? std::copysign(180 - 1e-10, low) : place.x;
                    }
                    map.toPixels(back);
                    pixels += (i == 0 ? 1 : -1) * std::abs(areaOf(back));
                }
            }
            EXPECT_NEAR(pixels, feature.at("properties").at("area").get<double>(), 0.05);
        }
        EXPECT_TRUE(west && east);
    }
}

TEST_F(EarthPolygons, ARingAroundThePoleReachesIt) {
    const MapCoordinates map(mapTags(MapKeys::projected(3031), -1000000, 1000000, 1000, 1000), 2000, 2000);
    const auto polygons = earthPolygons(map, {{{500, 500}, {1500, 500}, {1500, 1500}, {500, 1500}}});
    double south = 0;
    double area = 0;
    for (const MapPolygon& polygon : polygons) {
        area += areaOf(polygon.front());
        for (const MapPoint& place : polygon.front()) {
            EXPECT_LE(std::abs(place.x), 180);
            south = std::min(south, place.y);
        }
    }
    EXPECT_EQ(south, -90);
    EXPECT_NEAR(area, 360 * 5, 360) << "some degrees of latitude around the whole earth";
}

TEST(Antimeridian, CutsBesideHolesAndThroughThem) {
    const auto square = [](double left, double bottom, double side, bool hole) {
        MapRing ring{{left, bottom}, {left + side, bottom}, {left + side, bottom + side}, {left, bottom + side}};
        if (hole) {
            std::ranges::reverse(ring);
        }
        return ring;
    };
    const MapPolygon whole{square(170, 0, 20, false), square(172, 5, 3, true), square(178, 10, 4, true),
                           square(185, 2, 2, true)};
    const auto parts = cutAtAntimeridian(whole);
    EXPECT_EQ(parts.size(), 2U);
    EXPECT_NEAR(totalArea(parts), totalArea({whole}), 1e-9);
    for (const MapPolygon& part : parts) {
        EXPECT_EQ(part.size(), 2U) << "one hole each, and a bay of the one that is cut";
        EXPECT_GT(areaOf(part.front()), 0);
    }
    const MapPolygon comb{{{170, 0}, {190, 0}, {190, 1}, {175, 1}, {175, 2}, {190, 2}, {190, 3}, {170, 3}}};
    const auto teeth = cutAtAntimeridian(comb);
    EXPECT_EQ(teeth.size(), 3U);
    EXPECT_NEAR(totalArea(teeth), totalArea({comb}), 1e-9);
    // A ring that touches itself on the line.
    const MapPolygon flag{{{180, 0}, {184, 0}, {184, 2}, {180, 2}, {180, 1}, {178, 1.5}, {178, 0.5}, {180, 1}}};
    const auto halves = cutAtAntimeridian(flag);
    EXPECT_EQ(halves.size(), 2U);
    EXPECT_NEAR(totalArea(halves), totalArea({flag}), 1e-9);
    const MapPolygon far{square(365, 0, 10, false)};
    EXPECT_EQ(cutAtAntimeridian(far), (std::vector<MapPolygon>{{square(5, 0, 10, false)}}));
}

TEST_F(EarthPolygons, ContoursComeBack) {
    const MapCoordinates map(mapTags(pointKeys(), {{600000, 8, 6}, {5350000, 6, -8}}), 500, 400);
    const std::vector<Contour> contours{{{0, 0}, {300, 7}, {500, 400}, {20, 390}}, {{17, 20}, {30, 20}, {24, 31}}};
    std::vector<LabelledContour> filed;
    for (const Contour& contour : contours) {
        filed.push_back({contour, static_cast<std::uint32_t>(filed.size() + 1), {}});
    }
    writeContourGeojson(folder / "c.geojson", filed, {}, &map);
    const FileRings read = readRings(folder / "c.geojson");
    EXPECT_EQ(read.positions, GeoJsonIn::degrees);
    for (std::size_t i = 0; i < contours.size(); ++i) {
        MapRing back = read.rings[i];
        map.toPixels(back);
        EXPECT_NEAR(back[0].x, contours[i][0].x, 1e-6);
        EXPECT_NEAR(back[0].y, contours[i][0].y, 1e-6);
    }
    EXPECT_EQ(contoursOf(read, &map), contours);
    EXPECT_THROW((void)contoursOf(read, nullptr), Error);
    EXPECT_THROW((void)readContours(folder / "c.geojson"), Error) << "degrees are no pixels";
    const std::string other =
        R"({"type":"Polygon","coordinates":[[[16,48],[16.1,48],[16,48.1]]],"pollard_coordinates":)";
    EXPECT_THROW((void)parseRings(other + "\"chains\"}"), Error);
    EXPECT_THROW((void)parseRings(other + "7}"), Error);
    const std::string plain = R"({"type":"Polygon","coordinates":[[[200,48],[16.1,48],[16,48.1]]]})";
    EXPECT_EQ(parseRings(plain).positions, GeoJsonIn::pixels);
    EXPECT_THROW((void)contoursOf(parseRings(plain, GeoJsonIn::degrees), &map), Error);
}

TEST(GeoJsonPositions, NumbersAreExactAndShort) {
    const test::TempDir folder;
    TextFile file(folder / "n.json", "write");
    writeGeometry(file, {{{{-0.0, 1.5}, {-0.0000000001, 180}, {12.123456789123, -7}}}}, 9);
    file.commit();
    EXPECT_EQ(test::readBytes(folder / "n.json"),
              R"({"type":"Polygon","coordinates":[[[0,1.5],[0,180],[12.123456789,-7],[0,1.5]]]})");
}

} // namespace
} // namespace pollard::testing
