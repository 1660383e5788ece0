// Sizes of pixels on the ground, against areas that GDAL's Lambert azimuthal equal-area projections give.

#include "geo/map_coordinates.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/scene_units.hpp"
#include "support/map_tags.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstdint>

namespace pollard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

ImageInfo infoOf(std::uint16_t code, double x, double y, double side, std::uint32_t width, std::uint32_t height) {
    ImageInfo info;
    info.carried = mapTags(MapKeys::projected(code), x, y, side, side);
    describeGeoTags(info);
    findGroundSize(info, width, height);
    return info;
}

TEST(GroundSize, IsThatOfTheEllipsoid) {
    POLLARD_NEED_PROJ();
    struct Case {
        std::uint16_t code;
        double x;
        double y;
        double area; ///< of 30 x 20 px, by an equal-area projection around them
    };
    for (const Case& each : {Case{3857, 1'000'000, 8'399'737, 15052},
                             {3395, 1'000'000, 8'362'698, 15077},
                             {4087, 1'000'000, 6'679'169, 30103}}) {
        const ImageInfo info = infoOf(each.code, each.x, each.y, 10, 160, 120);
        ASSERT_TRUE(info.pixelSize) << each.code;
        EXPECT_NEAR(600 * info.pixelSize->x * info.pixelSize->y, each.area, each.area * 1e-3) << each.code;
        EXPECT_EQ(info.pixelSize->source, kGroundSize);
        EXPECT_THAT(info.notes, ::testing::ElementsAre(HasSubstr("map units are not lengths on the ground")));
    }
}

TEST(GroundSize, SystemsWithAScaleNearOneStayAsStated) {
    POLLARD_NEED_PROJ();
    for (const std::uint16_t code : std::array<std::uint16_t, 5>{3035, 32632, 25832, 2154, 3577}) {
        const ImageInfo info = infoOf(code, 700'000, code == 3577 ? -3'500'000 : 6'600'000, 10, 500, 400);
        ASSERT_TRUE(info.pixelSize);
        EXPECT_EQ(info.pixelSize->x, 10) << code;
        EXPECT_EQ(info.pixelSize->source, "GeoTIFF");
        EXPECT_THAT(info.notes, IsEmpty());
    }
}

TEST(GroundSize, DegreesAreMetresOnASmallMap) {
    POLLARD_NEED_PROJ();
    const auto sizeOf = [](double side) {
        ImageInfo info;
        info.carried = mapTags(MapKeys::geographic(4326), 10, 50, side, side);
        describeGeoTags(info);
        findGroundSize(info, 100, 100);
        return *info.pixelSize;
    };
    const PixelSize small = sizeOf(0.001); // 50 to 49.9 degrees north
    EXPECT_EQ(small.unit, "m");
    // Degrees at 49.95 N on WGS 84: 71.77 km and 111.23 km.
    EXPECT_NEAR(small.x, 71.77, 0.02);
    EXPECT_NEAR(small.y, 111.23, 0.02);
    EXPECT_EQ(sizeOf(0.1).unit, "°") << "50 to 40 degrees north";
}

TEST(GroundSize, UnitsAreRefusedWhereItVaries) {
    POLLARD_NEED_PROJ();
    const ImageInfo info = infoOf(3857, 0, 8'000'000, 1000, 2000, 6000);
    EXPECT_THAT(whyNoScene(info.pixelSize, Dimension::area), HasSubstr("varies from"));
    EXPECT_THAT(info.notes, ::testing::ElementsAre(HasSubstr("varies from")));
}

} // namespace
} // namespace pollard::testing
