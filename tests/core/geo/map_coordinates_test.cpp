// Longitude and latitude of pixels: against GDAL, and by laws.

#include "base/error.hpp"
#include "core/io/io_support.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "geo/map_coordinates.hpp"
#include "io/image_file.hpp"
#include "io/metadata/geo_tags.hpp"
#include "support/map_tags.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace pollard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kNear = 1e-9; // degrees

void expectPlace(const MapPoint& got, double longitude, double latitude) {
    EXPECT_NEAR(got.x, longitude, kNear);
    EXPECT_NEAR(got.y, latitude, kNear);
}

/// `printf "X Y\n..." | gdaltransform -s_srs EPSG:CODE -t_srs OGC:CRS84 -output_xy` (GDAL 3.6.2, PROJ 9.1.1)
struct Known {
    MapKeys keys;
    MapPoint first; ///< in the system, of the image's corner; the opposite one is 10,000 east and 20,000 south
    MapPoint firstPlace;
    MapPoint lastPlace;
};
const std::vector<Known>& knownPlaces() {
    static const std::vector<Known> known{
        {MapKeys::projected(32633),
         {600000, 5350000},
         {16.348289678961, 48.2952914450288},
         {16.4778891365645, 48.1137548335776}},
        {MapKeys::projected(32760),
         {300000, 8000000},
         {175.110189332951, -18.079454748954},
         {175.202796335482, -18.261036959689}},
        {MapKeys::projected(3857),
         {1800000, 6100000},
         {16.1696751141514, 47.958779800526},
         {16.2595066425633, 47.8383256140391}},
        {MapKeys::projected(2154), {700000, 6600000}, {3, 46.5}, {3.12996615892257, 46.3198334662932}},
        {MapKeys::projected(3577),
         {1500000, -3500000},
         {147.950001048093, -31.2755434327121},
         {148.081849679529, -31.4415954641518}},
    };
    return known;
}

TEST(MapCoordinates, AgreeWithGdal) {
    POLLARD_NEED_PROJ();
    for (const Known& known : knownPlaces()) {
        SCOPED_TRACE(known.keys.numbers.front().second);
        const MapCoordinates map(mapTags(known.keys, known.first.x, known.first.y, 10, 20), 1000, 1000);
        EXPECT_FALSE(map.isGeographic());
        EXPECT_EQ(map.unit(), "metre");
        expectPlace(map.lonLatAt({0, 0}), known.firstPlace.x, known.firstPlace.y);
        expectPlace(map.lonLatAt({1000, 1000}), known.lastPlace.x, known.lastPlace.y);
    }
    const MapCoordinates polar(mapTags(MapKeys::projected(3031), 100000, 200000, 1000, 1500), 400, 400);
    expectPlace(polar.lonLatAt({0, 0}), 26.565051177078, -87.9422116201553);
    const MapCoordinates ground(mapTags(MapKeys::geographic(4258), 10, 50, 0.001, 0.001), 1000, 1000);
    EXPECT_TRUE(ground.isGeographic());
    expectPlace(ground.lonLatAt({1000, 1000}), 11, 49);
}

TEST(MapCoordinates, FollowTheFormulaOfWebMercator) {
    POLLARD_NEED_PROJ();
    constexpr double kRadius = 6378137;
    const MapCoordinates map(mapTags(MapKeys::projected(3857), -5e6, 8e6, 500, 700), 9000, 9000);
    for (const MapPoint pixel : {MapPoint{0, 0}, {123.5, 4567}, {8999, 2.25}}) {
        const MapPoint world = map.worldAt(pixel);
        expectPlace(map.lonLatAt(pixel), world.x / kRadius * 180 / std::numbers::pi,
                    std::atan(std::sinh(world.y / kRadius)) * 180 / std::numbers::pi);
    }
}

/// Maps of every kind: areas and points, scaled and rotated, mirrored.
std::vector<std::vector<CopiedTag>> manyMaps() {
    std::vector<std::vector<CopiedTag>> maps;
    for (MapKeys keys : {MapKeys::projected(32633), MapKeys::projected(2154), MapKeys::geographic(4326)}) {
        const double unit = keys.model == 1 ? 10 : 1e-4;
        const MapPoint corner = keys.model == 1 ? MapPoint{600000, 5500000} : MapPoint{16, 48};
        for (const bool points : {false, true}) {
            keys.points = points;
            maps.push_back(mapTags(keys, corner.x, corner.y, unit, 2 * unit));
            maps.push_back(mapTags(keys, {{corner.x, 0.8 * unit, 0.6 * unit}, {corner.y, 0.6 * unit, -0.8 * unit}}));
            maps.push_back(mapTags(keys, {{corner.x, unit, 0}, {corner.y, 0, unit}})); // rows run north
        }
    }
    return maps;
}

TEST(MapCoordinates, BothWaysAreInverse) {
    POLLARD_NEED_PROJ();
    Random random(611);
    for (const auto& tags : manyMaps()) {
        const MapCoordinates map(tags, 3000, 2000);
        for (int i = 0; i < 200; ++i) {
            const MapPoint pixel{static_cast<double>(random() % 300000) / 100,
                                 static_cast<double>(random() % 200000) / 100};
            const MapPoint back = map.pixelAt(map.lonLatAt(pixel));
            EXPECT_NEAR(back.x, pixel.x, 1e-6);
            EXPECT_NEAR(back.y, pixel.y, 1e-6);
        }
    }
}

TEST(MapCoordinates, CropsAndShrunkImagesLieAtTheSamePlace) {
    POLLARD_NEED_PROJ();
    for (const auto& tags : manyMaps()) {
        const MapCoordinates whole(tags, 3000, 2000);
        for (const double scale : {1.0, 2.0, 7.5}) {
            const PixelRegion part{100, 60, 900, 600};
            const MapCoordinates map(cropTags(tags, part, scale, 2 * scale), 300, 150);
            for (const MapPoint pixel : {MapPoint{0, 0}, {120, 40}, {33.5, 149}}) {
                const MapPoint expected = whole.lonLatAt({100 + pixel.x * scale, 60 + pixel.y * 2 * scale});
                expectPlace(map.lonLatAt(pixel), expected.x, expected.y);
            }
        }
    }
}

TEST(MapCoordinates, APointIsTheMiddleOfItsPixel) {
    POLLARD_NEED_PROJ();
    MapKeys keys = MapKeys::geographic(4326);
    keys.points = true;
    const MapCoordinates map(mapTags(keys, 16, 48, 0.5, 0.25), 10, 10);
    expectPlace(map.lonLatAt({0.5, 0.5}), 16, 48);
    expectPlace(map.lonLatAt({0, 0}), 15.75, 48.125);
}

TEST(MapCoordinates, ReadFromAFileCoverThePartThatIsRead) {
    POLLARD_NEED_PROJ();
    const test::TempDir folder;
    Image image(PixelType::u8, 80, 60);
    std::ranges::fill(image.pixels<std::uint8_t>(), std::uint8_t{7});
    PlaneFacts facts;
    facts.carried = mapTags(MapKeys::projected(32633), 600000, 5350000, 10, 10);
    writeTiff(folder / "map.tif", {image, facts});
    const auto mapOf = [&](const ReadOptions& read) {
        const LoadedImage loaded = readImage(folder / "map.tif", read);
        return MapCoordinates::of(loaded.info.carried, loaded.image->width(), loaded.image->height());
    };
    const auto whole = mapOf({});
    ReadOptions reduced;
    reduced.region = PixelRegion{20, 10, 40, 40};
    reduced.shrink = 4;
    const auto part = mapOf(reduced);
    ASSERT_TRUE(whole && part);
    const MapPoint expected = whole->lonLatAt({20 + 4 * 3, 10 + 4 * 7});
    expectPlace(part->lonLatAt({3, 7}), expected.x, expected.y);
}

TEST(MapCoordinates, TakeAnImageFrom0To360ToWhereItLies) {
    POLLARD_NEED_PROJ();
    const MapCoordinates map(mapTags(MapKeys::geographic(4326), 0, 90, 1, 1), 360, 180);
    EXPECT_NEAR(map.pixelAt({-90, 0}).x, 270, 1e-6);
    EXPECT_NEAR(map.pixelAt({90, 0}).x, 90, 1e-6);
    const MapCoordinates earth(mapTags(MapKeys::geographic(4326), -180, 90, 1, 1), 360, 180);
    EXPECT_NEAR(earth.pixelAt({-180, 0}).x, 0, 1e-6);
    EXPECT_NEAR(earth.pixelAt({180, 0}).x, 360, 1e-6);
}

TEST(MapCoordinates, PixelsBesideTheAntimeridianHaveTheirSize) {
    POLLARD_NEED_PROJ();
    const MapKeys zone = MapKeys::projected(32660);
    const MapCoordinates metres(mapTags(zone, 500000, 0, 1, 1), 10, 10);
    const auto around = [&](double longitude) { // of the pixel (8, 9), at which 20 x 20 px are measured
        const MapPoint place = metres.worldAt(metres.pixelAt({longitude, 0}));
        return MapCoordinates(mapTags(zone, place.x - 8000, place.y + 9000, 1000, 1000), 20, 20);
    };
    const MapCoordinates crossing = around(179.9999);
    ASSERT_GT(crossing.lonLatAt({8, 9}).x, 179.99);
    ASSERT_LT(crossing.lonLatAt({8.25, 9}).x, -179.99);
    EXPECT_NEAR(crossing.degreesPerPixel(), around(179.9).degreesPerPixel(), 1e-6);
    EXPECT_NEAR(crossing.degreesPerPixel(), 0.008974, 1e-5);
    EXPECT_FALSE(crossing.isMirrored());
}

/// Systems described by keys equal the systems of the registry.
TEST(MapCoordinates, DescribedProjectionsAreTheKnownOnes) {
    POLLARD_NEED_PROJ();
    static constexpr std::uint16_t kUser = kUserDefinedKey;
    const auto described = [](std::uint16_t datum, std::uint16_t method,
                              std::vector<std::pair<std::uint16_t, double>> parameters) {
        return MapKeys{1,
                       false,
                       {{kProjectedCrsKey, kUser}, {kGeodeticCrsKey, datum}, {kProjMethodKey, method}},
                       std::move(parameters),
                       "mine"};
    };
    struct Case {
        MapKeys keys;
        std::uint16_t code;
        MapPoint corner;
    };
    const std::vector<Case> cases{
        {described(4326, 1, {{3080, 15}, {3081, 0}, {3092, 0.9996}, {3082, 500000}, {3083, 0}}),
         32633,
         {600000, 5350000}},
        {{1, false, {{kProjectedCrsKey, kUser}, {kGeodeticCrsKey, 4326}, {kProjectionKey, 16033}}, {}, ""},
         32633,
         {600000, 5350000}},
        {{1, false, {{kProjectedCrsKey, kUser}, {kGeodeticCrsKey, 4326}, {kProjectionKey, 16160}}, {}, ""},
         32760,
         {300000, 8000000}},
        {described(4171, 8, {{3078, 49}, {3079, 44}, {3084, 3}, {3085, 46.5}, {3086, 700000}, {3087, 6600000}}),
         2154,
         {700000, 6600000}},
        {described(4283, 11, {{3078, -18}, {3079, -36}, {3080, 132}, {3081, 0}}), 3577, {1500000, -3500000}},
        {described(7844, 11, {{3078, -18}, {3079, -36}, {3080, 132}, {3081, 0}}), 9473, {1500000, -3500000}},
        {{1, false, {{kProjectedCrsKey, kUser}, {kGeodeticCrsKey, 4269}, {kProjectionKey, 16014}}, {}, ""},
         26914,
         {600000, 4500000}},
        {described(4258, 10, {{3088, 10}, {3089, 52}, {3082, 4321000}, {3083, 3210000}}), 3035, {4600000, 2800000}},
        {described(4326, 15, {{3095, 0}, {3081, -71}, {3092, 1}}), 3031, {100000, 900000}},
        {described(4326, 7, {{3080, 100}, {3092, 0.9999}}), 0, {0, 0}},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.code);
        const MapCoordinates mine(mapTags(each.keys, each.corner.x, each.corner.y, 10, 10), 500, 500);
        EXPECT_EQ(mine.unit(), "metre");
        if (each.code == 0) {
            expectPlace(mine.lonLatAt({0, 0}), 100, 0);
            continue;
        }
        const MapCoordinates known(mapTags(MapKeys::projected(each.code), each.corner.x, each.corner.y, 10, 10), 500,
                                   500);
        for (const MapPoint pixel : {MapPoint{0, 0}, {500, 0}, {250, 499}}) {
            const MapPoint expected = known.lonLatAt(pixel);
            expectPlace(mine.lonLatAt(pixel), expected.x, expected.y);
        }
    }
}

TEST(MapCoordinates, TheUnitOfTheKeysCounts) {
    POLLARD_NEED_PROJ();
    constexpr double kFoot = 0.3048;
    MapKeys keys = MapKeys::projected(32633);
    const MapCoordinates metres(mapTags(keys, 600000, 5350000, 10, 10), 100, 100);
    keys.numbers.push_back({kProjLinearUnitsKey, 9002});
    const MapCoordinates feet(mapTags(keys, 600000 / kFoot, 5350000 / kFoot, 10 / kFoot, 10 / kFoot), 100, 100);
    const MapPoint expected = metres.lonLatAt({70, 20});
    expectPlace(feet.lonLatAt({70, 20}), expected.x, expected.y);
    EXPECT_NEAR(feet.pixelAt(expected).x, 70, 1e-6);
    keys = MapKeys::projected(2263); // New York, in US survey feet
    const MapCoordinates survey(mapTags(keys, 980000, 200000, 5, 5), 100, 100);
    EXPECT_EQ(survey.unit(), "US survey foot");
}

TEST(MapCoordinates, AnEllipsoidOfItsOwnIsEnough) {
    POLLARD_NEED_PROJ();
    const MapKeys keys{2,
                       false,
                       {{kGeodeticCrsKey, kUserDefinedKey}},
                       {{kSemiMajorAxisKey, 6371000}, {kSemiMinorAxisKey, 6371000}},
                       ""};
    const MapCoordinates map(mapTags(keys, 10, 50, 0.1, 0.1), 10, 10);
    EXPECT_TRUE(map.isGeographic());
    EXPECT_NEAR(map.lonLatAt({10, 10}).x, 11, 1e-6);
}

std::string problemOf(const std::vector<CopiedTag>& tags, std::uint32_t width = 100, std::uint32_t height = 100) {
    try {
        const MapCoordinates map(tags, width, height);
        return {};
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::formatUnsupported);
        return error.what();
    }
}

TEST(MapCoordinates, HostileTagsEndInOneLine) {
    const double huge = std::numeric_limits<double>::max();
    const double none = std::numeric_limits<double>::quiet_NaN();
    const MapKeys utm = MapKeys::projected(32633);
    const auto user = [](std::uint16_t method, double axis, double flattening) {
        return MapKeys{
            1,
            false,
            {{kProjectedCrsKey, kUserDefinedKey}, {kGeodeticCrsKey, kUserDefinedKey}, {kProjMethodKey, method}},
            {{kSemiMajorAxisKey, axis}, {kInverseFlatteningKey, flattening}},
            "my \"own\"]],\n system"};
    };
    std::vector<std::vector<CopiedTag>> hostile{
        mapTags(utm, 0, 0, 0, 10),
        mapTags(utm, 0, 0, 10, 0),
        mapTags(utm, huge, 0, 10, 10),
        mapTags(utm, 0, 0, huge, huge),
        mapTags(utm, 0, 0, 1e-200, 1e-200),
        mapTags(utm, {{0, 1, 1}, {0, 1, 1}}),
        mapTags(utm, 1e30, 1e30, 1, 1),
        mapTags(MapKeys::projected(1), 0, 0, 1, 1),
        mapTags(MapKeys::projected(65000), 0, 0, 1, 1),
        mapTags(MapKeys::projected(5773), 0, 0, 1, 1), // heights
        mapTags(MapKeys::projected(4978), 0, 0, 1, 1), // geocentric
        mapTags(MapKeys::geographic(0), 0, 0, 1, 1),
        mapTags({3, false, {}, {}, "geocentric"}, 0, 0, 1, 1),
        mapTags({1, false, {}, {}, ""}, 0, 0, 1, 1),
        mapTags({0, false, {}, {}, ""}, 0, 0, 1, 1),
        mapTags(user(99, 6378137, 298), 0, 0, 1, 1),
        mapTags(user(1, -1, 298), 0, 0, 1, 1),
        mapTags(user(1, none, 298), 0, 0, 1, 1),
        mapTags(user(1, 6378137, 0.5), 0, 0, 1, 1),
    };
    for (std::size_t i = 0; i < hostile.size(); ++i) {
        SCOPED_TRACE(i);
        ASSERT_TRUE(MapCoordinates::areIn(hostile[i]));
        const std::string problem = problemOf(hostile[i]);
        EXPECT_FALSE(problem.empty());
        EXPECT_THAT(problem, Not(HasSubstr("\n")));
    }
    EXPECT_FALSE(MapCoordinates::areIn({}));
    EXPECT_FALSE(MapCoordinates::areIn(mapTags(utm)));
    EXPECT_FALSE(MapCoordinates::areIn(mapTags(utm, 0, 0, none, 1)));
    EXPECT_EQ(MapCoordinates::of({}, 5, 5), nullptr);
}

TEST(MapCoordinates, AnUnknownSystemIsNamed) {
    MapKeys keys = MapKeys::projected(kUserDefinedKey);
    keys.citation = "Grid of the mine";
    EXPECT_THAT(problemOf(mapTags(keys, 0, 0, 1, 1)),
                HasSubstr("the coordinate system is not known: Grid of the mine"));
    if (hasProj()) {
        EXPECT_THAT(problemOf(mapTags(MapKeys::projected(65000), 0, 0, 1, 1)), HasSubstr("EPSG:65000"));
    } else {
        EXPECT_THAT(problemOf(mapTags(MapKeys::projected(32633), 0, 0, 1, 1)), HasSubstr("built without it"));
    }
}

/// Arbitrary keys either work or throw an Error.
TEST(MapCoordinates, RandomKeysAreSafe) {
    Random random(77);
    const std::vector<CopiedTag> whole =
        mapTags({1,
                 false,
                 {{kProjectedCrsKey, kUserDefinedKey}, {kGeodeticCrsKey, 4326}, {kProjMethodKey, 8}},
                 {{3078, 49}, {3079, 44}, {3084, 3}},
                 "x"},
                1e5, 1e6, 10, 10);
    for (int i = 0; i < 60; ++i) {
        std::vector<CopiedTag> tags = whole;
        for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
            CopiedTag& tag = tags[random() % tags.size()];
            tag.data[random() % tag.data.size()] = static_cast<std::byte>(random());
        }
        if (MapCoordinates::areIn(tags)) {
            (void)problemOf(tags);
        }
    }
}

} // namespace
} // namespace pollard::testing
