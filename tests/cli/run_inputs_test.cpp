// Expansion of run's inputs, and files after a killed run.
#include "cli_fixture.hpp"

#include "options/named_files.hpp"
#include "recipe/recipe.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace pollard::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RunInputs : public CliTest {
protected:
    void SetUp() override {
        FilterStep step;
        step.filter.criteria.push_back({AttributeId::area, 5});
        saveRecipe({"Test", "", "", {step}}, path("r.json"));
        fs::create_directories(path("in/further"));
        for (const char* name : {"in/b.tif", "in/a.TIF", "in/c10.tif", "in/c2.tif", "in/further/d.tif"}) {
            makeImage(name, PixelType::u8, 20, 16, 200);
        }
        std::ofstream(path("in/notes.txt")) << "no image";
    }
    [[nodiscard]] std::string bytesOf(const std::string& name) const {
        std::ifstream file(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

TEST_F(RunInputs, OfAFolderAreItsImagesInOrder) {
    EXPECT_THAT(expandInputs({path("in")}),
                ElementsAre(path("in/a.TIF"), path("in/b.tif"), path("in/c10.tif"), path("in/c2.tif")));
    const Outcome outcome = call({"run", path("r.json"), path("in"), "-o", path("out"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["done"], 4);
    EXPECT_TRUE(fs::exists(path("out/c2.tif")));
    EXPECT_FALSE(fs::exists(path("out/d.tif")));
}

TEST_F(RunInputs, WithStarsAndQuestionMarksAreTheFilesThatMatch) {
    EXPECT_THAT(expandInputs({path("in/c?.tif"), path("in/*.T*")}), ElementsAre(path("in/c2.tif"), path("in/a.TIF")));
    EXPECT_THAT(expandInputs({path("in/c*0*.tif")}), ElementsAre(path("in/c10.tif")));
    EXPECT_THAT(expandInputs({path("in/**ot**s.*xt")}), ElementsAre(path("in/notes.txt"))) << "it was asked for";
    makeImage("in/x*.tif", PixelType::u8, 5, 5, 9);
    EXPECT_THAT(expandInputs({path("in/x*.tif")}), ElementsAre(path("in/x*.tif"))) << "a file of that name";
    EXPECT_THAT(expandInputs({"any.tif", "stack.tif[3]"}), ElementsAre("any.tif", "stack.tif[3]"))
        << "looked for later";
}

TEST_F(RunInputs, HaveThePixelSizeThatIsSaid) {
    EXPECT_EQ(call({"run", path("r.json"), path("in"), "-o", path("out"), "--pixel-size", "0.5um"}).code, 0);
    const Outcome wrong = call({"run", path("r.json"), path("in"), "-o", path("none"), "--pixel-size", "0.5"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, IsErrorAbout("--pixel-size: '0.5': must be a length"));
    EXPECT_FALSE(fs::exists(path("none"))) << "before anything is done";
}

TEST_F(RunInputs, WithoutAnImageAreRefusedBeforeAnythingIsDone) {
    fs::create_directories(path("empty"));
    for (const std::string& input : {path("empty"), path("in/*.nothing")}) {
        const Outcome outcome = call({"run", path("r.json"), input, "-o", path("out")});
        EXPECT_EQ(outcome.code, 2) << input;
        EXPECT_THAT(outcome.err, HasSubstr("no image in " + input));
    }
    EXPECT_EQ(call({"run", path("r.json"), path("nowhere/*.tif"), "-o", path("out")}).code, 1);
    EXPECT_FALSE(fs::exists(path("out")));
}

// After a kill at any time existing files are complete, and --resume makes the others.
TEST_F(RunInputs, ThatARunDidNotComeToAreDoneByTheNextOne) {
    constexpr int kImages = 8;
    for (int i = 0; i < kImages; ++i) {
        makeImage("many" + std::to_string(i) + ".tif", PixelType::u16, 300, 200 + static_cast<std::uint32_t>(i), 60000);
    }
    const std::string all = path("many*.tif");
    ASSERT_EQ(call({"run", path("r.json"), all, "-o", path("whole")}).code, 0);
    for (const int milliseconds : {80, 250}) {
        const std::string out = "out" + std::to_string(milliseconds);
        static_cast<void>(
            interruptBinary({"run", path("r.json"), all, "-o", path(out), "--jobs", "2"}, milliseconds, SIGKILL));
        int there = 0;
        for (int i = 0; i < kImages; ++i) {
            const std::string name = "/many" + std::to_string(i) + ".tif";
            if (fs::exists(path(out + name))) {
                EXPECT_EQ(bytesOf(out + name), bytesOf("whole" + name)) << name;
                ++there;
            }
        }
        const Outcome rest = call({"run", path("r.json"), all, "-o", path(out), "--resume", "--json"});
        ASSERT_EQ(rest.code, 0) << rest.err;
        EXPECT_EQ(rest.json()["done"], kImages - there);
        for (int i = 0; i < kImages; ++i) {
            const std::string name = "/many" + std::to_string(i) + ".tif";
            EXPECT_EQ(bytesOf(out + name), bytesOf("whole" + name)) << name;
        }
    }
}

} // namespace
} // namespace pollard::cli
