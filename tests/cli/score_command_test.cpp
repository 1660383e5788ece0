// pollard-cli score: files and folders of labels beside the truth.

#include "cli_fixture.hpp"
#include "image/image.hpp"
#include "io/label_file.hpp"
#include "recipe/results/result_file.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

class ScoreCommand : public CliTest {
protected:
    void write(const std::string& name, const std::vector<std::uint32_t>& labels, const Extent& extent = {6, 1}) const {
        std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
        writeResult(path(name), resultPlane(labels, extent, {}), {});
    }
    [[nodiscard]] Json scored(Args args) const {
        args.insert(args.begin(), "score");
        args.emplace_back("--json");
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json();
    }
};

TEST_F(ScoreCommand, ComparesAFileWithItsTruth) {
    write("result.tif", {1, 1, 2, 2, 0, 3});
    write("truth.tif", {70'000, 70'000, 70'000, 70'000, 5, 0});
    const Json json = scored({path("result.tif"), path("truth.tif")});
    EXPECT_EQ(json.at("objects"), 3);
    EXPECT_EQ(json.at("truth_objects"), 2);
    EXPECT_EQ(json.at("pixels"), 6);
    ASSERT_EQ(json.at("matches").size(), 10U);
    EXPECT_EQ(json.at("matches").at(0).at("matched"), 1);
    EXPECT_EQ(json.at("matches").at(0).at("f1"), .4);
    EXPECT_EQ(json.at("matches").at(2).at("threshold"), .6);
    EXPECT_EQ(json.at("matches").at(9).at("matched"), 0);
    EXPECT_EQ(json.at("mean_accuracy"), .025);
    EXPECT_EQ(json.at("foreground").at("dice"), .8);
    EXPECT_EQ(json.at("missed"), 1);
    EXPECT_EQ(json.at("invented"), 1);
    EXPECT_EQ(json.at("boundary").at("unit"), "px");
    EXPECT_EQ(json.at("boundary").at("hausdorff"), 1);
    const Outcome text = call({"score", path("result.tif"), path("truth.tif"), "--thresholds", "0.6"});
    EXPECT_THAT(text.out, HasSubstr("3 objects, 2 in the truth: 1 missed, 1 invented, 1 split, 0 merged"));
}

TEST_F(ScoreCommand, WritesATableAndTheOutcomes) {
    write("result.tif", {1, 1, 2, 2, 0, 3});
    write("truth.tif", {4, 4, 4, 4, 5, 0});
    const Json json = scored({path("result.tif"), path("truth.tif"), "--thresholds", "0.6", "--csv", path("t.csv"),
                              "--outcomes", path("f.tif")});
    EXPECT_EQ(json.at("split"), 1);
    EXPECT_THAT(readLabels(path("f.tif")).labels.span(), ElementsAreArray({4, 4, 4, 4, 2, 3}));
    std::ifstream file(path("t.csv"));
    const std::string table{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(table, "image,of,label,pixels,outcome,partner,overlap\n"
                     "truth,result,1,2,split,4,0.5\n"
                     "truth,result,2,2,split,4,0.5\n"
                     "truth,result,3,1,invented,0,0\n"
                     "truth,truth,4,4,split,1,0.5\n"
                     "truth,truth,5,1,missed,0,0\n");
}

TEST_F(ScoreCommand, PairsTheFilesOfFolders) {
    for (const std::string image : {"cell", "cell_2"}) {
        write("truth/" + image + ".tif", {1, 1, 0, 2, 2, 0});
    }
    write("result/cell.labels.tif", {3, 3, 0, 4, 4, 0});
    write("result/cell_2.labels.tif", {3, 3, 0, 0, 0, 0});
    write("result/other.tif", {3, 3, 0, 0, 0, 0});
    const Json json = scored({path("result"), path("truth")});
    ASSERT_EQ(json.at("images").size(), 2U);
    EXPECT_EQ(json.at("images").at(0).at("matches").at(0).at("f1"), 1);
    EXPECT_EQ(json.at("images").at(1).at("matches").at(0).at("recall"), .5);
    EXPECT_EQ(json.at("matches").at(0).at("matched"), 3);
    EXPECT_EQ(json.at("truth_objects"), 4);
    write("truth/lonely.tif", {1, 1, 0, 2, 2, 0});
    const Outcome missing = call({"score", path("result"), path("truth")});
    EXPECT_EQ(missing.code, 2);
    EXPECT_THAT(missing.err, IsErrorAbout("lonely.tif: has 0 results"));
}

TEST_F(ScoreCommand, RefusesWhatItCannotCompare) {
    write("a.tif", {1, 1, 2, 2, 0, 3});
    write("b.tif", {1, 1, 2, 2, 0, 3}, {3, 2});
    const auto refused = [&](const Args& args, int code, const std::string& about) {
        const Outcome outcome = call(args);
        EXPECT_EQ(outcome.code, code) << outcome.err;
        EXPECT_THAT(outcome.err, IsErrorAbout(about));
    };
    refused({"score", path("a.tif"), path("b.tif")}, 1, "a.tif has 6 x 1 px, the truth");
    refused({"score", path("a.tif"), path("none.tif")}, 1, "none.tif");
    for (const std::string wrong : {"0", "1.5", "x", "0.5:0.4:0.1", "0.5:0.9", "0.1:1:0.0001"}) {
        refused({"score", path("a.tif"), path("a.tif"), "--thresholds", wrong}, 2, "--thresholds: '" + wrong + "'");
    }
    refused({"score", path("a.tif"), path("b.tif"), "--outcomes", path("a.tif")}, 2, "a.tif");
}

} // namespace
} // namespace pollard::cli
