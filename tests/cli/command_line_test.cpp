#include "cli_fixture.hpp"
#include "cpu/cpu_engine.hpp"
#include "program.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace pollard::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(GroupedNumber, HasACommaBetweenThreeDigitsOnly) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(123), "123");
    EXPECT_EQ(grouped(1234), "1,234");
    EXPECT_EQ(grouped(123456), "123,456");
    EXPECT_EQ(grouped(1234567), "1,234,567");
}

/// A command line with placeholders: IMAGE for an existing image, OUT for a TIFF and FOLDER for the test's folder.
struct Line {
    const char* title;
    Args args;
    int code;
    const char* about;
};

void PrintTo(const Line& line, std::ostream* out) { *out << line.title; }

class CommandLine : public CliTest, public ::testing::WithParamInterface<Line> {
protected:
    [[nodiscard]] Args filledIn() const {
        Args args = GetParam().args;
        for (std::string& arg : args) {
            for (const auto& [placeholder, name] :
                 {std::pair{"IMAGE", "image.tif"}, std::pair{"OUT", "out.tif"}, std::pair{"FOLDER", ""}}) {
                if (const std::size_t at = arg.find(placeholder); at != std::string::npos) {
                    arg.replace(at, std::string(placeholder).size(), path(name));
                }
            }
        }
        return args;
    }
};

TEST_P(CommandLine, FailsWithItsCodeAndOneClearLineAndLeavesNothing) {
    (void)makeImage("image.tif", PixelType::u8, 16, 9, 20);
    std::ofstream(path("empty.tif"));
    std::ofstream(path("text.tif")) << "these are no pixels\n";
    const auto before = filesInFolder();
    const Outcome outcome = runBinary(filledIn());
    EXPECT_EQ(outcome.code, GetParam().code) << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, IsErrorAbout(GetParam().about));
    if (GetParam().code == 1) {
        EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    }
    EXPECT_EQ(filesInFolder(), before);
}

const char* const kKeep = "area>=5";

INSTANTIATE_TEST_SUITE_P(
    Usage, CommandLine,
    ::testing::Values(
        Line{"NoCommand", {}, 2, "command: none given"}, Line{"UnknownCommand", {"prune"}, 2, "'prune'"},
        Line{"UnknownOption", {"info", "IMAGE", "--colour"}, 2, "'--colour'"},
        Line{"NoImage", {"info"}, 2, "IMAGE is required"},
        Line{"TwoImages", {"tree", "IMAGE", "IMAGE"}, 2, "one too many"},
        Line{"NoOutput", {"filter", "IMAGE", "--keep", kKeep}, 2, "--out is required"},
        Line{"NoCriterion",
             {"filter", "IMAGE", "-o", "OUT"},
             2,
             "--keep, --prominent, --forest, --remove or --only-at is required"},
        Line{"OnlyKeepAt", {"filter", "IMAGE", "-o", "OUT", "--keep-at", "1,1"}, 2, "everything is kept anyway"},
        Line{"NoPixel", {"filter", "IMAGE", "-o", "OUT", "--remove", "1;1"}, 2, "'1;1': expected a pixel X,Y"},
        Line{"NegativePixel", {"filter", "IMAGE", "-o", "OUT", "--remove=-1,1"}, 2, "'-1,1': expected a pixel X,Y"},
        Line{"PixelAndMore", {"filter", "IMAGE", "-o", "OUT", "--remove", "1,1,1"}, 2, "'1,1,1': expected a pixel"},
        Line{"NoMeasure", {"filter", "IMAGE", "-o", "OUT", "--prominent", "20"}, 2, "expected MEASURE:COUNT"},
        Line{"UnknownMeasure", {"filter", "IMAGE", "-o", "OUT", "--prominent", "area:2"}, 2, "unknown measure 'area'"},
        Line{"NoCount", {"filter", "IMAGE", "-o", "OUT", "--prominent", "dynamics:-2"}, 2, "'-2' is no count"},
        Line{"BadCriterion", {"filter", "IMAGE", "-o", "OUT", "--keep", "area>>5"}, 2, "'area>>5'"},
        Line{"UnknownAttribute", {"filter", "IMAGE", "-o", "OUT", "--keep", "size>=5"}, 2, "unknown attribute 'size'"},
        Line{"UnknownColumn", {"tree", "IMAGE", "--attributes", "area,size"}, 2, "'size'"},
        Line{"UnknownRule",
             {"filter", "IMAGE", "-o", "OUT", "--keep", kKeep, "--rule", "median"},
             2,
             "'median': unknown (there are direct, min, max, viterbi, subtractive)"},
        Line{"UnknownOutput",
             {"filter", "IMAGE", "-o", "OUT", "--keep", kKeep, "--output", "count"},
             2,
             "'count': unknown (there are filtered, residue, mask, labels)"},
        Line{"UnknownMatch", {"filter", "IMAGE", "-o", "OUT", "--keep", kKeep, "--match", "none"}, 2, "'none'"},
        Line{"UnknownEngine", {"tree", "IMAGE", "--engine", "abacus"}, 2, "'abacus'"},
        Line{"UnknownAlgorithm", {"tree", "IMAGE", "--algorithm", "magic"}, 2, "'magic'"},
        Line{"UnknownTree", {"tree", "IMAGE", "--tree", "mid"}, 2, "mid"},
        Line{"Connectivity6", {"tree", "IMAGE", "--connectivity", "6"}, 2, "6"},
        Line{"NegativeThreads", {"tree", "IMAGE", "--threads", "-1"}, 2, "--threads"},
        Line{"ThreadsNoNumber", {"tree", "IMAGE", "--threads", "many"}, 2, "--threads"},
        Line{"MemoryLimitNoNumber", {"tree", "IMAGE", "--memory-limit", "much"}, 2, "--memory-limit"},
        Line{"ChannelNoName", {"info", "IMAGE", "--channel", "?"}, 2, "channel: ?"},
        Line{"UnknownFunction", {"info", "IMAGE", "--channel", "purple(1)"}, 2, "purple"},
        Line{"HugePage", {"info", "IMAGE[99999999999999]"}, 2, "99999999999999"},
        Line{"NotTiffOut", {"filter", "IMAGE", "-o", "FOLDERout.gif", "--keep", kKeep}, 2, "must end in .tif"},
        Line{"OutIsInput", {"filter", "IMAGE", "-o", "FOLDER./image.tif", "--keep", kKeep}, 2, "the input"},
        Line{"TwoOutputsOneFile", {"tree", "IMAGE", "--nodes", "OUT", "--parent", "OUT"}, 2, "the node table"},
        Line{"BenchDepth", {"bench", "IMAGE", "--bits", "12"}, 2, "'12'"},
        Line{"BenchNoDepth", {"bench", "IMAGE", "--bits", ","}, 2, "bits"},
        Line{"BenchSize", {"bench", "--size", "0x5"}, 2, "'0x5'"},
        Line{"BenchSizeText", {"bench", "--size", "big"}, 2, "'big'"},
        Line{"BenchOneBadSize", {"bench", "--size", "64x64,64"}, 2, "'64'"},
        Line{"BenchNoSize", {"bench", "--size", ","}, 2, "size"},
        Line{"BenchConnectivity", {"bench", "IMAGE", "--connectivity", "4,6"}, 2, "'6'"},
        Line{"BenchNoConnectivity", {"bench", "IMAGE", "--connectivity", ","}, 2, "connectivity"},
        Line{"BenchGrid", {"bench", "IMAGE", "--grid", "on,maybe"}, 2, "'maybe'"},
        Line{"BenchNoGrid", {"bench", "IMAGE", "--grid", ","}, 2, "grid"},
        Line{"BenchStream", {"bench", "IMAGE", "--stream", "-1"}, 2, "--stream"},
        Line{"TreeGrid", {"tree", "IMAGE", "--grid", "maybe"}, 2, "--grid"},
        Line{"FilterGrid", {"filter", "IMAGE", "-o", "OUT", "--keep", kKeep, "--grid", "maybe"}, 2, "--grid"},
        Line{"BenchRepeat", {"bench", "IMAGE", "--repeat", "0"}, 2, "--repeat"},
        Line{"BenchAlgorithm", {"bench", "IMAGE", "--algorithms", "magic"}, 2, "'magic'"}),
    [](const auto& line) { return line.param.title; });

INSTANTIATE_TEST_SUITE_P(
    Work, CommandLine,
    ::testing::Values(
        Line{"MissingFile", {"info", "FOLDERnone.tif"}, 1, "none.tif: no such file"},
        Line{"MissingPageOfMissingFile", {"info", "FOLDERnone.tif[2]"}, 1, "none.tif: no such file"},
        Line{"Directory", {"info", "FOLDER"}, 1, "folder"}, Line{"Empty", {"info", "FOLDERempty.tif"}, 1, "empty"},
        Line{"Text", {"info", "FOLDERtext.tif"}, 1, "text.tif"},
        Line{"FilterOfText", {"filter", "FOLDERtext.tif", "-o", "OUT", "--keep", kKeep}, 1, "text.tif"},
        Line{"PickOutside", {"filter", "IMAGE", "-o", "OUT", "--remove", "16,0"}, 1, "outside the image of 16 x 9 px"},
        Line{"NoSuchPage", {"info", "IMAGE[1]"}, 1, "page 1"},
        Line{"NoSuchChannel", {"info", "IMAGE", "--channel", "3"}, 1, "channel 3"},
        Line{"UnknownChannel", {"info", "IMAGE", "--channel", "purple"}, 1, "there are: channel 0"},
        Line{"NoOutputFolder", {"filter", "IMAGE", "-o", "FOLDERno/out.tif", "--keep", kKeep}, 1, "does not exist"},
        Line{"FileAsFolder", {"filter", "IMAGE", "-o", "FOLDERempty.tif/out.tif", "--keep", kKeep}, 1, "not a folder"},
        Line{"NoTableFolder", {"tree", "IMAGE", "--nodes", "FOLDERno/n.csv"}, 1, "does not exist"},
        Line{"TableIsFolder", {"tree", "IMAGE", "--nodes", "FOLDER"}, 1, "folder"},
        Line{"NoParentFolderAfterTable",
             {"tree", "IMAGE", "--nodes", "FOLDERn.csv", "--parent", "FOLDERno/p.tif"},
             1,
             "does not exist"},
        Line{"NoBenchFolder", {"bench", "IMAGE", "--csv", "FOLDERno/b.csv"}, 1, "does not exist"},
        Line{"MissingBenchImage", {"bench", "IMAGE", "FOLDERnone.tif"}, 1, "none.tif"}),
    [](const auto& line) { return line.param.title; });

class Cli : public CliTest {};

TEST_F(Cli, HelpAndVersionGoToStandardOutput) {
    const Outcome version = runBinary({"--version"});
    EXPECT_EQ(version.code, 0);
    EXPECT_THAT(version.out, ::testing::MatchesRegex("pollard-cli [0-9]+\\.[0-9]+\\.[0-9]+\n"));
    for (const std::string command : {"", "engines", "info", "tree", "algorithms", "filter", "bench"}) {
        const Outcome help = runBinary(command.empty() ? Args{"--help"} : Args{command, "--help"});
        EXPECT_EQ(help.code, 0) << command;
        EXPECT_THAT(help.out, HasSubstr("Usage: pollard-cli" + (command.empty() ? "" : " " + command)));
        EXPECT_THAT(help.out, HasSubstr("--json"));
        EXPECT_THAT(help.err, IsEmpty());
    }
}

TEST_F(Cli, DeclaresNoOptionOfOneLetterAfterTwoDashes) {
    const std::regex declared("\n +(-[^ ]+)"); // "  -q,--quiet  No progress"
    const std::regex letter("(^|,)--[^-](,|$)");
    const auto optionsOf = [&](const std::string& help) {
        return std::vector<std::string>(std::sregex_token_iterator(help.begin(), help.end(), declared, 1), {});
    };
    const std::string help = call({"--help"}).out;
    const std::regex command("\n  ([a-z][a-z-]*) ");
    for (std::sregex_token_iterator name(help.begin(), help.end(), command, 1), end; name != end; ++name) {
        const std::vector<std::string> options = optionsOf(call({*name, "--help"}).out);
        EXPECT_THAT(options, ::testing::Contains("--threads")) << *name;
        for (const std::string& option : options) {
            EXPECT_FALSE(std::regex_search(option, letter)) << *name << ": CLI11 2.4 refuses " << option;
        }
    }
}

TEST_F(Cli, TellsAMistakeInTheDeclarationOfOptionsInOneSentence) {
    const auto twice = [](CLI::App& app) {
        CLI::App& command = *app.add_subcommand("twice", "");
        command.add_flag("--both");
        command.add_flag("--both");
        return CommandAction([](Context& /*context*/) {});
    };
    const auto dashes = [](CLI::App& app) {
        app.add_subcommand("dashes", "")->add_flag("----");
        return CommandAction([](Context& /*context*/) {});
    };
    for (const std::function<CommandAction(CLI::App&)>& wrong :
         {std::function<CommandAction(CLI::App&)>(twice), {dashes}}) {
        EngineRegistry registry{makeCpuEngine()};
        std::ostringstream out;
        std::ostringstream err;
        const Args args{"--version"};
        EXPECT_EQ(runProgram({"pollard-cli", "", "", {wrong}}, args, out, err, registry), 1);
        EXPECT_THAT(out.str(), IsEmpty());
        EXPECT_THAT(err.str(), IsErrorAbout("options: declared wrongly"));
        EXPECT_EQ(std::ranges::count(err.str(), '\n'), 1) << err.str();
    }
}

TEST_F(Cli, CommonOptionsWorkBeforeAndAfterTheCommand) {
    (void)makeImage("a.tif", PixelType::u8, 8, 8, 9);
    const Outcome before = call({"--json", "--threads", "1", "tree", path("a.tif")});
    const Outcome after = call({"tree", path("a.tif"), "--json", "--threads", "1"});
    ASSERT_EQ(before.code, 0) << before.err;
    ASSERT_EQ(after.code, 0) << after.err;
    EXPECT_EQ(before.json()["nodes"], after.json()["nodes"]);
}

TEST_F(Cli, RepeatedCriteriaDoNotSwallowTheImage) {
    (void)makeImage("a.tif", PixelType::u8, 8, 8, 9);
    const Outcome outcome =
        call({"filter", "--json", "--keep", "area>=2", "--keep", "width<=5", path("a.tif"), "-o", path("o.tif")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["criteria"], Json({"area>=2", "width<=5"}));
}

TEST_F(Cli, EnginesListsCpuAndCudaWithReasons) {
    const Outcome outcome = runBinary({"engines", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> names;
    const Json json = outcome.json(); // a temporary would be destroyed before the loop body
    for (const Json& engine : json.at("engines")) {
        names.push_back(engine.at("name"));
        EXPECT_EQ(engine.at("usable").get<bool>(), engine.at("reason").get<std::string>().empty());
        EXPECT_TRUE(engine.at("device").is_string());
    }
    EXPECT_THAT(names, ElementsAre("cuda", "cpu"));
    EXPECT_THAT(call({"engines"}).out, StartsWith("engine"));
}

TEST_F(Cli, AlgorithmsNameJobEngineAndSource) {
    const Outcome outcome = runBinary({"algorithms", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    bool cpuTree = false;
    int cpuSnakes = 0;
    const Json json = outcome.json();
    for (const Json& algorithm : json.at("algorithms")) {
        cpuSnakes += algorithm.at("job") == "snake" && algorithm.at("engine") == "cpu";
        cpuTree = cpuTree || (algorithm.at("job") == "max-tree" && algorithm.at("engine") == "cpu");
        EXPECT_FALSE(algorithm.at("name").get<std::string>().empty());
        EXPECT_FALSE(algorithm.at("source").get<std::string>().empty());
    }
    EXPECT_TRUE(cpuTree);
    EXPECT_EQ(cpuSnakes, 3);
}

TEST_F(Cli, ResultsThatCannotBePrintedAreAFailure) {
    if (access("/dev/full", W_OK) != 0) {
        GTEST_SKIP() << "this system has no /dev/full";
    }
    const Outcome outcome = runBinary({"engines"}, "/dev/full");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, IsErrorAbout("standard output"));
}

} // namespace
} // namespace pollard::cli
