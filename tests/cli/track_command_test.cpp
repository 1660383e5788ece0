// Objects tracked over the pages of a stack and over files.

#include "cli_fixture.hpp"
#include "cpu/cpu_engine.hpp"
#include "program.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "recipe/recipe.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TrackCommand : public CliTest {
protected:
    static std::shared_ptr<const Image> frame(const std::string& row) {
        auto image = std::make_shared<Image>(PixelType::u8, static_cast<std::uint32_t>(row.size()), 1);
        for (std::size_t i = 0; i < row.size(); ++i) {
            image->pixels<std::uint8_t>()[i] = row[i] == '#' ? 200 : 0;
        }
        return image;
    }
    void writeStack(const std::string& name, const std::vector<std::string>& rows) const {
        writeTiff(path(name),
                  {static_cast<int>(rows.size()),
                   [&](int page, const JobControl&) {
                       return Plane{ownedRows(frame(rows[static_cast<std::size_t>(page)]))};
                   }},
                  {.arePages = true});
    }
    [[nodiscard]] std::vector<std::string> linesIn(const std::string& name) const {
        std::ifstream stream(path(name));
        std::vector<std::string> lines;
        for (std::string line; std::getline(stream, line);) {
            lines.push_back(line);
        }
        return lines;
    }
    /// The first cells of every line except the header.
    [[nodiscard]] std::vector<std::string> firstCells(const std::string& name, int count) const {
        std::vector<std::string> found;
        for (const std::string& line : linesIn(name)) {
            std::size_t end = 0;
            for (int i = 0; i < count; ++i) {
                end = line.find(',', end + (i > 0 ? 1 : 0));
            }
            found.push_back(line.substr(0, end));
        }
        found.erase(found.begin());
        return found;
    }
};

TEST_F(TrackCommand, FollowsTheObjectsOfAStack) {
    writeStack("stack.tif", {"##...####", ".##..#.##", "..##.####"});
    const Outcome outcome = call({"track", path("stack.tif"), "--threshold", "100", "--csv", path("tracks.csv"),
                                  "--events", path("events.csv"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json object = Json::parse(outcome.out);
    EXPECT_EQ(object["frames"], 3);
    EXPECT_EQ(object["objects"], 7);
    EXPECT_EQ(object["tracks"], 3);
    EXPECT_EQ(object["births"], 2);
    EXPECT_EQ(object["splits"], 1);
    EXPECT_EQ(object["merges"], 1);
    EXPECT_EQ(object["deaths"], 0);
    EXPECT_GE(object["frame_ms_p95"], object["frame_ms_median"]);
    EXPECT_GE(object["frame_ms_longest"], object["frame_ms_p95"]);
    EXPECT_EQ(object["frame_ms_bound"], 5);
    EXPECT_LE(object["frames_over_bound"], 3);
    // frame, track, label
    EXPECT_THAT(firstCells("tracks.csv", 3),
                ElementsAre("0,1,1", "0,2,2", "1,1,1", "1,3,2", "1,2,3", "2,1,1", "2,2,2"));
    EXPECT_THAT(linesIn("events.csv"),
                ElementsAre("frame,event,track,other", "0,birth,1,", "0,birth,2,", "1,split,3,2", "2,merge,3,2"));
    EXPECT_THAT(linesIn("tracks.csv")[0], HasSubstr("frame,track,label,area,left"));
}

TEST_F(TrackCommand, FollowsNoObjectsAtTheBorder) {
    // Objects in the middle row: the first one touches the image border, the others do not.
    writeTiff(path("stack.tif"),
              {2,
               [&](int page, const JobControl&) {
                   auto image = std::make_shared<Image>(PixelType::u8, 9, 5);
                   std::ranges::fill(image->pixels<std::uint8_t>(), std::uint8_t{0});
                   for (std::uint32_t x = 0; x < 9; ++x) {
                       image->pixels<std::uint8_t>()[2 * 9 + x] =
                           x < 2 || (x >= 4 && x < 6) || (page == 1 && x == 7) ? 200 : 0;
                   }
                   return Plane{ownedRows(image)};
               }},
              {.arePages = true});
    const Outcome outcome =
        call({"track", path("stack.tif"), "--threshold", "100", "--no-border", "--csv", path("tracks.csv"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("objects"), 3);
    EXPECT_EQ(outcome.json().at("tracks"), 2);
    EXPECT_EQ(outcome.json().at("left_out_at_border"), 2);
    EXPECT_THAT(firstCells("tracks.csv", 4), ElementsAre("0,1,1,2", "1,1,1,2", "1,2,2,1"));
    Recipe recipe;
    recipe.name = "objects";
    ObjectsStep objects;
    objects.rule = {{}, std::nullopt, false, {100, 255}, Connectivity::four};
    recipe.steps = {objects};
    saveRecipe(recipe, path("r.json"));
    const Outcome again =
        call({"track", path("stack.tif"), "--recipe", path("r.json"), "--no-border", "--csv", path("again.csv")});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(linesIn("again.csv"), linesIn("tracks.csv"));
    EXPECT_THAT(again.out, HasSubstr("2 at the border left out"));
    EXPECT_EQ(call({"track", path("stack.tif"), "--recipe", path("r.json"), "--fill-holes"}).code, 2);
}

TEST_F(TrackCommand, FillsHolesOfEveryFrame) {
    for (const char* name : {"a.tif", "b.tif"}) {
        Image image(PixelType::u8, 5, 5);
        for (std::uint32_t i = 0; i < 25; ++i) {
            image.pixels<std::uint8_t>()[i] = i == 12 ? 0 : 200;
        }
        writeTiff(path(name), image);
    }
    const auto area = [&](const std::vector<std::string>& more) {
        std::vector<std::string> line{"track", path("a.tif"), path("b.tif"), "--threshold",
                                      "otsu",  "--csv",       path("t.csv")};
        line.insert(line.end(), more.begin(), more.end());
        const Outcome outcome = call(line);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return firstCells("t.csv", 4);
    };
    EXPECT_THAT(area({}), ElementsAre("0,1,1,24", "1,1,1,24"));
    EXPECT_THAT(area({"--fill-holes"}), ElementsAre("0,1,1,25", "1,1,1,25"));
    Recipe recipe;
    recipe.name = "a filter";
    recipe.steps = {FilterStep{}};
    saveRecipe(recipe, path("r.json"));
    const Outcome byRecipe = call({"track", path("a.tif"), path("b.tif"), "--recipe", path("r.json"), "--threshold",
                                   "otsu", "--fill-holes", "--csv", path("t.csv")});
    ASSERT_EQ(byRecipe.code, 0) << byRecipe.err;
    EXPECT_THAT(firstCells("t.csv", 4), ElementsAre("0,1,1,25", "1,1,1,25"));
}

TEST_F(TrackCommand, FollowsRegions) {
    writeStack("stack.tif", {"##...####", ".##..#.##", "..##.####"});
    const auto objectsBy = [&](const Args& more) {
        Args args{"track", path("stack.tif"), "--json"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? outcome.json().at("objects").get<int>() : -1;
    };
    EXPECT_EQ(objectsBy({"--hierarchy", "altitude"}), 13);
    EXPECT_EQ(objectsBy({"--hierarchy", "altitude", "--sizes", "2:"}), 9);
    EXPECT_EQ(objectsBy({"--watershed", "levels", "--threshold", "100"}), 7);
    EXPECT_EQ(objectsBy({"--best"}), 0) << "objects have 12 px at least";
    for (const Args& wrong : std::vector<Args>{{"--watershed", "distance"},
                                               {"--best", "--threshold", "5"},
                                               {"--hierarchy", "area", "--algorithm", "strips"},
                                               {"--regions", "4"}}) {
        Args args{"track", path("stack.tif")};
        args.insert(args.end(), wrong.begin(), wrong.end());
        EXPECT_EQ(call(args).code, 2) << wrong.front();
    }
}

TEST_F(TrackCommand, TakesFilesAndSinglePagesAsFrames) {
    writeStack("stack.tif", {"##.", "...", ".##"});
    writeTiff(path("last.tif"), *frame("..#"));
    const Outcome outcome =
        call({"track", path("stack.tif") + "[0]", path("stack.tif") + "[2]", path("last.tif"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json object = Json::parse(outcome.out);
    EXPECT_EQ(object["frames"], 3);
    EXPECT_EQ(object["tracks"], 1);
}

TEST_F(TrackCommand, GivesTheSameFromEveryAlgorithmAndThreadCount) {
    writeStack("stack.tif", {"##..####..##", "#..###.##.#.", "...##.###.##", "####..######", "............",
                             "#.#.#.#.#.#.", "###.....####"});
    std::string first;
    for (const char* threads : {"1", "2", "4"}) {
        ASSERT_EQ(call({"track", path("stack.tif"), "--csv", path("t.csv"), "--threads", threads}).code, 0);
        std::ostringstream text;
        text << std::ifstream(path("t.csv")).rdbuf();
        EXPECT_FALSE(text.str().empty());
        EXPECT_TRUE(first.empty() || text.str() == first);
        first = text.str();
    }
}

TEST_F(TrackCommand, FollowsTheObjectsOfARecipe) {
    writeStack("stack.tif", {"##..#.####", ".##...#.##", "..##.####."});
    FilterStep filter;
    filter.filter.criteria.push_back({AttributeId::area, 2});
    ObjectsStep objects;
    objects.rule = {{}, std::nullopt, false, {100, 255}, Connectivity::four};
    ContoursStep contours; // ignored
    contours.fromObjects = true;
    saveRecipe({"r", "", "", {ReadStep{}, filter, objects, contours}}, path("r.json"));
    saveRecipe({"f", "", "", {filter}}, path("f.json"));

    // The separate commands: filtered pages, then their tracks. Grey levels inside the objects are equal.
    ASSERT_EQ(call({"run", path("f.json"), path("stack.tif") + "[0]", path("stack.tif") + "[1]",
                    path("stack.tif") + "[2]", "-o", path("pages")})
                  .code,
              0);
    ASSERT_EQ(call({"track", path("pages/stack.tif"), path("pages/stack_page1.tif"), path("pages/stack_page2.tif"),
                    "--threshold", "100", "--csv", path("expected.csv")})
                  .code,
              0);
    ASSERT_EQ(firstCells("expected.csv", 2).size(), 6U) << "two of one px were filtered away";
    for (const Args& recipe : {Args{"--recipe", path("r.json")}, {"--recipe", path("f.json"), "--threshold", "100"}}) {
        Args args{"track", path("stack.tif"), "--csv", path("t.csv"), "--json"};
        args.insert(args.end(), recipe.begin(), recipe.end());
        const Outcome outcome = call(args);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json()["objects"], 6);
        EXPECT_EQ(outcome.json()["recipe"], recipe[1]);
        EXPECT_EQ(outcome.json()["connectivity"], 4);
        EXPECT_EQ(linesIn("t.csv"), linesIn("expected.csv"));
    }
    objects.condition = "area > 3";
    saveRecipe({"c", "", "", {filter, objects}}, path("c.json"));
    const Outcome large =
        call({"track", path("stack.tif"), "--recipe", path("c.json"), "--csv", path("t.csv"), "--json"});
    ASSERT_EQ(large.code, 0) << large.err;
    EXPECT_THAT(firstCells("t.csv", 4), ElementsAre("0,1,1,4", "2,2,1,4")) << "none of the frame between is as large";
    objects.condition.clear();
    objects.rule.withoutBorder = true;
    saveRecipe({"b", "", "", {filter, objects}}, path("b.json"));
    EXPECT_EQ(call({"track", path("stack.tif"), "--recipe", path("b.json"), "--json"}).json()["objects"], 0)
        << "all of a row are at the border";
    objects.rule.withoutBorder = false;
    objects.rule.connectivity = Connectivity::eight;
    saveRecipe({"e", "", "", {filter, objects}}, path("e.json"));
    const Outcome eight = call({"track", path("stack.tif"), "--recipe", path("e.json"), "--json"});
    ASSERT_EQ(eight.code, 0) << eight.err;
    EXPECT_EQ(eight.json()["connectivity"], 8) << "that of the recipe";
    for (const Args& both : {Args{"--threshold", "9"}, {"--connectivity", "8"}, {"--channel", "red"}}) {
        Args args{"track", path("stack.tif"), "--recipe", path("r.json")};
        args.insert(args.end(), both.begin(), both.end());
        EXPECT_EQ(call(args).code, 2) << both.front();
    }
    EXPECT_EQ(call({"track", path("stack.tif"), "--recipe", "preset:none"}).code, 2);
    EXPECT_EQ(call({"track", path("stack.tif"), "--recipe", path("none.json")}).code, 1);
}

TEST_F(TrackCommand, TellsHowFarARecipeIsWithEveryFrame) {
    writeStack("stack.tif", {"##..#.####", ".##...#.##"});
    FilterStep filter;
    filter.filter.criteria.push_back({AttributeId::area, 2});
    saveRecipe({"f", "", "", {filter}}, path("f.json"));
    RunOptions options;
    options.showProgress = true;
    options.pace = {std::chrono::milliseconds(0), std::chrono::milliseconds(0)};
    const Args args{"track", path("stack.tif"), "--recipe", path("f.json")};
    EngineRegistry registry{makeCpuEngine()};
    std::ostringstream out;
    std::ostringstream err;
    ASSERT_EQ(runCli(args, out, err, registry, options), 0) << err.str();
    for (const char* frame : {"stack.tif[0]: ", "stack.tif[1]: "}) {
        EXPECT_THAT(err.str(), HasSubstr(path(frame)));
    }
    EXPECT_TRUE(err.str().ends_with("\r\x1b[K")) << "the line is left behind";
}

TEST_F(TrackCommand, RefusesWhatItCannotFollowAndLeavesNothingBehind) {
    writeStack("a.tif", {"##."});
    writeTiff(path("b.tif"), *frame("##.."));
    const Outcome sizes = call({"track", path("a.tif"), path("b.tif"), "--csv", path("t.csv")});
    EXPECT_EQ(sizes.code, 1);
    EXPECT_THAT(sizes.err, HasSubstr("b.tif"));
    EXPECT_THAT(sizes.err, HasSubstr("4 x 1"));
    EXPECT_FALSE(std::filesystem::exists(path("t.csv")));
    EXPECT_EQ(call({"track"}).code, 2);
    EXPECT_EQ(call({"track", path("a.tif"), "--threshold", "many"}).code, 2);
    EXPECT_EQ(call({"track", path("a.tif"), "--csv", path("a.tif")}).code, 2);
    EXPECT_EQ(call({"track", path("a.tif"), "--csv", path("t.csv"), "--events", path("t.csv")}).code, 2);
    EXPECT_EQ(call({"track", path("none.tif")}).code, 1);
    EXPECT_EQ(call({"track", path("a.tif"), "--algorithm", "no-such"}).code, 2);
}

} // namespace
} // namespace pollard::cli
