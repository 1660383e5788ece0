// The run command with a recipe that has filters of several channels.
#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/channels.hpp"
#include "support/channel_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kWidth = 31;
constexpr std::uint32_t kHeight = 23;

std::shared_ptr<const Image> noise(std::uint32_t seed) {
    const auto image = std::make_shared<Image>(PixelType::u16, kWidth, kHeight);
    std::mt19937 random(seed);
    std::ranges::generate(image->pixels<std::uint16_t>(),
                          [&] { return static_cast<std::uint16_t>(5 + random() % 40); });
    return image;
}

class RunChannels : public CliTest {
protected:
    static constexpr const char* kArea4 = R"({"criteria": ["area>=4"], "output": "residue"})";
    static constexpr const char* kWidth3 = R"({"criteria": ["width>=3"], "rule": "max"})";

    void SetUp() override {
        CliTest::SetUp();
        test::writeChannelPages(path("cells.ome.tif"),
                                {test::makeChannel("DAPI"), test::makeChannel("GFP"), test::makeChannel("Cy5")}, kWidth,
                                kHeight, [](int channel, std::uint32_t x, std::uint32_t y) {
                                    std::mt19937 random(x + 100 * y + 10'000 * static_cast<std::uint32_t>(channel));
                                    return 5 + static_cast<int>(random() % 40);
                                });
    }
    void writeRecipe(const std::string& channels, const std::string& read, const std::string& more = {}) const {
        std::ofstream(path("r.json")) << R"({"pollard_recipe": 2, "name": "r", "channels": [)" << channels
                                      << R"(], "steps": [{"id": "read", "version": 4, "parameters": {"channel": ")"
                                      << read << R"("}}, {"id": "filter", "version": 1, "parameters": )" << kArea4
                                      << "}" << more << "]}";
    }
    static std::string channel(const std::string& name, const std::string& filter) {
        return R"({"channel": ")" + name + R"(", "filter": )" + filter + "}";
    }
    [[nodiscard]] Outcome run(const std::string& image, Args more = {}) const {
        Args args{"run", path("r.json"), path(image), "-o", path("out"), "--json"};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    }
    [[nodiscard]] std::string filtered(const std::string& image, Args more, const char* name = "f.tif") const {
        Args args{"filter", path(image), "-o", path(name), "--quiet"};
        args.insert(args.end(), more.begin(), more.end());
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return path(name);
    }
    static std::vector<std::uint16_t> levelsOf(const Image& image) {
        std::vector<std::uint16_t> levels(image.pixelCount());
        for (std::size_t i = 0; i < levels.size(); ++i) {
            levels[i] = image.level(i);
        }
        return levels;
    }
    static std::vector<std::vector<std::uint16_t>> channelsIn(const std::string& file) {
        std::vector<std::vector<std::uint16_t>> levels;
        for (const ChannelPlane& plane : readChannels(file, ReadOptions{}).planes) {
            levels.push_back(levelsOf(*plane.image));
        }
        return levels;
    }
    static std::string bytesOf(const std::string& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    [[nodiscard]] std::size_t outputs() const {
        const std::filesystem::path folder = path("out");
        return std::filesystem::exists(folder)
                   ? static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}))
                   : 0;
    }
};

TEST_F(RunChannels, FiltersEachChannelAsTheFilterCommandDoes) {
    SampleLayout interleaved{4, SampleLayout::Colours::rgb, false, 3};
    writeTiff(path("rgba.tif"), {4, [](int plane, const JobControl&) { return Plane{ownedRows(noise(plane + 1U))}; }},
              {.samples = interleaved});
    SampleLayout planar{3, SampleLayout::Colours::grey, true};
    writeTiff(path("planar.tif"), {3, [](int plane, const JobControl&) { return Plane{ownedRows(noise(plane + 1U))}; }},
              {.samples = planar});
    struct Case {
        const char* image;
        const char* read;
        const char* other;
    };
    for (const Case& each :
         {Case{"cells.ome.tif", "GFP", "cy5"}, Case{"rgba.tif", "green", "blue"}, Case{"planar.tif", "1", "2"}}) {
        SCOPED_TRACE(each.image);
        writeRecipe(channel(each.other, kWidth3), each.read);
        const Outcome outcome = run(each.image);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const auto before = channelsIn(path(each.image));
        const auto after = channelsIn(outcome.json()["files"][0]["output_file"]);
        ASSERT_EQ(after.size(), 3U);
        EXPECT_EQ(after[0], before[0]) << "has no filter";
        const std::string read =
            filtered(each.image, {"--channel", each.read, "--keep", "area>=4", "--output", "residue"}, "read.tif");
        EXPECT_EQ(after[1], levelsOf(*readImage(read).image));
        const std::string other =
            filtered(each.image, {"--channel", each.other, "--keep", "width>=3", "--rule", "max"}, "other.tif");
        EXPECT_EQ(after[2], levelsOf(*readImage(other).image));
        EXPECT_NE(after[2], before[2]);
    }
}

TEST_F(RunChannels, WritesTheSameFileAsFilterOfAllChannels) {
    const std::string all = R"({"criteria": ["area>=4"], "output": "residue"})";
    writeRecipe(channel("DAPI", all) + ", " + channel("Cy5", all), "GFP");
    const Outcome outcome = run("cells.ome.tif");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json file = outcome.json()["files"][0];
    const std::string expected =
        filtered("cells.ome.tif", {"--channel", "all", "--keep", "area>=4", "--output", "residue"});
    EXPECT_EQ(bytesOf(file["output_file"]), bytesOf(expected));
    ASSERT_EQ(file["channels"].size(), 3U);
    EXPECT_EQ(file["channels"][1]["name"], "GFP");
    std::uint64_t kept = 0;
    for (const Json& each : file["channels"]) {
        kept += each["kept"].get<std::uint64_t>();
    }
    EXPECT_EQ(file["kept"], kept);
}

TEST_F(RunChannels, RefusesChannelsThatTheImageDoesNotHave) {
    writeRecipe(channel("FITC", kWidth3), "GFP");
    const Outcome outcome = run("cells.ome.tif");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err,
                HasSubstr("cells.ome.tif: channels: channel FITC does not exist; there are: DAPI, GFP, Cy5"));
    EXPECT_EQ(outputs(), 0U);
    using Pair = std::pair<std::string, const char*>;
    for (const auto& [channels, why] :
         {Pair{channel("gfp", kWidth3), "gfp: this channel is read"},
          Pair{channel("DAPI", kWidth3) + ", " + channel("0", kWidth3), "0: stands twice"},
          Pair{channel("DAPI", R"({"output": "labels"})"), "DAPI: labels number the components of one channel"},
          Pair{channel("nd(DAPI,nir)", kWidth3), "nir"}}) {
        writeRecipe(channels, "GFP");
        const Outcome refused = run("cells.ome.tif");
        EXPECT_EQ(refused.code, 1);
        EXPECT_THAT(refused.err, HasSubstr(why));
        EXPECT_EQ(outputs(), 0U);
    }
    writeRecipe(channel("Cy5", kWidth3), "0");
    const Outcome page = run("cells.ome.tif[2]");
    EXPECT_EQ(page.code, 1);
    EXPECT_THAT(page.err, HasSubstr("Cy5: this channel is read"));
}

TEST_F(RunChannels, SaysWhichComputedChannelsAreNotInTheResult) {
    writeRecipe(channel("sum(DAPI,Cy5)", kWidth3), "GFP");
    const Outcome outcome = run("cells.ome.tif");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("channel sum(DAPI,Cy5) is computed and not in the result"));
    EXPECT_EQ(channelsIn(outcome.json()["files"][0]["output_file"]).size(), 3U);
    writeRecipe(channel("GFP", kWidth3), "sum(DAPI,Cy5)");
    const Outcome computed = run("cells.ome.tif");
    ASSERT_EQ(computed.code, 0) << computed.err;
    EXPECT_THAT(computed.err, HasSubstr("one channel, sum(DAPI,Cy5), which is computed"));
    EXPECT_EQ(channelsIn(computed.json()["files"][0]["output_file"]),
              channelsIn(filtered("cells.ome.tif",
                                  {"--derive", "sum(DAPI,Cy5)", "--keep", "area>=4", "--output", "residue"})));
}

TEST_F(RunChannels, FindsObjectsInTheChannelThatIsRead) {
    const std::string objects = R"(, {"id": "objects", "version": 1, "parameters": {"of": "original"}})";
    writeRecipe({}, "GFP", objects);
    const Outcome one = run("cells.ome.tif");
    ASSERT_EQ(one.code, 0) << one.err;
    const std::string table = bytesOf(path("out/cells.ome-objects.csv"));
    EXPECT_THAT(table, HasSubstr("grey_mean"));
    EXPECT_EQ(channelsIn(path("out/cells.ome.tif")).size(), 1U);
    writeRecipe(channel("DAPI", kWidth3), "GFP", objects);
    const Outcome several = run("cells.ome.tif");
    ASSERT_EQ(several.code, 0) << several.err;
    EXPECT_EQ(bytesOf(path("out/cells.ome-objects.csv")), table);
    EXPECT_EQ(channelsIn(path("out/cells.ome.tif")).size(), 3U);
    EXPECT_EQ(several.json()["files"][0]["channels"].size(), 2U);
}

} // namespace
} // namespace pollard::cli
