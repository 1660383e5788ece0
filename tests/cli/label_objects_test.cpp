// Objects of label files on the command line, and batches scored against their truth.

#include "cli_fixture.hpp"
#include "components/best/best_rule.hpp"
#include "components/best/best_weights.hpp"
#include "components/components.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "image/image.hpp"
#include "io/label_file.hpp"
#include "io/write/npy_writer.hpp"
#include "io/write/planes.hpp"
#include "recipe/recipe.hpp"
#include "recipe/results/result_file.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

namespace pollard::cli {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Numbers = std::vector<std::uint32_t>;

class LabelObjects : public CliTest {
protected:
    void write(const std::string& name, const Numbers& labels, const Extent& extent = {6, 1}) const {
        std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
        writeResult(path(name), resultPlane(labels, extent, {}), {});
    }
    [[nodiscard]] std::string textOf(const std::string& name) const {
        std::ifstream file(path(name));
        return {std::istreambuf_iterator<char>(file), {}};
    }
    /// A recipe with the objects of @p parameters as tables.
    void writeRecipe(const std::string& parameters, int version) const {
        std::ofstream(path("r.json")) << R"({"pollard_recipe":1,"name":"cells","steps":[{"id":"objects","version":)"
                                      << version << R"(,"parameters":{)" << parameters
                                      << R"(,"connectivity":4,"files":["csv","labels"]}}]})";
    }
};

TEST_F(LabelObjects, KeepTheirNumbersInAllFiles) {
    write("a.tif", {10, 20, 30, 40, 50, 60});
    const Numbers numbers{9, 9, 0, 70'000, 0, 9};
    write("a_labels.tif", numbers);
    const Outcome outcome = call({"components", path("a.tif"), "--from-labels", path("{stem}_labels.tif"), "--csv",
                                  path("o.csv"), "--labels", path("o.tif"), "--geojson", path("o.geojson"),
                                  "--features", "label,area,grey_mean,holes", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("count"), 2);
    EXPECT_EQ(outcome.json().at("algorithm"), "labels");
    EXPECT_EQ(outcome.json().at("from_labels"), path("{stem}_labels.tif"));
    EXPECT_EQ(outcome.json().at("threshold"), Json());
    EXPECT_EQ(textOf("o.csv"), "label,area,grey_mean,holes\n9,3,30,0\n70000,1,40,0\n");
    EXPECT_THAT(readLabels(path("o.tif")).labels.span(), ElementsAreArray(numbers));
    EXPECT_THAT(textOf("o.geojson"), HasSubstr(R"("id":70000,"properties":{"label":70000)"));
    const Outcome again = call({"components", path("a.tif"), "--from-labels", path("o.geojson"), "--labels",
                                path("p.tif"), "--where", "label > 9"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(readLabels(path("p.tif")).labels.span(), ElementsAreArray({0, 0, 0, 70'000, 0, 0}));
}

TEST_F(LabelObjects, OfVolumesAndPages) {
    write("v.tif", {1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2});
    const Numbers numbers{0, 5, 5, 0, 0, 5, 8, 8};
    write("l.nii.gz", numbers, {2, 2, 2});
    const Outcome outcome =
        call({"components", path("v.tif"), "--volume", "--from-labels", path("l.nii.gz"), "--labels", path("o.nrrd"),
              "--features", "label,area,grey_sum", "--csv", path("o.csv")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(textOf("o.csv"), "label,area,grey_sum\n5,3,11\n8,2,15\n");
    EXPECT_THAT(readLabels(path("o.nrrd"), {}, true).labels.span(), ElementsAreArray(numbers));
}

TEST_F(LabelObjects, RefusesOtherWaysAndOtherSizes) {
    write("a.tif", {10, 20, 30, 40, 50, 60});
    write("l.tif", {1, 2}, {2, 1});
    const Args command{"components", path("a.tif"), "--from-labels", path("l.tif")};
    EXPECT_THAT(call(command).err, IsErrorAbout("l.tif: has 2 x 1 px, the image has 6 x 1 px"));
    const auto with = [&](const Args& more) {
        Args all = command;
        all.insert(all.end(), more.begin(), more.end());
        return call(all).err;
    };
    EXPECT_THAT(with({"--threshold", "3"}), IsErrorAbout("--from-labels: leave out --threshold"));
    EXPECT_THAT(with({"--best"}), IsErrorAbout("give one of them"));
    EXPECT_THAT(with({"--fill-holes"}), IsErrorAbout("--from-labels: leave out --fill-holes"));
    EXPECT_THAT(with({"--split", "shape"}), IsErrorAbout("--from-labels: leave out --split"));
    EXPECT_THAT(with({"--labels", path("l.tif")}), IsErrorAbout("the labels"));
}

TEST_F(LabelObjects, OfRecipesAreBesideEachImage) {
    for (const std::string name : {"a", "b"}) {
        write("in/" + name + ".tif", {10, 20, 30, 40, 50, 60});
        write("in/masks/" + name + ".tif", name == "a" ? Numbers{4, 4, 0, 0, 7, 7} : Numbers{0, 3, 0, 0, 0, 0});
    }
    writeRecipe(R"("labels":"masks/{stem}.tif")", 8);
    const Outcome outcome = call({"run", path("r.json"), path("in/a.tif"), path("in/b.tif"), "-o", path("out")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(textOf("out/a-objects.csv"), HasSubstr("\n4,2,"));
    EXPECT_THAT(textOf("out/a-objects.csv"), HasSubstr("\n7,2,"));
    EXPECT_THAT(textOf("out/b-objects.csv"), HasSubstr("\n3,1,"));
    EXPECT_THAT(readLabels(path("out/a-objects.tif")).labels.span(), ElementsAreArray({4, 4, 0, 0, 7, 7}));
    const Outcome script = call({"run", path("r.json"), path("in/a.tif"), "--as", "shell"});
    EXPECT_EQ(script.code, 0) << script.err;
    writeRecipe(R"("labels":"masks/{stem}.tif")", 7);
    EXPECT_THAT(call({"run", path("r.json"), path("in/a.tif"), "-o", path("out")}).err, IsErrorAbout("labels"));
    writeRecipe(R"("labels":"x.tif","fill_holes":true)", 8);
    EXPECT_NE(call({"run", path("r.json"), path("in/a.tif"), "-o", path("out")}).code, 0);
}

class RunScore : public LabelObjects {
protected:
    void SetUp() override {
        write("in/a.tif", {90, 90, 0, 90, 90, 0});
        write("in/b.tif", {0, 90, 0, 90, 0, 90});
        write("in/c.tif", {0, 0, 0, 0, 0, 90});
        write("truth/a_labels.tif", {5, 5, 0, 6, 6, 0});
        write("truth/b.tif", {0, 2, 0, 9, 9, 0});
        writeRecipe(R"("threshold":"hand","values":"50:")", 3);
    }
    [[nodiscard]] Outcome run(const Args& more) const {
        Args args{"run", path("r.json"), path("in/a.tif"), path("in/b.tif"), path("in/c.tif"), "-o", path("out")};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    }
};

TEST_F(RunScore, ComparesEachImageWithItsTruth) {
    const Outcome outcome = run({"--score", path("truth"), "--csv", path("s.csv"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json.at("scored"), 2);
    EXPECT_EQ(json.at("without_truth"), 1);
    EXPECT_EQ(json.at("files").at(0).at("score").at("matches").at(0).at("f1"), 1.);
    EXPECT_EQ(json.at("files").at(1).at("score").at("matches").at(0).at("matched"), 2);
    EXPECT_EQ(json.at("files").at(1).at("truth"), path("truth/b.tif"));
    EXPECT_EQ(json.at("files").at(2).at("score"), Json());
    EXPECT_EQ(json.at("score").at("objects"), 5);
    EXPECT_EQ(json.at("score").at("truth_objects"), 4);
    EXPECT_EQ(json.at("score").at("matches").at(0).at("f1"), 8. / 9);
    // Equal to the command score of the written labels.
    const Outcome beside = call({"score", path("out/b-objects.tif"), path("truth/b.tif"), "--json"});
    EXPECT_EQ(beside.json().at("matches"), json.at("files").at(1).at("score").at("matches"));
    EXPECT_EQ(beside.json().at("invented"), json.at("files").at(1).at("score").at("invented"));
    const std::string summary = textOf("s.csv");
    EXPECT_THAT(summary, HasSubstr("error,truth,truth_objects,matched,precision,recall,f1,mean_accuracy"));
    EXPECT_THAT(summary, HasSubstr("\nall,,,,,5,,,,,,,4,4,0.8,1,"));
    const Outcome text = run({"--score", path("truth")});
    EXPECT_THAT(text.out, HasSubstr("score of 2 images, 1 without truth\n5 objects, 4 in the truth:"));
}

TEST_F(RunScore, TakesOneFileOfAllImages) {
    std::ofstream(path("coco.json")) << R"({"images":[{"id":1,"file_name":"a.tif"},{"id":2,"file_name":"b.tif"},
        {"id":3,"file_name":"c.tif"}],"annotations":[
        {"id":1,"image_id":1,"segmentation":[[0,0,2,0,2,1,0,1]]},{"id":2,"image_id":1,"segmentation":[[3,0,5,0,5,1,3,1]]},
        {"id":3,"image_id":3,"segmentation":[[0,0,1,0,1,1,0,1]]}]})";
    const Outcome outcome = run({"--score", path("coco.json"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("files").at(0).at("score").at("matches").at(9).at("f1"), 1.);
    EXPECT_EQ(outcome.json().at("files").at(1).at("score").at("truth_objects"), 0);
    EXPECT_EQ(outcome.json().at("files").at(2).at("score").at("missed"), 1);
}

TEST_F(RunScore, TakesArraysAsTruth) {
    std::filesystem::remove(path("truth/b.tif"));
    writeNpy(path("truth/b.npy"), measuredRowsOf(Numbers{0, 0, 0, 0, 0, 3}, Extent{6, 1}));
    std::ofstream(path("truth/a_seg.npy")) << "no array of numbers";
    const Outcome outcome = run({"--score", path("truth"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("files").at(1).at("truth"), path("truth/b.npy"));
    EXPECT_EQ(outcome.json().at("files").at(1).at("score").at("truth_objects"), 1);
}

TEST_F(RunScore, RefusesWhatCannotBeScored) {
    EXPECT_THAT(run({"--score", path("none")}).err, IsErrorAbout("none: no such file or folder"));
    EXPECT_THAT(run({"--score", path("truth"), "--resume"}).err, IsErrorAbout("--score: leave out --resume"));
    write("truth/a.labels.tif", {5, 5, 0, 6, 6, 0});
    EXPECT_THAT(run({"--score", path("truth")}).err, HasSubstr("has several files of a"));
    std::filesystem::remove(path("truth/a.labels.tif"));
    write("truth/a_labels.tif", {5}, {1, 1});
    EXPECT_THAT(run({"--score", path("truth")}).err, HasSubstr("has 1 x 1 px, the image has 6 x 1 px"));
    std::ofstream(path("r.json")) << R"({"pollard_recipe":1,"name":"cells","steps":[
        {"id":"filter","version":1,"parameters":{"criteria":["area>=2"]}}]})";
    EXPECT_THAT(run({"--score", path("truth")}).err, IsErrorAbout("finds no objects"));
}

TEST_F(RunScore, TakesOutlinesAsTruthOfALabelImage) {
    std::ofstream(path("t.geojson")) << R"({"type":"FeatureCollection","features":[{"type":"Feature","id":3,"geometry":
        {"type":"Polygon","coordinates":[[[0,0],[2,0],[2,1],[0,1],[0,0]]]}}]})";
    const Outcome outcome = call({"score", path("truth/a_labels.tif"), path("t.geojson"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("truth_objects"), 1);
    EXPECT_EQ(outcome.json().at("matches").at(9).at("matched"), 1);
    EXPECT_THAT(call({"score", path("t.geojson"), path("t.geojson")}).err, IsErrorAbout("one must be a label image"));
}

class TuneCommand : public LabelObjects {
protected:
    static constexpr int kImages = 6;

    /// Objects of 60 + 10 i beside noise of 40 + 10 i, so that each image has its own range of right thresholds.
    void SetUp() override {
        for (int i = 0; i != kImages; ++i) {
            const auto bright = static_cast<std::uint32_t>(60 + 10 * i);
            write("in/" + std::to_string(i) + ".tif", {bright, bright, 0, bright - 20, 0, bright});
            write("truth/" + std::to_string(i) + ".tif", {1, 1, 0, 0, 0, 2});
        }
        writeRecipe(R"("threshold":"hand","values":"10:")", 3);
    }
    [[nodiscard]] Outcome tune(const Args& more) const {
        Args args{"tune", path("r.json"), path("in"), "--score", path("truth"), "--json"};
        args.insert(args.end(), more.begin(), more.end());
        return call(args);
    }
};

TEST_F(TuneCommand, FindsTheValueWithTheHighestF1) {
    const Outcome outcome = tune({"--vary", "objects.threshold=35:115:10", "--csv", path("t.csv"), "--folds", "3"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json.at("images"), kImages);
    ASSERT_EQ(json.at("trials").size(), 9U);
    // The definition: image i has 2 true objects; a threshold finds the objects of at least its level.
    double highest = 0;
    for (std::size_t trial = 0; trial != 9; ++trial) {
        const int threshold = 35 + 10 * static_cast<int>(trial);
        double matched = 0;
        double found = 0;
        for (int i = 0; i != kImages; ++i) {
            matched += threshold <= 60 + 10 * i ? 2 : 0;
            found += (threshold <= 60 + 10 * i ? 2 : 0) + (threshold <= 40 + 10 * i ? 1 : 0);
        }
        const double f1 = 2 * matched / (found + 2 * kImages);
        EXPECT_EQ(json.at("trials").at(trial).at("objects.threshold"), threshold);
        EXPECT_DOUBLE_EQ(json.at("trials").at(trial).at("f1").get<double>(), f1) << threshold;
        highest = std::max(highest, f1);
    }
    EXPECT_DOUBLE_EQ(json.at("best").at("f1").get<double>(), highest);
    EXPECT_EQ(json.at("cross_validated").at("folds"), 3);
    EXPECT_LE(json.at("cross_validated").at("f1").get<double>(), highest);
    EXPECT_THAT(textOf("t.csv"), StartsWith("objects.threshold,precision,recall,f1,mean_accuracy\n35,"));
}

TEST_F(TuneCommand, TriesPairsOfParametersAndCriteria) {
    std::ofstream(path("r.json")) << R"({"pollard_recipe":1,"name":"f","grey":"values","steps":[
        {"id":"filter","version":1,"parameters":{"criteria":["area>=2"],"output":"labels"}},
        {"id":"objects","version":6,"parameters":{"threshold":"hand","values":"1:","connectivity":4,
         "split":{"by":"shape","strength":0.5},"files":["csv"]}}]})";
    const Outcome outcome = tune({"--vary", "filter.area=1,3", "--vary", "objects.split.strength=0.1:0.3:0.1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json trials = outcome.json().at("trials");
    ASSERT_EQ(trials.size(), 6U);
    EXPECT_EQ(trials.at(4).at("filter.area"), 3);
    EXPECT_EQ(trials.at(4).at("objects.split.strength"), .2);
}

TEST_F(TuneCommand, RefusesOtherNumbers) {
    const auto refused = [&](const std::string& vary) { return tune({"--vary", vary}).err; };
    EXPECT_THAT(refused("objects.threshold"), IsErrorAbout("must be STEP.PARAMETER=FIRST:LAST:STEP"));
    EXPECT_THAT(refused("tree.kind=1,2"), IsErrorAbout("must be a parameter of a step of the recipe"));
    EXPECT_THAT(refused("objects.threshold=1:x:2"), IsErrorAbout("must be FIRST:LAST:STEP"));
    EXPECT_THAT(refused("objects.threshold=9:1:2"), IsErrorAbout("must be FIRST:LAST:STEP"));
    EXPECT_THAT(refused("objects.best.strictness=0.5"), IsErrorAbout("the step has no best"));
    EXPECT_THAT(refused("objects.sharpness=1"), IsErrorAbout("sharpness"));
    EXPECT_THAT(tune({}).err, IsErrorAbout("one or two numbers"));
    std::filesystem::remove_all(path("truth"));
    write("truth/other.tif", {1}, {1, 1});
    EXPECT_THAT(tune({"--vary", "objects.threshold=50"}).err, IsErrorAbout("none of the images has a truth"));
}

TEST_F(TuneCommand, LearnsWeights) {
    std::filesystem::remove_all(path("in"));
    std::filesystem::remove_all(path("truth"));
    std::filesystem::create_directories(path("in"));
    std::filesystem::create_directories(path("truth"));
    for (int i = 0; i != 4; ++i) { // discs, of which the darker ones are the objects
        Image image(PixelType::u8, 90, 40);
        Image truth(PixelType::u8, 90, 40);
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 90; ++x) {
                const int of = x / 30;
                const bool isIn = std::hypot(x % 30 - 14 - i % 2, y - 18) < 8;
                const auto at = static_cast<std::size_t>(90 * y + x);
                const bool isObject = isIn && (of + i) % 2 == 0;
                image.pixels<std::uint8_t>()[at] = isObject ? 100 : isIn ? 200 : 20;
                truth.pixels<std::uint8_t>()[at] = isObject ? static_cast<std::uint8_t>(of + 1) : 0;
            }
        }
        const std::string name = "d" + std::to_string(i) + ".tif";
        writeTiff(path("in/" + name), {image, {}});
        writeTiff(path("truth/" + name), {truth, {}});
    }
    std::ofstream(path("r.json")) << R"({"pollard_recipe":1,"name":"b","grey":"values","steps":[
        {"id":"objects","version":7,"parameters":{"threshold":"otsu","dark":false,"best":{},"connectivity":8}}]})";
    const Outcome outcome = tune({"--weights", "--folds", "2", "--out-recipe", path("learned.json")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json.at("images"), 4);
    EXPECT_EQ(json.at("weights").size(), 8U);
    EXPECT_LT(json.at("before").at("f1").get<double>(), .8); // all 12 discs, of which 6 are right
    EXPECT_DOUBLE_EQ(json.at("before").at("f1").get<double>(), 2. * 6 / (12 + 6));
    EXPECT_EQ(json.at("learned").at("f1"), 1);
    EXPECT_EQ(json.at("cross_validated").at("f1"), 1);
    const Recipe learned = loadRecipe(path("learned.json"));
    const BestWeights weights = std::get<ObjectsStep>(learned.steps.back()).rule.best->weights;
    EXPECT_EQ(weights.contrast, json.at("weights").at("contrast"));
    const Outcome found =
        call({"components", path("in/d0.tif"), "--best", "--weights", bestWeightsText(weights), "--json"});
    EXPECT_EQ(found.json().at("count"), 2);
    EXPECT_THAT(tune({"--weights", "--vary", "objects.best.strictness=0.5"}).err, IsErrorAbout("give one of them"));
    EXPECT_THAT(tune({"--weights", "--csv", path("t.csv")}).err, IsErrorAbout("--csv: is for --vary"));
    EXPECT_THAT(tune({"--vary", "objects.best.strictness=0.5", "--out-recipe", path("o.json")}).err,
                IsErrorAbout("--out-recipe: is for --weights"));
    std::ofstream(path("r.json")) << R"({"pollard_recipe":1,"name":"b","grey":"values","steps":[
        {"id":"objects","version":3,"parameters":{"threshold":"otsu"}}]})";
    EXPECT_THAT(tune({"--weights"}).err, IsErrorAbout("the recipe has no step of best components"));
}

} // namespace
} // namespace pollard::cli
