// The region snake on the command line.

#include "cli_fixture.hpp"

#include "base/error.hpp"
#include "io/tiff_writer.hpp"
#include "snake/contour_files.hpp"

#include <fstream>
#include <sstream>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

class SnakeCommand : public CliTest {
protected:
    /// 100 x 80 px of 90, with a rectangle of 200 at (30, 20) to (70, 60).
    void SetUp() override {
        Image image(PixelType::u8, 100, 80);
        for (std::uint32_t y = 0; y < 80; ++y) {
            for (std::uint32_t x = 0; x < 100; ++x) {
                const bool in = x >= 30 && x < 70 && y >= 20 && y < 60;
                image.pixels<std::uint8_t>()[y * 100 + x] = in ? 200 : 90;
            }
        }
        writeTiff(path("box.tif"), image, {});
    }
    void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
    [[nodiscard]] std::string read(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(path(name)).rdbuf();
        return text.str();
    }
};

TEST_F(SnakeCommand, FindsTheObjectAndWritesWhatItIsAskedFor) {
    const Outcome outcome = call({"snake", path("box.tif"), "--init", "10,10,75,60", "--geojson", path("out.geojson"),
                                  "--mask", path("mask.tif"), "--trace", path("trace.csv"), "--svg", path("out.svg"),
                                  "--roi", path("out.roi"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json object = outcome.json();
    EXPECT_EQ(object["area"], 40 * 40);
    EXPECT_EQ(object["inside_mean"], 200);
    EXPECT_EQ(object["outside_mean"], 90);
    EXPECT_GT(object["iterations"], 0);
    const auto mask = readImage(path("mask.tif")).image;
    const auto image = readImage(path("box.tif")).image;
    for (std::size_t i = 0; i < image->pixelCount(); ++i) {
        ASSERT_EQ(mask->level(i), image->level(i) == 200 ? 255 : 0);
    }
    const Contour contour = contoursIn(read("out.geojson")).front();
    EXPECT_EQ(contour.size(), object["nodes"]);
    EXPECT_EQ(twiceSignedArea(contour), 2 * 40 * 40);
    EXPECT_THAT(read("out.svg"), HasSubstr("viewBox=\"0 0 100 80\""));
    EXPECT_EQ(read("out.roi").size(), 64 + 4 * contour.size());
    const std::string trace = read("trace.csv");
    EXPECT_THAT(trace, HasSubstr("iteration,kind,step,nodes,energy"));
    EXPECT_THAT(trace, HasSubstr("\n0,start,0,4,"));
    EXPECT_EQ(std::count(trace.begin(), trace.end(), '\n'), 2 + object["iterations"].get<int>());
}

TEST_F(SnakeCommand, GoesOnFromTheContourOfAFile) {
    ASSERT_EQ(call({"snake", path("box.tif"), "--init", "10,10,75,60", "--iterations", "3", "--geojson",
                    path("early.geojson")})
                  .code,
              0);
    const Outcome outcome = call({"snake", path("box.tif"), "--init", path("early.geojson"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["area"], 40 * 40);
}

TEST_F(SnakeCommand, FindsTheSameUnderEveryLawAndMove) {
    for (const char* law : {"gaussian", "poisson", "gamma", "rayleigh"}) {
        for (const char* moves : {"sequential", "parity", "local-best"}) {
            const Outcome outcome =
                call({"snake", path("box.tif"), "--init", "10,10,75,60", "--law", law, "--moves", moves, "--json"});
            ASSERT_EQ(outcome.code, 0) << outcome.err;
            EXPECT_EQ(outcome.json()["area"], 40 * 40) << law << ", " << moves;
        }
    }
}

TEST_F(SnakeCommand, RefusesWhatItCannotDoAndLeavesNothingBehind) {
    write("text.geojson", "no contour");
    write("point.geojson", R"({"type":"Point","coordinates":[1,2]})");
    write("far.geojson", R"({"type":"Polygon","coordinates":[[[0,0],[1e300,0],[5,5]]]})");
    const auto codeOf = [&](const std::string& init, const std::string& geojson = {}) {
        Args args{"snake", path("box.tif"), "--init", init, "--trace", path("t.csv")};
        if (!geojson.empty()) {
            args.insert(args.end(), {"--geojson", geojson});
        }
        return call(args).code;
    };
    EXPECT_EQ(codeOf("10,10,200,20"), 1) << "beyond the image";
    EXPECT_EQ(codeOf("10,10,0,20"), 2);
    EXPECT_EQ(codeOf("10,10,2147483647,20"), 2);
    EXPECT_EQ(codeOf("10,10,3,3"), 1) << "too small";
    EXPECT_EQ(codeOf(path("none.geojson")), 1);
    EXPECT_EQ(codeOf(path("text.geojson")), 1);
    EXPECT_EQ(codeOf(path("point.geojson")), 1);
    EXPECT_EQ(codeOf(path("far.geojson")), 1);
    EXPECT_EQ(codeOf("10,10,50,50", path("t.csv")), 2) << "two results in one file";
    EXPECT_EQ(call({"snake", path("box.tif")}).code, 2);
    EXPECT_EQ(call({"snake", path("box.tif"), "--init", "10,10,50,50", "--law", "normal"}).code, 2);
    EXPECT_FALSE(std::filesystem::exists(path("t.csv")));
    const Outcome outcome = call({"snake", path("box.tif"), "--init", path("text.geojson")});
    EXPECT_THAT(outcome.err, HasSubstr("text.geojson"));
}

} // namespace
} // namespace pollard::cli
