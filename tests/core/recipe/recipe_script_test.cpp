// The texts of scripts; tests/cli and tests/python run them.
#include "recipe/recipe_script.hpp"

#include "filter/filter_spec.hpp"
#include "image/region_shape.hpp"
#include "image/value_mapping.hpp"
#include "recipe/recipe.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace pollard {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

FilterStep keeping(const char* criterion) {
    FilterStep step;
    step.filter.criteria = {parseCriterion(criterion)};
    return step;
}

ScriptWork workOf(const std::vector<RecipeStep>& steps, const char* image = "/data/cells.tif") {
    return {{"Cells", "", "", steps}, {{image}}};
}

TEST(RecipeScript, QuotesArgumentsOfAShell) {
    EXPECT_EQ(shellQuoted("area/a_b-c.tif"), "area/a_b-c.tif");
    EXPECT_EQ(shellQuoted(""), "''");
    EXPECT_EQ(shellQuoted("area>=100"), "'area>=100'");
    EXPECT_EQ(shellQuoted("it's"), "'it'\\''s'");
    EXPECT_EQ(shellQuoted("a\nb"), "'a\nb'");
    EXPECT_EQ(shellQuoted("é"), "'é'");
    EXPECT_EQ(shellQuoted("~"), "'~'");
}

TEST(RecipeScript, HasTheOptionsOfRegions) {
    const auto scriptOf = [](const auto& change) {
        ObjectsStep step;
        change(step.rule);
        return shellScript(workOf({step}));
    };
    EXPECT_EQ(scriptOf([](ObjectRule& rule) {
                  rule.best = BestRule{50, LengthUnit::micrometre, .5, {{3, 4, true}, {5, 6, false}}, {.misfit = -2.5}};
                  rule.dark = true;
              }),
              "pollard-cli components /data/cells.tif --best --size '50 um2' --strictness 0.5 --weights misfit=-2.5 "
              "--keep 3,4 --drop 5,6 "
              "--dark --connectivity 8 --csv cells-objects.csv\n");
    EXPECT_EQ(scriptOf([](ObjectRule& rule) {
                  rule.watershed = WatershedRule{Relief::distance, SeedMeasure::dynamics, 1.5, Relief::levels, true};
              }),
              "pollard-cli components /data/cells.tif --watershed distance --seeds 'dynamics>=1.5' --seeds-of levels "
              "--lines --threshold otsu --connectivity 8 --csv cells-objects.csv\n");
    EXPECT_EQ(scriptOf([](ObjectRule& rule) {
                  rule.watershed = WatershedRule{.relief = Relief::gradient, .least = 4, .everywhere = true};
              }),
              "pollard-cli components /data/cells.tif --watershed gradient --seeds h=4 --connectivity 8 "
              "--csv cells-objects.csv\n");
    EXPECT_EQ(scriptOf([](ObjectRule& rule) {
                  rule.hierarchy = HierarchyRule{Strength::volume, EdgeWeight::maximum, 2.5};
                  rule.hierarchy->sizes = {5, 90};
              }),
              "pollard-cli components /data/cells.tif --hierarchy volume --weight maximum --above 2.5 --sizes 5:90 "
              "--connectivity 8 --csv cells-objects.csv\n");
    EXPECT_THAT(scriptOf([](ObjectRule& rule) {
                    rule.watershed = WatershedRule{};
                    rule.dark = true; // of Otsu's threshold, too
                }),
                HasSubstr("pollard-cli run"));
}

TEST(RecipeScript, IsTheCommandThatAPersonTypes) {
    EXPECT_EQ(shellScript(workOf({keeping("area>=4000")})),
              "pollard-cli filter /data/cells.tif --keep 'area>=4000' -o cells_filtered.tif\n");
    FilterStep residue = keeping("area>=20");
    residue.filter.criteria.push_back(parseCriterion("level>=-12.5HU"));
    residue.filter.output = Output::residue;
    residue.filter.match = Match::any;
    residue.filter.rule = Rule::subtractive;
    ReadStep read;
    read.page = 2;
    read.channel = ChannelChoice::parse("green");
    read.range = {MappingChoice::Range::fixed, -5, 300.25};
    EXPECT_EQ(shellScript(workOf({read, TreeStep{TreeKind::min, Connectivity::eight}, residue})),
              "pollard-cli filter '/data/cells.tif[2]' --channel green --range=-5:300.25 --tree min --connectivity 8 "
              "--keep 'area>=20' --keep 'level>=-12.5HU' --match any --rule subtractive --output residue "
              "-o cells_residue.tif\n");
    ScriptWork sized = workOf({keeping("area>=3um2")});
    sized.pixelSize = PixelSize{0.5, 0.25, "µm", "", false, 2};
    EXPECT_THAT(shellScript(sized), HasSubstr(" --pixel-size 0.5x0.25x2um "));
    EXPECT_EQ(shellScript(workOf({ObjectsStep{}})),
              "pollard-cli components /data/cells.tif --threshold otsu --connectivity 8 --csv cells-objects.csv\n");
}

TEST(RecipeScript, IsARecipeIfACommandLacksAnOption) {
    FilterStep ofLevels = keeping("height>=20");
    ofLevels.filter.criteria.front().grey = kLevels;
    FilterStep picked = keeping("area>=20");
    picked.filter.removed = {7};
    ReadStep all;
    all.channel = ChannelChoice::parse("all");
    const RegionStep region{{{RegionShape::Kind::rectangle, {{1, 1}, {5, 5}}}}, false};
    for (const std::vector<RecipeStep>& steps : {std::vector<RecipeStep>{FilterStep{}},
                                                 {ofLevels},
                                                 {picked},
                                                 {all, keeping("area>=2")},
                                                 {region, keeping("area>=2")},
                                                 {keeping("area>=2"), keeping("area>=3")},
                                                 {keeping("area>=2"), ObjectsStep{}}}) {
        const ScriptWork work = workOf(steps);
        EXPECT_EQ(shellScript(work), "cat > Cells.json <<'END_OF_RECIPE'\n" + toJson(work.recipe) +
                                         "END_OF_RECIPE\npollard-cli run Cells.json /data/cells.tif -o results\n");
    }
    ScriptWork several = workOf({keeping("area>=2")});
    several.images.push_back({"-b.tif", 3});
    several.recipe.name = "-/x";
    EXPECT_THAT(shellScript(several), StartsWith("cat > ./-_x.json <<"));
    EXPECT_THAT(shellScript(several), EndsWith("run ./-_x.json /data/cells.tif './-b.tif[3]' -o results\n"));
}

TEST(RecipeScript, WritesLiteralsOfPython) {
    const auto literalOf = [](const std::string& path) {
        const std::string script = pythonScript(workOf({keeping("area>=2")}, path.c_str()));
        const std::size_t begin = script.find("recipe.write(") + 13;
        return script.substr(begin, script.find(", \"results\")\n", begin) - begin);
    };
    EXPECT_EQ(literalOf("a b.tif"), "\"a b.tif\"");
    EXPECT_EQ(literalOf("\"a\\b\".tif"), "\"\\\"a\\\\b\\\".tif\"");
    EXPECT_EQ(literalOf("a\nb\x7f"), "\"a\\x0ab\\x7f\"");
    EXPECT_EQ(literalOf("Zähne 歯 🦷"), "\"Zähne 歯 🦷\"");
    EXPECT_EQ(literalOf("\xe9t\xc3"), "\"\\udce9t\\udcc3\"");
    EXPECT_EQ(literalOf("\xc0\xaf"), "\"\\udcc0\\udcaf\"") << "not in the shortest form";
    EXPECT_EQ(literalOf("\xed\xa0\x80"), "\"\\udced\\udca0\\udc80\"") << "a surrogate";
    EXPECT_EQ(literalOf("\xf4\x90\x80\x80"), "\"\\udcf4\\udc90\\udc80\\udc80\"") << "beyond Unicode";
    EXPECT_EQ(literalOf("\xe0\x80\x80"), "\"\\udce0\\udc80\\udc80\"");
    EXPECT_EQ(literalOf("\xf0\x80\x80\x80"), "\"\\udcf0\\udc80\\udc80\\udc80\"");
}

TEST(RecipeScript, HasTheRecipeInPython) {
    ScriptWork work = workOf({keeping("area>=2")});
    EXPECT_EQ(pythonScript(work), "import pollard_morphology as pollard\n\nrecipe = pollard.Recipe(r\"\"\"\n" +
                                      toJson(work.recipe) +
                                      "\"\"\")\nrecipe.write(\"/data/cells.tif\", \"results\")\n");
    work.recipe.name = R"(""" \""" ''' \)";
    const std::string script = pythonScript(work);
    EXPECT_THAT(script, HasSubstr(toJson(work.recipe)));
    const std::size_t end = script.find("\"\"\")\n");
    EXPECT_EQ(script.find("\"\"\""), script.find("r\"\"\"") + 1);
    EXPECT_EQ(script.find("\"\"\"", script.find("r\"\"\"") + 4), end) << "the text ends at its end";
    work.images.push_back({"b.tif", 4});
    work.pixelSize = PixelSize{0.5, 0.5, "µm", "", false, 0};
    EXPECT_THAT(pythonScript(work), HasSubstr("recipe.write(\"b.tif\", \"results\", page=4)\n"));
    EXPECT_THAT(pythonScript(work), HasSubstr("\"pixel_size\": {"));
}

TEST(RecipeScript, BeginsWithWhatIsMissing) {
    ScriptWork work = workOf({keeping("area>=2")});
    work.missing = {"The tracks are missing.", "Two\nlines."};
    for (const std::string& script : {shellScript(work), pythonScript(work)}) {
        EXPECT_THAT(script, StartsWith("# The tracks are missing.\n# Two lines.\n"));
    }
}

} // namespace
} // namespace pollard
