#include "bench/bench_images.hpp"
#include "cli/cli_fixture.hpp"

#include "components/components.hpp"
#include "components/threshold.hpp"
#include "formats/tiff/tiff_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BenchComponents : public CliTest {};

TEST_F(BenchComponents, TimesEveryAlgorithmOnSquares) {
    const Outcome outcome = call({"bench", "--components", "--size", "70x50", "--granularity", "1,4", "--density", "30",
                                  "--connectivity", "4,8", "--repeat", "2", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::set<std::string> images;
    std::vector<std::string> stages;
    const Json told = Json::parse(outcome.out);
    for (const Json& row : told.at("results")) {
        images.insert(row.at("image").get<std::string>());
        EXPECT_EQ(row.at("engine"), "cpu");
        EXPECT_EQ(row.at("algorithm"), "runs");
        EXPECT_EQ(row.at("pixels"), 3500);
        EXPECT_GE(row.at("ms").get<double>(), 0);
        if (row.at("image") == "70x50 g4 d30" && row.at("connectivity") == 4) {
            stages.push_back(row.at("stage").get<std::string>());
            const auto squares = makeSquares(4, 30, 70, 50);
            const Mask mask = thresholdMask(*squares, 0x8000, 0xffff, nullptr);
            EXPECT_EQ(row.at("nodes"), labelComponents(mask, nullptr, {}).count);
        }
    }
    EXPECT_THAT(images, ElementsAre("70x50 g1 d30", "70x50 g4 d30"));
    EXPECT_THAT(stages, ElementsAre("labels/wall", "shape/wall", "grey/wall"));
}

TEST_F(BenchComponents, TimesStreamsOneFrameAtATimeAndOverlapped) {
    const Outcome outcome = call({"bench", "--components", "--size", "70x50", "--granularity", "4", "--density", "30",
                                  "--repeat", "1", "--stream", "5", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> stages;
    const Json told = Json::parse(outcome.out);
    for (const Json& row : told.at("results")) {
        const auto stage = row.at("stage").get<std::string>();
        if (stage.starts_with("stream")) {
            stages.push_back(stage);
            EXPECT_EQ(row.at("frames_per_second").is_null(), !stage.ends_with("frame"));
            EXPECT_GT(row.at("nodes"), 0);
        }
    }
    EXPECT_THAT(stages, ElementsAre("stream-records-1/frame", "stream-records-1/latency", "stream-records-1/p95",
                                    "stream-records-1/longest", "stream-records-3/frame", "stream-records-3/latency",
                                    "stream-records-3/p95", "stream-records-3/longest", "stream-labels-1/frame",
                                    "stream-labels-1/latency", "stream-labels-1/p95", "stream-labels-1/longest",
                                    "stream-labels-3/frame", "stream-labels-3/latency", "stream-labels-3/p95",
                                    "stream-labels-3/longest"));
}

TEST_F(BenchComponents, ThresholdsImagesByOtsu) {
    (void)makeImage("a.tif", PixelType::u8, 20, 10, 90);
    const Outcome outcome = call({"bench", path("a.tif"), "--components", "--repeat", "1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("objects, connectivity 4"));
    EXPECT_THAT(outcome.out, HasSubstr("grey/wall"));
}

TEST_F(BenchComponents, TimesVolumes) {
    Image volume(PixelType::u8, {9, 7, 3});
    std::ranges::fill(volume.pixels<std::uint8_t>(), std::uint8_t{0});
    volume.pixels<std::uint8_t>()[0] = volume.pixels<std::uint8_t>()[9 * 7 + 1] = 200; // neighbours with 18
    writeTiff(path("v.tif"), {volume, {.scene = {.axes = {{'z', 3, {}}}}}});
    const Outcome outcome =
        call({"bench", path("v.tif"), "--volume", "--components", "--connectivity", "6,18", "--repeat", "1", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> rows;
    const Json told = Json::parse(outcome.out);
    for (const Json& row : told.at("results")) {
        EXPECT_EQ(row.at("pixels"), 189);
        rows.push_back(row.at("stage").get<std::string>() + std::to_string(row.at("connectivity").get<int>()) + ": " +
                       std::to_string(row.at("nodes").get<int>()));
    }
    EXPECT_THAT(rows, ElementsAre("labels/wall6: 2", "shape/wall6: 2", "grey/wall6: 2", "labels/wall18: 1",
                                  "shape/wall18: 1", "grey/wall18: 1"));
    EXPECT_EQ(call({"bench", path("v.tif"), "--volume", "--components", "--stream", "3"}).code, 2);
}

TEST_F(BenchComponents, RefusesWhatMakesNoSense) {
    EXPECT_EQ(call({"bench", "--components", "--density", "101"}).code, 2);
    EXPECT_EQ(call({"bench", "--components", "--granularity", "0"}).code, 2);
    EXPECT_EQ(call({"bench", "--components", "--size", "9x9", "--algorithms", "none"}).code, 2);
}

TEST(Squares, AreAsDenseAsTheyShould) {
    for (const std::uint32_t density : {0U, 30U, 100U}) {
        const auto squares = makeSquares(4, density, 800, 800);
        const auto count = thresholdMask(*squares, 0x8000, 0xffff, nullptr).count();
        EXPECT_NEAR(static_cast<double>(count) / 6400, density, 1.5);
        const auto pixels = squares->pixels<std::uint16_t>();
        EXPECT_EQ(pixels[0] >= 0x8000, pixels[3 * 800 + 3] >= 0x8000) << "one square";
    }
}

} // namespace
} // namespace pollard::cli
