// --stream of commands other than filter: results equal to results in memory.

#include "cli/cli_fixture.hpp"

#include "io/label_file.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

std::string textOf(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

Args with(Args args, const Args& more) {
    args.insert(args.end(), more.begin(), more.end());
    return args;
}

class SpectrumInChunks : public CliTest {
protected:
    /// Compares both ways to run a spectrum. @return the result in chunks
    Json compare(const Args& options) const {
        const Args args = with({"spectrum", path("a.tif"), "--json"}, options);
        const Outcome whole = call(with(args, {"--csv", path("whole.csv")}));
        const Outcome chunks = call(with(args, {"--csv", path("chunks.csv"), "--stream", "--chunk", "512"}));
        EXPECT_EQ(whole.code, 0) << whole.err;
        EXPECT_EQ(chunks.code, 0) << chunks.err;
        EXPECT_EQ(textOf(path("chunks.csv")), textOf(path("whole.csv")));
        const Json expected = whole.json();
        const Json made = chunks.json();
        for (const auto& [name, value] : made.items()) {
            if (name != "csv_file" && name != "engine" && expected.contains(name)) {
                EXPECT_EQ(value, expected.at(name)) << name;
            }
        }
        return made;
    }
};

TEST_F(SpectrumInChunks, EqualsThatInMemory) {
    (void)makeImage("a.tif", PixelType::u8, 1100, 530, 60);
    const Json area = compare({});
    EXPECT_EQ(area.at("chunk_trees"), 6);
    EXPECT_EQ(area.at("readings"), 1) << "few distinct values";
    EXPECT_GT(area.at("nodes"), 0);
    (void)compare({"--attribute", "mean", "--bins", "7", "--tree", "min", "--connectivity", "8", "--scale", "linear"});
    (void)compare({"--attribute", "area", "--attribute2", "circularity", "--bins", "9", "--bins2", "4", "--to2", "1"});
    EXPECT_EQ(compare({"--attribute", "major", "--from", "1", "--to", "30"}).at("readings"), 1) << "bounds are given";
}

TEST_F(SpectrumInChunks, SumsValuesNotLevels) {
    const auto levels = makeImage("levels.tif", PixelType::u8, 600, 530, 60);
    std::vector<std::int16_t> samples(levels->pixelCount());
    std::ranges::generate(
        samples, [&, i = std::size_t{0}]() mutable { return static_cast<std::int16_t>(levels->level(i++) - 20); });
    std::ofstream(path("a.tif"), std::ios::binary)
        .write(reinterpret_cast<const char*>(samples.data()), static_cast<std::streamsize>(samples.size() * 2));
    (void)compare({"--attribute", "sum", "--raw", "600x530:i16"});
    const Json json = compare({"--attribute", "sum", "--raw", "600x530:i16", "--from", "-100", "--to", "100"});
    EXPECT_GT(json.at("nodes"), 0);
}

TEST_F(SpectrumInChunks, WritesNoSidecarFilesTheTable) {
    (void)makeImage("a.tif", PixelType::u16, 700, 20, 900);
    const Outcome outcome = call({"spectrum", path("a.tif"), "--chunk", "512", "--bins", "5"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("removed below"));
    EXPECT_THAT(outcome.out, HasSubstr("in chunks of 512 x 20 px"));
    EXPECT_THAT(filesInFolder(), ::testing::ElementsAre("a.tif"));
}

TEST_F(SpectrumInChunks, RefusesWhatNeedsTheWholeTree) {
    (void)makeImage("a.tif", PixelType::u8, 9, 9, 9);
    const Outcome dynamics = call({"spectrum", path("a.tif"), "--stream", "--attribute", "dynamics"});
    EXPECT_EQ(dynamics.code, 1);
    EXPECT_THAT(dynamics.err, IsErrorAbout("attribute 'dynamics': not measured in parts of an image"));
    EXPECT_EQ(call({"spectrum", path("a.tif"), "--stream", "--shrink", "2"}).code, 2);
    EXPECT_EQ(call({"spectrum", path("a.tif"), "--stream", "--volume"}).code, 2);
    EXPECT_EQ(call({"spectrum", path("a.tif"), "--memory", "many"}).code, 2);
}

class ProfileInChunks : public CliTest {
protected:
    /// Compares both ways to make a profile: pixels and facts of all pages.
    void compare(const Args& options) const {
        const Args args = with({"profile", path("a.tif"), "--json"}, options);
        const Outcome whole = call(with(args, {"-o", path("whole.tif")}));
        const Outcome chunks = call(with(args, {"-o", path("chunks.tif"), "--stream", "--chunk", "512"}));
        ASSERT_EQ(whole.code, 0) << whole.err;
        ASSERT_EQ(chunks.code, 0) << chunks.err;
        EXPECT_EQ(chunks.json().at("page_list"), whole.json().at("page_list"));
        EXPECT_EQ(chunks.json().at("nodes"), whole.json().at("nodes"));
        ASSERT_EQ(readImageInfo(path("chunks.tif")).pages, readImageInfo(path("whole.tif")).pages);
        for (int page = 0; page < readImageInfo(path("whole.tif")).pages; ++page) {
            EXPECT_EQ(levelsOf("chunks.tif", page), levelsOf("whole.tif", page)) << "page " << page;
        }
    }

    std::vector<int> levelsOf(const std::string& name, int page) const {
        ReadOptions options;
        options.page = page;
        const auto image = readImage(path(name), options).image;
        std::vector<int> levels(image->pixelCount());
        for (std::size_t i = 0; i < levels.size(); ++i) {
            levels[i] = image->level(i);
        }
        return levels;
    }
};

TEST_F(ProfileInChunks, EqualsThatInMemory) {
    (void)makeImage("a.tif", PixelType::u8, 1100, 530, 60);
    compare({"--thresholds", "5,20,100"});
    compare({"--thresholds", "0.2,0.6", "--attribute", "circularity", "--rule", "subtractive", "--connectivity", "8"});
    compare({"--thresholds", "3,30,300", "--tree", "min", "--rule", "max", "--differential"});
    EXPECT_THAT(filesInFolder(), ::testing::ElementsAre("a.tif", "chunks.tif", "whole.tif")) << "no working files";
}

TEST_F(ProfileInChunks, RefusesWhatNeedsTheWholeTree) {
    (void)makeImage("a.tif", PixelType::u8, 9, 9, 9);
    const auto refusal = [&](const Args& options) {
        const Outcome outcome =
            call(with({"profile", path("a.tif"), "-o", path("o.tif"), "--thresholds", "2", "--stream"}, options));
        EXPECT_EQ(outcome.code, 1);
        return outcome.err;
    };
    EXPECT_THAT(refusal({"--attribute", "dynamics"}), IsErrorAbout("a profile of 'dynamics' is not made in parts"));
    EXPECT_THAT(refusal({"--attribute", "circularity", "--rule", "viterbi"}),
                IsErrorAbout("a profile of 'circularity' with the rule 'viterbi'"));
    EXPECT_THAT(filesInFolder(), ::testing::ElementsAre("a.tif"));
}

class ComponentsInChunks : public CliTest {};

TEST_F(ComponentsInChunks, EqualThoseInMemory) {
    (void)makeImage("a.tif", PixelType::u8, 600, 1100, 60);
    for (const Args& options : {Args{"--threshold", "otsu"}, Args{"--threshold", "33:50", "--connectivity", "8"}}) {
        const Args args = with({"components", path("a.tif"), "--json"}, options);
        const Outcome whole = call(with(args, {"--csv", path("whole.csv"), "--labels", path("whole.tif")}));
        const Outcome chunks = call(
            with(args, {"--csv", path("chunks.csv"), "--labels", path("chunks.tif"), "--stream", "--chunk", "512"}));
        ASSERT_EQ(whole.code, 0) << whole.err;
        ASSERT_EQ(chunks.code, 0) << chunks.err;
        EXPECT_EQ(textOf(path("chunks.csv")), textOf(path("whole.csv")));
        EXPECT_TRUE(std::ranges::equal(readLabels(path("chunks.tif")).labels, readLabels(path("whole.tif")).labels));
        for (const char* name : {"count", "threshold", "threshold_high", "foreground", "connectivity"}) {
            EXPECT_EQ(chunks.json().at(name), whole.json().at(name)) << name;
        }
    }
    EXPECT_THAT(filesInFolder(), ::testing::ElementsAre("a.tif", "chunks.csv", "chunks.tif", "whole.csv", "whole.tif"));
}

TEST_F(ComponentsInChunks, RefuseWhatNeedsTheWholeImage) {
    (void)makeImage("a.tif", PixelType::u8, 9, 9, 9);
    for (const Args& options : {Args{"--fill-holes"}, Args{"--no-border"}, Args{"--features", "area", "--csv", "o.csv"},
                                Args{"--where", "area > 3"}, Args{"--geojson", "o.geojson"}}) {
        const Outcome outcome = call(with({"components", path("a.tif"), "--stream"}, options));
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, HasSubstr("--stream: leave out " + options.front()));
    }
}

} // namespace
} // namespace pollard::cli
