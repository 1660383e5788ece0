// Objects of masks on the command line: labels, table and outlines.

#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "support/map_tags.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ComponentsCommand : public CliTest {
protected:
    /// '.' is level 0, '#' 200, 'o' 100.
    void draw(const std::string& name, const std::vector<std::string>& rows,
              const std::vector<CopiedTag>& tags = {}) const {
        Image image(PixelType::u8, static_cast<std::uint32_t>(rows[0].size()), static_cast<std::uint32_t>(rows.size()));
        std::size_t i = 0;
        for (const std::string& row : rows) {
            for (const char c : row) {
                image.pixels<std::uint8_t>()[i++] = static_cast<std::uint8_t>(c == '#' ? 200 : c == 'o' ? 100 : 0);
            }
        }
        writeTiff(path(name), {image, {.carried = tags}}, {.compression = TiffCompression::none});
    }
    [[nodiscard]] std::vector<int> labelsIn(const std::string& name) const {
        const auto image = readImage(path(name)).image;
        std::vector<int> labels(image->pixelCount());
        for (std::size_t i = 0; i < labels.size(); ++i) {
            labels[i] = image->level(i);
        }
        return labels;
    }
    [[nodiscard]] std::vector<std::map<std::string, std::string>> tableIn(const std::string& name) const {
        std::ifstream stream(path(name));
        std::string line;
        std::getline(stream, line);
        const auto cellsOf = [](const std::string& text) {
            std::istringstream cells(text);
            std::vector<std::string> list;
            for (std::string cell; std::getline(cells, cell, ',');) {
                list.push_back(cell);
            }
            return list;
        };
        const std::vector<std::string> names = cellsOf(line);
        std::vector<std::map<std::string, std::string>> rows;
        while (std::getline(stream, line)) {
            const std::vector<std::string> cells = cellsOf(line);
            EXPECT_EQ(cells.size(), names.size());
            rows.emplace_back();
            for (std::size_t i = 0; i < cells.size(); ++i) {
                rows.back()[names[i]] = cells[i];
            }
        }
        return rows;
    }
    [[nodiscard]] Json jsonIn(const std::string& name) const {
        std::ifstream stream(path(name));
        return Json::parse(stream);
    }
};

TEST_F(ComponentsCommand, NumbersObjectsInRasterOrder) {
    draw("a.tif", {"..#.#", "#.#..", "#...#", ".###."});
    const Outcome four = runBinary({"components", path("a.tif"), "--labels", path("l.tif"), "--json"});
    ASSERT_EQ(four.code, 0) << four.err;
    EXPECT_THAT(labelsIn("l.tif"), ElementsAre(0, 0, 1, 0, 2, 3, 0, 1, 0, 0, 3, 0, 0, 0, 4, 0, 5, 5, 5, 0));
    EXPECT_EQ(four.json().at("count"), 5);
    EXPECT_EQ(four.json().at("foreground"), 9);
    EXPECT_EQ(four.json().at("threshold"), 1);
    EXPECT_EQ(readImageInfo(path("l.tif")).bits, 32);
    const Outcome eight = call({"components", path("a.tif"), "--connectivity", "8", "--labels", path("l.tif")});
    ASSERT_EQ(eight.code, 0) << eight.err;
    EXPECT_THAT(labelsIn("l.tif"), ElementsAre(0, 0, 1, 0, 2, 3, 0, 1, 0, 0, 3, 0, 0, 0, 3, 0, 3, 3, 3, 0));
    EXPECT_THAT(eight.out, HasSubstr("3 objects"));
}

TEST_F(ComponentsCommand, LeavesOutObjectsAtTheBorder) {
    draw("a.tif", {"##....", "...#..", "...##.", ".#....", "....##"});
    const Outcome all = call({"components", path("a.tif"), "--csv", path("all.csv"), "--json"});
    EXPECT_EQ(all.json().at("count"), 4);
    EXPECT_FALSE(all.json().contains("left_out_at_border"));
    const Outcome inner = call({"components", path("a.tif"), "--no-border", "--labels", path("l.tif"), "--csv",
                                path("t.csv"), "--geojson", path("o.geojson"), "--json"});
    ASSERT_EQ(inner.code, 0) << inner.err;
    EXPECT_EQ(inner.json().at("count"), 2);
    EXPECT_EQ(inner.json().at("foreground"), 4);
    EXPECT_EQ(inner.json().at("left_out_at_border"), 2);
    const auto rows = tableIn("t.csv");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0], tableIn("all.csv")[1]) << "the number stays";
    EXPECT_EQ(rows[1], tableIn("all.csv")[2]);
    EXPECT_THAT(labelsIn("l.tif"),
                ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    EXPECT_EQ(jsonIn("o.geojson").at("features").size(), 2U);
    EXPECT_THAT(call({"components", path("a.tif"), "--no-border"}).out, HasSubstr("2 at the border left out"));
}

TEST_F(ComponentsCommand, WritesAGeoPackage) {
    draw("a.tif", {"##....", "...#..", "...##.", ".#....", "....##"});
    const Outcome outcome = call({"components", path("a.tif"), "--gpkg", path("o.gpkg"), "--json"});
    if (outcome.code == 1 && outcome.err.find("no GDAL") != std::string::npos) {
        GTEST_SKIP() << "a build without GDAL";
    }
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("gpkg_file"), path("o.gpkg"));
    EXPECT_EQ(outcome.json().at("vector_file"), path("o.gpkg"));
    std::ifstream file(path("o.gpkg"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    ASSERT_GT(bytes.size(), 100U);
    EXPECT_EQ(bytes.substr(0, 15), "SQLite format 3");
    constexpr std::size_t kApplication = 68;
    EXPECT_EQ(bytes.substr(kApplication, 4), "GPKG");
    EXPECT_EQ(call({"components", path("a.tif"), "--vector", path("o.csv")}).code, 0);
    std::ifstream table(path("o.csv"));
    std::string line;
    std::getline(table, line);
    EXPECT_EQ(line.substr(0, 10), "WKT,label,") << line;
    std::getline(table, line);
    EXPECT_THAT(line, HasSubstr("MULTIPOLYGON (((2 0,2 -1,0 -1,0 0,2 0)))"));
    EXPECT_EQ(call({"components", path("a.tif"), "--vector", path("o.shp")}).code, 1) << "several files";
    EXPECT_EQ(call({"components", path("a.tif"), "--gpkg", path("a.tif")}).code, 2) << "not the input";
    EXPECT_EQ(call({"components", path("a.tif"), "--gpkg", path("o.gpkg"), "--stream"}).code, 2);
}

TEST_F(ComponentsCommand, FillsHoles) {
    draw("a.tif", {"######", "#.##.#", "####.#", "......"});
    const auto pixels = [&](const std::vector<std::string>& more) {
        std::vector<std::string> line{"components", path("a.tif"), "--json"};
        line.insert(line.end(), more.begin(), more.end());
        return call(line).json().at("foreground").get<int>();
    };
    EXPECT_EQ(pixels({}), 15);
    EXPECT_EQ(pixels({"--fill-holes"}), 16) << "the other opens at the bottom";
    EXPECT_EQ(pixels({"--fill-holes", "--connectivity", "8"}), 16);
    EXPECT_EQ(call({"components", path("a.tif"), "--fill-holes", "--json"}).json().at("fill_holes"), true);
}

TEST_F(ComponentsCommand, SplitsObjectsThatTouch) {
    draw("a.tif", {"......................", ".#######.....#######..", ".#######.....#######..",
                   ".#######.....#######..", ".###################..", ".#######.....#######..",
                   ".#######.....#######..", ".#######.....#######..", "......................"});
    const auto report = [&](const std::vector<std::string>& more) {
        std::vector<std::string> line{"components", path("a.tif"), "--connectivity", "8", "--json"};
        line.insert(line.end(), more.begin(), more.end());
        return call(line).json();
    };
    EXPECT_EQ(report({}).at("count"), 1);
    EXPECT_FALSE(report({}).contains("split"));
    const auto split = report({"--split", "shape"});
    EXPECT_EQ(split.at("count"), 2);
    EXPECT_EQ(split.at("split").at("by"), "shape");
    EXPECT_EQ(split.at("split").at("strength"), 0.8);
    EXPECT_EQ(report({"--split", "shape", "--split-strength", "0.1"}).at("count"), 1);
    EXPECT_EQ(report({"--split", "brightness"}).at("count"), 1) << "all pixels are equal";
    EXPECT_EQ(call({"components", path("a.tif"), "--split", "colour"}).code, 2);
    EXPECT_EQ(call({"components", path("a.tif"), "--split-strength", "0.5"}).code, 2);
    EXPECT_EQ(call({"components", path("a.tif"), "--split", "shape", "--split-strength", "1.5"}).code, 2);
    EXPECT_EQ(call({"components", path("a.tif"), "--split", "shape", "--stream"}).code, 2);
}

TEST_F(ComponentsCommand, WritesTheFeaturesThatAreNamed) {
    draw("a.tif", {"##....", "##....", "...##.", ".....#", "......"});
    const auto table = [&](const std::string& features) {
        const Outcome outcome =
            call({"components", path("a.tif"), "--csv", path("t.csv"), "--features", features, "--connectivity", "8"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return tableIn("t.csv");
    };
    const auto some = table("label,border,area,perimeter_imagej");
    ASSERT_EQ(some.size(), 2U);
    EXPECT_EQ(some[0].size(), 4U);
    EXPECT_EQ(some[0].at("border"), "3");
    EXPECT_NEAR(std::stod(some[0].at("perimeter_imagej")), 8 - 4 * (2 - std::sqrt(2.0)), 1e-12);
    EXPECT_EQ(some[1].at("border"), "1");
    const auto all = table("all");
    ASSERT_EQ(call({"components", path("a.tif"), "--csv", path("u.csv"), "--connectivity", "8"}).code, 0);
    const auto usual = tableIn("u.csv");
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].size(), usual[0].size() + 14);
    for (const auto& [name, value] : usual[1]) {
        EXPECT_EQ(all[1].at(name), value) << name;
    }
    EXPECT_EQ(all[0].at("circularity_imagej"), "1") << "4 pi 4 / 5.66^2 is more";
    for (const char* wrong : {"area,", ",", "area,colour", "area,area"}) {
        const Outcome outcome = call({"components", path("a.tif"), "--csv", path("w.csv"), "--features", wrong});
        EXPECT_EQ(outcome.code, 2) << wrong;
    }
    EXPECT_THAT(call({"components", path("a.tif"), "--csv", path("w.csv"), "--features", "colour"}).err,
                HasSubstr("'colour' is no feature; there are label, area"));
    EXPECT_EQ(call({"components", path("a.tif"), "--features", "all"}).code, 2) << "a column of no table";
}

TEST_F(ComponentsCommand, KeepsLevelsBetweenThresholds) {
    draw("a.tif", {"#.o.#", "..o..", "o...#"});
    const auto run = [&](const std::string& threshold) {
        return call({"components", path("a.tif"), "--threshold", threshold, "--json"}).json();
    };
    EXPECT_EQ(run("101").at("count"), 3);
    EXPECT_EQ(run("100").at("count"), 5);
    EXPECT_EQ(run("1:100").at("count"), 2);
    EXPECT_EQ(run("1:100").at("foreground"), 3);
    EXPECT_EQ(run("1:100").at("threshold_high"), 100);
    EXPECT_EQ(run("0:0").at("foreground"), 9);
    EXPECT_EQ(run("201").at("count"), 0);
    EXPECT_EQ(run("otsu").at("threshold"), 1) << "the smallest level of the best gap";
    EXPECT_EQ(run("triangle").at("threshold"), 2) << "next to the peak at 0 the tail begins";
    EXPECT_EQ(run("li").at("threshold"), 1);
    EXPECT_EQ(run("otsu-root").at("threshold"), 1);
    EXPECT_THAT(call({"components", path("a.tif"), "--threshold", "li"}).out, HasSubstr("(li)"));
    EXPECT_EQ(run(":100").at("foreground"), 12);
    EXPECT_EQ(run(":100").at("threshold"), nullptr);
    EXPECT_EQ(run("100.5:").at("count"), 3) << "values between levels";
    EXPECT_EQ(run("-1").at("foreground"), 15);
    EXPECT_EQ(run("0.3:0.7").at("count"), 0) << "no level, but within the range";
    EXPECT_EQ(run("100levels").at("count"), 5);
    const Outcome beyond = call({"components", path("a.tif"), "--threshold", "300"});
    EXPECT_EQ(beyond.code, 1);
    EXPECT_THAT(beyond.err, HasSubstr("threshold: '300': the values are 0 to 255"));
    EXPECT_THAT(call({"components", path("a.tif"), "--threshold", "100HU"}).err, HasSubstr("have no unit"));
    for (const char* wrong : {"", "x", "7:3", "5:6:7", "nan", "inf", "1HU:2K"}) {
        const Outcome outcome = call({"components", path("a.tif"), "--threshold", wrong});
        EXPECT_EQ(outcome.code, 2) << wrong;
    }
    draw("flat.tif", {"##", "##"});
    const Outcome flat = call({"components", path("flat.tif"), "--threshold", "otsu"});
    EXPECT_EQ(flat.code, 1);
    EXPECT_THAT(flat.err, IsErrorAbout("otsu"));
}

TEST_F(ComponentsCommand, MeasuresObjects) {
    draw("a.tif", {".####.", ".#..#.", ".####.", "....o#"});
    const Outcome outcome = call({"components", path("a.tif"), "--csv", path("c.csv"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto rows = tableIn("c.csv");
    ASSERT_EQ(rows.size(), 1U);
    const auto& row = rows[0];
    EXPECT_EQ(row.at("label"), "1");
    EXPECT_EQ(row.at("area"), "12");
    EXPECT_EQ(row.at("left"), "1");
    EXPECT_EQ(row.at("top"), "0");
    EXPECT_EQ(row.at("width"), "5");
    EXPECT_EQ(row.at("height"), "4");
    EXPECT_EQ(row.at("sum_x"), "34");
    EXPECT_EQ(row.at("sum_y"), "16");
    EXPECT_EQ(row.at("grey_min"), "100");
    EXPECT_EQ(row.at("grey_max"), "200");
    EXPECT_EQ(row.at("grey_sum"), "2300");
    EXPECT_EQ(row.at("perimeter"), "24");
    EXPECT_EQ(row.at("holes"), "1");
}

TEST_F(ComponentsCommand, OutlinesObjects) {
    draw("a.tif", {"###..", "#.#..", "###..", "...#."});
    ASSERT_EQ(call({"components", path("a.tif"), "--geojson", path("o.geojson")}).code, 0);
    Json json = jsonIn("o.geojson");
    EXPECT_EQ(json.at("type"), "FeatureCollection");
    ASSERT_EQ(json.at("features").size(), 2U);
    const Json& ring = json.at("features").at(0);
    EXPECT_EQ(ring.at("geometry").at("type"), "Polygon");
    EXPECT_EQ(ring.at("geometry").at("coordinates"),
              Json::parse("[[[3,0],[3,3],[0,3],[0,0],[3,0]],[[2,2],[2,1],[1,1],[1,2],[2,2]]]"));
    EXPECT_EQ(ring.at("properties").at("area"), 8);
    EXPECT_EQ(ring.at("properties").at("holes"), 1);

    // With connectivity 8 the pixel at the corner belongs to the object: two polygons that meet in a point.
    ASSERT_EQ(call({"components", path("a.tif"), "--connectivity", "8", "--geojson", path("o.geojson")}).code, 0);
    json = jsonIn("o.geojson");
    ASSERT_EQ(json.at("features").size(), 1U);
    EXPECT_EQ(json.at("features").at(0).at("geometry").at("type"), "MultiPolygon");
    EXPECT_EQ(json.at("features").at(0).at("geometry").at("coordinates").size(), 2U);

    draw("empty.tif", {"...", "..."});
    ASSERT_EQ(call({"components", path("empty.tif"), "--geojson", path("o.geojson")}).code, 0);
    EXPECT_EQ(jsonIn("o.geojson").at("features").size(), 0U);
}

TEST_F(ComponentsCommand, PassesOverPixelsWithoutData) {
    CopiedTag noData{.tag = 42113, .fieldType = 2, .count = 4, .data = std::vector<std::byte>(4)};
    std::memcpy(noData.data.data(), "200", 4);
    draw("a.tif", {"oo#oo", "..#..", "oo#oo"}, {noData});
    ASSERT_NE(readImage(path("a.tif")).valid, nullptr);
    const Json json = call({"components", path("a.tif"), "--json"}).json();
    EXPECT_EQ(json.at("count"), 4);
    EXPECT_EQ(json.at("foreground"), 8);
    EXPECT_EQ(call({"components", path("a.tif"), "--threshold", "otsu", "--json"}).json().at("threshold"), 1);
}

TEST_F(ComponentsCommand, CarriesTags) {
    const double scale[3] = {0.5, 0.25, 0};
    CopiedTag pixelScale{.tag = 33550, .fieldType = 12, .count = 3, .data = std::vector<std::byte>(sizeof scale)};
    std::memcpy(pixelScale.data.data(), scale, sizeof scale);
    draw("a.tif", {"#.", ".#"}, {pixelScale});
    ASSERT_EQ(call({"components", path("a.tif"), "--labels", path("l.tif")}).code, 0);
    EXPECT_THAT(readImageInfo(path("l.tif")).carried, ::testing::Contains(pixelScale));
}

TEST_F(ComponentsCommand, GivesTheSameWithOneThreadAndWithTwo) {
    (void)makeImage("a.tif", PixelType::u16, 300, 700, 100);
    for (const std::string threads : {"1", "2"}) {
        ASSERT_EQ(call({"components", path("a.tif"), "--threshold", "40", "--csv", path(threads + ".csv"), "--labels",
                        path(threads + ".tif"), "--geojson", path(threads + ".geojson"), "--threads", threads})
                      .code,
                  0);
    }
    for (const char* kind : {".csv", ".tif", ".geojson"}) {
        const auto bytesOf = [&](const std::string& name) {
            std::ifstream stream(path(name), std::ios::binary);
            return std::string(std::istreambuf_iterator<char>(stream), {});
        };
        EXPECT_FALSE(bytesOf(std::string("1") + kind).empty());
        EXPECT_EQ(bytesOf(std::string("1") + kind), bytesOf(std::string("2") + kind)) << kind;
    }
}

TEST_F(ComponentsCommand, RefusesTargetsAndNamesThatMakeNoSense) {
    draw("a.tif", {"#.", ".#"});
    EXPECT_EQ(call({"components", path("a.tif"), "--labels", path("a.tif")}).code, 2);
    EXPECT_EQ(call({"components", path("a.tif"), "--labels", path("l.png")}).code, 2);
    EXPECT_EQ(call({"components", path("a.tif"), "--csv", path("x"), "--geojson", path("x")}).code, 2);
    EXPECT_EQ(call({"components", path("a.tif"), "--connectivity", "6"}).code, 2);
    EXPECT_EQ(call({"components", path("a.tif"), "--algorithm", "none"}).code, 2);
    EXPECT_EQ(call({"components", path("a.tif"), "--engine", "none"}).code, 2);
    EXPECT_EQ(call({"components", path("a.tif"), "--csv", path("none/c.csv")}).code, 1);
    EXPECT_EQ(call({"components", path("a.tif"), "--algorithm", "runs", "--engine", "cpu"}).code, 0);
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
}

TEST_F(ComponentsCommand, FindsObjectsAboveTheLocalBackground) {
    Image image(PixelType::u16, 128,
                128); // a slope with two stars, of which the one in the dark is darker than the rest
    for (std::uint32_t y = 0; y < 128; ++y) {
        for (std::uint32_t x = 0; x < 128; ++x) {
            image.pixels<std::uint16_t>()[y * 128 + x] =
                static_cast<std::uint16_t>(100 + 10 * x + (x * 7 + y * 13) % 3);
        }
    }
    image.pixels<std::uint16_t>()[20 * 128 + 4] = 1200;
    image.pixels<std::uint16_t>()[90 * 128 + 100] = 3000;
    writeTiff(path("sky.tif"), image);
    const Outcome found = call({"components", path("sky.tif"), "--above-background", "5", "--background-box", "16",
                                "--csv", path("t.csv"), "--json"});
    ASSERT_EQ(found.code, 0) << found.err;
    EXPECT_EQ(found.json().at("count"), 2);
    EXPECT_TRUE(found.json().at("threshold").is_null());
    EXPECT_EQ(found.json().at("background_box"), 16);
    std::string names;
    std::ifstream table(path("t.csv"));
    std::getline(table, names);
    EXPECT_THAT(names, ::testing::EndsWith(",flux"));
    const auto listed = [&](const char* condition) {
        EXPECT_EQ(call({"components", path("sky.tif"), "--above-background", "5", "--background-box", "16", "--csv",
                        path("w.csv"), "--where", condition})
                      .code,
                  0);
        std::ifstream lines(path("w.csv"));
        return std::count(std::istreambuf_iterator(lines), {}, '\n') - 1;
    };
    EXPECT_EQ(listed("flux > 500"), 2);
    EXPECT_EQ(listed("flux > 1500"), 1) << "the star in the dark has about 1000";
    const Outcome refused = call({"components", path("sky.tif"), "--where", "flux > 500", "--csv", path("w.csv")});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("'flux' is no column of this table"));
    EXPECT_EQ(call({"components", path("sky.tif"), "--above-background", "5", "--threshold", "7"}).code, 2);
    EXPECT_EQ(call({"components", path("sky.tif"), "--above-background", "0"}).code, 2);
    EXPECT_EQ(call({"components", path("sky.tif"), "--background-box", "32"}).code, 2);
    EXPECT_EQ(call({"components", path("sky.tif"), "--above-background", "5", "--background-box", "2"}).code, 2);
    EXPECT_EQ(call({"components", path("sky.tif"), "--above-background", "5", "--stream"}).code, 2);
}

TEST_F(ComponentsCommand, FindsTheBestComponents) {
    Image image(PixelType::u8, 80, 50);
    for (int y = 0; y < 50; ++y) {
        for (int x = 0; x < 80; ++x) { // two discs that touch, and one by itself
            const double out =
                std::min({std::hypot(x - 20, y - 20), std::hypot(x - 37, y - 22), std::hypot(x - 62, y - 35)}) - 9;
            image.pixels<std::uint8_t>()[static_cast<std::size_t>(80 * y + x)] =
                static_cast<std::uint8_t>(20 + 180 / (1 + std::exp(2 * out)));
        }
    }
    writeTiff(path("a.tif"), image);
    const Outcome found = call({"components", path("a.tif"), "--best", "--labels", path("l.tif"), "--csv",
                                path("t.csv"), "--geojson", path("o.geojson"), "--json"});
    ASSERT_EQ(found.code, 0) << found.err;
    EXPECT_EQ(found.json().at("count"), 3);
    EXPECT_EQ(found.json().at("connectivity"), 8);
    EXPECT_TRUE(found.json().at("threshold").is_null());
    const Json best = found.json().at("best");
    EXPECT_TRUE(best.at("size_estimated"));
    EXPECT_NEAR(best.at("size_px").get<double>(), 254, 60);
    EXPECT_EQ(best.at("strictness"), .35);
    const std::vector<int> labels = labelsIn("l.tif");
    EXPECT_EQ(labels[80 * 20 + 20], 1);
    EXPECT_EQ(labels[80 * 22 + 37], 2);
    EXPECT_EQ(labels[80 * 35 + 62], 3);
    EXPECT_EQ(labels[0], 0);
    EXPECT_EQ(tableIn("t.csv").size(), 3U);
    EXPECT_EQ(jsonIn("o.geojson").at("features").size(), 3U);

    const auto count = [&](const Args& more) {
        Args args{"components", path("a.tif"), "--best", "--json"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? outcome.json().at("count").get<int>() : -1;
    };
    EXPECT_EQ(count({"--size", "260"}), 3);
    EXPECT_EQ(count({"--size", "65 um2", "--pixel-size", "0.5um"}), 3);
    EXPECT_EQ(count({"--size", "1e9"}), 0);
    EXPECT_EQ(count({"--strictness", "0.99"}), 0);
    EXPECT_EQ(count({"--dark"}), 0);
    EXPECT_THAT(call({"components", path("a.tif"), "--best"}).out, HasSubstr("best components"));

    EXPECT_EQ(count({"--drop", "62,35"}), 2);
    EXPECT_EQ(count({"--strictness", "0.99", "--keep", "62,35", "--keep", "20,20"}), 2);
    EXPECT_EQ(best.at("unmet_marks"), 0);
    const Outcome unmet = call({"components", path("a.tif"), "--best", "--keep", "62,35", "--keep", "0,0"});
    EXPECT_THAT(unmet.out, HasSubstr("1 pixel of --keep is in no object: no candidate for an object contains it"));

    const Outcome unsure = call({"components", path("a.tif"), "--best", "--ask", "2", "--json"});
    const Json least = unsure.json().at("least_sure");
    ASSERT_EQ(least.size(), 2U);
    EXPECT_TRUE(least.at(0).at("object"));
    EXPECT_GE(least.at(1).at("expected_overlap"), least.at(0).at("expected_overlap"));
    EXPECT_EQ(count({"--drop", least.at(0).at("pixel").get<std::string>()}), 2);
    EXPECT_THAT(call({"components", path("a.tif"), "--best", "--ask", "1"}).out, HasSubstr("expected overlap"));
    EXPECT_FALSE(found.json().contains("least_sure"));
    EXPECT_EQ(count({"--weights", "constant=-20"}), 0);
    EXPECT_EQ(count({"--weights", "misfit=-4,constant=0"}), 3);

    for (const Args& wrong : std::vector<Args>{{"--size", "0"},
                                               {"--weights", "constant"},
                                               {"--weights", "constant=2000"},
                                               {"--ask", "1001"},
                                               {"--keep", "5"},
                                               {"--keep", "5,-1"},
                                               {"--drop", "5,6,7"},
                                               {"--watershed", "levels"},
                                               {"--hierarchy", "area"},
                                               {"--seeds", "h=5"},
                                               {"--split", "shape"},
                                               {"--size", "5 um"},
                                               {"--size", "5 ha"},
                                               {"--size", "x"},
                                               {"--strictness", "1"},
                                               {"--strictness", "0"},
                                               {"--fill-holes"},
                                               {"--threshold", "otsu"},
                                               {"--above-background", "5"},
                                               {"--stream"},
                                               {"--connectivity", "4"}}) {
        Args args{"components", path("a.tif"), "--best"};
        args.insert(args.end(), wrong.begin(), wrong.end());
        EXPECT_EQ(call(args).code, 2) << wrong.front();
    }
    EXPECT_EQ(call({"components", path("a.tif"), "--size", "5"}).code, 2);
    EXPECT_EQ(call({"components", path("a.tif"), "--dark"}).code, 2);
    EXPECT_EQ(call({"components", path("a.tif"), "--best", "--size", "5 um2"}).code, 1)
        << "the size of a pixel is unknown";
}

TEST_F(ComponentsCommand, RegionsOfAWatershedAndAHierarchyEqualTheirCommands) {
    Image image(PixelType::u8, 60, 40);
    for (std::uint32_t i = 0; i < image.pixelCount(); ++i) {
        const auto x = static_cast<double>(i % 60);
        const auto y = static_cast<double>(i / 60);
        const double hills = std::max({100 - 8 * std::hypot(x - 15, y - 20), 90 - 8 * std::hypot(x - 29, y - 20),
                                       80 - 8 * std::hypot(x - 48, y - 12), 5.});
        image.pixels<std::uint8_t>()[i] = static_cast<std::uint8_t>(hills);
    }
    writeTiff(path("a.tif"), image);
    const auto same = [&](Args command, Args components, int count) {
        command.insert(command.begin() + 1, path("a.tif"));
        command.insert(command.end(), {"-o", path("expected.tif")});
        ASSERT_EQ(call(command).code, 0) << call(command).err;
        components.insert(components.begin(), {"components", path("a.tif")});
        components.insert(components.end(), {"--labels", path("l.tif"), "--json"});
        const Outcome found = call(components);
        ASSERT_EQ(found.code, 0) << found.err;
        EXPECT_EQ(found.json().at("count"), count);
        EXPECT_EQ(labelsIn("l.tif"), labelsIn("expected.tif")) << components[2];
    };
    same({"watershed", "--within", "20"}, {"--threshold", "20", "--watershed", "levels"}, 3);
    same({"watershed", "--within", "20", "--seeds", "h=200"},
         {"--threshold", "20", "--watershed", "levels", "--seeds", "h=200"}, 2);
    same({"watershed", "--within", "20", "--flood", "distance", "--seeds-of", "levels"},
         {"--threshold", "20", "--watershed", "distance", "--seeds-of", "levels"}, 3);
    same({"hierarchy", "--by", "volume", "--regions", "4"}, {"--hierarchy", "volume", "--regions", "4"}, 4);
    same({"hierarchy", "--by", "altitude", "--above", "8"}, {"--hierarchy", "altitude", "--above", "8"}, 1);

    const Outcome sized =
        call({"components", path("a.tif"), "--hierarchy", "volume", "--regions", "4", "--sizes", ":1000", "--json"});
    ASSERT_EQ(sized.code, 0) << sized.err;
    EXPECT_LT(sized.json().at("count"), 4);
    EXPECT_EQ(sized.json().at("hierarchy").at("by"), "volume");
    EXPECT_TRUE(sized.json().at("threshold").is_null());
    const Outcome everywhere = call({"components", path("a.tif"), "--watershed", "gradient", "--json"});
    ASSERT_EQ(everywhere.code, 0) << everywhere.err;
    EXPECT_TRUE(everywhere.json().at("watershed").at("everywhere"));
    EXPECT_EQ(everywhere.json().at("foreground"), image.pixelCount());
    for (const Args& wrong : std::vector<Args>{{"--watershed", "distance"},
                                               {"--watershed", "hills"},
                                               {"--watershed", "levels", "--seeds", "x"},
                                               {"--watershed", "levels", "--seeds", "dynamics>=-1"},
                                               {"--watershed", "levels", "--seeds-of", "distance"},
                                               {"--watershed", "levels", "--fill-holes"},
                                               {"--watershed", "levels", "--hierarchy", "area"},
                                               {"--watershed", "levels", "--stream"},
                                               {"--hierarchy", "size"},
                                               {"--hierarchy", "area", "--threshold", "20"},
                                               {"--hierarchy", "area", "--above", "1", "--regions", "2"},
                                               {"--hierarchy", "area", "--sizes", "9:5"},
                                               {"--hierarchy", "area", "--dark"},
                                               {"--lines"},
                                               {"--regions", "3"},
                                               {"--sizes", "3"},
                                               {"--keep", "3,4"}}) {
        Args args{"components", path("a.tif")};
        args.insert(args.end(), wrong.begin(), wrong.end());
        EXPECT_EQ(call(args).code, 2) << wrong.front() << ' ' << wrong.back();
    }
}

TEST_F(ComponentsCommand, OutlinesOfAMapAreLongitudesAndLatitudes) {
    POLLARD_NEED_PROJ();
    using testing::MapKeys;
    const std::vector<std::string> rows{"....", ".##.", ".##."};
    draw("plain.tif", rows);
    draw("map.tif", rows, testing::mapTags(MapKeys::geographic(4326), 10, 50, 0.5, 0.25));
    MapKeys keys = MapKeys::projected(kUserDefinedKey);
    keys.citation = "Grid of the mine";
    draw("mine.tif", rows, testing::mapTags(keys, 0, 0, 1, 1));
    const auto ringOf = [&](const std::string& name, const Args& more) {
        Args args{"components", path(name), "--geojson", path("o.geojson")};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.err.find("pixels") != std::string::npos, name == "mine.tif" && more.empty()) << outcome.err;
        const Json json = jsonIn("o.geojson");
        const Json& feature = json.at("features").at(0);
        EXPECT_EQ(feature.at("properties").at("area"), 4);
        EXPECT_EQ(json.contains("pollard_coordinates"), name == "map.tif" && (more.empty() || more[1] == "degrees"));
        return feature.at("geometry").at("coordinates").at(0);
    };
    const Json degrees = Json::parse("[[10.5,49.75],[10.5,49.25],[11.5,49.25],[11.5,49.75],[10.5,49.75]]");
    const Json pixels = Json::parse("[[3,1],[3,3],[1,3],[1,1],[3,1]]");
    const auto sameRing = [](const Json& a, const Json& b) { // with any starting point
        std::vector<Json> left(a.begin() + 1, a.end());
        const std::vector<Json> right(b.begin() + 1, b.end());
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (left == right) {
                return true;
            }
            std::rotate(left.begin(), left.begin() + 1, left.end());
        }
        return false;
    };
    EXPECT_TRUE(sameRing(ringOf("map.tif", {}), degrees)) << ringOf("map.tif", {});
    EXPECT_TRUE(sameRing(ringOf("map.tif", {"--geojson-in", "degrees"}), degrees));
    EXPECT_TRUE(sameRing(ringOf("map.tif", {"--geojson-in", "pixels"}), pixels));
    EXPECT_TRUE(sameRing(ringOf("plain.tif", {}), pixels));
    EXPECT_TRUE(sameRing(ringOf("mine.tif", {}), pixels));
    for (const char* name : {"plain.tif", "mine.tif"}) {
        const Outcome refused =
            call({"components", path(name), "--geojson", path("none.geojson"), "--geojson-in", "degrees"});
        EXPECT_EQ(refused.code, 1);
        EXPECT_THAT(refused.err, IsErrorAbout(name));
        EXPECT_FALSE(std::filesystem::exists(path("none.geojson")));
    }
    EXPECT_EQ(call({"components", path("map.tif"), "--geojson-in", "metres"}).code, 2);
}

/// A crop has another corner and a shrunk image other pixels: the outline's position is unchanged.
TEST_F(ComponentsCommand, OutlinesOfAPartLieWhereThoseOfTheWholeDo) {
    POLLARD_NEED_PROJ();
    std::vector<std::string> rows(16, std::string(20, '.'));
    for (std::size_t y = 4; y < 12; ++y) {
        rows[y].replace(8, 8, 8, '#');
    }
    draw("map.tif", rows, testing::mapTags(testing::MapKeys::projected(32633), 600000, 5350000, 10, 10));
    const auto boxOf = [&](const Args& more) {
        Args args{"components", path("map.tif"), "--geojson", path("o.geojson")};
        args.insert(args.end(), more.begin(), more.end());
        EXPECT_EQ(call(args).code, 0);
        double west = 180;
        double north = -90;
        const Json json = jsonIn("o.geojson");
        for (const Json& place : json.at("features").at(0).at("geometry").at("coordinates").at(0)) {
            west = std::min(west, place.at(0).get<double>());
            north = std::max(north, place.at(1).get<double>());
        }
        return std::pair(west, north);
    };
    const auto whole = boxOf({});
    for (const Args& more :
         {Args{"--region", "4,2,14,12"}, Args{"--shrink", "4"}, Args{"--region", "4,4,16,12", "--shrink", "2"}}) {
        const auto part = boxOf(more);
        EXPECT_NEAR(part.first, whole.first, 1e-9);
        EXPECT_NEAR(part.second, whole.second, 1e-9);
    }
}

} // namespace
} // namespace pollard::cli
