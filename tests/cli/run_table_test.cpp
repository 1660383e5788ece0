// run --table: joins the tables of objects of a batch; compared with the table of each image.
#include "cli_fixture.hpp"

#include "base/error.hpp"
#include "batch/joined_table.hpp"
#include "batch/recipe_batch.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "recipe/recipe.hpp"
#include "support/map_tags.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace pollard::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class RunTable : public CliTest {
protected:
    void SetUp() override {
        makeImage("a.tif", PixelType::u8, 60, 50, 9, {});
        makeImage("b, c.tif", PixelType::u16, 31, 47, 200, {});
        saveRecipe({"Test", "", "", {objectsFrom(4), FilterStep{}}}, path("r.json"));
    }
    static ObjectsStep objectsFrom(std::uint16_t low) {
        ObjectsStep step;
        step.rule = {{}, std::nullopt, false, {low, 65535}, Connectivity::four};
        return step;
    }
    [[nodiscard]] std::string textOf(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(path(name), std::ios::binary).rdbuf();
        EXPECT_FALSE(text.str().empty()) << name;
        return text.str();
    }
    /// The lines of a table behind @p cells; of the first one the titles too, behind @p titles.
    [[nodiscard]] std::string behind(const std::string& cells, const std::string& table,
                                     const std::string& titles = {}) const {
        std::istringstream lines(textOf(table));
        std::string line;
        std::string all;
        for (bool first = true; std::getline(lines, line); first = false) {
            if (!first || !titles.empty()) {
                all += (first ? titles : cells) + "," + line + "\n";
            }
        }
        return all;
    }
    [[nodiscard]] Args run(const std::vector<std::string>& more) const {
        Args args{"run", path("r.json"), path("a.tif"), path("b, c.tif"), "-o", path("out"), "--json"};
        args.insert(args.end(), more.begin(), more.end());
        return args;
    }
};

TEST_F(RunTable, JoinsTheTablesOfAllImages) {
    for (const std::string jobs : {"1", "2"}) {
        const Outcome outcome = runBinary(run({"--table", path("out/objects.csv"), "--jobs", jobs}));
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json().at("table_file"), path("out/objects.csv"));
        EXPECT_EQ(textOf("out/objects.csv"),
                  behind("a.tif", "out/a-objects.csv", "file") + behind("\"b, c.tif\"", "out/b, c-objects.csv"));
    }
    // The same after a run that skips all images.
    const std::string before = textOf("out/objects.csv");
    fs::remove(path("out/objects.csv"));
    const Outcome again = runBinary(run({"--table", path("out/objects.csv"), "--resume"}));
    EXPECT_EQ(again.json().at("skipped"), 2);
    EXPECT_EQ(textOf("out/objects.csv"), before);
    EXPECT_TRUE(runBinary(run({})).json().at("table_file").is_null());
}

TEST_F(RunTable, LeavesOutImagesThatFail) {
    std::ofstream(path("broken.tif")) << "no image at all";
    const Outcome outcome = runBinary(run({path("broken.tif"), "--table", path("all.csv")}));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(textOf("all.csv"),
              behind("a.tif", "out/a-objects.csv", "file") + behind("\"b, c.tif\"", "out/b, c-objects.csv"));
}

TEST_F(RunTable, NamesTheStepIfThereAreSeveral) {
    saveRecipe({"Test", "", "", {objectsFrom(4), objectsFrom(7)}}, path("r.json"));
    makePages("pages.tif", 3);
    const Outcome outcome = runBinary(
        {"run", path("r.json"), path("a.tif"), path("pages.tif") + "[2]", "-o", path("out"), "--table", path("t.csv")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(textOf("t.csv"), behind("a.tif,1", "out/a-objects.csv", "file,step") +
                                   behind("a.tif,2", "out/a-objects2.csv") +
                                   behind("pages.tif[2],1", "out/pages_page2-objects.csv") +
                                   behind("pages.tif[2],2", "out/pages_page2-objects2.csv"));
    EXPECT_THAT(outcome.out, ::testing::EndsWith("2 done, 0 failed\nwritten: " + path("t.csv") + "\n"));
}

TEST_F(RunTable, RefusesFilesThatAreNotItsOwnAndRecipesWithoutTables) {
    for (const std::string& file : {path("a.tif"), path("r.json"), path("out/a-objects.csv")}) {
        const Outcome outcome = runBinary(run({"--table", file}));
        EXPECT_EQ(outcome.code, 2) << file;
        EXPECT_THAT(outcome.err, IsErrorAbout("name another file"));
    }
    EXPECT_EQ(runBinary(run({"--table", path("t.csv"), "--csv", path("t.csv")})).code, 2);
    saveRecipe({"Filter", "", "", {FilterStep{}}}, path("r.json"));
    const Outcome outcome = runBinary(run({"--table", path("t.csv")}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, IsErrorAbout("recipe 'Filter' writes no table of objects"));
    EXPECT_FALSE(fs::exists(path("out")));
    EXPECT_FALSE(fs::exists(path("t.csv")));
}

TEST_F(RunTable, HasThePlacesOfEveryImage) {
    const Recipe recipe{"Test", "", "", {objectsFrom(4)}};
    const auto itemOf = [&](const std::string& name, const char* text) {
        std::ofstream(path(name)) << text;
        return BatchItem{{name, path(name)}, std::vector<fs::path>(filesOf(recipe).size(), path(name))};
    };
    const std::vector<BatchItem> items{
        itemOf("plain.csv", "label,rectangularity\n1,0.5\n"),
        itemOf("map.csv", "label,rectangularity,lon,lat,flux\n1,0.25,16,48,7\n2,1,,,8\n"),
        itemOf("sky.csv", "label,rectangularity,ra_deg,flux\n1,0.75,150,\n")};
    writeJoinedTable(path("joined.csv"), recipe, items, std::vector<BatchResult>(items.size()), {});
    EXPECT_EQ(textOf("joined.csv"), "file,label,rectangularity,lon,lat,flux,ra_deg\n"
                                    "plain.csv,1,0.5,,,,\n"
                                    "map.csv,1,0.25,16,48,7,\n"
                                    "map.csv,2,1,,,8,\n"
                                    "sky.csv,1,0.75,,,,150\n");
}

TEST_F(RunTable, HasTheColumnsOfTheRecipeWithTheNamesOfThePanel) {
    Image image(PixelType::u8, 20, 12);
    std::ranges::fill(image.pixels<std::uint8_t>(), std::uint8_t{0});
    const auto fill = [&](std::uint32_t x, std::uint32_t y) { image.pixels<std::uint8_t>()[y * 20 + x] = 200; };
    fill(0, 0); // an object of 1 px at the border, and one of 3 x 2 px
    for (std::uint32_t i = 0; i < 6; ++i) {
        fill(5 + i % 3, 4 + i / 3);
    }
    writeTiff(path("s.tif"), {image, {}});
    ObjectsStep step = objectsFrom(100);
    step.columns = {"area", "border", "label", "lon", "grey_mean", "orientation"};
    saveRecipe({"Test", "", "", {step}}, path("r.json"));
    const auto joinedBy = [&](const Args& more) {
        Args args{"run", path("r.json"), path("s.tif"), "-o", path("out"), "--table", path("t.csv")};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return textOf("t.csv");
    };
    EXPECT_EQ(joinedBy({}), "file,Area (px²),Border pixels,Label,Longitude (°),Mean,Orientation (rad)\n"
                            "s.tif,1,1,1,,200,0\n"
                            "s.tif,6,0,2,,200,0\n");
    EXPECT_THAT(textOf("out/s-objects.csv"), HasSubstr("rectangularity,border\n")) << "all columns, and one more";
    EXPECT_EQ(joinedBy({"--pixel-size", "0.5um", "--unit", "um"}),
              "file,Area (µm²),Border pixels,Label,Longitude (°),Mean,Orientation (rad)\n"
              "s.tif,0.25,1,1,,200,0\n"
              "s.tif,1.5,0,2,,200,0\n");

    ObjectsStep second = step;
    second.columns = {"area", "holes"};
    saveRecipe({"Test", "", "", {step, second}}, path("r.json"));
    EXPECT_THAT(joinedBy({}), ::testing::StartsWith("file,step,Area (px²),Border pixels,Label,Longitude (°),Mean,"
                                                    "Orientation (rad),Holes\ns.tif,1,1,1,1,,200,0,0\n"));
    second.columns.clear();
    saveRecipe({"Test", "", "", {step, second}}, path("r.json"));
    EXPECT_THAT(joinedBy({}), ::testing::StartsWith("file,step,label,area,left,")) << "one step has all";
}

TEST_F(RunTable, MeasuresWhatTheCommandMeasures) {
    POLLARD_NEED_PROJ();
    Image image(PixelType::u16, 128, 128);
    for (std::uint32_t i = 0; i < 128 * 128; ++i) {
        image.pixels<std::uint16_t>()[i] = static_cast<std::uint16_t>(1000 + 10 * (i % 128) + (i * 7) % 5);
    }
    for (const std::uint32_t star : {20U * 128 + 4, 90U * 128 + 100, 90U * 128 + 101}) {
        image.pixels<std::uint16_t>()[star] = 5000;
    }
    const PlaneFacts facts{.carried = testing::mapTags(testing::MapKeys::projected(32633), 600000, 5350000, 10, 10)};
    writeTiff(path("map.tif"), {image, facts});
    ObjectsStep step;
    step.rule.above = BackgroundThreshold{5, 16};
    const auto inRecipe = [&] {
        saveRecipe({"Test", "", "", {step}}, path("r.json"));
        EXPECT_EQ(call({"run", path("r.json"), path("map.tif"), "-o", path("out")}).code, 0);
        return textOf("out/map-objects.csv");
    };
    const auto inCommand = [&](Args more) {
        Args args{"components", path("map.tif"), "--connectivity", "8", "--csv", path("t.csv")};
        args.insert(args.end(), more.begin(), more.end());
        EXPECT_EQ(call(args).code, 0);
        return textOf("t.csv");
    };
    const std::string sources = inRecipe();
    EXPECT_THAT(sources, HasSubstr("rectangularity,centroid_easting,centroid_northing,lon,lat,flux\n1,"));
    EXPECT_EQ(inCommand({"--above-background", "5", "--background-box", "16"}), sources);

    step.rule = objectsFrom(4000).rule;
    step.rule.connectivity = Connectivity::eight;
    const std::string bright = inRecipe();
    EXPECT_THAT(bright, HasSubstr(",centroid_easting,centroid_northing,lon,lat\n1,"));
    EXPECT_EQ(inCommand({"--threshold", "4000"}), bright);
    EXPECT_EQ(inCommand({"--threshold", "4000", "--stream"}), bright);
}

TEST_F(RunTable, RefusesTablesWithOtherColumns) {
    const Recipe recipe{"Test", "", "", {objectsFrom(4)}};
    const auto itemOf = [&](const std::string& name, const char* columns) {
        std::ofstream(path(name)) << columns << "\n1,2\n";
        return BatchItem{{name, path(name)}, std::vector<fs::path>(filesOf(recipe).size(), path(name))};
    };
    const std::vector<BatchItem> items{itemOf("one.csv", "label,area"), itemOf("other.csv", "label,border")};
    try {
        writeJoinedTable(path("joined.csv"), recipe, items, std::vector<BatchResult>(items.size()), {});
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("other.csv: its columns differ"));
    }
    EXPECT_FALSE(fs::exists(path("joined.csv")));
}

} // namespace
} // namespace pollard::cli
