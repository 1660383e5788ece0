// run --csv: the table of a batch as CSV, against the JSON of the same run.
#include "cli_fixture.hpp"

#include "recipe/recipe.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace pollard::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

using Row = std::map<std::string, std::string>;

/// Lines of fields, by RFC 4180.
std::vector<std::vector<std::string>> parseCsv(const std::string& text) {
    std::vector<std::vector<std::string>> lines;
    std::vector<std::string> line(1);
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inside && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            line.back() += text[++i];
        } else if (c == '"') {
            inside = !inside;
        } else if (!inside && c == ',') {
            line.emplace_back();
        } else if (!inside && c == '\n') {
            lines.push_back(line);
            line.assign(1, "");
        } else {
            line.back() += c;
        }
    }
    EXPECT_FALSE(inside);
    EXPECT_THAT(line, ElementsAre("")) << "the last line is ended";
    return lines;
}

class RunSummary : public CliTest {
protected:
    void makeRecipe(const std::string& name, const std::vector<RecipeStep>& steps) const {
        saveRecipe({"Test", "", "", steps}, path(name));
    }
    static FilterStep areaFrom(double least) {
        FilterStep step;
        step.filter.criteria.push_back({AttributeId::area, least});
        return step;
    }
    [[nodiscard]] std::vector<Row> rowsOf(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(path(name), std::ios::binary).rdbuf();
        const auto lines = parseCsv(text.str());
        std::vector<Row> rows;
        if (lines.empty()) {
            ADD_FAILURE() << name << " is empty";
            return rows;
        }
        EXPECT_THAT(lines.front(), ElementsAre("file", "state", "nodes", "kept", "changed_pixels", "objects",
                                               "contour_nodes", "energy", "milliseconds", "result", "error"));
        for (std::size_t i = 1; i < lines.size(); ++i) {
            EXPECT_EQ(lines[i].size(), lines.front().size());
            Row& row = rows.emplace_back();
            for (std::size_t column = 0; column < std::min(lines[i].size(), lines.front().size()); ++column) {
                row[lines.front()[column]] = lines[i][column];
            }
        }
        return rows;
    }
};

TEST_F(RunSummary, HasWhatTheJsonOfTheRunHas) {
    makeImage("a.tif", PixelType::u8, 60, 50, 9, {});
    makeImage("b.tif", PixelType::u8, 31, 47, 200, {});
    ObjectsStep low;
    low.rule = {{}, std::nullopt, false, {3, 255}, Connectivity::four};
    ObjectsStep high = low;
    high.rule.levels.low = 6;
    ContoursStep contour;
    contour.starts = {{RegionShape::Kind::rectangle, {{5, 5}, {25, 28}}}};
    ContoursStep apart = contour;
    apart.starts.push_back({RegionShape::Kind::rectangle, {{2, 32}, {20, 44}}});
    makeRecipe("r.json", {low, areaFrom(6), high, contour, apart});
    const Outcome run = runBinary({"run", path("r.json"), path("b.tif"), path("a.tif"), "-o", path("out"), "--jobs",
                                   "2", "--json", "--csv", path("out/s.csv")});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.json().at("csv_file"), path("out/s.csv"));
    const std::vector<Row> rows = rowsOf("out/s.csv");
    const Json files = run.json().at("files");
    ASSERT_EQ(rows.size(), 2U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        const Json& file = files.at(i);
        const auto both = [&](const char* list, const char* key) {
            return file.at(list).at(0).at(key).dump() + ";" + file.at(list).at(1).at(key).dump();
        };
        EXPECT_EQ(row.at("file"), path(i == 0 ? "b.tif" : "a.tif"));
        EXPECT_EQ(row.at("state"), "done");
        for (const char* key : {"nodes", "kept", "changed_pixels"}) {
            EXPECT_EQ(row.at(key), file.at(key).dump()) << key;
        }
        EXPECT_EQ(row.at("objects"), both("objects", "listed"));
        EXPECT_EQ(row.at("contour_nodes"), both("contours", "nodes"));
        const std::string energies = row.at("energy");
        const std::size_t between = energies.find(';');
        ASSERT_NE(between, std::string::npos);
        EXPECT_EQ(std::stod(energies), file.at("contours").at(0).at("energy").get<double>());
        EXPECT_EQ(std::stod(energies.substr(between + 1)), file.at("contours").at(1).at("energy").get<double>());
        EXPECT_EQ(std::stod(row.at("milliseconds")), file.at("ms").get<double>());
        EXPECT_EQ(row.at("result"), file.at("output_file").get<std::string>());
        EXPECT_EQ(row.at("error"), "");
    }
    EXPECT_NE(rows[0].at("nodes"), rows[1].at("nodes"));
}

TEST_F(RunSummary, CountsLabelsAndLeavesEmptyWhatThereIsNot) {
    makeImage("a.tif", PixelType::u8, 60, 50, 9, {});
    FilterStep labels = areaFrom(3);
    labels.filter.output = Output::labels;
    makeRecipe("labels.json", {labels});
    Outcome run = runBinary(
        {"run", path("labels.json"), path("a.tif"), "-o", path("out"), "--json", "--csv", path("labels.csv")});
    ASSERT_EQ(run.code, 0) << run.err;
    const Row labelled = rowsOf("labels.csv").at(0);
    EXPECT_EQ(labelled.at("objects"), run.json().at("files").at(0).at("labels").dump());
    EXPECT_EQ(labelled.at("contour_nodes"), "");
    EXPECT_EQ(labelled.at("energy"), "");

    ObjectsStep objects;
    objects.rule = {{}, std::nullopt, false, {5, 255}, Connectivity::eight};
    makeRecipe("objects.json", {objects});
    run = runBinary({"run", path("objects.json"), path("a.tif"), "-o", path("out"), "--csv", path("objects.csv")});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, ::testing::EndsWith("1 done, 0 failed\nwritten: " + path("objects.csv") + "\n"));
    const Row listed = rowsOf("objects.csv").at(0);
    for (const char* column : {"nodes", "kept", "changed_pixels", "contour_nodes", "energy", "error"}) {
        EXPECT_EQ(listed.at(column), "") << column;
    }
    EXPECT_NE(listed.at("objects"), "");
    EXPECT_EQ(listed.at("result"), path("out/a-objects.csv"));
}

TEST_F(RunSummary, TellsWhatFailedAndWhatWasThereAlready) {
    makeImage("a.tif", PixelType::u8, 20, 20, 9, {});
    makeRecipe("r.json", {areaFrom(3)});
    const std::string broken = path("no, \"such\".tif");
    const Args args{"run",       path("r.json"), broken,   path("a.tif"), "-o",
                    path("out"), "--resume",     "--json", "--csv",       path("s.csv")};
    for (const std::string state : {"done", "skipped"}) {
        const Outcome run = runBinary(args);
        EXPECT_EQ(run.code, 1);
        EXPECT_THAT(run.err, IsErrorAbout("1 of 2 files failed"));
        const std::vector<Row> rows = rowsOf("s.csv");
        ASSERT_EQ(rows.size(), 2U);
        EXPECT_EQ(rows[0].at("file"), broken);
        EXPECT_EQ(rows[0].at("state"), "failed");
        EXPECT_EQ(rows[0].at("error"), run.json().at("files").at(0).at("error").get<std::string>());
        EXPECT_THAT(rows[0].at("error"), ::testing::HasSubstr(broken));
        for (const char* column : {"nodes", "objects", "milliseconds", "result"}) {
            EXPECT_EQ(rows[0].at(column), "") << column;
        }
        EXPECT_EQ(rows[1].at("state"), state);
        EXPECT_EQ(rows[1].at("result"), path("out/a.tif"));
        EXPECT_EQ(rows[1].at("milliseconds").empty(), state == "skipped");
        EXPECT_EQ(rows[1].at("nodes").empty(), state == "skipped");
    }
}

TEST_F(RunSummary, RefusesNamesOfOtherFilesOfTheRun) {
    makeImage("a.tif", PixelType::u8, 20, 20, 9, {});
    ObjectsStep objects;
    objects.rule = {{}, std::nullopt, false, {5, 255}, Connectivity::eight};
    makeRecipe("r.json", {objects});
    fs::create_symlink(path("a.tif"), path("link.csv"));
    const auto before = filesInFolder();
    const fs::path started = fs::current_path();
    fs::current_path(path("."));
    for (const auto& [table, reason] : std::map<std::string, std::string>{{path("a.tif"), "is also an input"},
                                                                          {path("link.csv"), "is also an input"},
                                                                          {path("r.json"), "is also the recipe"},
                                                                          {path("out/a-objects.csv"), "the result of"},
                                                                          {"out/a-objects.csv", "the result of"}}) {
        const Outcome run = runBinary({"run", path("r.json"), path("a.tif"), "-o", path("out"), "--csv", table});
        EXPECT_EQ(run.code, 2) << table;
        EXPECT_THAT(run.err, IsErrorAbout(reason)) << table;
        EXPECT_EQ(filesInFolder(), before) << table;
    }
    fs::current_path(started);
}

TEST_F(RunSummary, NeedsAFolderThatIsThere) {
    makeImage("a.tif", PixelType::u8, 20, 20, 9, {});
    makeRecipe("r.json", {areaFrom(3)});
    for (const std::string table : {"none/s.csv", "out"}) {
        const Outcome run = runBinary({"run", path("r.json"), path("a.tif"), "-o", path("out"), "--csv", path(table)});
        EXPECT_EQ(run.code, 1);
        EXPECT_THAT(run.err, IsErrorAbout("cannot write: " + path(table)));
        EXPECT_TRUE(fs::is_empty(path("out"))) << "nothing was worked on";
    }
}

} // namespace
} // namespace pollard::cli
