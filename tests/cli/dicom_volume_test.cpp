#include "cli_fixture.hpp"
#include "core/io/volumes/dicom_files.hpp"

#include "io/volumes/read_volume.hpp"
#include "io/volumes/voxel_place.hpp"
#include "options/named_files.hpp"
#include "recipe/recipe.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace pollard::cli {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A folder with a series of five slices in the reverse order of their names, and a slice of another series.
class DicomVolume : public CliTest {
protected:
    DicomVolume() {
        std::filesystem::create_directory(path("ct"));
        for (int i = 0; i < 5; ++i) {
            add("IM000" + std::to_string(i), test::dicomSlice(10 - 2 * i, 100 + i));
        }
        add("X.dcm", test::dicomSlice(0, 7, "9.9").text(0x00100010, "PN", "SECRET^NAME"));
        add("DICOMDIR", test::DicomFile{});
    }

    void add(const std::string& name, const test::DicomFile& file) {
        const std::string bytes = file.bytes();
        std::ofstream(path("ct/" + name), std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    Outcome filter(const std::string& input, const std::string& output, const char* volume = "--volume") {
        return call({"filter", path(input), volume, "--keep", "area>=1", "-o", path(output), "--json"});
    }
};

TEST_F(DicomVolume, AFolderIsTheSeriesWithTheMostSlices) {
    const Outcome outcome = filter("ct", "o.nii.gz");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("slices"), 5);
    EXPECT_THAT(outcome.err, HasSubstr("2 series in these files: taken is series 4 (CT) with 5 slices"));
    EXPECT_THAT(outcome.err, Not(HasSubstr("SECRET")));
    const LoadedImage written = readVolume(path("o.nii.gz"));
    ASSERT_EQ(written.image->extent(), (Extent{4, 3, 5}));
    for (std::size_t z = 0; z < 5; ++z) {
        EXPECT_EQ(written.image->level(12 * z), 104 - z);
    }
    EXPECT_EQ(written.info.pixelSize->z, 2);
    const auto& place = written.info.place;
    ASSERT_TRUE(place);
    const PixelSize& size = *written.info.pixelSize;
    EXPECT_EQ(place->map.steps, (std::array<AxisDirection, 3>{{{-size.x, 0, 0}, {0, -size.y, 0}, {0, 0, 2}}}));
    EXPECT_EQ(place->map.origin, (std::array<double, 3>{10, -20, 2}));
}

TEST_F(DicomVolume, AFileIsItsSeriesOrItself) {
    const Outcome series = filter("ct/IM0003", "o.tif");
    ASSERT_EQ(series.code, 0) << series.err;
    EXPECT_EQ(series.json().at("slices"), 5);
    EXPECT_EQ(series.err, "");
    EXPECT_THAT(filter("ct/IM0003", "o.tif", "--volume=auto").err,
                HasSubstr("taken as a volume of 5 slices (--pages takes a page)\n"));
    EXPECT_THAT(filter("ct", "o.tif", "--volume=auto").err, HasSubstr("taken as a volume of 5 slices\n"));
    const Outcome page = filter("ct/IM0003", "o.tif", "--pages");
    ASSERT_EQ(page.code, 0) << page.err;
    EXPECT_FALSE(page.json().contains("slices"));
    EXPECT_EQ(readImage(path("o.tif")).image->level(0), 103);
    EXPECT_THAT(filter("ct/X.dcm", "o.tif").err, HasSubstr("has one slice"));
    EXPECT_EQ(filter("ct/X.dcm", "o.tif", "--volume=auto").code, 0);
}

TEST_F(DicomVolume, ARecipeRunsOncePerSeries) {
    ReadStep read;
    read.volume = true;
    saveRecipe({"r", "", "", {read, FilterStep{}}}, path("recipe.json"));
    std::filesystem::remove(path("ct/DICOMDIR"));
    std::filesystem::remove(path("ct/X.dcm"));
    const Outcome outcome = call({"run", path("recipe.json"), path("ct"), "-o", path("out"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const LoadedImage written = readVolume(path("out/IM0000.tif"));
    ASSERT_EQ(written.image->extent(), (Extent{4, 3, 5}));
    EXPECT_EQ(written.image->level(0), 104);
    EXPECT_FALSE(std::filesystem::exists(path("out/IM0001.tif")));
}

TEST_F(DicomVolume, InfoSaysWhatIsMissingAndNothingOfThePatient) {
    std::filesystem::remove(path("ct/IM0002"));
    const Outcome outcome = call({"info", path("ct"), "--volume"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr("1 slice is missing"));
    EXPECT_THAT(outcome.out, HasSubstr("x to L, y to P, z to S"));
    const Outcome file = call({"info", path("ct/X.dcm"), "--json"});
    ASSERT_EQ(file.code, 0) << file.err;
    EXPECT_EQ(file.json().at("format"), "DICOM");
    EXPECT_THAT(file.out, Not(HasSubstr("SECRET")));
}

TEST_F(DicomVolume, FoldersHaveFilesWithoutExtension) {
    add("1.2.840.77", test::dicomSlice(0, 7, "9.9"));
    std::ofstream(path("ct/notes")) << "no image";
    EXPECT_THAT(expandInputs({path("ct")}),
                ElementsAre(path("ct/1.2.840.77"), path("ct/IM0000"), path("ct/IM0001"), path("ct/IM0002"),
                            path("ct/IM0003"), path("ct/IM0004"), path("ct/X.dcm")));
}

} // namespace

} // namespace pollard::cli
