#include "bench/bench_run.hpp"
#include "cli/bench/timed_engine.hpp"
#include "cli/cli_fixture.hpp"
#include "cpu/cpu_engine.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <tiffio.h>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Runs bench with an engine of known times.
class BenchEngines : public CliTest {
protected:
    [[nodiscard]] Outcome bench(Args args, const std::string& fallback = {}) const {
        EngineRegistry registry{makeCpuEngine()};
        registry.add(std::make_unique<TimedEngine>(log_, fallback));
        args.insert(args.begin(), "bench");
        return call(args, registry);
    }
    /// Milliseconds by stage, from the rows of one algorithm.
    [[nodiscard]] static std::map<std::string, double> times(const Json& json, const std::string& algorithm) {
        std::map<std::string, double> result;
        for (const Json& row : json.at("results")) {
            if (row.at("algorithm") == algorithm) {
                result.emplace(row.at("stage").get<std::string>(), row.at("ms").get<double>());
            }
        }
        return result;
    }
    /// An RGB TIFF that exercises every rounding.
    void makeColours(const std::string& name) const {
        TIFF* tiff = TIFFOpen(path(name).c_str(), "w");
        ASSERT_NE(tiff, nullptr);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 3);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 1);
        std::array<std::uint8_t, 9> row{1, 2, 3, 200, 100, 50, 255, 255, 255};
        TIFFWriteScanline(tiff, row.data(), 0);
        TIFFClose(tiff);
    }

    std::shared_ptr<TimedEngineLog> log_ = std::make_shared<TimedEngineLog>();
};

TEST_F(BenchEngines, SetDeviceTimesBesideTheWallClock) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Outcome outcome =
        bench({path("a.tif"), "--engine", "timed", "--bits", "8", "--repeat", "3", "--algorithms", "base", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto ms = times(outcome.json(), "base");
    EXPECT_EQ(ms.at("upload"), 5);
    EXPECT_EQ(ms.at("build/tiles"), 3 + 9) << "the median of the second, third and fourth tree";
    EXPECT_EQ(ms.at("kernels"), 3 + 9 + 2 + 1) << "no numbering";
    EXPECT_EQ(ms.at("build"), 50);
    EXPECT_EQ(ms.at("attribute/area"), 2) << "the device's time";
    EXPECT_EQ(ms.at("filter"), 8);
    EXPECT_EQ(ms.at("download"), 6 + 7);
    EXPECT_EQ(ms.at("total"), 50 + 2 + 8);
    double walls = 0;
    for (const char* step : {"upload", "build", "attribute", "filter"}) {
        const double wall = ms.at(std::string(step) + "/wall");
        EXPECT_LT(wall, 5) << step << ": nothing was done";
        walls += wall;
    }
    EXPECT_GT(walls, 0);
    EXPECT_FALSE(ms.contains("stream"));
    EXPECT_FALSE(ms.contains("attributes"));
    EXPECT_EQ(log_->opened.size(), 4U) << "every repetition uploads, the warm-up too";
}

TEST_F(BenchEngines, TimeEveryAttributeIfAsked) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Args args{path("a.tif"), "--bits", "8", "--repeat", "2", "--attributes", "--json"};
    const Outcome outcome = bench(args);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto onDevice = times(outcome.json(), "base");
    const auto onHost = times(outcome.json(), "branches");
    double sum = 0;
    for (const AttributeInfo& info : allAttributes()) {
        const std::string stage = "attribute/" + std::string(info.name);
        EXPECT_EQ(onDevice.at(stage), 2) << "the device's time, copies left out";
        EXPECT_GT(onHost.at(stage), 0);
        sum += 2;
    }
    EXPECT_EQ(onDevice.at("attributes"), sum);
    EXPECT_GT(onHost.at("attributes"), 0);
}

TEST_F(BenchEngines, KnowNoKernelsOrTransfersOfTheCpu) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const auto ms = times(bench({path("a.tif"), "--bits", "8", "--repeat", "1", "--json"}).json(), "branches");
    for (const char* stage : {"kernels", "upload", "upload/wall", "download"}) {
        EXPECT_FALSE(ms.contains(stage)) << stage;
    }
    for (const char* step : {"build", "attribute", "filter", "total"}) {
        EXPECT_GT(ms.at(std::string(step) + "/wall"), 0) << step;
    }
    EXPECT_LE(ms.at("build"), ms.at("build/wall"));
    double stages = 0;
    for (const char* stage : {"tiles", "seams", "nodes", "flatten"}) {
        stages += ms.at(std::string("parents/") + stage);
    }
    EXPECT_NEAR(ms.at("parents"), stages, 1e-9) << "the parent image alone, from builds that stop there";
    EXPECT_GT(stages, 0);
}

TEST_F(BenchEngines, AreAllMeasuredUnlessOneIsNamed) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Json json = bench({path("a.tif"), "--bits", "8", "--repeat", "1", "--json"}).json();
    std::vector<std::string> seen;
    for (const Json& row : json.at("results")) {
        const std::string name = row.at("engine").get<std::string>() + " " + row.at("algorithm").get<std::string>();
        if (seen.empty() || seen.back() != name) {
            seen.push_back(name);
        }
    }
    EXPECT_THAT(seen, ::testing::UnorderedElementsAre("timed columns", "timed base", "cpu branches", "cpu union-find",
                                                      "cpu flooding"));
    EXPECT_EQ(json.at("devices").at("timed"), "a clock");
}

TEST_F(BenchEngines, GetEveryGridSimplification) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Args args{
        path("a.tif"), "--engine", "timed",           "--bits",         "8", "--repeat", "1", "--algorithms",
        "columns",     "--grid",   "auto,on, off,on", "--connectivity", "8"};
    Args withFiles = args;
    withFiles.insert(withFiles.end(), {"--json", "--csv", path("b.csv")});
    const Outcome outcome = bench(withFiles);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::vector<GridSimplification> grids;
    for (const TreeSpec& spec : log_->built) {
        EXPECT_EQ(spec.connectivity, Connectivity::eight);
        grids.push_back(spec.grid);
    }
    using enum GridSimplification;
    EXPECT_THAT(grids, ElementsAre(automatic, automatic, on, on, off, off)) << "warm-up and one repetition of each";
    std::vector<std::string> names;
    const Json json = outcome.json();
    for (const Json& row : json.at("results")) {
        EXPECT_EQ(row.at("algorithm"), "columns");
        if (row.at("stage") == "kernels") {
            names.push_back(row.at("grid"));
        }
    }
    EXPECT_THAT(names, ElementsAre("auto", "on", "off"));

    std::ifstream csv(path("b.csv"));
    std::string line;
    std::getline(csv, line);
    EXPECT_EQ(
        line,
        "image,bits,conversion,pixels,nodes,algorithm,connectivity,grid,engine,stage,ms,mpix_per_s,frames_per_second,"
        "dice");
    std::getline(csv, line);
    EXPECT_THAT(line, HasSubstr(",8,none,200,7,columns,8,auto,timed,upload,5,0.04,"));

    const std::string table = bench(args).out;
    EXPECT_THAT(table, HasSubstr(" columns "));
    EXPECT_THAT(table, HasSubstr(" columns, grid on "));
    EXPECT_THAT(table, HasSubstr(" columns, grid off "));
    EXPECT_THAT(table, Not(HasSubstr("grid auto")));
    EXPECT_THAT(table, Not(HasSubstr("frames/s"))) << "no stream, no column for it";
}

TEST_F(BenchEngines, GetBothConnectivitiesInOneRun) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Args args{path("a.tif"), "--engine", "timed",    "--bits",         "8",  "--repeat", "1", "--algorithms",
                    "columns",     "--grid",   "auto,off", "--connectivity", "4,8"};
    Args withJson = args;
    withJson.emplace_back("--json");
    const Json json = bench(withJson).json();
    std::vector<std::string> runs;
    for (const Json& row : json.at("results")) {
        if (row.at("stage") == "kernels") {
            runs.push_back(row.at("connectivity").dump() + " " + row.at("grid").get<std::string>());
        }
    }
    EXPECT_THAT(runs, ElementsAre("4 auto", "4 off", "8 auto", "8 off"));
    const std::string table = bench(args).out;
    EXPECT_THAT(table, HasSubstr("connectivity 4 and 8"));
    EXPECT_THAT(table, HasSubstr(" columns, 4-conn., grid off "));
    EXPECT_THAT(table, HasSubstr(" columns, 8-conn. "));
}

TEST_F(BenchEngines, AreSentStreamsOfImages) {
    const Args args{"--engine",     "timed",   "--bits",   "8,16", "--repeat", "2",
                    "--algorithms", "columns", "--stream", "100",  "--size",   "20x10"};
    Args withFiles = args;
    withFiles.insert(withFiles.end(), {"--json", "--csv", path("b.csv")});
    const Outcome outcome = bench(withFiles);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json.at("stream"), 100);
    int streams = 0;
    for (const Json& row : json.at("results")) {
        if (row.at("stage") == "stream") {
            ++streams;
            EXPECT_EQ(row.at("ms"), 4) << "of one image";
            EXPECT_EQ(row.at("frames_per_second"), 250);
            EXPECT_NEAR(row.at("mpix_per_s").get<double>(), 0.05, 1e-12);
        } else {
            EXPECT_TRUE(row.at("frames_per_second").is_null());
        }
    }
    EXPECT_EQ(streams, 3 * 2) << "three images, two depths";
    for (std::size_t i = 0; i < log_->streams.size(); ++i) {
        EXPECT_EQ(log_->streams[i], i % 3 == 0 ? 8 : 100) << "a short one to warm up, then the repetitions";
    }
    ASSERT_EQ(log_->streamed.size(), 2U);
    const Image& one = *log_->streamed[0];
    const Image& other = *log_->streamed[1];
    EXPECT_NE(one.data(), other.data());
    for (std::size_t i = 0; i < one.pixelCount(); ++i) {
        ASSERT_EQ(one.level(i), other.level(one.pixelCount() - 1 - i));
    }
    const std::string table = bench(args).out;
    EXPECT_THAT(table, HasSubstr("frames/s"));
    EXPECT_THAT(table, HasSubstr("250.0"));
    EXPECT_THAT(table, HasSubstr("streams of 100 images"));
    std::ifstream csv(path("b.csv"));
    const std::string text(std::istreambuf_iterator<char>(csv), {});
    EXPECT_THAT(text, HasSubstr(",columns,4,auto,timed,stream,4,0.05,250,\n"));
}

TEST_F(BenchEngines, StreamThroughTheCpuToo) {
    const Outcome outcome =
        bench({"--engine", "cpu", "--bits", "8", "--repeat", "1", "--stream", "3", "--size", "30x20", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_GT(times(outcome.json(), "branches").at("stream"), 0);
}

TEST_F(BenchEngines, MeasureSeveralSizesInOneRun) {
    const Outcome outcome = bench({"--engine", "timed", "--bits", "8", "--repeat", "1", "--size", "20x10,8x4"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("smooth 20x10"));
    EXPECT_THAT(outcome.out, HasSubstr("ramp 8x4"));
}

TEST_F(BenchEngines, MustNotPassAnothersTimesForTheirs) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Outcome outcome =
        bench({path("a.tif"), "--engine", "timed", "--repeat", "1", "--csv", path("b.csv")}, "branches");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, IsErrorAbout("columns: the tree came from branches instead"));
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(filesInFolder(), ElementsAre("a.tif"));
}

TEST_F(BenchEngines, SeeColourAsLuminanceOn16Bits) {
    makeColours("rgb.tif");
    const Outcome outcome = bench(
        {path("rgb.tif"), "--engine", "timed", "--algorithms", "base", "--repeat", "1", "--bits", "16,8", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto& opened = log_->opened;
    ASSERT_EQ(opened.size(), 4U);
    // 257 * (0.2126 * 200 + 0.7152 * 100 + 0.0722 * 50) = 30236.05, and so on.
    EXPECT_THAT(opened[0]->pixels<std::uint16_t>(), ElementsAre(478, 30236, 65535));
    EXPECT_THAT(opened[2]->pixels<std::uint8_t>(), ElementsAre(1, 118, 255));
    const Json json = outcome.json();
    for (const Json& row : json.at("results")) {
        EXPECT_EQ(row.at("conversion"), row.at("bits") == 16 ? "luminance" : "high byte of luminance");
    }
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_THAT(bench({path("rgb.tif"), "--engine", "timed", "--repeat", "1"}).out,
                HasSubstr("colour images: 0.2126 R + 0.7152 G + 0.0722 B on 16 bits"));
}

TEST_F(BenchEngines, SeeAChosenChannelAsItIs) {
    makeColours("rgb.tif");
    const Outcome outcome = bench({path("rgb.tif"), "--engine", "timed", "--algorithms", "base", "--repeat", "1",
                                   "--channel", "green", "--bits", "16", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(log_->opened.front()->pixels<std::uint16_t>(), ElementsAre(2 * 257, 100 * 257, 65535));
    EXPECT_EQ(outcome.json().at("results").front().at("conversion"), "value * 257");
}

TEST_F(BenchEngines, AreNotAskedWhenTheTableCannotBeWritten) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Outcome outcome = bench({path("a.tif"), "--engine", "timed", "--csv", path("none/b.csv")});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, IsErrorAbout("none"));
    EXPECT_THAT(log_->opened, IsEmpty());
}

TEST(WideLuminance, OfGreyIsTheValueTimes257) {
    Image grey(PixelType::u8, 256, 1);
    const auto pixels = grey.pixels<std::uint8_t>();
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        pixels[i] = static_cast<std::uint8_t>(i);
    }
    const auto wide = wideLuminance(grey, grey, grey);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        ASSERT_EQ(wide->level(i), i * 257);
    }
}

} // namespace
} // namespace pollard::cli
