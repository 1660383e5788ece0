#include "cli_fixture.hpp"

#include "recipe/presets.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace pollard::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

bool same(const std::string& a, const std::string& b) {
    const auto one = readImage(a).image;
    const auto other = readImage(b).image;
    return one->type() == other->type() && one->bytes() == other->bytes() &&
           std::memcmp(one->data(), other->data(), one->bytes()) == 0;
}

class RunCommand : public CliTest {
protected:
    void makeRecipe(const std::string& name, const std::string& filterParameters) const {
        std::ofstream(path(name)) << R"({"pollard_recipe": 1, "name": "Test", "steps": [)"
                                  << R"({"id": "tree", "version": 1, "parameters": {"kind": "min"}},)"
                                  << R"({"id": "filter", "version": 1, "parameters": )" << filterParameters << "}]}";
    }
};

TEST_F(RunCommand, CountsTheMissingWellsOfAPlateApart) {
    makeRecipe("r.json", R"({"criteria": ["area>=6"], "output": "residue"})");
    makeImage("a.tif", PixelType::u8, 40, 30, 9, {});
    const Outcome zarr = runBinary({"filter", path("a.tif"), "-o", path("a.zarr"), "--keep", "area>=1"});
    if (zarr.code != 0) {
        GTEST_SKIP() << "built without Zarr: " << zarr.err;
    }
    const fs::path plate = path("plate.zarr");
    fs::create_directories(plate / "A/2");
    fs::copy(path("a.zarr"), plate / "A/2/0", fs::copy_options::recursive);
    for (const fs::path& group : {plate, plate / "A/2"}) {
        std::ofstream(group / ".zgroup") << R"({"zarr_format": 2})";
    }
    std::ofstream(plate / ".zattrs") << R"({"plate": {"wells": [{"path": "A/1"}, {"path": "A/2"}]}})";
    std::ofstream(plate / "A/2/.zattrs") << R"({"well": {"images": [{"path": "0"}]}})";
    const Outcome run = runBinary({"run", path("r.json"), plate.string(), "-o", path("out")});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("1 done, 1 missing\n"));
    EXPECT_THAT(run.err, HasSubstr("A/1: listed, but missing"));
    const Outcome info = runBinary({"info", plate.string()});
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_THAT(info.out, HasSubstr("A/1, A/2"));
    EXPECT_THAT(info.err, AllOf(HasSubstr("Wells: 1 of 2 missing: A/1"), HasSubstr("shown: A/2/0")));
}

TEST_F(RunCommand, MakesOfEveryFileWhatFilterMakes) {
    makeRecipe("r.json", R"({"criteria": ["area>=6"], "output": "residue"})");
    makeImage("a.tif", PixelType::u8, 40, 30, 9, {});
    makeImage("b.tif", PixelType::u16, 31, 17, 4000, {});
    makeImage("c.tif", PixelType::u16, 1, 1, 2, {});
    for (const std::string jobs : {"1", "2", "8"}) {
        const Outcome run = runBinary({"run", path("r.json"), path("a.tif"), path("b.tif"), path("c.tif"), "-o",
                                       path("out" + jobs), "--jobs", jobs, "--json"});
        ASSERT_EQ(run.code, 0) << run.err;
        EXPECT_THAT(run.err, IsEmpty());
        const Json json = run.json();
        EXPECT_EQ(json.at("done"), 3);
        EXPECT_EQ(json.at("failed"), 0);
        ASSERT_EQ(json.at("files").size(), 3U);
        int number = 0;
        for (const std::string name : {"a", "b", "c"}) {
            const Json& file = json.at("files").at(number++);
            EXPECT_EQ(file.at("file"), path(name + ".tif"));
            const Outcome filter = runBinary({"filter", path(name + ".tif"), "-o", path("f.tif"), "--tree", "min",
                                              "--keep", "area>=6", "--output", "residue", "--json"});
            ASSERT_EQ(filter.code, 0) << filter.err;
            EXPECT_TRUE(same(file.at("output_file"), path("f.tif")));
            for (const char* key : {"kept", "removed", "changed_pixels", "nodes"}) {
                EXPECT_EQ(file.at(key), filter.json().at(key)) << key;
            }
        }
    }
}

TEST_F(RunCommand, GoesOnAfterAFileThatFails) {
    makeRecipe("r.json", R"({"criteria": ["area>=3"]})");
    makeImage("a.tif", PixelType::u8, 8, 8, 9, {});
    makeImage("z.tif", PixelType::u8, 8, 8, 9, {});
    std::ofstream(path("broken.tif")) << "no image at all";
    for (const std::string jobs : {"1", "3"}) {
        const Args args{"run",         path("r.json"), path("a.tif"), path("broken.tif"), path("missing.tif"),
                        path("z.tif"), "-o",           path("out"),   "--jobs",           jobs};
        Args withJson = args;
        withJson.emplace_back("--json");
        const Outcome run = runBinary(withJson);
        EXPECT_EQ(run.code, 1);
        const Json json = run.json();
        EXPECT_EQ(json.at("done"), 2);
        EXPECT_EQ(json.at("failed"), 2);
        EXPECT_THAT(json.at("files").at(1).at("error").get<std::string>(), HasSubstr("broken.tif"));
        EXPECT_THAT(json.at("files").at(2).at("error").get<std::string>(), HasSubstr("missing.tif"));
        EXPECT_THAT(run.err, IsErrorAbout("2 of 4 files failed"));
        EXPECT_EQ(std::ranges::count(run.err, '\n'), 1);
        EXPECT_TRUE(fs::exists(path("out") + "/a.tif"));
        EXPECT_TRUE(fs::exists(path("out") + "/z.tif"));
        EXPECT_FALSE(fs::exists(path("out") + "/broken.tif"));
        const Outcome table = runBinary(args);
        EXPECT_THAT(table.out, AllOf(HasSubstr("failed: "), HasSubstr("2 done, 2 failed"), HasSubstr("z.tif")));
    }
}

TEST_F(RunCommand, CountsObjectsOfARecipeThatEndsInLabels) {
    makeRecipe("r.json", R"({"criteria": ["area<=5"], "output": "labels"})");
    makeImage("a.tif", PixelType::u16, 30, 30, 6, {});
    const Outcome run = runBinary({"run", path("r.json"), path("a.tif"), "-o", path("out"), "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto labels = run.json().at("files").at(0).at("labels").get<int>();
    EXPECT_GT(labels, 0);
    const ImageInfo info = readImageInfo(path("out") + "/a.tif");
    EXPECT_EQ(info.bits, 32);
    const LoadedImage image = readImage(path("out") + "/a.tif");
    int largest = 0;
    for (std::size_t i = 0; i < image.image->pixelCount(); ++i) {
        largest = std::max<int>(largest, static_cast<int>(image.info.mapping->valueOf(image.image->level(i))));
    }
    EXPECT_EQ(largest, labels);
}

TEST_F(RunCommand, PicksPagesAndNamesTheirResults) {
    makeRecipe("r.json", R"({"criteria": ["area>=2"]})");
    makePages("p.tif", 3);
    const Outcome run =
        runBinary({"run", path("r.json"), path("p.tif"), path("p.tif[2]"), "-o", path("out"), "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(readImage(path("out") + "/p.tif").image->level(0), 0);
    EXPECT_EQ(readImage(path("out") + "/p_page2.tif").image->level(0), 20);
}

TEST_F(RunCommand, RefusesResultsThatWouldReplaceOneAnotherOrAnInput) {
    makeRecipe("r.json", R"({"criteria": ["area>=2"]})");
    makeImage("a.tif", PixelType::u8, 5, 5, 3, {});
    fs::create_directory(path("other"));
    fs::copy_file(path("a.tif"), path("other/a.tif"));
    const Outcome twice = runBinary({"run", path("r.json"), path("a.tif"), path("other/a.tif"), "-o", path("out")});
    EXPECT_EQ(twice.code, 2);
    EXPECT_THAT(twice.err, IsErrorAbout("would be the result of"));
    const Outcome input = runBinary({"run", path("r.json"), path("a.tif"), "-o", path("other/..")});
    EXPECT_EQ(input.code, 2);
    EXPECT_THAT(input.err, IsErrorAbout("is also an input"));
    EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(RunCommand, SaysWhatIsWrongWithARecipe) {
    makeImage("a.tif", PixelType::u8, 5, 5, 3, {});
    makeRecipe("r.json", R"({"criteria": ["area>>2"]})");
    const Outcome wrong = runBinary({"run", path("r.json"), path("a.tif"), "-o", path("out")});
    EXPECT_EQ(wrong.code, 1);
    EXPECT_THAT(wrong.err, IsErrorAbout("step 2 (filter): criteria[0]"));
    EXPECT_THAT(wrong.err, HasSubstr("r.json"));
    const Outcome missing = runBinary({"run", path("none.json"), path("a.tif"), "-o", path("out")});
    EXPECT_EQ(missing.code, 1);
    const Outcome preset = runBinary({"run", "preset:none", path("a.tif"), "-o", path("out")});
    EXPECT_EQ(preset.code, 2);
    EXPECT_THAT(preset.err, IsErrorAbout("there are "));
    for (const Args& args :
         {Args{"run"}, Args{"run", "preset:vessels"}, Args{"run", "preset:vessels", path("a.tif")}}) {
        EXPECT_EQ(runBinary(args).code, 2);
    }
    EXPECT_EQ(filesInFolder().size(), 2U) << "nothing was made";
}

TEST_F(RunCommand, ListsThePresets) {
    const Json json = runBinary({"run", "--list-presets", "--json"}).json();
    ASSERT_EQ(json.at("presets").size(), allPresets().size());
    for (const Json& each : json.at("presets")) {
        const Preset* preset = findPreset(each.at("name").get<std::string>());
        ASSERT_NE(preset, nullptr);
        EXPECT_EQ(parseRecipe(each.at("recipe").dump()), preset->recipe);
    }
    EXPECT_THAT(runBinary({"run", "--list-presets"}).out, HasSubstr("uneven-background"));
}

TEST_F(RunCommand, RunsAPresetByName) {
    const Preset& preset = *findPreset("uneven-background");
    const std::string sample = std::string(POLLARD_SOURCE_DIR) + "/resources/samples/" + preset.recipe.sample;
    const Outcome run = runBinary({"run", "preset:uneven-background", sample, "-o", path("out"), "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.json().at("recipe"), preset.recipe.name);
    EXPECT_TRUE(fs::exists(run.json().at("files").at(0).at("output_file").get<std::string>()));
}

TEST_F(RunCommand, StopsAtCtrlCWithoutHalfAFile) {
    makeRecipe("r.json", R"({"criteria": ["area>=50"]})");
    Args args{"run", path("r.json"), "-o", path("out"), "--jobs", "2", "--csv", path("s.csv")};
    for (int i = 0; i < 12; ++i) {
        const std::string name = "big" + std::to_string(i) + ".tif";
        makeImage(name, PixelType::u16, 1500, 1500, 65536, {});
        args.push_back(path(name));
    }
    const Outcome run = interruptBinary(args, 300);
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.err, HasSubstr("cancelled"));
    EXPECT_FALSE(fs::exists(path("s.csv")));
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(path("out"), ignored)) {
        EXPECT_EQ(entry.path().extension(), ".tif") << entry.path();
        EXPECT_NO_THROW((void)readImage(entry.path()));
    }
}

} // namespace
} // namespace pollard::cli
