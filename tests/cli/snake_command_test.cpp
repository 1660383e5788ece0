// The region snake on the command line.

#include "cli_fixture.hpp"

#include "base/error.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "geo/vector_layer.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/contour_files.hpp"
#include "snake/contour/contour_rows.hpp"
#include "support/map_tags.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <utility>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

class SnakeCommand : public CliTest {
protected:
    /// 100 x 80 px of level 90, with a rectangle of 200 from (30, 20) to (70, 60).
    void SetUp() override {
        Image image(PixelType::u8, 100, 80);
        for (std::uint32_t y = 0; y < 80; ++y) {
            for (std::uint32_t x = 0; x < 100; ++x) {
                const bool in = x >= 30 && x < 70 && y >= 20 && y < 60;
                image.pixels<std::uint8_t>()[y * 100 + x] = in ? 200 : 90;
            }
        }
        writeTiff(path("box.tif"), image);
    }
    /// 8-bit pages of level 90, each with one rectangle [left, left + 30) x [20, 50) of 200.
    void makeStack(const std::string& name, const std::vector<std::uint32_t>& lefts) const {
        writeTiff(path(name),
                  {static_cast<int>(lefts.size()),
                   [&](int page, const JobControl&) {
                       const std::uint32_t left = lefts[static_cast<std::size_t>(page)];
                       auto image = std::make_shared<Image>(PixelType::u8, 100, 80);
                       for (std::uint32_t y = 0; y < 80; ++y) {
                           for (std::uint32_t x = 0; x < 100; ++x) {
                               const bool in = x >= left && x < left + 30 && y >= 20 && y < 50;
                               image->pixels<std::uint8_t>()[y * 100 + x] = in ? 200 : 90;
                           }
                       }
                       return Plane{ownedRows(image)};
                   }},
                  {.arePages = true});
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

TEST_F(SnakeCommand, TakesAPriceOnLength) {
    const auto found = [&](const char* price) {
        const Outcome outcome =
            call({"snake", path("box.tif"), "--init", "10,10,75,60", "--length-price", price, "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json();
    };
    const Json free = found("0");
    const Json priced = found("2");
    EXPECT_FALSE(free.contains("length_price"));
    EXPECT_EQ(priced["length_price"], 2);
    EXPECT_EQ(priced["area"], 40 * 40);
    EXPECT_NEAR(priced["energy"].get<double>() - free["energy"].get<double>(), 2 * 160, 1e-6) << "a square of 40 px";
    EXPECT_LT(found("1e6")["area"], 40) << "length alone counts";
    for (const char* price : {"-1", "2e9", "dear"}) {
        EXPECT_EQ(call({"snake", path("box.tif"), "--init", "10,10,75,60", "--length-price", price}).code, 2) << price;
    }
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

TEST_F(SnakeCommand, StartsFromAVectorFile) {
    write("starts.csv", "WKT,label\n\"POLYGON ((10 10,85 10,85 70,10 70,10 10))\",1\n");
    const auto energy = [&](const std::vector<std::string>& more) {
        std::vector<std::string> args{"snake", path("box.tif"), "--json", "--init"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? outcome.json().at("energy").get<double>() : 0;
    };
    if (call({"snake", path("box.tif"), "--init", path("starts.csv")}).err.find("no GDAL") != std::string::npos) {
        GTEST_SKIP() << "a build without GDAL";
    }
    const double wanted = energy({"10,10,75,60"});
    EXPECT_EQ(energy({path("starts.csv")}), wanted);
    EXPECT_EQ(energy({path("starts.csv"), "--layer", "starts"}), wanted);
    const Outcome other = call({"snake", path("box.tif"), "--init", path("starts.csv"), "--layer", "lakes"});
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.err, HasSubstr("the layer lakes does not exist, the file has starts"));
    const Outcome none = call({"snake", path("box.tif"), "--init", "2,2,9,9", "--layer", "lakes"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, IsErrorAbout("--layer: 'lakes': no --init is"));
    write("outside.csv", "WKT,label\n\"POLYGON ((-10 10,85 10,85 70,-10 10))\",1\n");
    EXPECT_THAT(call({"snake", path("box.tif"), "--init", path("outside.csv")}).err, HasSubstr("beside the image"));
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

TEST_F(SnakeCommand, SeveralStartsFindSeveralObjects) {
    Image image(PixelType::u8, 100, 80);
    for (std::uint32_t y = 0; y < 80; ++y) {
        for (std::uint32_t x = 0; x < 100; ++x) {
            const bool one = x >= 10 && x < 40 && y >= 20 && y < 60;
            const bool two = x >= 60 && x < 90 && y >= 10 && y < 40;
            image.pixels<std::uint8_t>()[y * 100 + x] = one ? 200 : two ? 150 : 90;
        }
    }
    writeTiff(path("two.tif"), image);
    const Args files{"--mask",  path("mask.tif"),  "--geojson", path("out.geojson"), "--roi", path("out.zip"),
                     "--trace", path("trace.csv"), "--json"};
    const auto callWith = [&](Args starts) {
        Args args{"snake", path("two.tif")};
        args.insert(args.end(), starts.begin(), starts.end());
        args.insert(args.end(), files.begin(), files.end());
        return call(args);
    };
    const auto expectBoth = [&](const Outcome& outcome) {
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const Json object = outcome.json();
        ASSERT_EQ(object["contours"].size(), 2U);
        const auto isNear = [&](std::size_t i, double area, double mean) {
            const Json& contour = object["contours"][i];
            EXPECT_NEAR(contour["area"].get<double>(), area, 0.01 * area);
            EXPECT_NEAR(contour["inside_mean"].get<double>(), mean, 1);
        };
        isNear(0, 30 * 40, 200);
        isNear(1, 30 * 30, 150);
        EXPECT_EQ(object["area"], object["contours"][0]["area"].get<int>() + object["contours"][1]["area"].get<int>());
        const std::vector<Contour> contours = contoursIn(read("out.geojson"));
        ASSERT_EQ(contours.size(), 2U);
        const auto mask = readImage(path("mask.tif")).image;
        for (std::size_t c = 0; c < 2; ++c) {
            const Image inside = contourMask(contours[c], 100, 80);
            for (std::size_t i = 0; i < mask->pixelCount(); ++i) {
                ASSERT_EQ(mask->level(i) == c + 1, inside.level(i) != 0);
            }
        }
        EXPECT_THAT(read("trace.csv"), HasSubstr("contour,iteration,kind"));
        EXPECT_THAT(read("trace.csv"), HasSubstr("\n2,0,start,0,4,"));
    };
    expectBoth(callWith({"--init", "5,5,44,70", "--init", "51,5,44,70"}));
    write("starts.geojson", R"({"type":"MultiPolygon","coordinates":[[[[5,5],[49,5],[49,75],[5,75]]],)"
                            R"([[[51,5],[95,5],[95,75],[51,75]]]]})");
    expectBoth(callWith({"--init", path("starts.geojson")}));
    EXPECT_EQ(callWith({"--init", "5,5,50,70", "--init", "51,5,44,70"}).code, 1) << "they overlap";
    EXPECT_EQ(
        call({"snake", path("two.tif"), "--init", "5,5,44,70", "--init", "51,5,44,70", "--roi", path("o.roi")}).code,
        2);
}

TEST_F(SnakeCommand, FollowsAnObjectThroughAStack) {
    makeStack("stack.tif", {10, 14, 19, 23});
    const Outcome outcome =
        call({"snake", path("stack.tif"), "--init", "5,10,45,50", "--follow", "--mask", path("mask.tif"), "--geojson",
              path("out.geojson"), "--trace", path("trace.csv"), "--roi", path("out.zip"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json pages = outcome.json()["pages"];
    ASSERT_EQ(pages.size(), 4U);
    std::vector<int> starts;
    std::istringstream trace(read("trace.csv"));
    for (std::string line; std::getline(trace, line);) {
        if (line.find(",0,start,") != std::string::npos) {
            starts.push_back(std::stoi(line));
        }
    }
    EXPECT_THAT(starts, ::testing::ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(read("out.geojson"), HasSubstr(R"("properties":{"label":1,"page":3,"area":)"));
    const std::vector<Contour> contours = contoursIn(read("out.geojson"));
    ASSERT_EQ(contours.size(), 4U);
    for (int page = 0; page < 4; ++page) {
        EXPECT_EQ(trimmed(contours[static_cast<std::size_t>(page)]), contours[static_cast<std::size_t>(page)]);
        EXPECT_EQ(pages[static_cast<std::size_t>(page)]["page"], page);
        EXPECT_NEAR(pages[static_cast<std::size_t>(page)]["area"].get<double>(), 30 * 30, 9);
        ReadOptions options;
        options.page = page;
        const auto mask = readImage(path("mask.tif"), options).image;
        const Image inside = contourMask(contours[static_cast<std::size_t>(page)], 100, 80);
        const auto image = readImage(path("stack.tif"), options).image;
        int wrong = 0;
        for (std::size_t i = 0; i < mask->pixelCount(); ++i) {
            ASSERT_EQ(mask->level(i), inside.level(i));
            wrong += (mask->level(i) != 0) != (image->level(i) == 200) ? 1 : 0;
        }
        EXPECT_LE(wrong, 9);
    }
    const Outcome later = call({"snake", path("stack.tif") + "[2]", "--init", "5,10,60,50", "--follow", "--json"});
    ASSERT_EQ(later.code, 0) << later.err;
    EXPECT_EQ(later.json()["pages"].size(), 2U);
    EXPECT_EQ(call({"snake", path("stack.tif"), "--init", "5,10,45,50", "--follow", "--roi", path("o.roi")}).code, 2);
}

TEST_F(SnakeCommand, ChoosesTheLawByTheNoise) {
    std::mt19937 random(3);
    const auto write = [&](const std::string& name, const auto& sample) {
        Image image(PixelType::u16, 100, 80);
        for (std::uint32_t i = 0; i < 8000; ++i) {
            const bool isIn = std::hypot(i % 100 - 49.5, i / 100 - 39.5) < 20;
            image.pixels<std::uint16_t>()[i] = static_cast<std::uint16_t>(std::lround(sample(isIn ? 900.0 : 200.0)));
        }
        writeTiff(path(name), image);
    };
    write("counts.tif", [&](double level) { return std::poisson_distribution<int>(level)(random); });
    write("camera.tif", [&](double level) { return std::normal_distribution<double>(level, 20)(random); });
    const auto lawOf = [&](const std::string& name, const Args& more) {
        Args args{"snake", path(name), "--init", "25,15,50,50", "--json"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json()["law"].get<std::string>();
    };
    EXPECT_EQ(lawOf("counts.tif", {"--law", "auto"}), "poisson");
    EXPECT_EQ(lawOf("counts.tif", {"--law", "auto", "--apart", "10"}), "poisson");
    EXPECT_EQ(lawOf("counts.tif", {}), "gaussian") << "the default";
    EXPECT_EQ(lawOf("counts.tif", {"--follow"}), "poisson") << "the default with --follow";
    EXPECT_EQ(lawOf("camera.tif", {"--law", "auto"}), "gaussian");
    EXPECT_EQ(call({"snake", path("counts.tif"), "--init", "25,15,50,50", "--law", "automatic"}).code, 2);
}

TEST_F(SnakeCommand, LeavesOutForbiddenPixels) {
    Image forbidden(PixelType::u8, 100, 80);
    for (std::uint32_t i = 0; i < 8000; ++i) {
        forbidden.pixels<std::uint8_t>()[i] = i % 100 >= 50 ? 7 : 0;
    }
    writeTiff(path("forbidden.tif"), forbidden);
    const auto callWith = [&](const std::string& init, const std::string& mask) {
        return call({"snake", path("box.tif"), "--init", init, "--forbidden", mask, "--json"});
    };
    const Outcome outcome = callWith("10,10,35,60", path("forbidden.tif"));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["area"], 20 * 40);
    EXPECT_EQ(outcome.json()["inside_mean"], 200);
    const Outcome refused = callWith("10,10,41,60", path("forbidden.tif"));
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("the start overlaps the forbidden area. Erase it there, or draw another start"));
    EXPECT_EQ(callWith("10,10,35,60", path("none.tif")).code, 1);
    writeTiff(path("small.tif"), Image(PixelType::u8, 80, 100));
    EXPECT_EQ(callWith("10,10,35,60", path("small.tif")).code, 1);
}

TEST_F(SnakeCommand, LeavesOutPixelsWithoutData) {
    write("gaps.pfm", [] { // NaN in the right half of the object
        std::string text = "Pf\n60 40\n-1.0\n";
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 60; ++x) {
                const bool in = x >= 10 && x < 40 && y >= 10 && y < 30;
                const float value = in && x >= 25 ? std::numeric_limits<float>::quiet_NaN() : in ? 200.0F : 90.0F;
                text.append(reinterpret_cast<const char*>(&value), sizeof value);
            }
        }
        return text;
    }());
    const Outcome outcome = call({"snake", path("gaps.pfm"), "--init", "5,5,45,30", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["area"], 15 * 20);
    EXPECT_EQ(outcome.json()["inside_variance"], 0);
    EXPECT_EQ(outcome.json()["outside_variance"], 0);
}

TEST_F(SnakeCommand, FramesShowTheStates) {
    const auto framesWith = [&](const std::string& step) {
        const std::string folder = path("frames" + step);
        const Outcome outcome = call(
            {"snake", path("box.tif"), "--init", "10,10,75,60", "--frames", folder, "--frame-step", step, "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        const auto states = outcome.json()["iterations"].get<std::size_t>() + 1;
        std::size_t files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            files += entry.path().extension() == ".png" ? 1 : 0;
        }
        return std::pair(states, files);
    };
    const auto [states, all] = framesWith("1");
    EXPECT_EQ(all, states);
    for (const std::size_t step : {2U, 3U, 7U}) {
        const std::size_t some = framesWith(std::to_string(step)).second;
        EXPECT_EQ(some, (states + step - 1) / step + ((states - 1) % step != 0 ? 1 : 0));
    }
    // The start is drawn in orange along its edges.
    ReadOptions read;
    read.channel = ChannelChoice::parse("red");
    const auto red = readImage(path("frames1") + "/frame-000000.png", read).image;
    read.channel = ChannelChoice::parse("blue");
    const auto blue = readImage(path("frames1") + "/frame-000000.png", read).image;
    ASSERT_EQ(red->width(), 100U);
    ASSERT_EQ(red->height(), 80U);
    for (std::uint32_t x = 10; x < 85; ++x) {
        EXPECT_EQ(red->level(10 * 100 + x), 230);
        EXPECT_EQ(blue->level(10 * 100 + x), 0);
        EXPECT_EQ(red->level(70 * 100 + x), 230);
    }
    for (std::uint32_t y = 10; y < 70; ++y) {
        EXPECT_EQ(red->level(y * 100 + 10), 230);
        EXPECT_EQ(red->level(y * 100 + 85), 230);
    }
    EXPECT_EQ(red->level(0), blue->level(0));
    EXPECT_EQ(red->level(40 * 100 + 50), 255) << "the object is white";
    EXPECT_EQ(call({"snake", path("box.tif"), "--init", "10,10,75,60", "--frames", path("box.tif")}).code, 1);
}

TEST_F(SnakeCommand, TakesAnAlgorithmByName) {
    const Args args{"snake", path("box.tif"), "--init", "10,10,75,60", "--json"};
    const auto with = [&](const std::vector<std::string>& more) {
        Args all = args;
        all.insert(all.end(), more.begin(), more.end());
        return call(all);
    };
    const Outcome parity = with({"--algorithm", "parity"});
    ASSERT_EQ(parity.code, 0) << parity.err;
    EXPECT_EQ(parity.json()["algorithm"], "parity");
    EXPECT_EQ(parity.json()["moves"], "parity");
    EXPECT_EQ(parity.json()["engine"], "cpu");
    EXPECT_EQ(parity.json()["energy"], with({"--moves", "parity"}).json()["energy"]);
    EXPECT_EQ(parity.json()["iterations"], with({"--moves", "parity"}).json()["iterations"]);
    EXPECT_EQ(with({}).json()["algorithm"], "local-best");
    const Outcome unknown = with({"--algorithm", "branches"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("there are local-best, parity, sequential"));
    EXPECT_EQ(with({"--algorithm", "parity", "--moves", "parity"}).code, 2);
}

TEST_F(SnakeCommand, IndependentContoursAreThoseOfImagesOfTheirBoxesAlone) {
    makeStack("page.tif", {10});
    const Args both{"--init", "8,15,34,37", "--init", "62,12,20,20"};
    const auto callWith = [&](const Args& more) {
        Args args{"snake", path("page.tif"), "--trace", path("trace.csv"), "--max-step", "4", "--json"};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    Args apart = both;
    apart.insert(apart.end(), {"--apart", "5", "--mask", path("mask.tif"), "--frames", path("frames")});
    const Outcome outcome = callWith(apart);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json object = outcome.json();
    const std::string trace = read("trace.csv");
    ASSERT_EQ(object["contours"].size(), 2U);
    double energy = 0;
    const auto expectAlone = [&](const std::string& box, const std::string& init, std::size_t contour) {
        const Outcome alone = callWith({"--region", box, "--init", init});
        ASSERT_EQ(alone.code, 0) << alone.err;
        for (const char* figure : {"nodes", "iterations", "area", "inside_mean", "inside_variance"}) {
            EXPECT_EQ(object["contours"][contour][figure], alone.json()[figure]) << figure;
        }
        energy += alone.json()["energy"].get<double>();
        std::istringstream lines(read("trace.csv"));
        std::string line;
        std::getline(lines, line);
        while (std::getline(lines, line)) {
            EXPECT_THAT(trace, HasSubstr('\n' + std::to_string(contour + 1) + ',' + line));
        }
    };
    expectAlone("3,10,44,47", "5,5,34,37", 0);
    expectAlone("57,7,30,30", "5,5,20,20", 1);
    EXPECT_DOUBLE_EQ(object["energy"].get<double>(), energy);
    EXPECT_TRUE(std::filesystem::exists(path("frames/frame-000001.png")));
    const Outcome crowded = callWith({"--init", "8,15,34,37", "--init", "50,12,20,20", "--apart", "10"});
    EXPECT_EQ(crowded.code, 1);
    EXPECT_THAT(crowded.err, HasSubstr("the parts of the contours 1 and 2 overlap"));
}

TEST_F(SnakeCommand, MovesSeveralContoursByTheAlgorithmThatIsNamed) {
    const auto energyOf = [&](const char* option, const char* name) {
        const Outcome outcome =
            call({"snake", path("box.tif"), "--init", "10,10,30,60", "--init", "55,10,30,60", option, name, "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.json()["algorithm"], name);
        return outcome.json()["energy"].get<double>();
    };
    EXPECT_EQ(energyOf("--algorithm", "sequential"), energyOf("--moves", "sequential"));
}

TEST_F(SnakeCommand, GoesOnFromAContourOfAVectorFile) {
    if (!writesVectorFiles()) {
        GTEST_SKIP() << "a build without GDAL";
    }
    PlaneFacts facts;
    facts.carried = testing::mapTags(testing::MapKeys::projected(32633), 600000, 5350000, 10, 10);
    writeTiff(path("map.tif"), {*readImage(path("box.tif")).image, facts});
    const auto goOn = [&](const std::string& init, const std::string& next) {
        return call({"snake", path("map.tif"), "--init", init, "--iterations", "3", "--geojson-in", "pixels",
                     "--geojson", path(next + ".geojson"), "--vector", path(next), "--json"});
    };
    const Outcome first = goOn("10,10,75,60", "next.gpkg");
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(first.json()["vector_file"], path("next.gpkg"));
    const Outcome wanted = goOn(path("next.gpkg.geojson"), "other.fgb");
    ASSERT_EQ(wanted.code, 0) << wanted.err;
    const Outcome vector = goOn(path("next.gpkg"), "last.fgb");
    ASSERT_EQ(vector.code, 0) << vector.err;
    EXPECT_EQ(vector.json()["energy"], wanted.json()["energy"]);
    EXPECT_EQ(vector.json()["nodes"], wanted.json()["nodes"]);
    EXPECT_EQ(read("last.fgb"), read("other.fgb"));

    makeStack("stack.tif", {10, 14});
    ASSERT_EQ(
        call({"snake", path("stack.tif"), "--init", "5,10,45,50", "--follow", "--vector", path("pages.csv")}).code, 0);
    EXPECT_THAT(read("pages.csv"), ::testing::StartsWith("WKT,label,page"));
    EXPECT_EQ(readRings(path("pages.csv")).rings.size(), 2U);
    const Outcome refused =
        call({"snake", path("map.tif"), "--init", "10,10,75,60", "--trace", path("t.csv"), "--vector", path("o.shp")});
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("o.shp: a shapefile is several files"));
    EXPECT_FALSE(std::filesystem::exists(path("t.csv")));
    EXPECT_EQ(call({"snake", path("map.tif"), "--init", path("next.gpkg"), "--vector", path("next.gpkg")}).code, 2);
}

TEST_F(SnakeCommand, GoesOnFromAContourInDegrees) {
    POLLARD_NEED_PROJ();
    const auto box = readImage(path("box.tif")).image;
    PlaneFacts facts;
    facts.carried = testing::mapTags(testing::MapKeys::projected(32633), 600000, 5350000, 10, 10);
    writeTiff(path("map.tif"), {*box, facts});
    const auto startFrom = [&](const std::string& image, const std::string& init, const Args& more) {
        Args args{"snake",     path(image),          "--init", init, "--iterations", "3",
                  "--geojson", path("next.geojson"), "--json"};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    };
    const Outcome first = startFrom("map.tif", "10,10,75,60", {});
    ASSERT_EQ(first.code, 0) << first.err;
    std::filesystem::rename(path("next.geojson"), path("degrees.geojson"));
    ASSERT_EQ(startFrom("map.tif", "10,10,75,60", {"--geojson-in", "pixels"}).code, 0);
    std::filesystem::rename(path("next.geojson"), path("pixels.geojson"));
    EXPECT_THAT(read("degrees.geojson"), HasSubstr("longitude/latitude"));
    const Outcome degrees = startFrom("map.tif", path("degrees.geojson"), {});
    const Outcome pixels = startFrom("box.tif", path("pixels.geojson"), {});
    ASSERT_EQ(degrees.code, 0) << degrees.err;
    ASSERT_EQ(pixels.code, 0) << pixels.err;
    EXPECT_EQ(degrees.json()["energy"], pixels.json()["energy"]);
    EXPECT_EQ(degrees.json()["nodes"], pixels.json()["nodes"]);

    const Outcome noMap = startFrom("box.tif", path("degrees.geojson"), {});
    EXPECT_EQ(noMap.code, 1);
    EXPECT_THAT(noMap.err, IsErrorAbout("no map coordinates"));
    // A file of another program has no mark; the option replaces it.
    std::string foreign = read("degrees.geojson");
    const std::string mark = R"("pollard_coordinates":"longitude/latitude",)";
    foreign.erase(foreign.find(mark), mark.size());
    write("foreign.geojson", foreign);
    const Outcome taken = startFrom("map.tif", path("foreign.geojson"), {"--geojson-in", "degrees"});
    ASSERT_EQ(taken.code, 0) << taken.err;
    EXPECT_EQ(taken.json()["energy"], degrees.json()["energy"]);
    EXPECT_THAT(startFrom("map.tif", path("foreign.geojson"), {}).err, HasSubstr("--geojson-in degrees"));
}

} // namespace
} // namespace pollard::cli
