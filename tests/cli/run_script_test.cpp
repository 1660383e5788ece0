// The scripts of `run --as shell`, run by a shell, write the bytes of `run`.
#include "cli_fixture.hpp"

#include "recipe/recipe.hpp"
#include "recipe/recipe_script.hpp"
#include "support/channel_files.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <sstream>
#include <sys/wait.h>

namespace pollard::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kFilter = "pollard-cli filter ";
constexpr const char* kComponents = "pollard-cli components ";
constexpr const char* kRecipe = "cat > "; ///< a recipe in a here-document

std::string bytesOf(const fs::path& file) {
    std::ostringstream bytes;
    bytes << std::ifstream(file, std::ios::binary).rdbuf();
    return bytes.str();
}

/// The bytes of the results in a folder by their names.
std::map<std::string, std::string> filesOf(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& file : fs::directory_iterator(folder)) {
        const std::string name = file.path().filename().string();
        if (file.is_regular_file() && !name.starts_with('.')) { // .pollard-options
            files[name] = bytesOf(file.path());
        }
    }
    return files;
}

class RunScript : public CliTest {
protected:
    /// Runs lines in the folder "work".
    void runInShell(const std::string& script) const {
        fs::create_directories(path("work"));
        std::ofstream(path("script.sh")) << script;
        const std::string programs = fs::path(POLLARD_CLI_BINARY).parent_path().string();
        const std::string line = "cd '" + path("work") + "' && PATH='" + programs + "':$PATH sh -e '" +
                                 path("script.sh") + "' >/dev/null 2>'" + path("problems") + "'";
        const int status = std::system(line.c_str()); // NOLINT(cert-env33-c,concurrency-mt-unsafe): it is for a shell
        ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << bytesOf(path("problems")) << script;
    }
    /// Expects that the script of a recipe writes the files of `run`.
    /// @param begins begin of the script
    void expectSame(const std::string& recipe, const std::string& image, const char* begins,
                    const Args& further = {}) const {
        for (const char* folder : {"work", "expected"}) {
            fs::remove_all(path(folder));
        }
        Args run{"run", recipe, image, "-o", path("expected")};
        run.insert(run.end(), further.begin(), further.end());
        const Outcome made = call(run);
        ASSERT_EQ(made.code, 0) << made.err;
        Args print{"run", "--as", "shell", recipe, image};
        print.insert(print.end(), further.begin(), further.end());
        const Outcome printed = call(print);
        ASSERT_EQ(printed.code, 0) << printed.err;
        EXPECT_THAT(printed.out, StartsWith(begins));
        ASSERT_NO_FATAL_FAILURE(runInShell(printed.out));
        const auto expected = filesOf(path("expected"));
        auto found = filesOf(path(std::string_view(begins) == kRecipe ? "work/results" : "work"));
        if (std::string_view(begins) == kFilter) { // the result of the command has the name of its output
            ASSERT_EQ(found.size(), 1U);
            ASSERT_EQ(expected.size(), 1U);
            EXPECT_TRUE(found.begin()->second == expected.begin()->second) << printed.out;
            return;
        }
        ASSERT_FALSE(found.empty()) << printed.out;
        for (const auto& [name, bytes] : found) {
            ASSERT_TRUE(expected.contains(name)) << name;
            EXPECT_TRUE(bytes == expected.at(name)) << name << '\n' << printed.out;
        }
        const bool hasImage = std::string_view(begins) == kRecipe; // `components` writes no image
        EXPECT_TRUE(found.size() == expected.size() || !hasImage) << printed.out;
    }
    std::string recipeOf(const std::vector<RecipeStep>& steps, const std::vector<RecipeChannel>& channels = {}) const {
        saveRecipe({"Cells and \"$HOME\" `it's`", "", "", steps, channels}, path("recipe.json"));
        return path("recipe.json");
    }
    static FilterStep keeping(const std::vector<std::string>& criteria, Output output = Output::filtered) {
        FilterStep step;
        for (const std::string& criterion : criteria) {
            step.filter.criteria.push_back(parseCriterion(criterion));
        }
        step.filter.output = output;
        return step;
    }
};

/// A recipe of a file with its sample.
struct StoredRecipe {
    fs::path file;
    const char* begins = kRecipe; ///< of its script
};
void PrintTo(const StoredRecipe& recipe, std::ostream* out) { *out << recipe.file.stem().string(); }

class StoredRecipes : public RunScript, public ::testing::WithParamInterface<StoredRecipe> {};

TEST_P(StoredRecipes, GiveTheSameBytes) {
    const fs::path file = GetParam().file;
    const fs::path samples = fs::path(POLLARD_SOURCE_DIR) / "resources/samples";
    expectSame(file.string(), (samples / loadRecipe(file).sample).string(), GetParam().begins);
}

std::vector<StoredRecipe> recipesIn(const char* folder) {
    std::vector<StoredRecipe> recipes;
    for (const auto& file : fs::directory_iterator(fs::path(POLLARD_SOURCE_DIR) / folder)) {
        const std::string name = file.path().stem().string();
        const bool isFilter = name == "nuts" || name == "screws" || name == "uneven-background" ||
                              name == "document-text" || name == "vessels" || name == "tutorial-ventricles";
        recipes.push_back({file.path(), isFilter ? kFilter : kRecipe});
    }
    std::ranges::sort(recipes, {}, &StoredRecipe::file);
    return recipes;
}

std::string nameOf(const ::testing::TestParamInfo<StoredRecipe>& recipe) {
    std::string name = recipe.param.file.stem().string();
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Tutorials, StoredRecipes, ::testing::ValuesIn(recipesIn("tests/recipes")), nameOf);
INSTANTIATE_TEST_SUITE_P(Presets, StoredRecipes, ::testing::ValuesIn(recipesIn("resources/presets")), nameOf);

TEST_F(RunScript, IsACommandForEveryParameterOfAFilter) {
    const auto image = makeImage("a.tif", PixelType::u8, 40, 30, 12);
    for (const Output output : kAllOutputs) {
        for (const Rule rule : kAllRules) {
            FilterStep filter = keeping({"area>=4", "height>=2"}, output);
            filter.filter.rule = rule;
            filter.filter.match = Match::any;
            const auto recipe = recipeOf({TreeStep{TreeKind::min, Connectivity::eight}, filter});
            ASSERT_NO_FATAL_FAILURE(expectSame(recipe, path("a.tif"), kFilter)) << nameOf(rule);
        }
    }
    FilterStep prominent;
    prominent.filter.prominent = Prominent{Prominence::extinctionArea, 5};
    expectSame(recipeOf({prominent}), path("a.tif"), kFilter);
    RegionStep none;
    expectSame(recipeOf({none, FilterStep{}, keeping({"2<=area<=9"})}), path("a.tif"), kFilter);
}

TEST_F(RunScript, ReadsAsTheRecipeDoes) {
    makePages("pages.tif", 3);
    makeImage("a.tif", PixelType::u16, 40, 30, 900);
    const FilterStep filter = keeping({"area>=4"});
    ReadStep page;
    page.page = 2;
    expectSame(recipeOf({page, filter}), path("pages.tif"), kFilter);
    ReadStep part;
    part.region = PixelRegion{3, 4, 30, 20};
    part.shrink = 2;
    expectSame(recipeOf({part, filter}), path("a.tif"), kFilter);
    std::ofstream raw(path("a.raw"), std::ios::binary);
    for (int i = 0; i < 1200; ++i) {
        const auto value = static_cast<float>(i * 37 % 101) / 7 - 5;
        raw.write(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    raw.close();
    ReadStep layout;
    layout.raw = RawLayout{40, 30, RawLayout::SampleType::f32};
    expectSame(recipeOf({layout, filter}), path("a.raw"), kFilter);
    expectSame(recipeOf({layout, keeping({"level>=0.5"}, Output::residue)}), path("a.raw"), kFilter);
    for (const MappingChoice::Range range : {MappingChoice::Range::minMax, MappingChoice::Range::fixed}) {
        layout.range = {range, -2.5, 6.125};
        expectSame(recipeOf({layout, keeping({"height>=1.5"})}), path("a.raw"), kFilter);
    }
    layout.range = {MappingChoice::Range::percentile, 0.01, 0.9};
    expectSame(recipeOf({layout, filter}), path("a.raw"), kRecipe);
    ReadStep volume;
    volume.volume = true;
    const TreeStep tree{TreeKind::max, Connectivity::eighteen};
    expectSame(recipeOf({volume, tree, keeping({"area>=30"})}), path("pages.tif"), kFilter);
    volume.region = PixelRegion{1, 0, 3, 4};
    volume.slices = SliceRange{1, 2};
    expectSame(recipeOf({volume, tree, keeping({"area>=2"})}), path("pages.tif"), kFilter);
    volume.region.reset();
    expectSame(recipeOf({volume, tree, keeping({"area>=2"})}), path("pages.tif"), kRecipe);
    ReadStep axes;
    axes.axes = "z3";
    axes.at = parseSelection("z=max");
    expectSame(recipeOf({axes, filter}), path("pages.tif"), kFilter);
    axes.at = parseSelection("z=each");
    expectSame(recipeOf({axes, filter}), path("pages.tif"), kRecipe);
}

TEST_F(RunScript, HasTheSizeOfPixelsAndTheirUnits) {
    makeImage("a.tif", PixelType::u8, 40, 30, 12);
    const auto recipe = recipeOf({keeping({"area>=2um2"})});
    expectSame(recipe, path("a.tif"), kFilter, {"--pixel-size", "0.5x0.625um"});
    expectSame(recipeOf({keeping({"area>=2um2"}), ObjectsStep{}}), path("a.tif"), kRecipe, {"--pixel-size", "0.5um"});
    ReadStep sized;
    sized.pixelSize = PixelSize{0.25, 0.25, "µm", "", false, 0};
    expectSame(recipeOf({sized, keeping({"area>=2um2"})}), path("a.tif"), kFilter);
}

TEST_F(RunScript, FiltersChannels) {
    test::writeChannelPages(path("cells.ome.tif"), {{"DAPI", {}, {}, {}}, {"GFP 2", {}, {}, {}}}, 40, 30,
                            [](int channel, std::uint32_t x, std::uint32_t y) {
                                return static_cast<int>((x * 31 + y * 17 + static_cast<std::uint32_t>(channel) * 7) %
                                                        97);
                            });
    ReadStep read;
    read.at = parseSelection("channel=\"GFP 2\"");
    expectSame(recipeOf({read, keeping({"area>=4"})}), path("cells.ome.tif"), kFilter);
    read.at = parseSelection("channel=ratio(DAPI,\"GFP 2\")");
    expectSame(recipeOf({read, keeping({"area>=4"})}), path("cells.ome.tif"), kFilter);
    read.at = parseSelection("channel=DAPI");
    expectSame(recipeOf({read, keeping({"area>=4"})}, {{"GFP 2", keeping({"area>=9"}).filter}}), path("cells.ome.tif"),
               kRecipe);
}

TEST_F(RunScript, IsACommandForObjectsIfItHasTheOptions) {
    makeImage("a.tif", PixelType::u8, 60, 40, 6);
    ObjectsStep objects;
    objects.files = {ObjectFile::table, ObjectFile::outlines};
    expectSame(recipeOf({objects}), path("a.tif"), kComponents);
    objects.of = StepImage::original;
    objects.rule = {{}, std::nullopt, false, {}, Connectivity::four};
    objects.rule.values = parseValueBounds("2:4");
    objects.rule.fillHoles = true;
    objects.rule.withoutBorder = true;
    objects.condition = "area >= 3 && circularity > 0.2";
    expectSame(recipeOf({FilterStep{}, objects}), path("a.tif"), kComponents);
    ObjectsStep faint;
    faint.rule.above = BackgroundThreshold{1.5, 16};
    expectSame(recipeOf({faint}), path("a.tif"), kComponents);
    ObjectsStep other = objects;
    other.order = ObjectFeature::area;
    expectSame(recipeOf({other}), path("a.tif"), kRecipe);
    other = objects;
    other.columns = {"label", "border"};
    expectSame(recipeOf({other}), path("a.tif"), kRecipe);
    other = objects;
    other.files.push_back(ObjectFile::labels);
    expectSame(recipeOf({other}), path("a.tif"), kRecipe);
    expectSame(recipeOf({keeping({"area>=3"}), objects}), path("a.tif"), kRecipe);
}

TEST_F(RunScript, IsARecipeForAllOtherWork) {
    const auto image = makeImage("a.tif", PixelType::u8, 40, 30, 12);
    FilterStep picks = keeping({"area>=4"});
    picks.filter.removed = {17, 403};
    expectSame(recipeOf({picks}), path("a.tif"), kRecipe);
    const RegionStep region{{{RegionShape::Kind::ellipse, {{3, 3}, {30, 25}}}}, true};
    expectSame(recipeOf({region, keeping({"area>=4"})}), path("a.tif"), kRecipe);
    expectSame(recipeOf({keeping({"area>=4"}), TreeStep{TreeKind::min, Connectivity::four}, keeping({"area>=6"})}),
               path("a.tif"), kRecipe);
    ContoursStep contours;
    contours.starts = {{RegionShape::Kind::rectangle, {{10, 10}, {30, 20}}}};
    contours.files = {ContourFile::outline, ContourFile::mask, ContourFile::trace};
    expectSame(recipeOf({contours}), path("a.tif"), kRecipe);
}

TEST_F(RunScript, TakesHostileNames) {
    for (const std::string name :
         {"a b", "it's", "$HOME `id`", "back\\slash", "\"quoted\"", "-leading", "new\nline", "Zähne 歯", "%s%n",
          "stars*and?", "END_OF_RECIPE", "a[1]", "#comment", "~", "tab\t", "!x", "; exit 1"}) {
        const std::string file = path(name + ".tif");
        makeImage(name + ".tif", PixelType::u8, 20, 16, 9);
        ASSERT_NO_FATAL_FAILURE(expectSame(recipeOf({keeping({"area>=3"})}), file, kFilter)) << name;
        ASSERT_NO_FATAL_FAILURE(expectSame(recipeOf({keeping({"area>=3"}), ObjectsStep{}}), file, kRecipe)) << name;
    }
}

TEST_F(RunScript, NamesAFileOfThePresentFolder) {
    makeImage("-a.tif", PixelType::u8, 20, 16, 9);
    fs::create_directories(path("work"));
    fs::copy(path("-a.tif"), path("work/-a.tif"));
    const Outcome printed = call({"run", recipeOf({keeping({"area>=3"})}), "--as", "shell", "--", "-a.tif"});
    ASSERT_EQ(printed.code, 0) << printed.err;
    EXPECT_EQ(printed.out, "pollard-cli filter ./-a.tif --keep 'area>=3' -o ./-a_filtered.tif\n");
    ASSERT_NO_FATAL_FAILURE(runInShell(printed.out));
    EXPECT_TRUE(fs::exists(path("work/-a_filtered.tif")));
}

TEST_F(RunScript, TakesSeveralImages) {
    makeImage("a.tif", PixelType::u8, 20, 16, 9);
    makePages("pages.tif", 3);
    const std::string recipe = recipeOf({keeping({"area>=3"})});
    const Outcome printed =
        call({"run", recipe, path("a.tif"), path("pages.tif") + "[1]", "--as", "shell", "-o", "my results"});
    ASSERT_EQ(printed.code, 0) << printed.err;
    ASSERT_NO_FATAL_FAILURE(runInShell(printed.out));
    ASSERT_EQ(call({"run", recipe, path("a.tif"), path("pages.tif") + "[1]", "-o", path("expected")}).code, 0);
    EXPECT_EQ(filesOf(path("work/my results")), filesOf(path("expected")));
    EXPECT_EQ(filesOf(path("expected")).size(), 2U);
}

TEST_F(RunScript, IsPrintedForPythonToo) {
    const Args run{"run", "preset:nuts", "nuts and screws.tif", "--as", "python"};
    const Outcome printed = call(run);
    ASSERT_EQ(printed.code, 0) << printed.err;
    EXPECT_THAT(printed.out, StartsWith("import pollard_morphology as pollard\n"));
    EXPECT_THAT(printed.out, HasSubstr("\nrecipe.write(\"nuts and screws.tif\", \"results\")\n"));
    Args json = run;
    json.emplace_back("--json");
    EXPECT_EQ(call(json).json()["script"], printed.out);
}

TEST_F(RunScript, RefusesOptionsThatAScriptDoesNotHave) {
    const std::vector<Args> all{
        {"--jobs", "2"}, {"--resume"}, {"--unit", "um"}, {"--table", "t.csv"}, {"--csv", "s.csv"}};
    for (const Args& options : all) {
        Args run{"run", "preset:nuts", "a.tif", "--as", "python"};
        run.insert(run.end(), options.begin(), options.end());
        const Outcome outcome = call(run);
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, IsErrorAbout("--as: leave out " + options.front()));
    }
    EXPECT_EQ(call({"run", "preset:nuts", "a.tif", "--as", "perl"}).code, 2);
    EXPECT_EQ(call({"run", "preset:nuts", "--as", "shell"}).code, 2) << "no image";
}

} // namespace
} // namespace pollard::cli
