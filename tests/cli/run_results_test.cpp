// Objects and contours of recipes on the command line: the files equal the files of the separate commands.
#include "cli_fixture.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "recipe/recipe.hpp"
#include "support/map_tags.hpp"
#include "support/result_files.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace pollard::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class RunResults : public CliTest {
protected:
    /// 100 x 80 px of noise around 90, with boxes of about 190.
    void makeBoxes(const std::string& name, std::uint32_t shift) const {
        Image image(PixelType::u8, 100, 80);
        std::uint32_t noise = 7 + shift;
        for (std::uint32_t y = 0; y < 80; ++y) {
            for (std::uint32_t x = 0; x < 100; ++x) {
                noise = noise * 1664525 + 1013904223;
                const bool in = (x >= 20 + shift && x < 50 && y >= 15 && y < 60) || (x >= 70 && x < 88 && y >= 30);
                image.pixels<std::uint8_t>()[y * 100 + x] = static_cast<std::uint8_t>((in ? 190 : 90) + (noise >> 29));
            }
        }
        writeTiff(path(name), image);
    }
    void makeRecipe(const std::string& name, const std::vector<RecipeStep>& steps) const {
        saveRecipe({"Test", "", "", steps}, path(name));
    }
    [[nodiscard]] std::string bytesOf(const std::string& name) const {
        std::ostringstream bytes;
        bytes << std::ifstream(path(name), std::ios::binary).rdbuf();
        EXPECT_FALSE(bytes.str().empty()) << name;
        return bytes.str();
    }
    static ObjectsStep objectsFrom(std::uint16_t low) {
        ObjectsStep step;
        step.rule = {{}, std::nullopt, false, {low, 255}, Connectivity::four};
        step.files = testing::writtenKinds(kObjectFiles);
        return step;
    }
    static ContoursStep contourFrom(std::vector<RegionShape> starts) {
        ContoursStep step;
        step.starts = std::move(starts);
        step.files = testing::writtenKinds(kContourFiles);
        return step;
    }
    static RegionShape box(double x, double y, double width, double height) {
        return {RegionShape::Kind::rectangle, {{x, y}, {x + width, y + height}}};
    }
};

TEST_F(RunResults, HaveTheObjectsThatComponentsFinds) {
    makeBoxes("a.tif", 0);
    makeBoxes("b.tif", 9);
    makeRecipe("r.json", {objectsFrom(140)});
    for (const std::string jobs : {"1", "2"}) {
        const Outcome run = runBinary(
            {"run", path("r.json"), path("a.tif"), path("b.tif"), "-o", path("out"), "--jobs", jobs, "--json"});
        ASSERT_EQ(run.code, 0) << run.err;
        int number = 0;
        for (const std::string name : {"a", "b"}) {
            const Outcome components =
                runBinary({"components", path(name + ".tif"), "--threshold", "140", "--csv", path("c.csv"), "--geojson",
                           path("c.geojson"), "--labels", path("c.tif"), "--json"});
            ASSERT_EQ(components.code, 0) << components.err;
            if (writesVectorFiles()) {
                ASSERT_EQ(
                    runBinary({"components", path(name + ".tif"), "--threshold", "140", "--vector", path("c.gpkg")})
                        .code,
                    0);
                EXPECT_TRUE(bytesOf("out/" + name + "-objects.gpkg") == bytesOf("c.gpkg"));
            }
            EXPECT_EQ(bytesOf("out/" + name + "-objects.csv"), bytesOf("c.csv"));
            EXPECT_EQ(bytesOf("out/" + name + "-objects.geojson"), bytesOf("c.geojson"));
            EXPECT_TRUE(bytesOf("out/" + name + "-objects.zip").starts_with("PK"));
            const LoadedImage labels = readImage(path("out/" + name + "-objects.tif"));
            const LoadedImage expected = readImage(path("c.tif"));
            for (std::size_t i = 0; i < labels.image->pixelCount(); ++i) {
                ASSERT_EQ(labels.image->level(i), expected.info.mapping->valueOf(expected.image->level(i)));
            }
            const Json file = run.json().at("files").at(number++);
            EXPECT_TRUE(file.at("output_file").is_null()) << "nothing filters";
            EXPECT_FALSE(file.contains("kept"));
            ASSERT_EQ(file.at("output_files").size(), testing::writtenKinds(kObjectFiles).size());
            EXPECT_EQ(file.at("objects").at(0).at("found"), components.json().at("count"));
            EXPECT_EQ(file.at("objects").at(0).at("pixels"), components.json().at("foreground"));
            EXPECT_EQ(file.at("objects").at(0).at("step"), 1);
        }
        EXPECT_FALSE(fs::exists(path("out/a.tif")));
    }
}

TEST_F(RunResults, HaveTheContoursThatSnakeFinds) {
    makeBoxes("a.tif", 0);
    const auto compare = [&](const std::string& recipe, const Args& starts, const std::string& roi) {
        const Outcome run = runBinary({"run", path(recipe), path("a.tif"), "-o", path("out"), "--json"});
        ASSERT_EQ(run.code, 0) << run.err;
        Args args{"snake",       path("a.tif"), "--geojson",   path("s.geojson"), "--mask",  path("s.tif"), "--svg",
                  path("s.svg"), "--trace",     path("s.csv"), "--roi",           path(roi), "--json"};
        args.insert(args.end(), starts.begin(), starts.end());
        if (writesVectorFiles()) {
            args.insert(args.end(), {"--vector", path("s.gpkg")});
        }
        const Outcome snake = runBinary(args);
        ASSERT_EQ(snake.code, 0) << snake.err;
        if (writesVectorFiles()) {
            EXPECT_TRUE(bytesOf("out/a-contour.gpkg") == bytesOf("s.gpkg"));
        }
        EXPECT_EQ(bytesOf("out/a-contour.geojson"), bytesOf("s.geojson"));
        EXPECT_TRUE(bytesOf("out/a-contour.tif") == bytesOf("s.tif"));
        EXPECT_EQ(bytesOf("out/a-contour.csv"), bytesOf("s.csv"));
        EXPECT_TRUE(bytesOf("out/a-contour.zip") == bytesOf(roi));
        std::string svg = bytesOf("s.svg"); // its title is the image as named
        const std::string named = "<title>" + path("a.tif") + "</title>";
        ASSERT_THAT(svg, HasSubstr(named));
        svg.replace(svg.find(named), named.size(), "<title>a.tif</title>");
        EXPECT_EQ(bytesOf("out/a-contour.svg"), svg);
        const Json contours = run.json().at("files").at(0).at("contours").at(0);
        for (const char* key : {"nodes", "iterations", "area", "energy"}) {
            EXPECT_EQ(contours.at(key), snake.json().at(key)) << key;
        }
    };
    makeRecipe("one.json", {contourFrom({box(10, 10, 45, 60)})});
    compare("one.json", {"--init", "10,10,45,60"}, "s.zip");
    makeRecipe("two.json", {contourFrom({box(10, 10, 45, 60), box(66, 25, 30, 50)})});
    compare("two.json", {"--init", "10,10,45,60", "--init", "66,25,30,50"}, "t.zip");
    ContoursStep apart = contourFrom({box(10, 10, 45, 60), box(66, 25, 30, 50)});
    apart.apart = 4;
    apart.spec.law = RegionLaw::gamma;
    apart.spec.minLength = 5;
    apart.spec.lengthPrice = 1.5;
    makeRecipe("apart.json", {apart});
    compare("apart.json",
            {"--init", "10,10,45,60", "--init", "66,25,30,50", "--apart", "4", "--law", "gamma", "--min-length", "5",
             "--length-price", "1.5"},
            "u.zip");
    ContoursStep slow = contourFrom({box(10, 10, 45, 60)});
    slow.spec.moves = SnakeMoves::sequential;
    slow.spec.maxRounds = 3;
    makeRecipe("slow.json", {slow});
    compare("slow.json", {"--init", "10,10,45,60", "--moves", "sequential", "--iterations", "3"}, "v.zip");
}

TEST_F(RunResults, StandBesideTheImageAndInTheSummary) {
    makeBoxes("a.tif", 0);
    FilterStep filter;
    filter.filter.criteria.push_back({AttributeId::area, 30});
    ObjectsStep objects = objectsFrom(140);
    objects.files = {ObjectFile::table};
    ContoursStep contour;
    contour.fromObjects = true;
    makeRecipe("r.json", {objects, filter, objects, contour});
    const Args args{"run", path("r.json"), path("a.tif"), "-o", path("out")};
    const Outcome table = runBinary(args);
    ASSERT_EQ(table.code, 0) << table.err;
    EXPECT_THAT(table.out, AllOf(HasSubstr("contour nodes"), HasSubstr("energy"), HasSubstr("2, 2"),
                                 HasSubstr("a.tif and 3 more"), HasSubstr("1 done, 0 failed")));
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path("out"))) {
        names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    EXPECT_THAT(names, ElementsAre("a-contour.geojson", "a-objects.csv", "a-objects2.csv", "a.tif"));
    Args withJson = args;
    withJson.emplace_back("--json");
    const Json file = runBinary(withJson).json().at("files").at(0);
    EXPECT_EQ(file.at("output_file"), path("out/a.tif"));
    EXPECT_TRUE(file.contains("kept"));
    ASSERT_EQ(file.at("objects").size(), 2U);
    EXPECT_EQ(file.at("contours").at(0).at("contours"), 2);
}

TEST_F(RunResults, RefuseNamesThatClash) {
    makeBoxes("a.tif", 0);
    fs::copy_file(path("a.tif"), path("a-objects.tif"));
    makeRecipe("r.json", {objectsFrom(140), FilterStep{}});
    const Outcome twice = runBinary({"run", path("r.json"), path("a.tif"), path("a-objects.tif"), "-o", path("out")});
    EXPECT_EQ(twice.code, 2);
    EXPECT_THAT(twice.err, IsErrorAbout("would be the result of"));
    const Outcome input = runBinary({"run", path("r.json"), path("a.tif"), path("a-objects.tif"), "-o", path(".")});
    EXPECT_EQ(input.code, 2);
    EXPECT_THAT(input.err, IsErrorAbout("is also an input"));
    EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(RunResults, NameTheStepThatFailsAndGoOn) {
    makeBoxes("a.tif", 0);
    makeImage("flat.tif", PixelType::u8, 20, 20, 1, {});
    ObjectsStep otsu;
    makeRecipe("r.json", {otsu});
    const Outcome run =
        runBinary({"run", path("r.json"), path("flat.tif"), path("a.tif"), "-o", path("out"), "--json"});
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.json().at("files").at(0).at("error").get<std::string>(),
                AllOf(HasSubstr("flat.tif: step 1 (objects): ")));
    EXPECT_TRUE(fs::exists(path("out/a-objects.csv")));
    EXPECT_FALSE(fs::exists(path("out/flat-objects.csv")));
}

TEST_F(RunResults, AreLeftAsTheyAreWhenABatchGoesOn) {
    makeBoxes("a.tif", 0);
    makeBoxes("b.tif", 9);
    ObjectsStep objects = objectsFrom(140);
    objects.files = {ObjectFile::table, ObjectFile::outlines};
    makeRecipe("r.json", {objects, FilterStep{}});
    const Args args{"run", path("r.json"), path("a.tif"), path("b.tif"), "-o", path("out"), "--resume", "--json"};
    const Json first = runBinary(args).json();
    EXPECT_EQ(first.at("done"), 2);
    EXPECT_EQ(first.at("skipped"), 0);
    const std::string table = bytesOf("out/b-objects.csv");
    // One file of b is missing, as after a killed run; the time of a's file shows whether it is written again.
    fs::remove(path("out/b-objects.csv"));
    const auto later = [&](const std::string& name) {
        fs::last_write_time(path(name), fs::last_write_time(path(name)) + std::chrono::hours(1));
        return fs::last_write_time(path(name));
    };
    const auto written = later("out/a.tif");
    const Json second = runBinary(args).json();
    EXPECT_EQ(second.at("done"), 1);
    EXPECT_EQ(second.at("skipped"), 1);
    EXPECT_TRUE(second.at("files").at(0).at("skipped"));
    EXPECT_FALSE(second.at("files").at(1).contains("skipped"));
    EXPECT_EQ(fs::last_write_time(path("out/a.tif")), written);
    EXPECT_EQ(bytesOf("out/b-objects.csv"), table);
    // A newer image or recipe makes the image due again.
    const auto age = [&](const std::string& folder) {
        for (const auto& entry : fs::directory_iterator(path(folder))) {
            fs::last_write_time(entry.path(), fs::last_write_time(entry.path()) + std::chrono::hours(2));
        }
    };
    age("out");
    EXPECT_EQ(runBinary(args).json().at("skipped"), 2);
    for (int i = 0; i < 4; ++i) {
        (void)later("a.tif");
    }
    EXPECT_EQ(runBinary(args).json().at("skipped"), 1);
    age("out");
    age("out");
    for (int i = 0; i < 9; ++i) {
        (void)later("r.json");
    }
    EXPECT_EQ(runBinary(args).json().at("done"), 2);
    Args plain = args;
    plain.erase(std::find(plain.begin(), plain.end(), "--resume"));
    age("out");
    EXPECT_EQ(runBinary(plain).json().at("done"), 2) << "without --resume all is done again";
}

TEST_F(RunResults, OfOtherOptionsAreMadeAgainWhenABatchGoesOn) {
    makeBoxes("a.tif", 0);
    makeBoxes("b.tif", 9);
    ObjectsStep objects = objectsFrom(140);
    objects.files = {ObjectFile::table};
    makeRecipe("r.json", {objects});
    const auto run = [&](const Args& files, const Args& more) {
        Args args{"run", path("r.json"), "-o", path("out"), "--json"};
        std::ranges::transform(files, std::back_inserter(args), [&](const std::string& file) { return path(file); });
        args.insert(args.end(), more.begin(), more.end());
        Outcome outcome = runBinary(args);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome;
    };
    const Args both{"a.tif", "b.tif"};
    const Args micro{"--resume", "--unit", "um", "--pixel-size", "0.5um"};
    const Args finer{"--resume", "--unit", "um", "--pixel-size", "0.25um"};
    EXPECT_EQ(run(both, {}).json().at("done"), 2);
    EXPECT_FALSE(fs::exists(path("out/.pollard-options"))) << "the default options";
    EXPECT_EQ(run(both, {"--resume"}).json().at("skipped"), 2);

    const Outcome changed = run(both, micro);
    EXPECT_EQ(changed.json().at("done"), 2);
    const std::string note = "out: results of other options than unit um, pixel size 0.5 x 0.5 x 0 µm are made again\n";
    EXPECT_THAT(changed.err, HasSubstr(note));
    EXPECT_EQ(changed.err.find(note), changed.err.rfind(note)) << "said once";
    EXPECT_THAT(bytesOf("out/b-objects.csv"), HasSubstr("area_um2"));
    EXPECT_EQ(bytesOf("out/.pollard-options"), "unit um, pixel size 0.5 x 0.5 x 0 µm\n");
    EXPECT_EQ(run(both, micro).json().at("skipped"), 2);
    const std::string before = bytesOf("out/a-objects.csv");
    EXPECT_EQ(run(both, finer).json().at("done"), 2);
    EXPECT_NE(bytesOf("out/a-objects.csv"), before) << "a quarter of the area";
    EXPECT_EQ(run(both, {"--resume"}).json().at("done"), 2);
    EXPECT_THAT(bytesOf("out/a-objects.csv"), HasSubstr("label,area,"));
    EXPECT_EQ(run(both, {"--resume"}).json().at("skipped"), 2);

    // Only one image has results of the new options.
    for (const char* source : {"a.tif", "b.tif", "r.json"}) {
        fs::last_write_time(path(source), fs::last_write_time(path(source)) - std::chrono::hours(2));
    }
    for (const char* result : {"out/a-objects.csv", "out/b-objects.csv"}) {
        fs::last_write_time(path(result), fs::last_write_time(path(result)) - std::chrono::hours(1));
    }
    EXPECT_EQ(run({"b.tif"}, {micro.begin() + 1, micro.end()}).json().at("done"), 1);
    const Json rest = run(both, micro).json();
    EXPECT_FALSE(rest.at("files").at(0).contains("skipped"));
    EXPECT_TRUE(rest.at("files").at(1).contains("skipped"));
    EXPECT_EQ(bytesOf("out/a-objects.csv"), before);
}

TEST_F(RunResults, OutlinesOfAMapAreInWhatTheRecipeSays) {
    POLLARD_NEED_PROJ();
    makeBoxes("a.tif", 0);
    const LoadedImage plain = readImage(path("a.tif"));
    PlaneFacts facts;
    facts.carried = testing::mapTags(testing::MapKeys::projected(32633), 600000, 5350000, 10, 10);
    writeTiff(path("map.tif"), {*plain.image, facts});
    facts.carried = testing::mapTags(testing::MapKeys::projected(kUserDefinedKey), 0, 0, 1, 1);
    writeTiff(path("mine.tif"), {*plain.image, facts});
    ObjectsStep objects = objectsFrom(140);
    objects.files = {ObjectFile::outlines};
    makeRecipe("pixels.json", {objects});
    EXPECT_THAT(bytesOf("pixels.json"), Not(HasSubstr("geojson_in")));
    objects.geojsonIn = GeoJsonIn::degrees;
    makeRecipe("degrees.json", {objects});
    const auto run = [&](const std::string& recipe, const std::string& name) {
        const Outcome outcome = call({"run", path(recipe), path(name + ".tif"), "-o", path("out")});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.err.find("in pixels") != std::string::npos, recipe == "degrees.json" && name == "mine");
        return bytesOf("out/" + name + "-objects.geojson");
    };
    const std::string pixels = run("pixels.json", "a");
    EXPECT_EQ(run("pixels.json", "map"), pixels);
    EXPECT_EQ(run("degrees.json", "a"), pixels);
    EXPECT_EQ(run("degrees.json", "mine"), pixels);
    const std::string degrees = run("degrees.json", "map");
    ASSERT_EQ(call({"components", path("map.tif"), "--threshold", "140", "--geojson", path("c.geojson")}).code, 0);
    EXPECT_EQ(degrees, bytesOf("c.geojson"));
    EXPECT_NE(degrees, pixels);
}

} // namespace
} // namespace pollard::cli
