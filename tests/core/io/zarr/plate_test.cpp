#include "batch/plate.hpp"

#include "base/error.hpp"
#include "batch/input_files.hpp"
#include "core/io/io_support.hpp"
#include "support/plate_files.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace pollard {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class Plates : public ::testing::Test {
protected:
    test::TempDir dir;
    std::filesystem::path file = dir / "screen.zarr";
    std::optional<Plate> plate;

    void SetUp() override {
        test::writePlate(file);
        if (imagesListedBy(file).paths.empty()) {
            GTEST_SKIP() << "built without Zarr";
        }
        plate = plateOf(file / "A" / "1" / "0");
        ASSERT_TRUE(plate);
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const Plate::Well& well : plate->wells) {
            names.push_back(well.name);
        }
        return names;
    }
};

TEST_F(Plates, HaveWellsInRowsAndColumns) {
    EXPECT_EQ(plate->folder, file);
    EXPECT_THAT(plate->rows, ElementsAre("A", "B"));
    EXPECT_THAT(plate->columns, SizeIs(12));
    EXPECT_THAT(names(), ElementsAre("A/1", "A/10", "B/2", "B/3"));
    EXPECT_THAT(plate->wells[0].fields, ElementsAre(file / "A" / "1" / "0", file / "A" / "1" / "1"));
    EXPECT_EQ(plate->wells[1].column, 9U);
    EXPECT_THAT(plate->wells[3].fields, SizeIs(0)) << "listed, but not there";
    EXPECT_FALSE(plateOf(dir / "other.zarr"));
}

TEST_F(Plates, WithoutStatedRowsAndColumnsHaveThoseOfTheWells) {
    test::writeBytes(file / ".zattrs", R"({"plate": {"wells": [{"path": "B/2"}, {"path": "A/10"}, {"path": "A/1"}]}})");
    plate = plateOf(file);
    ASSERT_TRUE(plate);
    EXPECT_THAT(plate->rows, ElementsAre("A", "B"));
    EXPECT_THAT(plate->columns, ElementsAre("1", "2", "10")) << "numbers in their order";
    EXPECT_THAT(names(), ElementsAre("A/1", "A/10", "B/2"));
}

TEST_F(Plates, FirstFieldIsThatOfTheFirstListedWellThatIsThere) {
    EXPECT_EQ(firstOfPlate(file), file / "B" / "2" / "0") << "B/3 is missing";
    EXPECT_EQ(firstOfPlate(file / "A" / "1"), file / "A" / "1" / "0");
    EXPECT_EQ(firstOfPlate(dir / "a.tif"), dir / "a.tif");
}

TEST_F(Plates, HaveSmallImages) {
    const auto whole = thumbnailOf(file / "A" / "1" / "1", 0, 64);
    EXPECT_EQ(whole->width(), 8U);
    EXPECT_EQ(whole->level(0), 50U);
    const auto small = thumbnailOf(file / "A" / "1" / "1", 0, 4);
    EXPECT_EQ(small->width(), 4U);
    EXPECT_EQ(small->height(), 3U);
    EXPECT_THROW((void)thumbnailOf(file / "B" / "3" / "0", 0, 4), Error);
}

TEST_F(Plates, TakeMeansOverFieldsOfATable) {
    // Field 0 of A/1 has the areas 10 and 30, field 1 has 50: the mean over fields is (20 + 50) / 2.
    const std::string table = "file,id,area_px,\"mean[x, y]\",class\r\n"
                              "screen.zarr/A/1/0,1,10,1,a\n"
                              "screen.zarr/A/1/0,2,30,,b\n"
                              "screen.zarr/A/1/1,1,50,4,a\n"
                              "screen.zarr/B/2/0,1,5,-2e3,a\n"
                              "screen.zarr/A/1/0[1],1,5000,0,a\n"
                              "other.zarr/A/1/0,1,5000,0,a\n";
    test::writeBytes(dir / "objects.csv", table);
    const PlateValues values = readPlateValues(dir / "objects.csv", *plate);
    ASSERT_THAT(values.columns, ElementsAre("objects", "id", "area_px", "mean[x, y]"));
    ASSERT_THAT(values.values, SizeIs(4));
    for (const auto& column : values.values) {
        ASSERT_THAT(column, SizeIs(4));
        EXPECT_TRUE(std::isnan(column[1])) << "no line names A/10";
        EXPECT_TRUE(std::isnan(column[3]));
    }
    EXPECT_EQ(values.values[0][0], 3);
    EXPECT_EQ(values.values[0][2], 1);
    EXPECT_EQ(values.values[2][0], 35);
    EXPECT_EQ(values.values[2][2], 5);
    EXPECT_EQ(values.values[3][0], 2.5) << "the empty cell does not count";
    EXPECT_EQ(values.values[3][2], -2000);
}

TEST_F(Plates, HaveNoMeansOfLabelsAndPositions) {
    const auto columnsOf = [this](const std::string& titles) {
        const auto count = std::ranges::count(titles, ',');
        std::string cells = "screen.zarr/A/1/0";
        for (auto i = 0; i < count; ++i) {
            cells += ",1";
        }
        test::writeBytes(dir / "objects.csv", titles + "\n" + cells + "\n");
        return readPlateValues(dir / "objects.csv", *plate).columns;
    };
    EXPECT_THAT(columnsOf("file,z,z_um,t,page,step,label,area_um2,left_um,top_um,width_um,height_um,centroid_x_um,"
                          "centroid_y_um,sum_x,sum_xx,grey_mean"),
                ElementsAre("objects", "area_um2", "width_um", "height_um", "grey_mean"));
    EXPECT_THAT(columnsOf("file,Label,Volume (µm³),X (µm),Y (µm),Z (µm),First slice (µm),Left (px),Mean"),
                ElementsAre("objects", "Volume (µm³)", "Mean"));
    EXPECT_THAT(columnsOf("file,label,mean[z],zone"), ElementsAre("objects", "mean[z]", "zone"));
}

TEST_F(Plates, RefuseTablesOfOtherKinds) {
    test::writeBytes(dir / "t.csv", "name,area\na,1\n");
    EXPECT_THROW((void)readPlateValues(dir / "t.csv", *plate), Error);
    test::writeBytes(dir / "t.csv", "file,area\nscreen.zarr/A/1/0\n");
    EXPECT_THROW((void)readPlateValues(dir / "t.csv", *plate), Error);
    EXPECT_THROW((void)readPlateValues(dir / "none.csv", *plate), Error);
}

} // namespace
} // namespace pollard
