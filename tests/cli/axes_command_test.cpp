// The part of a file by its axes: --at and --along of the commands, "at" of recipes, over files that store the same
// planes in another order.
#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "recipe/recipe.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tiffio.h>

namespace pollard::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint32_t kStackSide = 24;

class AxesCommand : public CliTest {
protected:
    /// Two channels, three slices and four times. A square of GFP moves with time in slice 1, a dim one of DAPI rests.
    static std::uint8_t levelAt(int c, int z, int t, std::uint32_t x, std::uint32_t y) {
        const std::uint32_t left = c == 1 ? 2 + 3 * static_cast<std::uint32_t>(t) : 15;
        const std::uint32_t top = c == 1 ? 4 : 14;
        const bool isInside = x >= left && x < left + 5 && y >= top && y < top + 5;
        return static_cast<std::uint8_t>(isInside ? (z == 1 ? 200 : 60) - 20 * (1 - c) : 3 + c);
    }
    /// @param order of the axes, the fastest first
    void writeStack(const std::string& name, const std::string& order, const char* second = "GFP") const {
        SceneDescription scene;
        scene.wantsOme = true;
        for (const char axis : order) {
            scene.axes.push_back({axis, axis == 'c' ? 2 : axis == 'z' ? 3 : 4, {}});
            if (axis == 'c') {
                scene.axes.back().labels = {"DAPI", second};
            } else if (axis == 't') {
                scene.axes.back().step = 0.5;
                scene.axes.back().unit = "min";
            }
        }
        Channel first;
        first.name = "DAPI";
        Channel other;
        other.name = second;
        scene.channels = {first, other};
        const auto make = [&](int page, const JobControl&) {
            int c = 0;
            int z = 0;
            int t = 0;
            for (const StackAxis& axis : scene.axes) {
                (axis.name == 'c' ? c : axis.name == 'z' ? z : t) = page % axis.count;
                page /= axis.count;
            }
            auto image = std::make_shared<Image>(PixelType::u8, kStackSide, kStackSide);
            for (std::uint32_t y = 0; y < kStackSide; ++y) {
                for (std::uint32_t x = 0; x < kStackSide; ++x) {
                    image->pixels<std::uint8_t>()[std::size_t{y} * kStackSide + x] = levelAt(c, z, t, x, y);
                }
            }
            return Plane{ownedRows(std::move(image)), {.scene = scene}};
        };
        writeTiff(path(name), {24, make}, {.compression = TiffCompression::none, .arePages = true});
    }
    void SetUp() override {
        writeStack("a.ome.tif", "czt");
        writeStack("b.ome.tif", "tzc");
    }
    [[nodiscard]] std::string textOf(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(path(name), std::ios::binary).rdbuf();
        EXPECT_FALSE(text.str().empty()) << name;
        return text.str();
    }
    [[nodiscard]] std::vector<std::string> linesOf(const std::string& name) const {
        std::istringstream text(textOf(name));
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);) {
            lines.push_back(line);
        }
        return lines;
    }
    /// The lines of a table, each of which ends with these cells, without them.
    [[nodiscard]] std::vector<std::string> linesBefore(const std::string& name, const std::string& titles,
                                                       const std::string& cells) const {
        std::vector<std::string> lines = linesOf(name);
        for (std::string& line : lines) {
            const std::string& end = &line == lines.data() ? titles : cells;
            EXPECT_TRUE(line.ends_with(end)) << name << ": " << line;
            line.resize(line.size() - std::min(line.size(), end.size()));
        }
        return lines;
    }
    /// A recipe for the objects of a channel.
    void saveObjects(const std::string& name, const std::string& at, std::optional<MeasureChoice> measure = {}) const {
        ObjectsStep objects;
        objects.rule = {{}, std::nullopt, false, {100, 255}, Connectivity::four};
        objects.measure = std::move(measure);
        Recipe recipe{"Test", "", "", {objects}};
        setSelection(recipe, parseSelection(at));
        saveRecipe(recipe, path(name));
    }
};

TEST_F(AxesCommand, SelectsTheSamePlanesInAnyOrder) {
    for (const char* at : {"channel=GFP,z=1,t=2", "channel=GFP,z=max,t=2", "channel=DAPI,z=sharpest,t=last"}) {
        std::vector<std::string> tables;
        for (const char* file : {"a.ome.tif", "b.ome.tif"}) {
            const Outcome outcome =
                call({"components", path(file), "--at", at, "--threshold", "100", "--csv", path("out.csv"), "--json"});
            ASSERT_EQ(outcome.code, 0) << outcome.err;
            EXPECT_EQ(outcome.json().at("count"), 1) << at;
            tables.push_back(textOf("out.csv"));
        }
        EXPECT_EQ(tables[0], tables[1]) << at;
    }
}

TEST_F(AxesCommand, SaysWhatItChoosesOnAxesThatAreNotStated) {
    const Outcome outcome = call({"components", path("a.ome.tif"), "--at", "channel=GFP", "--threshold", "100"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("z: middle, 1 of 3"));
    EXPECT_THAT(outcome.err, HasSubstr("t: first, 0 of 4"));
}

TEST_F(AxesCommand, RefusesMissingEntriesAndContradictions) {
    const std::string file = path("a.ome.tif");
    for (const auto& [at, problem] : {std::pair("channel=RFP", "no channel RFP (has DAPI, GFP)"),
                                      {"channel=GFP,z=3", "no z 3 (has 0 to 2)"},
                                      {"t=4", "no t 4 (has 0 to 3)"}}) {
        const Outcome outcome = call({"filter", file, "--at", at, "--keep", "area>=3", "-o", path("out.tif")});
        EXPECT_EQ(outcome.code, 1) << at;
        EXPECT_THAT(outcome.err, IsErrorAbout(problem));
        EXPECT_FALSE(fs::exists(path("out.tif"))) << at;
    }
    const std::vector<Args> wrong = {{"info", file + "[1]", "--at", "z=1"},
                                     {"info", file, "--at", "channel=GFP", "--channel", "DAPI"},
                                     {"info", file, "--at", "z=1", "--volume"},
                                     {"info", file, "--at", "z=most"},
                                     {"info", file, "--at", "z=each"},
                                     {"track", file, "--at", "z=volume"},
                                     {"track", file, "--at", "t=1", "--along", "t"}};
    for (const Args& args : wrong) {
        EXPECT_EQ(call(args).code, 2) << args[2] << " " << args[3];
    }
}

TEST_F(AxesCommand, BatchesMakeAResultForEachPosition) {
    saveObjects("r.json", "channel=GFP,z=max,t=each");
    const Outcome outcome = call({"run", path("r.json"), path("a.ome.tif"), path("b.ome.tif"), "-o", path("out"),
                                  "--table", path("all.csv"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("done"), 8);
    for (const char* t : {"0", "1", "2", "3"}) {
        const std::string ending = std::string(".ome_t") + t + "-objects.csv";
        EXPECT_EQ(textOf("out/a" + ending), textOf("out/b" + ending));
        // The result equals the result of this position alone.
        ASSERT_EQ(call({"run", path("r.json"), path("a.ome.tif"), "--at", "channel=GFP,z=max,t=" + std::string(t), "-o",
                        path("one")})
                      .code,
                  0);
        const std::string seconds = std::to_string(30 * std::stoi(t));
        EXPECT_EQ(linesOf("one/a.ome-objects.csv"),
                  linesBefore("out/a" + ending, ",t,t_s", "," + std::string(t) + "," + seconds));
    }
    const std::vector<std::string> lines = linesOf("all.csv");
    ASSERT_EQ(lines.size(), 9U);
    EXPECT_TRUE(lines[0].starts_with("file,channel,z,t,t_s,label,")) << lines[0];
    EXPECT_TRUE(lines[1].starts_with("a.ome.tif,GFP,max,0,0,1,")) << lines[1];
    EXPECT_TRUE(lines[8].starts_with("b.ome.tif,GFP,max,3,90,1,")) << lines[8];
    // The columns of axes stand once, before the columns of the objects.
    EXPECT_EQ(std::ranges::count(lines[0], ','), std::ranges::count(lines[8], ','));
    EXPECT_EQ(lines[0].substr(std::string("file,channel,z,t,t_s,").size()), linesOf("one/a.ome-objects.csv")[0]);
}

TEST_F(AxesCommand, DoesNotResumeResultsOfAnotherPart) {
    saveObjects("r.json", "channel=GFP,z=1,t=1");
    const auto resumed = [&](const std::string& at) {
        Args args{"run", path("r.json"), path("a.ome.tif"), "--resume", "-o", path("out"), "--json"};
        if (!at.empty()) {
            args.insert(args.end(), {"--at", at});
        }
        return call(args);
    };
    EXPECT_EQ(resumed("").json().at("done"), 1);
    const std::string ofRecipe = textOf("out/a.ome-objects.csv");
    const Outcome other = resumed("channel=GFP,z=1,t=2");
    EXPECT_EQ(other.json().at("done"), 1);
    EXPECT_THAT(other.err, HasSubstr("out: results of other options than unit px, at channel=GFP,z=1,t=2 are made "
                                     "again"));
    EXPECT_NE(textOf("out/a.ome-objects.csv"), ofRecipe);
    EXPECT_EQ(resumed("channel=GFP,z=1,t=2").json().at("skipped"), 1);
    EXPECT_EQ(resumed("").json().at("done"), 1);
    EXPECT_EQ(textOf("out/a.ome-objects.csv"), ofRecipe);
}

TEST_F(AxesCommand, AxesOfPagesAreStatedWhereAFileStatesNone) {
    makePages("plain.tif", 6); // page i has the level 10 i
    const auto levelAt = [&](const Args& more) {
        Args args{"info", path("plain.tif"), "--json"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json().at("min").get<int>();
    };
    EXPECT_EQ(levelAt({"--axes", "t2z3", "--at", "z=1,t=1"}), 40);
    EXPECT_EQ(levelAt({"--axes", "zc2", "--at", "channel=1,z=2"}), 50);
    const Outcome without = call({"info", path("plain.tif"), "--at", "z=1"});
    EXPECT_EQ(without.code, 1);
    EXPECT_THAT(without.err, IsErrorAbout("--axes states the axes"));
    EXPECT_THAT(call({"info", path("plain.tif"), "--axes", "t4z2"}).err,
                IsErrorAbout("plain.tif: axes 't4z2': the counts do not multiply to the pages; the file has 6 pages"));
    EXPECT_THAT(call({"info", path("a.ome.tif"), "--axes", "ztc"}).err, IsErrorAbout("the file states t4z3c2"));
    EXPECT_EQ(call({"info", path("plain.tif"), "--axes", "w"}).code, 2);

    ObjectsStep objects;
    objects.rule = {{}, std::nullopt, false, {1, 255}, Connectivity::four};
    Recipe recipe{"Test", "", "", {objects}};
    setSelection(recipe, parseSelection("z=2,t=each"));
    saveRecipe(recipe, path("r.json"));
    const Outcome refused = call({"run", path("r.json"), path("plain.tif"), "-o", path("none")});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("plain.tif: no axis z"));
    const auto run = [&](const Args& more) {
        Args args{"run", path("r.json"), path("plain.tif"), "-o", path("out"), "--table", path("t.csv")};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return linesOf("t.csv");
    };
    const std::vector<std::string> stated = run({"--axes", "t2z3"});
    ASSERT_EQ(stated.size(), 3U) << "pages 2 and 5";
    EXPECT_TRUE(stated[1].starts_with("plain.tif,2,0,1,20,")) << stated[1];
    EXPECT_TRUE(stated[2].starts_with("plain.tif,2,1,1,20,")) << stated[2];
    setAxes(recipe, "t2z3");
    saveRecipe(recipe, path("r.json"));
    EXPECT_EQ(run({}), stated) << "the recipe states them";
}

TEST_F(AxesCommand, ScenesAreListedAndSelected) {
    const auto image = [](const std::string& name, int first) {
        return "<Image Name=\"" + name + R"("><Pixels SizeX="5" SizeY="4" SizeZ="3"><TiffData IFD=")" +
               std::to_string(first) + R"(" PlaneCount="3"/></Pixels></Image>)";
    };
    const std::string text = "<OME>" + image("left", 0) + image("right", 3) + "</OME>";
    TIFF* tiff = TIFFOpen(path("scenes.ome.tif").c_str(), "w");
    for (int page = 0; page < 6; ++page) {
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 5U);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 4U);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 4U);
        if (page == 0) {
            TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, text.c_str());
        }
        for (std::uint32_t y = 0; y < 4; ++y) {
            std::array<std::uint8_t, 5> row{};
            row.fill(static_cast<std::uint8_t>(10 * page + 5));
            TIFFWriteScanline(tiff, row.data(), y, 0);
        }
        TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
    const Outcome listed = call({"info", path("scenes.ome.tif"), "--json"});
    ASSERT_EQ(listed.code, 0) << listed.err;
    EXPECT_EQ(listed.json().at("scenes"), Json({"left", "right"}));
    EXPECT_THAT(call({"info", path("scenes.ome.tif")}).out, HasSubstr("0 left, 1 right"));
    EXPECT_FALSE(call({"info", path("a.ome.tif"), "--json"}).json().contains("scenes"));
    for (const char* at : {"scene=right,z=1", "scene=1,z=1"}) {
        EXPECT_EQ(call({"info", path("scenes.ome.tif"), "--at", at, "--json"}).json().at("min"), 45) << at;
    }
    const Outcome lacking = call({"info", path("scenes.ome.tif"), "--at", "scene=up,z=1"});
    EXPECT_EQ(lacking.code, 1);
    EXPECT_THAT(lacking.err, IsErrorAbout("scenes.ome.tif: no scene up (has left, right)"));
    saveObjects("r.json", "z=1,scene=each");
    Recipe recipe = loadRecipe(path("r.json"));
    std::get<ObjectsStep>(recipe.steps.back()).rule.levels = {1, 255};
    saveRecipe(recipe, path("r.json"));
    const Outcome run =
        call({"run", path("r.json"), path("scenes.ome.tif"), "-o", path("out"), "--table", path("t.csv")});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(fs::exists(path("out/scenes.ome_scene1-objects.csv")));
    const std::vector<std::string> lines = linesOf("t.csv");
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_TRUE(lines[0].starts_with("file,scene,z,label,")) << lines[0];
    EXPECT_TRUE(lines[1].starts_with("scenes.ome.tif,left,1,1,20,")) << lines[1];
    EXPECT_TRUE(lines[2].starts_with("scenes.ome.tif,right,1,1,20,")) << lines[2];
}

TEST_F(AxesCommand, InfoStatesTheDistanceOfTimes) {
    const Outcome outcome = call({"info", path("a.ome.tif"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json axes = outcome.json().at("axes");
    ASSERT_EQ(axes.size(), 3U);
    EXPECT_EQ(axes[2].at("step"), 0.5);
    EXPECT_EQ(axes[2].at("unit"), "min");
    EXPECT_TRUE(axes[1].at("step").is_null());
    EXPECT_THAT(call({"info", path("a.ome.tif")}).out, HasSubstr("4 t (0.5 min apart)"));
}

TEST_F(AxesCommand, AMissingChannelFailsByNameAndTheBatchGoesOn) {
    writeStack("c.ome.tif", "czt", "RFP");
    saveObjects("r.json", "channel=GFP,z=1,t=each");
    const Outcome outcome =
        call({"run", path("r.json"), path("c.ome.tif"), path("a.ome.tif"), "-o", path("out"), "--json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.json().at("done"), 4);
    EXPECT_EQ(outcome.json().at("failed"), 1);
    EXPECT_THAT(outcome.json().at("files")[0].at("error").get<std::string>(),
                HasSubstr("c.ome.tif: no channel GFP (has DAPI, RFP)"));
    for (const auto& file : fs::directory_iterator(path("out"))) {
        EXPECT_TRUE(file.path().filename().string().starts_with("a.ome_t")) << file.path();
    }
}

TEST_F(AxesCommand, RecipesMeasureInChannelsAsComponentsDoes) {
    MeasureChoice measure;
    measure.channels = {"GFP", "DAPI"};
    measure.ring = 2;
    saveObjects("r.json", "channel=GFP,z=1,t=1", measure);
    ASSERT_EQ(call({"run", path("r.json"), path("b.ome.tif"), "-o", path("out")}).code, 0);
    ASSERT_EQ(call({"components", path("b.ome.tif"), "--at", "channel=GFP,z=1,t=1", "--threshold", "100",
                    "--connectivity", "4", "--measure", "GFP,DAPI", "--ring", "2", "--csv", path("c.csv")})
                  .code,
              0);
    EXPECT_EQ(textOf("out/b.ome-objects.csv"), textOf("c.csv"));
    EXPECT_THAT(linesOf("c.csv")[0], HasSubstr("mean[DAPI]"));
    measure.channels.clear();
    measure.counted = CountedChannel{"GFP", 100};
    saveObjects("r.json", "channel=GFP,z=1,t=1", measure);
    ASSERT_EQ(call({"run", path("r.json"), path("b.ome.tif"), "-o", path("out")}).code, 0);
    EXPECT_TRUE(linesOf("out/b.ome-objects.csv")[0].ends_with(",count[GFP]")) << "no other channel is measured";
    EXPECT_TRUE(linesOf("out/b.ome-objects.csv")[1].ends_with(",1"));
    measure.counted = CountedChannel{"DAPI", std::nullopt};
    saveObjects("r.json", "channel=GFP,z=1,t=1", measure);
    ASSERT_EQ(call({"run", path("r.json"), path("b.ome.tif"), "-o", path("out")}).code, 0);
    EXPECT_TRUE(linesOf("out/b.ome-objects.csv")[1].ends_with(",0")) << "the square of DAPI lies elsewhere";
    measure.counted.reset();
    measure.channels = {"RFP"};
    saveObjects("r.json", "channel=GFP,z=1,t=1", measure);
    const Outcome outcome = call({"run", path("r.json"), path("b.ome.tif"), "-o", path("none")});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("no channel RFP (has DAPI, GFP)"));
    EXPECT_TRUE(fs::is_empty(path("none")));
}

TEST_F(AxesCommand, RecipesFindObjectsInTheVolumesOfAnyOrder) {
    MeasureChoice measure;
    measure.channels = {"DAPI", "GFP"};
    saveObjects("r.json", "channel=GFP,z=volume,t=each", measure);
    const Outcome outcome = call({"run", path("r.json"), path("a.ome.tif"), path("b.ome.tif"), "-o", path("out"),
                                  "--table", path("all.csv"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("done"), 8);
    EXPECT_EQ(outcome.json().at("files").at(0).at("slices"), 3);
    for (const char* t : {"0", "1", "2", "3"}) {
        const std::string ending = std::string(".ome_t") + t + "-objects.csv";
        EXPECT_EQ(textOf("out/a" + ending), textOf("out/b" + ending));
        ASSERT_EQ(call({"components", path("b.ome.tif"), "--at", "channel=GFP,z=volume,t=" + std::string(t),
                        "--threshold", "100", "--measure", "DAPI,GFP", "--csv", path("c.csv")})
                      .code,
                  0);
        std::string withoutTime; // t and t_s, the last columns
        for (const std::string& line : linesOf("out/b" + ending)) {
            const std::size_t time = line.rfind(',', line.rfind(',') - 1);
            withoutTime += line.substr(0, time) + '\n';
        }
        EXPECT_EQ(withoutTime, textOf("c.csv")) << t;
    }
    const std::vector<std::string> lines = linesOf("all.csv");
    ASSERT_EQ(lines.size(), 9U) << "the square of slice 1 at each time";
    EXPECT_TRUE(lines[0].starts_with("file,channel,z,t,t_s,label,area,left,top,front,")) << lines[0];
    EXPECT_THAT(lines[0], HasSubstr(",mean[DAPI],"));
    EXPECT_TRUE(lines[1].starts_with("a.ome.tif,GFP,volume,0,0,1,25,2,4,1,")) << lines[1];
    EXPECT_TRUE(lines[8].starts_with("b.ome.tif,GFP,volume,3,90,1,25,11,4,1,")) << lines[8];
}

TEST_F(AxesCommand, RecipesByPageWarnAboutFilesWithAxes) {
    ObjectsStep objects;
    objects.rule = {{}, std::nullopt, false, {100, 255}, Connectivity::four};
    ReadStep read;
    read.page = 7;
    saveRecipe({"Test", "", "", {read, objects}}, path("r.json"));
    const Outcome outcome = call({"run", path("r.json"), path("a.ome.tif"), "-o", path("out")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("read by its page: page 7 is channel GFP, z 0, time 1"));
}

TEST_F(AxesCommand, TracksGoAlongTime) {
    for (const char* file : {"a.ome.tif", "b.ome.tif"}) {
        const Outcome outcome = call({"track", path(file), "--at", "channel=GFP,z=1", "--threshold", "100", "--csv",
                                      path("tracks.csv"), "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json().at("frames"), 4);
        EXPECT_EQ(outcome.json().at("tracks"), 1);
        const std::vector<std::string> tracks = linesOf("tracks.csv");
        ASSERT_EQ(tracks.size(), 5U);
        EXPECT_TRUE(tracks[0].starts_with("frame,track,label,") && tracks[0].ends_with(",t,t_s")) << tracks[0];
        EXPECT_TRUE(tracks[4].starts_with("3,1,1,") && tracks[4].ends_with(",3,90")) << tracks[4];
        // Without --at: the first channel and the middle slice, which is said.
        const Outcome plain = call({"track", path(file), "--threshold", "100", "--json"});
        EXPECT_EQ(plain.json().at("frames"), 4);
        EXPECT_EQ(plain.json().at("objects"), 4);
        EXPECT_THAT(plain.err, HasSubstr("z: middle, 1 of 3"));
        const Outcome slices =
            call({"track", path(file), "--at", "channel=GFP,t=2", "--along", "z", "--threshold", "40", "--json"});
        ASSERT_EQ(slices.code, 0) << slices.err;
        EXPECT_EQ(slices.json().at("frames"), 3);
        EXPECT_EQ(slices.json().at("tracks"), 1);
    }
}

TEST_F(AxesCommand, TracksOfRecipesGoAlongTimeAtTheirChannelAndSlice) {
    saveObjects("r.json", "channel=GFP,z=1,t=2");
    std::vector<std::string> tables;
    for (const char* file : {"a.ome.tif", "b.ome.tif"}) {
        const Outcome outcome =
            call({"track", path(file), "--recipe", path("r.json"), "--csv", path("tracks.csv"), "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json().at("frames"), 4);
        EXPECT_EQ(outcome.json().at("tracks"), 1);
        tables.push_back(textOf("tracks.csv"));
    }
    EXPECT_EQ(tables[0], tables[1]);
}

TEST_F(AxesCommand, ContoursFollowTime) {
    std::vector<std::string> traces;
    for (const char* file : {"a.ome.tif", "b.ome.tif"}) {
        const Outcome outcome = call({"snake", path(file), "--at", "channel=GFP,z=1", "--init", "1,2,8,9", "--follow",
                                      "--geojson", path("out.json"), "--trace", path("trace.csv"), "--json"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const Json pages = outcome.json().at("pages");
        ASSERT_EQ(pages.size(), 4U);
        for (int t = 0; t < 4; ++t) {
            EXPECT_EQ(pages[static_cast<std::size_t>(t)].at("t"), t);
            EXPECT_EQ(pages[static_cast<std::size_t>(t)].at("t_s"), 30 * t);
        }
        EXPECT_THAT(textOf("out.json"), HasSubstr("\"t\":3"));
        EXPECT_THAT(textOf("out.json"), HasSubstr("\"t_s\":90"));
        EXPECT_TRUE(linesOf("trace.csv")[0].starts_with("t,"));
        traces.push_back(textOf("trace.csv"));
    }
    EXPECT_EQ(traces[0], traces[1]);
}

TEST_F(AxesCommand, SeveralAxesWithoutTimeNeedTheAxisToFollow) {
    SceneDescription scene;
    scene.wantsOme = true;
    scene.axes = {{'c', 2, {"DAPI", "GFP"}}, {'z', 3, {}}};
    const auto make = [&](int page, const JobControl&) {
        auto image = std::make_shared<Image>(PixelType::u8, 4, 4);
        for (std::uint8_t& level : image->pixels<std::uint8_t>()) {
            level = static_cast<std::uint8_t>(page % 2 * 100);
        }
        return Plane{ownedRows(std::move(image)), {.scene = scene}};
    };
    writeTiff(path("cz.ome.tif"), {6, make}, {.compression = TiffCompression::none, .arePages = true});
    const Outcome refused = call({"track", path("cz.ome.tif")});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, IsErrorAbout("has several axes and no t"));
    const Outcome along =
        call({"track", path("cz.ome.tif"), "--along", "z", "--channel", "GFP", "--threshold", "50", "--json"});
    ASSERT_EQ(along.code, 0) << along.err;
    EXPECT_EQ(along.json().at("frames"), 3);
    EXPECT_EQ(along.json().at("objects"), 3);
}

} // namespace
} // namespace pollard::cli
