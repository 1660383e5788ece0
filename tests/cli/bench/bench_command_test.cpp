#include "bench/bench_images.hpp"
#include "cli/cli_fixture.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BenchCommand : public CliTest {
protected:
    [[nodiscard]] std::string contentOf(const std::string& name) const {
        std::ifstream file(path(name), std::ios::binary);
        return {std::istreambuf_iterator(file), {}};
    }
};

TEST_F(BenchCommand, TimesEveryStageOfEveryDepth) {
    (void)makeImage("a.tif", PixelType::u16, 90, 70, 4000);
    const Outcome outcome = runBinary({"bench", path("a.tif"), "--repeat", "2", "--json", "--csv", path("b.csv")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::set<std::pair<int, std::string>> seen;
    const Json json = outcome.json();
    for (const Json& row : json.at("results")) {
        EXPECT_EQ(row.at("image"), path("a.tif"));
        EXPECT_TRUE(row.at("algorithm").is_string());
        EXPECT_TRUE(row.at("engine").is_string());
        EXPECT_GE(row.at("ms").get<double>(), 0);
        seen.emplace(row.at("bits").get<int>(), row.at("stage").get<std::string>());
        EXPECT_EQ(row.at("conversion"), row.at("bits") == 8 ? "high byte" : "none");
        const double ms = row.at("ms").get<double>();
        if (ms > 0) {
            EXPECT_NEAR(row.at("mpix_per_s").get<double>() * ms, 6.3, 1e-9);
        }
    }
    for (const int bits : {8, 16}) {
        for (const char* stage : {"build", "attribute/area", "filter", "total"}) {
            EXPECT_TRUE(seen.contains({bits, stage})) << bits << ' ' << stage;
        }
    }
    std::ifstream csv(path("b.csv"));
    std::string line;
    std::getline(csv, line);
    EXPECT_EQ(
        line,
        "image,bits,conversion,pixels,nodes,algorithm,connectivity,grid,engine,stage,ms,mpix_per_s,frames_per_second,"
        "dice");
    std::size_t lines = 0;
    while (std::getline(csv, line)) {
        ++lines;
    }
    EXPECT_EQ(lines, json.at("results").size());
}

TEST_F(BenchCommand, MakesItsOwnImagesAndSaysSo) {
    const Outcome outcome = call({"bench", "--size", "64x48", "--repeat", "1", "--bits", "8"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const char* text : {"smooth 64x48", "noise 64x48", "ramp 64x48", "median of 1", "MPix/s"}) {
        EXPECT_THAT(outcome.out, HasSubstr(text));
    }
}

TEST_F(BenchCommand, StatesHowDepthsWereConverted) {
    (void)makeImage("a.tif", PixelType::u8, 20, 20, 200);
    EXPECT_THAT(call({"bench", path("a.tif"), "--repeat", "1"}).out, HasSubstr("value * 257"));
    EXPECT_THAT(call({"bench", path("a.tif"), "--repeat", "1", "--bits", "8"}).out,
                ::testing::Not(HasSubstr("value * 257")));
}

TEST_F(BenchCommand, DrawsTheSameReportFromItsTable) {
    const Outcome measured = call({"bench", "--size", "64x48,32x32", "--repeat", "1", "--bits", "8,16", "--attributes",
                                   "--engine", "cpu", "--csv", path("t.csv"), "--report", path("a.html")});
    ASSERT_EQ(measured.code, 0) << measured.err;
    const Outcome drawn = call({"bench", "--from", path("t.csv"), "--report", path("b.html")});
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    const std::string page = contentOf("a.html");
    const auto fromCharts = [](const std::string& all) { return all.substr(all.find("<svg")); };
    EXPECT_EQ(fromCharts(contentOf("b.html")), fromCharts(page));
    for (const char* chart : {"speed", "steps", "stages", "attributes"}) {
        EXPECT_THAT(page, HasSubstr("id=\"" + std::string(chart) + "\"")) << chart;
    }
    for (const char* text :
         {"median of 1", "noise 64x48, 16 bits, 4 neighbours", "cpu: branches", "perimeter", "</html>"}) {
        EXPECT_THAT(page, HasSubstr(text));
    }
}

TEST_F(BenchCommand, RefusesTablesThatItDidNotWrite) {
    const auto refused = [&](const std::string& table) {
        std::ofstream(path("t.csv")) << table;
        const Outcome outcome = call({"bench", "--from", path("t.csv"), "--report", path("r.html")});
        EXPECT_NE(outcome.code, 0) << table;
        EXPECT_FALSE(std::filesystem::exists(path("r.html")));
        return outcome.err;
    };
    const std::string names =
        "image,bits,conversion,pixels,nodes,algorithm,connectivity,grid,engine,stage,ms,mpix_per_s,"
        "frames_per_second,dice\n";
    EXPECT_THAT(refused(""), HasSubstr("cannot be read"));
    EXPECT_THAT(refused("a,b\n1,2\n"), HasSubstr("line 2 lacks columns"));
    EXPECT_THAT(refused(names + "a,8,none,100,5,branches,4,auto,cpu,build,1.5,1,,\n"
                                "a,8,none,100,5,branches,4,auto,cpu,build,quick,1,,\n"),
                HasSubstr("line 3: ms: 'quick': expected a number"));
    EXPECT_THAT(refused(names + "a,8,none,100,5,branches,7,auto,cpu,build,1.5,1,,\n"), HasSubstr("line 2: "));
    EXPECT_NE(call({"bench", "--from", path("t.csv")}).code, 0) << "--from needs --report";
}

TEST_F(BenchCommand, StopsCleanlyAtCtrlC) {
    const Outcome outcome =
        interruptBinary({"bench", "--size", "1500x1500", "--repeat", "1000", "--csv", path("b.csv")}, 500);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.err, "pollard-cli: cancelled\n");
    EXPECT_THAT(filesInFolder(), ElementsAre());
}

TEST_F(BenchCommand, StopsCleanlyAmidAStream) {
    const Outcome outcome = interruptBinary(
        {"bench", "--size", "200x200", "--repeat", "1", "--bits", "8", "--stream", "1000000", "--csv", path("b.csv")},
        700);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.err, "pollard-cli: cancelled\n");
    EXPECT_THAT(filesInFolder(), ElementsAre());
}

TEST(TestImages, ConvertDepthByHighByteAndBy257) {
    const auto wide = std::make_shared<Image>(PixelType::u16, 3, 1);
    const std::uint16_t values[] = {0x00ff, 0x1234, 0xffff};
    std::ranges::copy(values, wide->pixels<std::uint16_t>().begin());
    const auto narrow = convertDepth(wide, PixelType::u8);
    EXPECT_THAT(narrow->pixels<std::uint8_t>(), ElementsAre(0x00, 0x12, 0xff));
    EXPECT_THAT(convertDepth(narrow, PixelType::u16)->pixels<std::uint16_t>(), ElementsAre(0, 0x1212, 0xffff));
    EXPECT_EQ(convertDepth(wide, PixelType::u16), wide);
}

TEST(TestImages, UseTheLevelsTheyPromise) {
    const auto ramp = makeImage(TestImage::ramp, PixelType::u16, 300, 300);
    EXPECT_EQ(ramp->level(0), 0);
    EXPECT_EQ(ramp->level(ramp->pixelCount() - 1), 65535);
    for (const TestImage image : {TestImage::smoothNoise, TestImage::noise, TestImage::ramp}) {
        const auto wide = makeImage(image, PixelType::u16, 50, 40);
        const auto narrow = makeImage(image, PixelType::u8, 50, 40);
        std::set<int> levels;
        for (std::size_t i = 0; i < wide->pixelCount(); ++i) {
            ASSERT_EQ(narrow->level(i), wide->level(i) >> 8);
            levels.insert(wide->level(i));
        }
        EXPECT_GT(levels.size(), 80U) << nameOf(image);
    }
    const auto one = makeImage(TestImage::ramp, PixelType::u8, 1, 1);
    EXPECT_EQ(one->level(0), 0);
}

} // namespace
} // namespace pollard::cli
