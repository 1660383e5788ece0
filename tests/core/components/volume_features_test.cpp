// Features of objects of volumes: values of known shapes, conditions, lists, classes and tables.

#include "base/error.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_files.hpp"
#include "components/threshold.hpp"
#include "io/write/text_file.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using enum ObjectFeature;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The voxels for which `level(x, y, z)` is not 0.
Components objectsOf(const Extent& extent, const std::function<int(int, int, int)>& level,
                     Connectivity connectivity = Connectivity::six) {
    Image volume(PixelType::u8, extent);
    std::uint32_t index = 0;
    for (std::uint8_t& value : volume.pixels<std::uint8_t>()) {
        const Voxel at = voxelAt(index++, extent);
        value =
            static_cast<std::uint8_t>(level(static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z)));
    }
    return labelComponents(thresholdMask(volume, 1, 255, nullptr), &volume,
                           {.connectivity = connectivity, .algorithm = {}, .slices = extent.slices});
}

/// Cuboids of 2 x 3 x 4 voxels at (1, 2, 3) and of one voxel at (0, 0, 0).
Components cuboids() {
    return objectsOf({6, 8, 9}, [](int x, int y, int z) {
        const bool large = x >= 1 && x < 3 && y >= 2 && y < 5 && z >= 3 && z < 7;
        return large ? 10 + x : x + y + z == 0 ? 90 : 0;
    });
}

Components ellipsoid(double a, double b, double c) {
    return objectsOf({61, 61, 61}, [=](int x, int y, int z) {
        const double u = (x - 30) / a;
        const double v = (y - 30) / b;
        const double w = (z - 30) / c;
        return u * u + v * v + w * w <= 1 ? 1 : 0;
    });
}

TEST(VolumeFeatures, OfACuboidAreThoseOfItsSides) {
    const Components found = cuboids();
    ASSERT_EQ(found.count, 2U);
    const double axis = 2 * std::sqrt(5.0 / 12);
    const MeasuredObject object = MeasuredObjects(found).object(2);
    const auto expectValues = [](const MeasuredObject& of,
                                 const std::vector<std::pair<ObjectFeature, double>>& values) {
        for (const auto& [feature, value] : values) {
            EXPECT_NEAR(of.valueOf(feature), value, 1e-9 * value) << static_cast<int>(feature);
        }
    };
    expectValues(object,
                 {{label, 2},       {area, 24},        {left, 1},           {top, 2},          {front, 3},
                  {width, 2},       {height, 3},       {slices, 4},         {centroidX, 1.5},  {centroidY, 3},
                  {centroidZ, 4.5}, {major, 4 * axis}, {medium, 3 * axis},  {minor, 2 * axis}, {elongation, 4.0 / 3},
                  {flatness, 1.5},  {surface, 52},     {rectangularity, 1}, {border, 0},       {euler, 1},
                  {greyMin, 11},    {greyMax, 12},     {greySum, 276},      {greyMean, 11.5}});
    // The sides of the voxels: 1 x 1.5 x 8.
    expectValues(MeasuredObjects(found, nullptr, {LengthUnit::micrometre, {0.5, 0.5, 2}}).object(2),
                 {{area, 12},
                  {left, 0.5},
                  {top, 1},
                  {front, 6},
                  {width, 1},
                  {height, 1.5},
                  {slices, 8},
                  {centroidX, 0.75},
                  {centroidZ, 9},
                  {major, 8 * axis},
                  {medium, 1.5 * axis},
                  {minor, axis},
                  {flatness, 1.5},
                  {surface, 43},
                  {rectangularity, 1},
                  {elongation, 16.0 / 3},
                  {euler, 1},
                  {greyMean, 11.5}});
    // In pixels, the proportions of a voxel matter only for shapes.
    expectValues(MeasuredObjects(found, nullptr, {LengthUnit::pixel, {1, 1, 4}}).object(2),
                 {{area, 24}, {front, 3}, {slices, 4}, {centroidZ, 4.5}, {major, 16 * axis}, {surface, 172}});
    EXPECT_EQ(MeasuredObjects(found).object(1).valueOf(border), 1);
    EXPECT_EQ(MeasuredObjects(found).object(1).valueOf(elongation), 1);
    EXPECT_TRUE(std::isnan(object.valueOf(perimeter)));
}

TEST(VolumeFeatures, OfBallsAndEllipsoidsAreTheirAxes) {
    const Components balls = ellipsoid(20, 20, 20);
    const MeasuredObject ball = MeasuredObjects(balls).object(1);
    EXPECT_NEAR(ball.valueOf(major), 40, 0.2);
    EXPECT_NEAR(ball.valueOf(minor), 40, 0.2);
    EXPECT_NEAR(ball.valueOf(sphericity), 1, 0.02);
    const Components longer = ellipsoid(12, 28, 18);
    const MeasuredObject shape = MeasuredObjects(longer).object(1);
    EXPECT_NEAR(shape.valueOf(major), 56, 0.3);
    EXPECT_NEAR(shape.valueOf(medium), 36, 0.3);
    EXPECT_NEAR(shape.valueOf(minor), 24, 0.3);
    EXPECT_NEAR(shape.valueOf(elongation), 28.0 / 18, 0.02);
    EXPECT_NEAR(shape.valueOf(flatness), 1.5, 0.02);
    EXPECT_LT(shape.valueOf(sphericity), ball.valueOf(sphericity));
    const Components squeezed = ellipsoid(24, 24, 6); // a ball in slices that are four voxels apart
    const MeasuredObject flat = MeasuredObjects(squeezed, nullptr, {LengthUnit::pixel, {1, 1, 4}}).object(1);
    EXPECT_NEAR(flat.valueOf(elongation), 1, 0.03);
    EXPECT_NEAR(flat.valueOf(flatness), 1, 0.03);
    EXPECT_NEAR(flat.valueOf(sphericity), 1, 0.05);
}

TEST(VolumeFeatures, AreNamedInConditionsAndTablesOfVolumesOnly) {
    const auto errorOf = [](const std::string& text, std::span<const ObjectFeatureInfo> features) {
        try {
            (void)ObjectCondition::parse(text, features);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto volumes = objectFeatures(Connectivity::six);
    for (const ObjectFeatureInfo& info : volumes) {
        EXPECT_EQ(errorOf(std::string(info.id) + " > 1", volumes), "");
        const auto image = findObjectFeature(info.id);
        EXPECT_TRUE(!image || *image == info.feature) << info.id;
    }
    for (const char* id :
         {"orientation", "perimeter", "circularity", "perimeter_imagej", "circularity_imagej", "holes"}) {
        EXPECT_THAT(errorOf(std::string(id) + " > 1", volumes),
                    HasSubstr("is no feature; there are label, area, left"));
        EXPECT_THROW((void)parseFeatures(id, volumes), Error);
    }
    for (const char* id : {"slices", "front", "centroid_z", "medium", "flatness", "surface", "sphericity", "euler"}) {
        EXPECT_THAT(errorOf(std::string(id) + " > 1", objectFeatures()), HasSubstr("is no feature"));
        EXPECT_THROW((void)parseFeatures(id), Error);
    }
    EXPECT_THAT(errorOf("euler == 1", objectFeatures(Connectivity::eighteen)), HasSubstr("is no feature"));
    EXPECT_EQ(errorOf("euler == 1", objectFeatures(Connectivity::twentySix)), "");
    EXPECT_THAT(parseFeatures("slices,area", volumes), ElementsAre(slices, area));
}

TEST(VolumeFeatures, ListAndSortObjectsIntoClasses) {
    // Bars of 1, 2 .. 6 slices; the last ends at the last slice.
    const Components found = objectsOf(
        {13, 3, 8}, [](int x, int y, int z) { return x % 2 == 1 && y == 1 && z >= 1 && z <= x / 2 + 2 ? 5 : 0; });
    ASSERT_EQ(found.count, 6U);
    const auto volumes = objectFeatures(Connectivity::six);
    const ObjectCondition longer = ObjectCondition::parse("slices >= 4 && euler == 1", volumes);
    EXPECT_THAT(listObjects(MeasuredObjects(found), {.condition = longer}).labels, ElementsAre(3, 4, 5, 6));
    const ObjectList inner = listObjects(MeasuredObjects(found), {.condition = longer, .withoutBorder = true});
    EXPECT_THAT(inner.labels, ElementsAre(3, 4, 5));
    EXPECT_EQ(inner.atBorder, 1U);
    EXPECT_EQ(inner.pixels, 15U);
    EXPECT_TRUE(inner.lists(3));
    EXPECT_FALSE(inner.lists(6));
    const ObjectListSpec inXy{.condition = longer, .withoutBorder = true, .borderXy = true};
    EXPECT_THAT(listObjects(MeasuredObjects(found), inXy).labels, ElementsAre(3, 4, 5, 6));
    const Components atSide =
        objectsOf({5, 3, 4}, [](int x, int y, int z) { return x % 2 == 0 && y == 1 && z < 2 ? 5 : 0; });
    EXPECT_THAT(listObjects(MeasuredObjects(atSide), {.condition = {}, .withoutBorder = true, .borderXy = true}).labels,
                ElementsAre(2));
    EXPECT_TRUE(listObjects(MeasuredObjects(atSide), {.condition = {}, .withoutBorder = true}).labels.empty());
    EXPECT_THAT(
        listObjects(MeasuredObjects(found, nullptr, {LengthUnit::micrometre, {1, 1, 2}}), {.condition = longer}).labels,
        ElementsAre(1, 2, 3, 4, 5, 6));
    const std::vector<ObjectClass> classes{parseObjectClass("short:slices<=3", 0, volumes),
                                           parseObjectClass("long:slices<7", 1, volumes)};
    const std::vector<ClassCondition> conditions{{ObjectCondition::parse(classes[0].condition, volumes)},
                                                 {ObjectCondition::parse(classes[1].condition, volumes)}};
    EXPECT_THAT(classifyObjects(MeasuredObjects(found), classes, conditions).numbers, ElementsAre(1, 1, 2, 2, 2, 0));
}

TEST(VolumeFeatures, AreColumnsOfTables) {
    const Components found = cuboids();
    const test::TempDir folder;
    const auto tableOf = [&](const std::string& features, const ObjectUnit& unit) {
        const auto path = folder / "features.csv";
        TextFile file(path, "write table");
        writeObjectTable(file, MeasuredObjects(found, nullptr, unit), std::vector<std::uint32_t>{2, 1},
                         tableFeatures(found.connectivity, features));
        file.commit();
        std::ifstream stream(path);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    EXPECT_EQ(tableOf("label,area,slices,surface,grey_sum,euler", {}),
              "label,area,slices,surface,grey_sum,euler\n2,24,4,52,276,1\n1,1,1,6,90,1\n");
    EXPECT_EQ(tableOf("area,slices,surface,euler", {LengthUnit::micrometre, {0.5, 0.5, 2}}),
              "area_um3,slices_um,surface_um2,euler\n12,8,43,1\n0.5,2,4.5,1\n");
    const std::string all = tableOf("", {});
    EXPECT_THAT(all, HasSubstr("label,area,left,top,front,width,height,slices,centroid_x,centroid_y,centroid_z,major,"
                               "medium,minor,elongation,flatness,surface,sphericity,rectangularity,border,grey_min,"
                               "grey_max,grey_sum,grey_mean,euler\n2,24,1,2,3,2,3,4,1.5,3,4.5,"));
    const std::string whole = tableOf("all", {});
    EXPECT_EQ(whole.substr(0, all.find('\n')), all.substr(0, all.find('\n'))) << "further columns come after";
    EXPECT_THAT(whole, HasSubstr("euler,inscribed_radius,inscribed_x,inscribed_y,inscribed_z,thickness\n"));
}

} // namespace
} // namespace pollard::testing
