// Objects of volumes on the command line.
#include "cli_fixture.hpp"

#include "base/error.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/label_file.hpp"
#include "io/volumes/read_volume.hpp"
#include "recipe/recipe.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

class VolumeObjects : public CliTest {
protected:
    /// On black, 8 slices of 7 x 6 px with voxels of 0.5 x 0.5 x 2 um: a bar of level 200 and 6 voxels along z, one of
    /// level 90 and 2 voxels that touches the first at an edge, and a voxel of level 40 in the last slice.
    void SetUp() override { write({.z = 2}); }

    struct Sides {
        double x = 0.5, y = 0.5, z = 0;
    };
    void write(const Sides& sides) const {
        Image volume(PixelType::u8, Extent{7, 6, 8});
        const auto levels = volume.pixels<std::uint8_t>();
        std::ranges::fill(levels, std::uint8_t{0});
        for (std::size_t z = 1; z < 7; ++z) {
            levels[(z * 6 + 1) * 7 + 1] = 200;
            if (z < 3) {
                levels[(z * 6 + 2) * 7 + 2] = 90;
            }
        }
        levels[(7 * 6 + 4) * 7 + 5] = 40;
        PixelSize size{sides.x, sides.y, "µm", "OME-XML"};
        size.z = sides.z;
        writeTiff(path("v.tif"), {volume, {.scene = {.pixelSize = size, .axes = {{'z', 8, {}}}}}});
    }
    Outcome find(std::vector<std::string> more) const {
        std::vector<std::string> args{"components", path("v.tif"), "--volume", "--json"};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    }
    [[nodiscard]] std::string textOf(const std::string& name) const {
        std::ifstream file(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

TEST_F(VolumeObjects, AreCountedWithTheirNeighbours) {
    const Outcome six = find({});
    ASSERT_EQ(six.code, 0) << six.err;
    EXPECT_EQ(six.json().at("count"), 3);
    EXPECT_EQ(six.json().at("foreground"), 9);
    EXPECT_EQ(six.json().at("connectivity"), 6);
    EXPECT_EQ(six.json().at("slices"), 8);
    EXPECT_EQ(six.json().at("engine"), "cpu");
    EXPECT_EQ(find({"--connectivity", "18"}).json().at("count"), 2);
    EXPECT_EQ(find({"--threshold", "41"}).json().at("count"), 2);
    EXPECT_EQ(find({"--threshold", "41:100"}).json().at("count"), 1);
    EXPECT_EQ(find({"--threshold", "otsu"}).json().at("threshold"), 91) << "of all slices: the first is black";
    const Outcome text = call({"components", path("v.tif"), "--volume"});
    EXPECT_THAT(text.out, HasSubstr("3 objects of values from 1 on, 9 voxels (2.7 %), connectivity 6 (cpu, runs, "));
}

TEST_F(VolumeObjects, AreWrittenAsLabelsOfEverySlice) {
    const Outcome outcome = find({"--labels", path("l.tif"), "--where", "area >= 2"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("listed"), 2);
    EXPECT_EQ(readImageInfo(path("l.tif")).bits, 32);
    const LoadedImage read = readVolume(path("l.tif"));
    ASSERT_EQ(read.image->extent(), (Extent{7, 6, 8}));
    EXPECT_EQ(read.info.pixelSize->z, 2);
    const StoredLabels slice = readLabels(path("l.tif")); // the first slice
    EXPECT_EQ(std::ranges::count(slice.labels, 0U), 42);
    ASSERT_EQ(find({"--labels", path("l.npy")}).code, 0);
    const std::string array = textOf("l.npy");
    EXPECT_THAT(array, HasSubstr("'descr': '<u4'"));
    EXPECT_THAT(array, HasSubstr("'shape': (8, 6, 7"));
    const auto valueAt = [&](std::size_t x, std::size_t y, std::size_t z) {
        return static_cast<int>(array[array.size() - std::size_t{4} * 8 * 6 * 7 + 4 * ((z * 6 + y) * 7 + x)]);
    };
    EXPECT_EQ(valueAt(1, 1, 1), 1);
    EXPECT_EQ(valueAt(1, 1, 6), 1);
    EXPECT_EQ(valueAt(2, 2, 2), 2);
    EXPECT_EQ(valueAt(5, 4, 7), 3);
    EXPECT_EQ(valueAt(2, 2, 3), 0);
}

TEST_F(VolumeObjects, OfARecipeAreTheSame) {
    ReadStep read;
    read.volume = true;
    ObjectsStep step;
    step.rule = {{}, std::nullopt, false, {1, 255}, Connectivity::eighteen};
    step.condition = "area >= 2 && slices > 4";
    step.unit = LengthUnit::micrometre;
    step.files = {ObjectFile::table, ObjectFile::labels, ObjectFile::outlines};
    const auto run = [&] {
        saveRecipe({"r", "", "", {read, step}}, path("r.json"));
        return call({"run", path("r.json"), path("v.tif"), "-o", path("out"), "--unit", "um", "--json"});
    };
    const auto expectSame = [&](std::vector<std::string> options) {
        for (const char* more : {"--unit", "um", "--csv", "c.csv", "--labels", "l.tif", "--geojson", "g.json"}) {
            const std::string text = more;
            options.push_back(text.find('.') == std::string::npos ? text : path(text));
        }
        ASSERT_EQ(find(options).code, 0);
        EXPECT_EQ(textOf("out/v-objects.csv"), textOf("c.csv"));
        EXPECT_EQ(textOf("out/v-objects.tif"), textOf("l.tif"));
        EXPECT_EQ(textOf("out/v-objects.geojson"), textOf("g.json"));
    };
    const Outcome eighteen = run();
    ASSERT_EQ(eighteen.code, 0) << eighteen.err;
    const Json objects = eighteen.json().at("files").at(0).at("objects").at(0);
    EXPECT_EQ(objects.at("found"), 2);
    EXPECT_EQ(objects.at("listed"), 1) << "8 voxels of 0.5 um3; the single voxel has 0.5 um3 and 2 um";
    expectSame({"--connectivity", "18", "--where", "area >= 2 && slices > 4"});
    step.condition.clear();
    step.unit = LengthUnit::pixel;
    step.rule.connectivity = Connectivity::four; // as 6 of volumes
    step.rule.withoutBorder = true;
    ASSERT_EQ(run().json().at("files").at(0).at("objects").at(0).at("listed"), 2) << "the last slice is a border";
    expectSame({"--no-border"});
    step.rule.borderXy = true;
    ASSERT_EQ(run().json().at("files").at(0).at("objects").at(0).at("listed"), 3);
    expectSame({"--no-border", "--border-xy"});
    step.rule.borderXy = false;
    step.condition = "circularity > 0.5";
    step.rule.connectivity = Connectivity::eight;
    EXPECT_THROW(saveRecipe({"r", "", "", {read, step}}, path("r.json")), Error) << "a feature of images";
    saveRecipe({"r", "", "", {step}}, path("r.json"));
    const Outcome images = call({"run", path("r.json"), path("v.tif"), "--at", "z=volume", "-o", path("none")});
    EXPECT_EQ(images.code, 1);
    EXPECT_THAT(images.err, IsErrorAbout("circularity"));
}

TEST_F(VolumeObjects, HaveATableOfFeatures) {
    ASSERT_EQ(find({"--csv", path("o.csv")}).code, 0);
    const std::string all = textOf("o.csv");
    EXPECT_THAT(all,
                HasSubstr("label,area,left,top,front,width,height,slices,centroid_x,centroid_y,centroid_z,major,"));
    EXPECT_THAT(all, HasSubstr(",grey_mean,euler\n1,6,1,1,1,1,1,6,1,1,3.5,"));
    ASSERT_EQ(find({"--csv", path("o.csv"), "--features", "label,area,slices,surface,grey_mean,border"}).code, 0);
    EXPECT_EQ(textOf("o.csv"),
              "label,area,slices,surface,grey_mean,border\n1,6,6,98,200,0\n2,2,2,34,90,0\n3,1,1,18,40,1\n");
}

TEST_F(VolumeObjects, HaveTheUnitOfTheVoxels) {
    const Outcome outcome = find({"--csv", path("o.csv"), "--features", "label,area,width,slices,surface,elongation",
                                  "--unit", "um", "--where", "area >= 1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(textOf("o.csv"), "label,area_um3,width_um,slices_um,surface_um2,elongation\n1,3,0.5,12,24.5,24\n"
                               "2,1,0.5,4,8.5,8\n");
    const auto listed = [&](const char* condition, const char* unit) {
        EXPECT_EQ(find({"--csv", path("o.csv"), "--features", "label", "--unit", unit, "--where", condition}).code, 0);
        return textOf("o.csv");
    };
    EXPECT_EQ(listed("area >= 1 um3", "px"), "label\n1\n2\n") << "a voxel has 0.5 µm³";
    EXPECT_EQ(listed("area > 1 um3", "px"), "label\n1\n");
    EXPECT_EQ(listed("area > 1e9 nm3", "um"), "label\n1\n");
    EXPECT_EQ(listed("area > 2 px3", "um"), "label\n1\n");
    EXPECT_EQ(listed("slices >= 0.012 mm && surface < 30 um2", "um"), "label\n1\n");
    write({.z = 0});
    EXPECT_THAT(find({"--csv", path("o.csv"), "--unit", "um"}).err,
                IsErrorAbout("--unit um: the distance between the slices is unknown"));
    const std::vector<std::string> table{"--csv", path("o.csv"), "--features", "area,slices", "--unit", "um"};
    const auto with = [&](const char* size) {
        std::vector<std::string> args = table;
        args.insert(args.end(), {"--pixel-size", size});
        return find(args);
    };
    ASSERT_EQ(with("0.5x0.5x4um").code, 0);
    EXPECT_EQ(textOf("o.csv"), "area_um3,slices_um\n6,24\n2,8\n1,4\n");
    EXPECT_THAT(with("0.5um").err, IsErrorAbout("the distance between the slices is unknown"));
    EXPECT_THAT(with("0.5x0.5x0um").err, IsErrorAbout("--pixel-size: '0.5x0.5x0um': must be a length"));
    EXPECT_THAT(with("1x1x1x1um").err, IsErrorAbout("--pixel-size: '1x1x1x1um': must be a length"));
}

TEST_F(VolumeObjects, HaveOutlinesInTheirSlices) {
    const Outcome outcome =
        find({"--geojson", path("o.geojson"), "--where", "area < 3", "--class", "bright:grey_mean > 80"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("geojson_file"), path("o.geojson"));
    const Json json = Json::parse(textOf("o.geojson"));
    ASSERT_EQ(json.at("features").size(), 3U) << "two slices of the second object, one of the third";
    const Json& first = json.at("features").at(0);
    EXPECT_EQ(first.at("geometry"), Json::parse(R"({"type": "Polygon",
        "coordinates": [[[3, 2], [3, 3], [2, 3], [2, 2], [3, 2]]], "plane": {"c": -1, "z": 1, "t": 0}})"));
    EXPECT_EQ(first.at("properties").at("label"), 2);
    EXPECT_EQ(first.at("properties").at("slice"), 1);
    EXPECT_EQ(first.at("properties").at("area"), 2);
    EXPECT_EQ(first.at("properties").at("centroid_z"), 1.5);
    EXPECT_EQ(first.at("properties").at("classification").at("name"), "bright");
    EXPECT_EQ(json.at("features").at(2).at("properties").at("slice"), 7);
    EXPECT_FALSE(json.at("features").at(2).at("properties").contains("classification"));
}

TEST_F(VolumeObjects, AreSortedIntoClassesAndLeftOutAtTheBorder) {
    const Outcome outcome = find({"--csv", path("o.csv"), "--features", "label", "--class", "long:slices > 3",
                                  "--class", "bright:grey_mean > 80", "--no-border"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("count"), 2);
    EXPECT_EQ(outcome.json().at("left_out_at_border"), 1);
    EXPECT_EQ(outcome.json().at("classes").at(0).at("count"), 1);
    EXPECT_EQ(textOf("o.csv"), "label,class\n1,long\n2,bright\n");
}

TEST_F(VolumeObjects, HaveTheirHolesFilled) {
    Image box(PixelType::u8, Extent{7, 6, 8}); // hollow
    const auto levels = box.pixels<std::uint8_t>();
    std::ranges::fill(levels, std::uint8_t{0});
    for (std::size_t z = 1; z < 7; ++z) {
        for (std::size_t y = 1; y < 5; ++y) {
            for (std::size_t x = 1; x < 6; ++x) {
                const bool isInside = z > 1 && z < 6 && y > 1 && y < 4 && x > 1 && x < 5;
                levels[(z * 6 + y) * 7 + x] = isInside ? 0 : 100;
            }
        }
    }
    writeTiff(path("v.tif"), {box, {.scene = {.axes = {{'z', 8, {}}}}}});
    EXPECT_EQ(find({}).json().at("foreground"), 6 * 4 * 5 - 4 * 2 * 3);
    const Outcome filled = find({"--fill-holes"});
    ASSERT_EQ(filled.code, 0) << filled.err;
    EXPECT_EQ(filled.json().at("foreground"), 6 * 4 * 5);
    EXPECT_EQ(filled.json().at("fill_holes"), true);
    levels[(1 * 6 + 2) * 7 + 3] = 0; // the cavity is open towards the first slice
    writeTiff(path("v.tif"), {box, {.scene = {.axes = {{'z', 8, {}}}}}});
    EXPECT_EQ(find({"--fill-holes"}).json().at("foreground"), 6 * 4 * 5 - 4 * 2 * 3 - 1);
}

TEST_F(VolumeObjects, AreMeasuredInChannels) {
    PlaneFacts facts;
    facts.scene.axes = {{'c', 2, {"DAPI", "GFP"}}, {'z', 8, {}}};
    const std::shared_ptr<const Image> volume = readVolume(path("v.tif")).image;
    writeTiff(path("c.tif"),
              {16,
               [&](int page, const JobControl&) {
                   const auto z = static_cast<std::size_t>(page / 2);
                   auto image = std::make_shared<Image>(PixelType::u8, 7, 6);
                   const auto levels = image->pixels<std::uint8_t>();
                   if (page % 2 == 0) {
                       std::ranges::copy(volume->pixels<std::uint8_t>().subspan(z * 42, 42), levels.begin());
                   } else {
                       std::ranges::fill(levels, static_cast<std::uint8_t>(10 * z));
                   }
                   return Plane{ownedRows(image), facts};
               }},
              {.arePages = true});
    const Outcome outcome = call({"components", path("c.tif"), "--volume", "--channel", "DAPI", "--measure", "GFP",
                                  "--measures", "mean,max", "--features", "label,area", "--csv", path("o.csv"),
                                  "--class", "deep:max[GFP] > 60", "--where", "mean[GFP] > 20", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("measured"), Json::array({"GFP"}));
    EXPECT_EQ(textOf("o.csv"), "label,area,mean[GFP],max[GFP],class\n1,6,35,60,\n3,1,70,70,deep\n");
    const Outcome listed = call({"components", path("c.tif"), "--volume", "--channel", "DAPI", "--where",
                                 "min[GFP] == 10 && max[GFP] == 20", "--json"});
    ASSERT_EQ(listed.code, 0) << listed.err;
    EXPECT_EQ(listed.json().at("listed"), 1);
}

TEST_F(VolumeObjects, RefuseWhatImagesOnlyHave) {
    const auto failure = [this](const std::vector<std::string>& more) { return find(more).err; };
    EXPECT_THAT(failure({"--geojson", path("o.csv"), "--csv", path("o.csv")}), IsErrorAbout("is also the table"));
    EXPECT_THAT(failure({"--measure", "all", "--ring", "2", "--csv", path("o.csv")}),
                IsErrorAbout("--ring: works on images"));
    EXPECT_THAT(failure({"--parents", path("v.tif"), "--csv", path("o.csv")}),
                IsErrorAbout("--parents: works on images"));
    EXPECT_THAT(failure({"--where", "perimeter > 3"}),
                IsErrorAbout("'perimeter' is no feature; there are label, area"));
    EXPECT_THAT(failure({"--where", "area > 3 um2"}), IsErrorAbout("3 um2 is an area, but area is a volume"));
    EXPECT_THAT(failure({"--where", "surface > 3 um2"}), IsErrorAbout("--unit states another unit"));
    EXPECT_THAT(failure({"--where", "mean[GFP] > 3"}), IsErrorAbout("there is no channel 'GFP'"));
    EXPECT_THAT(failure({"--class", "a:holes > 3"}), IsErrorAbout("'holes' is no feature"));
    EXPECT_THAT(failure({"--features", "orientation", "--csv", path("o.csv")}),
                IsErrorAbout("'orientation' is no feature"));
    EXPECT_THAT(failure({"--features", "area"}), IsErrorAbout("features: they are columns of a table"));
    EXPECT_THAT(failure({"--where", "euler == 1", "--connectivity", "18"}), IsErrorAbout("'euler' is no feature"));
    EXPECT_THAT(failure({"--connectivity", "8"}), IsErrorAbout("8 neighbours are for images"));
    EXPECT_THAT(failure({"--labels", path("o.png")}), IsErrorAbout("o.png"));
    EXPECT_FALSE(std::filesystem::exists(path("o.csv")));
    // Images refuse the features of volumes.
    EXPECT_THAT(call({"components", path("v.tif"), "--connectivity", "6"}).err,
                IsErrorAbout("6 neighbours are for volumes"));
    EXPECT_THAT(call({"components", path("v.tif"), "--where", "slices > 1"}).err,
                IsErrorAbout("'slices' is no feature"));
}

} // namespace
} // namespace pollard::cli
