// Objects of one channel measured in all channels of a file, and objects inside objects of an earlier run.

#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"

#include <fstream>
#include <string>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MeasureChannels : public CliTest {
protected:
    /// 4 x 2 pixels: an object of two pixels at the left and one of one pixel at the right, in the red channel.
    void writeRgb(const std::string& name) const {
        const unsigned char pixels[] = {200, 10, 1, 201, 20, 5, 0, 90, 9, 202, 30, 7, //
                                        0,   40, 2, 0,   50, 3, 0, 60, 4, 0,   70, 6};
        std::ofstream stream(path(name), std::ios::binary);
        stream << "P6\n4 2\n255\n";
        stream.write(reinterpret_cast<const char*>(pixels), sizeof pixels);
    }

    /// Pages that are channels, with the pixels of writeRgb().
    void writePages(const std::string& name, const std::vector<std::string>& channels) const {
        const std::vector<std::vector<int>> levels{
            {200, 201, 0, 202, 0, 0, 0, 0}, {10, 20, 90, 30, 40, 50, 60, 70}, {1, 5, 9, 7, 2, 3, 4, 6}};
        PlaneFacts facts;
        facts.scene.axes = {{'c', static_cast<int>(channels.size()), channels}};
        writeTiff(path(name),
                  {static_cast<int>(channels.size()),
                   [&](int page, const JobControl&) {
                       auto image = std::make_shared<Image>(PixelType::u8, 4, 2);
                       std::ranges::transform(levels[static_cast<std::size_t>(page)],
                                              image->pixels<std::uint8_t>().begin(),
                                              [](int level) { return static_cast<std::uint8_t>(level); });
                       return Plane{ownedRows(image), facts};
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
};

TEST_F(MeasureChannels, MeasuresTheSamplesOfAColourImage) {
    writeRgb("a.ppm");
    const Outcome outcome = call({"components", path("a.ppm"), "--channel", "red", "--measure", "all", "--csv",
                                  path("t.csv"), "--features", "label,area", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(
        linesIn("t.csv"),
        ElementsAre("label,area,mean[red],sum[red],min[red],max[red],stddev[red],median[red],mean[green],sum[green],"
                    "min[green],max[green],stddev[green],median[green],mean[blue],sum[blue],min[blue],max[blue],"
                    "stddev[blue],median[blue]",
                    "1,2,200.5,401,200,201,0.5,200.5,15,30,10,20,5,15,3,6,1,5,2,3",
                    "2,1,202,202,202,202,0,202,30,30,30,30,0,30,7,7,7,7,0,7"));
    EXPECT_EQ(outcome.json().at("measured"), Json::parse(R"(["red","green","blue"])"));
    EXPECT_EQ(outcome.json().at("columns").size(), 18U);
    EXPECT_EQ(outcome.json().at("columns").at(6), "mean[green]");
}

TEST_F(MeasureChannels, MeasuresPagesThatAreChannels) {
    writePages("a.tif", {"DAPI", "GFP", "Cy5"});
    const auto table = [&](const Args& more) {
        Args args{"components", path("a.tif"), "--csv", path("t.csv"), "--features", "label"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return linesIn("t.csv");
    };
    EXPECT_THAT(table({"--measure", "GFP,2", "--measures", "max,p75,pixels", "--ring", "1"}),
                ElementsAre("label,max[GFP],p75[GFP],pixels[GFP],ring[GFP],max[Cy5],p75[Cy5],pixels[Cy5],ring[Cy5]",
                            "1,20,17.5,2,60,5,4,2,4.5", "2,30,30,1,73.33333333333333,7,7,1,6.333333333333333"))
        << "rings: 90 40 50 60 and 90 60 70; pages of the first channel have the objects";
    EXPECT_THAT(table({"--measure", "all", "--measures", "sum", "--pairs", "GFP:Cy5,DAPI:DAPI", "--signal-above",
                       "Cy5=4,GFP=10"}),
                ElementsAre("label,sum[DAPI],sum[GFP],sum[Cy5],\"pearson[GFP,Cy5]\",\"manders1[GFP,Cy5]\","
                            "\"manders2[GFP,Cy5]\",\"pearson[DAPI,DAPI]\",\"manders1[DAPI,DAPI]\","
                            "\"manders2[DAPI,DAPI]\"",
                            "1,401,30,6,1,0.6666666666666666,0.8333333333333334,1,1,1", "2,202,30,7,,1,1,,1,1"))
        << "20 of 30 lies where Cy5 has signal, 5 of 6 where GFP has; one pixel has no correlation";
    EXPECT_THAT(table({"--measure", "GFP", "--measures", "mean", "--region", "1,0,3,2"}),
                ElementsAre("label,mean[GFP]", "1,20", "2,30"));
    EXPECT_THAT(table({"--measure", "GFP", "--measures", "mean", "--where", "area < 2"}),
                ElementsAre("label,mean[GFP]", "2,30"));
}

TEST_F(MeasureChannels, AppendsToAllTables) {
    writeRgb("a.ppm");
    for (const Args& features : {Args{}, Args{"--features", "all"}}) {
        Args args{"components", path("a.ppm"), "--csv", path("t.csv")};
        args.insert(args.end(), features.begin(), features.end());
        ASSERT_EQ(call(args).code, 0);
        const std::vector<std::string> plain = linesIn("t.csv");
        args.insert(args.end(), {"--measure", "blue", "--measures", "max"});
        ASSERT_EQ(call(args).code, 0);
        const std::vector<std::string> measured = linesIn("t.csv");
        ASSERT_EQ(measured.size(), plain.size());
        EXPECT_EQ(measured[0], plain[0] + ",max[blue]");
        EXPECT_EQ(measured[1], plain[1] + ",9") << "all pixels are one object in luminance";
    }
}

TEST_F(MeasureChannels, RefusesWhatItCannotMeasure) {
    writeRgb("a.ppm");
    const auto run = [&](const Args& more) {
        Args args{"components", path("a.ppm"), "--quiet"};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    const std::string table = path("t.csv");
    EXPECT_EQ(run({"--measure", "all"}).code, 2) << "a column of no table";
    EXPECT_EQ(run({"--csv", table, "--measures", "mean"}).code, 2) << "of no channel";
    EXPECT_EQ(run({"--csv", table, "--ring", "2"}).code, 2);
    EXPECT_EQ(run({"--csv", table, "--measure", "all", "--measures", "mode"}).code, 2);
    EXPECT_EQ(run({"--csv", table, "--measure", "all", "--ring", "0"}).code, 2);
    EXPECT_EQ(run({"--csv", table, "--measure", "all", "--pairs", "red"}).code, 2);
    EXPECT_EQ(run({"--csv", table, "--measure", "all", "--signal-above", "red=1"}).code, 2) << "without pairs";
    EXPECT_EQ(run({"--csv", table, "--measure", "all", "--pairs", "red:blue", "--signal-above", "red=x"}).code, 2);
    EXPECT_EQ(run({"--children", table}).code, 2) << "without parents";
    const Outcome unknown = run({"--csv", table, "--measure", "red,infrared"});
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.err, IsErrorAbout(path("a.ppm") + ": --measure: channel infrared does not exist; there are: "
                                                          "red, green, blue"));
    // Found before any work: only the header of this image is there.
    std::ofstream(path("a.pgm"), std::ios::binary) << "P5\n4 2\n255\n";
    EXPECT_THAT(call({"components", path("a.pgm"), "--csv", table, "--measure", "infrared"}).err,
                IsErrorAbout("--measure: channel infrared does not exist"));
    EXPECT_THAT(call({"components", path("a.pgm"), "--parents", path("a.ppm")}).err, HasSubstr("is no label image"));
    std::filesystem::remove(path("a.pgm"));
    EXPECT_THAT(run({"--csv", table, "--measure", "red", "--pairs", "red:blue"}).err,
                HasSubstr("channel blue is not measured; add it to --measure"));
    EXPECT_THAT(filesInFolder(), ElementsAre("a.ppm")) << "nothing is written";
}

TEST_F(MeasureChannels, SelectsByConditionsOnChannels) {
    writePages("a.tif", {"DAPI", "GFP", "Cy5"});
    const auto run = [&](const std::string& where, const Args& more = {}) {
        Args args{"components", path("a.tif"), "--csv", path("t.csv"), "--features", "label", "--where", where};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    const auto table = [&](const std::string& where, const Args& more = {}) {
        const Outcome outcome = run(where, more);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return linesIn("t.csv");
    };
    EXPECT_THAT(table("mean[GFP] > 20 && area < 2"), ElementsAre("label", "2")) << "measured for the condition only";
    EXPECT_THAT(table("mean[gfp] / max[Cy5] < 4 && p75[GFP] = 17.5"), ElementsAre("label", "1"));
    EXPECT_THAT(table("max[Cy5] > 5", {"--measure", "GFP", "--measures", "mean"}),
                ElementsAre("label,mean[GFP]", "2,30"));
    EXPECT_THAT(table("ring[GFP] > 70", {"--measure", "GFP", "--measures", "sum", "--ring", "1"}),
                ElementsAre("label,sum[GFP],ring[GFP]", "2,30,73.33333333333333"));
    EXPECT_THAT(table("pearson[GFP,Cy5] > 0.5", {"--measure", "all", "--measures", "sum", "--pairs", "GFP:Cy5"}).size(),
                2U)
        << "an undefined coefficient meets no comparison";
    const Outcome unknown = run("mean[YFP] > 20");
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.err, IsErrorAbout("there is no channel 'YFP'; there are DAPI, GFP, Cy5"));
    EXPECT_THAT(run("ring[GFP] > 20").err, IsErrorAbout("'ring[GFP]' is not measured"));
    const Outcome measure = run("mode[GFP] > 20");
    EXPECT_EQ(measure.code, 2);
    EXPECT_THAT(measure.err, HasSubstr("'mode' is no measurement of a channel"));
}

TEST_F(MeasureChannels, SortsObjectsIntoClasses) {
    writePages("a.tif", {"DAPI", "GFP", "Cy5"});
    const auto run = [&](const Args& more) {
        Args args{"components", path("a.tif"), "--csv", path("t.csv"), "--features", "label"};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    Outcome outcome = run({"--class", "green, \"x\":mean[GFP] > 20", "--class", "rest:border > 99", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(linesIn("t.csv"), ElementsAre("label,class", "1,", "2,\"green, \"\"x\"\"\""));
    EXPECT_EQ(outcome.json().at("classes"), Json::parse(R"([
        {"name": "green, \"x\"", "color": "#e69f00", "condition": "mean[GFP] > 20", "count": 1},
        {"name": "rest", "color": "#56b4e9", "condition": "border > 99", "count": 0}])"));
    EXPECT_EQ(outcome.json().at("unclassified"), 1);
    outcome = run({"--class", "a=#0a00ff:area > 1", "--class", "b:area > 0", "--measure", "GFP", "--measures", "mean",
                   "--geojson", path("o.geojson")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("\nclasses: a 1, b 1, none 0\n"));
    EXPECT_THAT(linesIn("t.csv"), ElementsAre("label,mean[GFP],class", "1,15,a", "2,30,b"));
    std::ifstream stream(path("o.geojson"));
    const Json features = Json::parse(stream).at("features");
    EXPECT_EQ(features.at(0).at("properties").at("classification"),
              Json::parse(R"({"name": "a", "color": [10, 0, 255]})"));
    EXPECT_EQ(features.at(1).at("properties").at("classification").at("name"), "b");
    ASSERT_EQ(run({"--class", "a:area > 1", "--where", "area < 2", "--geojson", path("p.geojson")}).code, 0);
    std::ifstream rest(path("p.geojson"));
    EXPECT_FALSE(Json::parse(rest).at("features").at(0).at("properties").contains("classification"));
}

TEST_F(MeasureChannels, RefusesClassesThatItCannotRead) {
    writePages("a.tif", {"DAPI", "GFP", "Cy5"});
    const auto run = [&](const Args& more) {
        Args args{"components", path("a.tif"), "--csv", path("t.csv")};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    EXPECT_EQ(run({"--class", "area > 1"}).code, 2);
    EXPECT_EQ(run({"--class", "a:area > 1", "--class", "a:area > 2"}).code, 2);
    EXPECT_THAT(run({"--class", "a:area >"}).err, HasSubstr("class: condition: column"));
    EXPECT_THAT(run({"--class", "a:mean[YFP] > 1"}).err, IsErrorAbout("there is no channel 'YFP'"));
    EXPECT_THAT(run({"--class", "a:area > 3 um2"}).err, IsErrorAbout("--class a: condition: column 8: um2"));
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif")) << "nothing is written";
}

TEST_F(MeasureChannels, WritesPropertiesOfOutlines) {
    writePages("a.tif", {"DAPI", "a \"b\""});
    const Outcome outcome = call({"components", path("a.tif"), "--geojson", path("o.geojson"), "--measure", "all",
                                  "--measures", "mean,max", "--pairs", "0:1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::ifstream stream(path("o.geojson"));
    const Json features = Json::parse(stream).at("features");
    ASSERT_EQ(features.size(), 2U);
    const Json& properties = features.at(0).at("properties");
    EXPECT_EQ(properties.at("mean[DAPI]"), 200.5);
    EXPECT_EQ(properties.at("max[a \"b\"]"), 20);
    EXPECT_TRUE(features.at(1).at("properties").at("pearson[DAPI,a \"b\"]").is_null());
}

TEST_F(MeasureChannels, ReadsTheChannelsBesideADerivedOneInTheirOwnRange) {
    const float values[] = {2, 8, 4, 0, 0, 9, 6, 0}; // interleaved, 4 pixels
    std::ofstream(path("a.raw"), std::ios::binary).write(reinterpret_cast<const char*>(values), sizeof values);
    const Outcome outcome = call({"components", path("a.raw"), "--raw", "4x1:f32:samples=2", "--derive", "nd(0,1)",
                                  "--range", "0:1", "--threshold", "1", "--measure", "all", "--measures", "max",
                                  "--csv", path("t.csv"), "--features", "label"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(linesIn("t.csv"), ElementsAre("label,max[channel 0],max[channel 1]", "1,4,0", "2,6,0"))
        << "0:1 is the range of the derived values";
}

TEST_F(MeasureChannels, WritesTablesWithoutObjects) {
    writeRgb("a.ppm");
    ASSERT_EQ(call({"components", path("a.ppm"), "--channel", "red", "--labels", path("cells.tif")}).code, 0);
    const Outcome outcome = call({"components", path("a.ppm"),    "--channel",   "red",        "--threshold",
                                  "255",        "--csv",          path("t.csv"), "--features", "label",
                                  "--measure",  "blue",           "--measures",  "mean,p5",    "--ring",
                                  "2",          "--pairs",        "blue:blue",   "--parents",  path("cells.tif"),
                                  "--children", path("cells.csv")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(linesIn("t.csv"),
                ElementsAre("label,mean[blue],p5[blue],ring[blue],\"pearson[blue,blue]\",\"manders1[blue,blue]\","
                            "\"manders2[blue,blue]\",parent,overlap"));
    EXPECT_THAT(linesIn("cells.csv"), ElementsAre("label,children", "1,0", "2,0"));
}

TEST_F(MeasureChannels, FindsTheParentsOfObjects) {
    writeRgb("a.ppm");
    ASSERT_EQ(call({"components", path("a.ppm"), "--channel", "red", "--labels", path("cells.tif")}).code, 0);
    // One spot: a pixel of the first cell and three below the cells.
    const Outcome outcome = call({"components", path("a.ppm"), "--channel", "blue", "--threshold", "3:6",
                                  "--connectivity", "8", "--csv", path("t.csv"), "--features", "label,area",
                                  "--parents", path("cells.tif"), "--children", path("cells.csv"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(linesIn("t.csv"), ElementsAre("label,area,parent,overlap", "1,4,1,0.25"));
    EXPECT_THAT(linesIn("cells.csv"), ElementsAre("label,children", "1,1", "2,0"));
    EXPECT_EQ(outcome.json().at("children"), Json::parse(R"({"1":1,"2":0})"));
    EXPECT_EQ(outcome.json().at("columns"), Json::parse(R"(["parent","overlap"])"));
    EXPECT_EQ(outcome.json().at("children_file"), path("cells.csv"));
    const Outcome other =
        call({"components", path("a.ppm"), "--quiet", "--region", "0,0,2,2", "--parents", path("cells.tif")});
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.err, IsErrorAbout("4 x 2 px, the image 2 x 2 px"));
    EXPECT_EQ(call({"components", path("a.ppm"), "--parents", path("a.ppm")}).code, 1) << "no label image";
    EXPECT_EQ(call({"components", path("a.ppm"), "--parents", path("cells.tif"), "--labels", path("cells.tif")}).code,
              2);
}

} // namespace
} // namespace pollard::cli
