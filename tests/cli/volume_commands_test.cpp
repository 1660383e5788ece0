// Commands on volumes.
#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/volumes/read_volume.hpp"
#include "recipe/recipe.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

class VolumeCommands : public CliTest {
protected:
    /// Two bright bars along z, of 6 and of 2 slices, on black, 6 slices of 5 x 4 px; bar B touches A at an edge only.
    void SetUp() override {
        Image volume(PixelType::u8, Extent{5, 4, 6});
        std::fill_n(volume.pixels<std::uint8_t>().data(), volume.pixelCount(), std::uint8_t{0});
        for (std::size_t z = 0; z < 6; ++z) {
            volume.pixels<std::uint8_t>()[(z * 4 + 1) * 5 + 1] = 200;
            if (z < 2) {
                volume.pixels<std::uint8_t>()[(z * 4 + 2) * 5 + 2] = 200;
            }
        }
        PixelSize size{0.5, 0.5, "µm", "OME-XML"};
        size.z = 2;
        writeTiff(path("v.tif"), {volume, {.scene = {.pixelSize = size, .axes = {{'z', 6, {}}}}}});
    }
    [[nodiscard]] std::string pages() const { return path("v.tif"); }
};

TEST_F(VolumeCommands, FilterKeepsComponentsThroughTheSlices) {
    const Outcome outcome = call({"filter", pages(), "--volume", "--keep", "area>=4", "-o", path("o.tif"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("slices"), 6);
    EXPECT_EQ(outcome.json().at("connectivity"), 6);
    EXPECT_EQ(outcome.json().at("algorithm"), "branches");
    EXPECT_EQ(outcome.json().at("changed_pixels"), 2);
    const LoadedImage read = readVolume(path("o.tif"));
    ASSERT_EQ(read.image->extent(), (Extent{5, 4, 6}));
    EXPECT_EQ(read.image->level(1 * 5 + 1), 200);
    EXPECT_EQ(read.image->level(2 * 5 + 2), 0);
    ASSERT_TRUE(read.info.pixelSize);
    EXPECT_EQ(read.info.pixelSize->z, 2) << "the file keeps the distance of the slices";
    ASSERT_EQ(read.info.axes.size(), 1U);
    EXPECT_EQ(read.info.axes.front().name, 'z');
    // Page by page, the bar is one pixel in each.
    const Outcome page = call({"filter", pages(), "--keep", "area>=4", "-o", path("p.tif"), "--json"});
    ASSERT_EQ(page.code, 0) << page.err;
    EXPECT_FALSE(page.json().contains("slices"));
    EXPECT_EQ(page.json().at("changed_pixels"), 2);
    EXPECT_EQ(page.json().at("connectivity"), 4);
}

TEST_F(VolumeCommands, EdgesConnectWith18Neighbours) {
    const Outcome outcome = call({"filter", pages(), "--volume", "--connectivity", "18", "--keep", "area>=4", "-o",
                                  path("o.tif"), "--output", "labels", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("changed_pixels"), 0);
    EXPECT_EQ(readImageInfo(path("o.tif")).bits, 32);
    EXPECT_EQ(readImageInfo(path("o.tif")).pages, 6);
}

TEST_F(VolumeCommands, CriteriaTakeUnitsOfVolume) {
    const auto changed = [this](const Args& more) {
        Args args{"filter", pages(), "--volume", "-o", path("o.tif"), "--json", "--pixel-size", "0.5x0.5x2um"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json().at("changed_pixels").get<int>();
    };
    EXPECT_EQ(changed({"--keep", "area>=3"}), 2) << "the bar of 2 voxels goes, the bar of 6 stays";
    EXPECT_EQ(changed({"--keep", "area>=1.5um3"}), 2);
    EXPECT_EQ(changed({"--keep", "area>=1um3"}), 0) << "2 voxels";
    EXPECT_EQ(changed({"--keep", "area>1um3"}), 2);
    EXPECT_EQ(changed({"--keep", "area>=1.5um3", "--stream"}), 2);
}

TEST_F(VolumeCommands, TreeWritesPositionsInSlices) {
    const Outcome outcome = call({"tree", pages(), "--volume", "--attributes", "area,volume,height", "--nodes",
                                  path("n.csv"), "--parent", path("p.npy"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("nodes"), 3);
    std::ifstream file(path("n.csv"));
    const std::string table{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(table, HasSubstr("id,parent,level,canonical_x,canonical_y,canonical_z,area,volume,height\n"));
    EXPECT_THAT(table, HasSubstr("200,1,1,5,6,1200,200\n"));
    EXPECT_THAT(table, HasSubstr("200,2,2,1,2,400,200\n"));
}

TEST_F(VolumeCommands, HMaximaAndSpectrumCountComponentsOfTheVolume) {
    const Outcome maxima = call({"h-maxima", pages(), "--volume", "--h", "50", "-o", path("h.tif"), "--json"});
    ASSERT_EQ(maxima.code, 0) << maxima.err;
    EXPECT_EQ(maxima.json().at("maxima"), 2) << "the bars";
    EXPECT_EQ(readVolume(path("h.tif")).image->level(1 * 5 + 1), 150);
    const Outcome spectrum = call({"spectrum", pages(), "--volume", "--csv", path("s.csv"), "--json"});
    ASSERT_EQ(spectrum.code, 0) << spectrum.err;
    EXPECT_EQ(spectrum.json().at("nodes"), 3);
}

TEST_F(VolumeCommands, AutoTakesPagesAlongZ) {
    const auto filter = [this](const std::string& file, const Args& more) {
        Args args{"filter", path(file), "--keep", "area>=4", "-o", path("o.tif"), "--json"};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    const Outcome stack = filter("v.tif", {"--volume=auto"});
    ASSERT_EQ(stack.code, 0) << stack.err;
    EXPECT_EQ(stack.json().at("slices"), 6);
    EXPECT_EQ(stack.json().at("connectivity"), 6);
    EXPECT_THAT(stack.err, HasSubstr("v.tif: taken as a volume of 6 slices (--pages takes a page)\n"));
    EXPECT_EQ(std::ranges::count(stack.err, '\n'), 1);
    EXPECT_EQ(filter("v.tif", {"--volume=auto", "--quiet"}).err, "");

    const Image pages(PixelType::u8, Extent{5, 4, 3});
    writeTiff(path("t.tif"), {pages, {.scene = {.axes = {{'t', 3, {}}}}}});
    writeTiff(path("p.tif"), pages);
    for (const char* name : {"t.tif", "p.tif"}) {
        const Outcome outcome = filter(name, {"--volume=auto"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_FALSE(outcome.json().contains("slices")) << name;
        EXPECT_THAT(outcome.err, HasSubstr("taken as a page: it has no pages along z\n"));
    }
    EXPECT_EQ(filter("p.tif", {"--volume"}).json().at("slices"), 3) << "pages without a meaning";

    const Outcome page = filter("v.tif", {"--pages"});
    ASSERT_EQ(page.code, 0) << page.err;
    EXPECT_FALSE(page.json().contains("slices"));
    EXPECT_EQ(page.err, "");
    EXPECT_EQ(filter("v.tif", {"--pages", "--volume"}).code, 2);
    EXPECT_EQ(filter("v.tif", {"--volume=perhaps"}).code, 2);
    EXPECT_THAT(filter("none.tif", {"--volume=auto"}).err, IsErrorAbout("none.tif"));
}

TEST_F(VolumeCommands, ProfileHasThePagesOfItsThresholds) {
    const Outcome outcome =
        call({"profile", pages(), "--volume", "--thresholds", "2,4,7", "-o", path("o.tif"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("pages"), 3);
    EXPECT_EQ(outcome.json().at("slices"), 6);
    for (int threshold = 0; threshold < 3; ++threshold) {
        const std::string bound = std::array{"2", "4", "7"}[static_cast<std::size_t>(threshold)];
        ASSERT_EQ(call({"filter", pages(), "--volume", "--keep", "area>=" + bound, "-o", path("f.tif")}).code, 0);
        ReadOptions options;
        options.page = 6 * threshold;
        const LoadedImage read = readVolume(path("o.tif"), options);
        const LoadedImage filtered = readVolume(path("f.tif"));
        EXPECT_TRUE(std::ranges::equal(read.image->pixels<std::uint8_t>(), filtered.image->pixels<std::uint8_t>()));
        ASSERT_EQ(read.info.axes.size(), 2U);
        EXPECT_EQ(read.info.axes[1].labels.at(static_cast<std::size_t>(threshold)), "area>=" + bound);
        EXPECT_EQ(read.info.pixelSize->z, 2);
    }
    ASSERT_EQ(
        call({"profile", pages(), "--volume", "--thresholds", "2,4,7", "--differential", "-o", path("d.tif")}).code, 0);
    ReadOptions options;
    options.page = 6;
    EXPECT_EQ(readVolume(path("d.tif"), options).image->level(2 * 5 + 2), 200) << "the short bar goes at 4";
}

TEST_F(VolumeCommands, MserListsCentresInTheVolume) {
    const Outcome outcome = call({"mser", pages(), "--volume", "--min-area", "2", "--max-area", "50", "--csv",
                                  path("m.csv"), "--labels", path("m.tif"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("count"), 2);
    std::ifstream file(path("m.csv"));
    const std::string table{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(table, HasSubstr("label,level,area,variation,x,y,z,node,canonical_x,canonical_y,canonical_z\n"));
    EXPECT_THAT(table, HasSubstr(",200,6,0,1,1,2.5,"));
    EXPECT_THAT(table, HasSubstr(",200,2,0,2,2,0.5,"));
    const LoadedImage labels = readVolume(path("m.tif"));
    EXPECT_EQ(labels.image->extent(), (Extent{5, 4, 6}));
}

TEST_F(VolumeCommands, InfoIsAboutAllSlices) {
    const Json json = call({"info", pages(), "--volume", "--json"}).json();
    EXPECT_EQ(json.at("slices"), 6);
    EXPECT_EQ(json.at("volume_bytes"), 120);
    EXPECT_EQ(json.at("pixel_size").at("z"), 2);
    EXPECT_DOUBLE_EQ(json.at("mean"), 8 * 200 / 120.0);
    EXPECT_DOUBLE_EQ(call({"info", pages(), "--json"}).json().at("mean"), 2 * 200 / 20.0);
    EXPECT_THAT(call({"info", pages(), "--volume"}).out, HasSubstr("5 x 4 x 6 px (0.00 MVox, 120 B)"));
}

TEST_F(VolumeCommands, BenchTimesTheAlgorithmsOfTheCpu) {
    const Outcome outcome = call({"bench", pages(), "--volume", "--bits", "8,16", "--repeat", "1", "--connectivity",
                                  "6,26", "--stream", "2", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::map<std::string, std::set<int>> nodes;
    const Json json = outcome.json();
    for (const Json& row : json.at("results")) {
        EXPECT_EQ(row.at("pixels"), 120);
        nodes[row.at("algorithm").get<std::string>() + std::to_string(row.at("connectivity").get<int>())].insert(
            row.at("nodes").get<int>());
    }
    EXPECT_EQ(nodes, (std::map<std::string, std::set<int>>{{"branches6", {3}},
                                                           {"branches26", {2}},
                                                           {"flooding6", {3}},
                                                           {"flooding26", {2}},
                                                           {"union-find6", {3}},
                                                           {"union-find26", {2}}}));
    EXPECT_EQ(call({"bench", pages(), "--volume", "--bits", "8", "--repeat", "1", "--json"})
                  .json()
                  .at("results")
                  .at(0)
                  .at("connectivity"),
              6);
    EXPECT_EQ(call({"bench", pages(), "--volume", "--connectivity", "8"}).code, 2);
    EXPECT_THAT(call({"bench", pages(), "--volume", "--bits", "8", "--repeat", "1"}).out, HasSubstr("MVox/s"));
    EXPECT_EQ(call({"bench", "--volume"}).code, 2);
    EXPECT_THAT(call({"bench", pages(), "--volume", "--attributes", "--bits", "8", "--repeat", "1"}).out,
                HasSubstr("attribute/sphericity"));
}

TEST_F(VolumeCommands, FilesWithNumbersAreSlices) {
    const LoadedImage volume = readVolume(pages());
    std::filesystem::create_directory(path("slices"));
    for (std::size_t z = 0; z < 6; ++z) { // s8 to s13: in the order of texts, s10 comes first
        Image slice(PixelType::u8, 5, 4);
        std::ranges::copy(volume.image->pixels<std::uint8_t>().subspan(z * 20, 20),
                          slice.pixels<std::uint8_t>().begin());
        slice.pixels<std::uint8_t>()[19] = static_cast<std::uint8_t>(z);
        writeTiff(path("slices/s" + std::to_string(8 + z) + ".tif"), slice);
    }
    for (const std::string name : {"slices", "slices/s*.tif"}) {
        const Outcome outcome = call({"filter", path(name), "--volume=auto", "--keep", "area>=1", "-o", path("o.tif")});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("taken as a volume of 6 slices"));
        const LoadedImage read = readVolume(path("o.tif"));
        ASSERT_EQ(read.image->extent(), (Extent{5, 4, 6}));
        for (std::size_t z = 0; z < 6; ++z) {
            EXPECT_EQ(read.image->level(20 * z + 19), z) << name;
        }
        EXPECT_EQ(read.image->level(20 * 5 + 6), 200);
    }
    const auto failure = [this](const std::string& name, const std::string& target) {
        return call({"filter", path(name), "--volume", "--keep", "area>=1", "-o", path(target)}).err;
    };
    EXPECT_THAT(failure("slices", "slices/s9.tif"), IsErrorAbout("is also the input"));
    EXPECT_THAT(failure("slices/s1*.tif", "slices/s10.tif"), IsErrorAbout("is also the input"));
    EXPECT_THAT(failure("slices/t*.tif", "o.tif"), IsErrorAbout("no image in"));
    EXPECT_THAT(failure("slices/s9*.tif", "o.tif"), IsErrorAbout("has one slice"));
    writeTiff(path("slices/s20.tif"), Image(PixelType::u16, 5, 4));
    EXPECT_THAT(failure("slices", "o.tif"), IsErrorAbout("s20.tif differs in size or depth from the first slice"));
    EXPECT_EQ(call({"filter", path("slices"), "--keep", "area>=1", "-o", path("o.tif")}).code, 1);
}

TEST_F(VolumeCommands, VoxelFilesAreWrittenByTheirNames) {
    for (const std::string name : {"o.nii", "o.nii.gz", "o.nrrd"}) {
        ASSERT_EQ(call({"filter", pages(), "--volume", "--keep", "area>=4", "-o", path(name)}).code, 0);
        const LoadedImage read = readVolume(path(name));
        ASSERT_EQ(read.image->extent(), (Extent{5, 4, 6}));
        EXPECT_EQ(read.image->level(1 * 5 + 1), 200);
        EXPECT_EQ(read.image->level(2 * 5 + 2), 0);
        ASSERT_TRUE(read.info.pixelSize);
        EXPECT_EQ(read.info.pixelSize->z, 2);
        EXPECT_EQ(read.info.pixelSize->unit, "µm");
        ASSERT_EQ(call({"h-maxima", pages(), "--volume", "--h", "50", "-o", path(name)}).code, 0);
        EXPECT_EQ(readVolume(path(name)).image->level(1 * 5 + 1), 150);
        ASSERT_EQ(
            call({"filter", pages(), "--volume", "--keep", "area>=1", "--output", "labels", "-o", path(name)}).code, 0);
        EXPECT_EQ(readImageInfo(path(name)).bits, 32);
        ASSERT_EQ(call({"filter", pages(), "--keep", "area>=1", "-o", path(name)}).code, 0);
        EXPECT_EQ(readImageInfo(path(name)).pages, 1) << "an image is one slice";
    }
    EXPECT_EQ(call({"filter", pages(), "--volume", "--keep", "area>=4", "-o", path("o.mhd")}).code, 2);
    EXPECT_EQ(call({"profile", pages(), "--volume", "--thresholds", "4", "-o", path("o.nii")}).code, 2);
}

TEST_F(VolumeCommands, RecipesReadVolumes) {
    ReadStep read;
    read.volume = true;
    FilterStep filter;
    filter.filter.criteria = {parseCriterion("area>=4")};
    const auto run = [this](const std::vector<RecipeStep>& steps) {
        saveRecipe({"r", "", "", steps}, path("r.json"));
        return call({"run", path("r.json"), pages(), "-o", path("out"), "--json"});
    };
    const Outcome plain = run({read, filter});
    ASSERT_EQ(plain.code, 0) << plain.err;
    EXPECT_EQ(plain.json().at("files").at(0).at("slices"), 6);
    ASSERT_EQ(call({"filter", pages(), "--volume", "--keep", "area>=4", "-o", path("f.tif")}).code, 0);
    const auto bytesOf = [this](const std::string& name) {
        std::ifstream file(path(name), std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    EXPECT_EQ(bytesOf("out/v.tif"), bytesOf("f.tif"));
    filter.filter.output = Output::labels;
    const Outcome labels = run({read, TreeStep{TreeKind::max, Connectivity::eighteen}, filter});
    ASSERT_EQ(labels.code, 0) << labels.err;
    ASSERT_EQ(call({"filter", pages(), "--volume", "--connectivity", "18", "--keep", "area>=4", "--output", "labels",
                    "-o", path("f.tif")})
                  .code,
              0);
    EXPECT_EQ(bytesOf("out/v.tif"), bytesOf("f.tif"));

    EXPECT_THAT(run({read, TreeStep{}, filter}).err, HasSubstr("4 neighbours are for images"));
    filter.filter.output = Output::filtered;
    const Outcome part = run({read, RegionStep{{{RegionShape::Kind::rectangle, {{1, 1}, {5, 4}}}}}, filter});
    ASSERT_EQ(part.code, 0) << part.err;
    ASSERT_EQ(
        call({"filter", pages(), "--volume", "--region", "1,1,4,3", "--keep", "area>=4", "-o", path("f.tif")}).code, 0);
    const auto source = readVolume(pages()).image;
    const auto whole = readVolume(path("out/v.tif")).image;
    const auto inside = readVolume(path("f.tif")).image;
    for (std::uint32_t p = 0; p < whole->pixelCount(); ++p) {
        const Voxel at = voxelAt(p, whole->extent());
        const bool isInside = at.x >= 1 && at.x < 5 && at.y >= 1 && at.y < 4;
        const std::size_t place = (std::size_t{at.z} * 3 + at.y - 1) * 4 + at.x - 1;
        ASSERT_EQ(whole->level(p), isInside ? inside->level(place) : source->level(p)) << p;
    }
    ContoursStep contour;
    contour.starts = {{RegionShape::Kind::rectangle, {{0, 0}, {3, 3}}}};
    EXPECT_THAT(run({read, contour}).err, HasSubstr("region snake: works on images"));
    filter.filter.criteria = {parseCriterion("area>=4um2")};
    EXPECT_THAT(run({read, filter}).err, HasSubstr("in a volume 'area' is a volume"));
}

TEST_F(VolumeCommands, AreRefusedInOneSentence) {
    const auto failure = [this](std::vector<std::string> more) {
        std::vector<std::string> args{"filter", pages(), "--volume", "-o", path("o.tif")};
        if (more.front() != "--keep" && more.front() != "--remove") {
            args.insert(args.end(), {"--keep", "area>=2"});
        }
        args.insert(args.end(), more.begin(), more.end());
        return call(args).err;
    };
    EXPECT_THAT(failure({"--keep", "perimeter>=4"}), IsErrorAbout("attribute 'perimeter': not measured in volumes"));
    EXPECT_THAT(failure({"--connectivity", "8"}), IsErrorAbout("8 neighbours are for images"));
    EXPECT_THAT(failure({"--remove", "1,1"}), IsErrorAbout("picks by pixel: works on images"));
    EXPECT_THAT(failure({"--keep", "area>=4um2"}), IsErrorAbout("in a volume 'area' is a volume"));
    EXPECT_THAT(failure({"--guide", "0"}), IsErrorAbout("--volume: filters one channel"));
    EXPECT_FALSE(std::filesystem::exists(path("o.tif")));
    makePages("one.tif", 1);
    EXPECT_THAT(call({"filter", path("one.tif"), "--volume", "--keep", "area>=2", "-o", path("o.tif")}).err,
                IsErrorAbout("has one slice"));
}

} // namespace
} // namespace pollard::cli
