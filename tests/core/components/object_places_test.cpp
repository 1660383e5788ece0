#include "components/object_places.hpp"

#include "components/objects/object_condition.hpp"
#include "geo/map_coordinates.hpp"
#include "io/metadata/length_units.hpp"
#include "support/map_tags.hpp"
#include "support/sky_cards.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// One object of the two pixels (33, 12) and (34, 12).
Components pairOfPixels() {
    Components components;
    components.width = 100;
    components.height = 100;
    components.count = 1;
    ComponentRecord record;
    record.area = 2;
    record.sumX = 67;
    record.sumY = 24;
    components.objects.push_back(record);
    return components;
}

std::vector<std::string> namesOf(const std::vector<ObjectColumn>& columns) {
    std::vector<std::string> names;
    for (const ObjectColumn& column : columns) {
        names.push_back(column.name);
    }
    return names;
}

TEST(ObjectPlaces, OfASkyAreThoseOfTheCentroid) {
    POLLARD_NEED_WCS();
    ImageInfo info;
    info.sky = sipHeader();
    const Components components = pairOfPixels();
    const auto columns = placeColumns(components, placesOf(info, 100, 100));
    ASSERT_THAT(namesOf(columns), ElementsAre("ra_deg", "dec_deg"));
    // astropy: all_pix2world([[33.5, 99 - 12]], 0)
    EXPECT_NEAR(columns[0].valueOf(1), 150.1014719692, 1e-9);
    EXPECT_NEAR(columns[1].valueOf(1), 2.2057489126, 1e-9);
}

TEST(ObjectPlaces, OfAMapAreInItsSystemAndOnTheEarth) {
    POLLARD_NEED_PROJ();
    ImageInfo info;
    info.carried = mapTags(MapKeys::projected(32633), 600000, 5350000, 10, 10);
    const Components components = pairOfPixels();
    const ImagePlaces places = placesOf(info, 100, 100);
    const auto columns = placeColumns(components, places);
    ASSERT_THAT(namesOf(columns), ElementsAre("centroid_easting", "centroid_northing", "lon", "lat"));
    EXPECT_EQ(columns[0].valueOf(1), 600340);
    EXPECT_EQ(columns[1].valueOf(1), 5349875);
    // printf "600340 5349875" | gdaltransform -s_srs EPSG:32633 -t_srs OGC:CRS84 -output_xy
    EXPECT_NEAR(columns[2].valueOf(1), 16.3528428320372, 1e-7);
    EXPECT_NEAR(columns[3].valueOf(1), 48.2941133415385, 1e-7);
    info.carried = mapTags(MapKeys::geographic(4326), 190, 0.5, 0.01, 0.01);
    const auto degrees = placeColumns(components, placesOf(info, 100, 100));
    ASSERT_THAT(namesOf(degrees), ElementsAre("lon", "lat"));
    EXPECT_NEAR(degrees[0].valueOf(1), 190.34 - 360, 1e-9);
    EXPECT_NEAR(degrees[1].valueOf(1), 0.375, 1e-9);
}

TEST(ObjectPlaces, OfAPatientAreMillimetresToTheRightAnteriorAndSuperior) {
    ImageInfo info;
    info.place = VoxelPlace{.map = {{{{-0.5, 0, 0}, {0, -0.25, 0.1}, {0, 0, 2}}}, {10, 20, -30}}, .unit = "mm"};
    const Components components = pairOfPixels();
    const auto columns = placeColumns(components, placesOf(info, 100, 100));
    ASSERT_THAT(namesOf(columns), ElementsAre("patient_x_mm", "patient_y_mm", "patient_z_mm"));
    EXPECT_DOUBLE_EQ(columns[0].valueOf(1), 10 - 0.5 * 33.5);
    EXPECT_DOUBLE_EQ(columns[1].valueOf(1), 20 - 0.25 * 12);
    EXPECT_DOUBLE_EQ(columns[2].valueOf(1), -30 + 0.1 * 12);

    Components volume = pairOfPixels();
    volume.connectivity = Connectivity::six;
    DepthRecord depth;
    depth.sumZ = 7; // slices 3 and 4
    volume.depths.push_back(depth);
    info.place->unit = "m";
    const auto deep = placeColumns(volume, placesOf(info, 100, 100));
    ASSERT_THAT(namesOf(deep), ElementsAre("patient_x_mm", "patient_y_mm", "patient_z_mm"));
    EXPECT_DOUBLE_EQ(deep[2].valueOf(1), 1000 * (-30 + 0.1 * 12 + 2 * 3.5));

    info.place->unit.clear();
    EXPECT_THAT(namesOf(placeColumns(volume, placesOf(info, 100, 100))),
                ElementsAre("patient_x", "patient_y", "patient_z"));
    info.place->isAnatomical = false;
    EXPECT_THAT(placeColumns(volume, placesOf(info, 100, 100)), IsEmpty());
}

TEST(ObjectPlaces, OfAPatientHaveTheSidesThatTheUserStates) {
    ImageInfo info;
    info.place = VoxelPlace{.map = {{{{0, 2, 0}, {3, 0, 0}, {0, 0, 4}}}, {1, 1, 1}}, .unit = "mm"};
    info.pixelSize = PixelSize{500, 250, "µm", std::string(kSetByHand)};
    const Components components = pairOfPixels();
    const auto columns = placeColumns(components, placesOf(info, 100, 100));
    ASSERT_EQ(columns.size(), 3);
    EXPECT_DOUBLE_EQ(columns[0].valueOf(1), 1 + 0.25 * 12);
    EXPECT_DOUBLE_EQ(columns[1].valueOf(1), 1 + 0.5 * 33.5);
}

TEST(ObjectPlaces, AreValuesInConditions) {
    const Components components = pairOfPixels();
    const auto holds = [&](const char* text, std::optional<std::vector<double>> fluxes) {
        const auto columns = placeColumns(components, {}, std::move(fluxes));
        return ObjectCondition::parse(text).withColumns(columns).holds(MeasuredObject(components.objects.front(), 1));
    };
    EXPECT_TRUE(holds("flux > 1.5 && area == 2", std::vector{2.0}));
    EXPECT_FALSE(holds("flux > 1.5", std::vector{1.5}));
    EXPECT_TRUE(holds("flux / area > 0.9", std::vector{2.0}));
    EXPECT_THROW((void)holds("flux > 1.5", {}), ConditionError) << "without a background there is no flux";
    for (const char* name : {"ra_deg", "glat_deg", "centroid_easting", "centroid_northing", "lon", "lat", "flux"}) {
        EXPECT_TRUE(isPlaceColumn(name)) << name;
    }
    for (const char* name : {"area", "centroid_x", "deg", "longitude", "mean[GFP]"}) {
        EXPECT_FALSE(isPlaceColumn(name)) << name;
    }
}

TEST(ObjectPlaces, AreMissingWithoutASystem) {
    ImageInfo info;
    EXPECT_THAT(placeColumns(pairOfPixels(), placesOf(info, 100, 100)), IsEmpty());
    MapKeys keys = MapKeys::projected(kUserDefinedKey);
    keys.citation = "Grid of the mine";
    info.carried = mapTags(keys, 0, 0, 1, 1);
    EXPECT_THAT(placeColumns(pairOfPixels(), placesOf(info, 100, 100)), IsEmpty());
}

} // namespace
} // namespace pollard::testing
