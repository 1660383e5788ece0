#include "cli_fixture.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <regex>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace pollard::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAnything = "…";

/// Content under a heading of the tutorials.
struct Section {
    std::string title;
    std::string prose;
    std::string commands;           ///< blocks of "sh"
    std::vector<std::string> lines; ///< blocks of "text": expected output
};

void PrintTo(const Section& section, std::ostream* out) { *out << section.title; }

std::vector<Section> readTutorials(const char* name) {
    std::ifstream page(fs::path(POLLARD_SOURCE_DIR) / "docs" / name);
    std::vector<Section> sections;
    std::string block;
    bool isCode = false;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("```")) {
            isCode = !isCode;
            block = line.substr(3);
        } else if (!isCode && line.starts_with("## ")) {
            sections.push_back({line.substr(3), {}, {}, {}});
        } else if (sections.empty()) {
            continue;
        } else if (!isCode) {
            sections.back().prose += line + '\n';
        } else if (block == "sh") {
            sections.back().commands += line + '\n';
        } else {
            sections.back().lines.push_back(line);
        }
    }
    return sections;
}

/// Whether @p line matches @p pattern, in which "…" is any text.
bool matches(const std::string& line, std::string pattern) {
    std::size_t at = 0;
    bool isFirst = true;
    while (true) {
        const std::size_t hole = pattern.find(kAnything);
        const std::string part = pattern.substr(0, hole);
        const std::size_t found = line.find(part, at);
        if (found == std::string::npos || (isFirst && found != 0)) {
            return false;
        }
        at = found + part.size();
        if (hole == std::string::npos) {
            return at == line.size() || (part.empty() && !isFirst);
        }
        pattern.erase(0, hole + std::string(kAnything).size());
        isFirst = false;
    }
}

class Tutorials : public CliTest, public ::testing::WithParamInterface<Section> {
protected:
    /// Runs shell lines in the test's folder; returns standard output and errors.
    [[nodiscard]] std::string answerTo(const std::string& commands) const {
        std::ofstream(path("run.sh")) << "set -e\ncd '" << path("") << "'\nPATH='"
                                      << fs::path(POLLARD_CLI_BINARY).parent_path().string() << "':$PATH\n"
                                      << commands;
        FILE* pipe = popen(("sh '" + path("run.sh") + "' 2>&1").c_str(), "r");
        EXPECT_NE(pipe, nullptr);
        std::string answer;
        std::array<char, 4096> part{};
        for (std::size_t read = 0; (read = fread(part.data(), 1, part.size(), pipe)) > 0;) {
            answer.append(part.data(), read);
        }
        const int status = pclose(pipe);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << answer;
        return answer;
    }
};

TEST_P(Tutorials, SayWhatTheProgramSays) {
    const Section& section = GetParam();
    for (const auto& sample : fs::directory_iterator(fs::path(POLLARD_SOURCE_DIR) / "resources/samples")) {
        fs::copy(sample.path(), path(""));
    }
    const std::string answer = answerTo(section.commands);
    std::istringstream stream(answer);
    auto expected = section.lines.begin();
    for (std::string line; std::getline(stream, line) && expected != section.lines.end();) {
        expected += matches(line, *expected) ? 1 : 0;
    }
    ASSERT_EQ(expected, section.lines.end()) << "not in this order in the answer: " << *expected << '\n' << answer;

    const std::regex number(R"(\*\*([0-9][0-9.,]*)\*\*)");
    int numbers = 0;
    for (std::sregex_iterator it(section.prose.begin(), section.prose.end(), number), end; it != end; ++it, ++numbers) {
        std::string digits = (*it)[1].str();
        const bool isPrinted =
            std::regex_search(answer, std::regex("(^|[^0-9.,])" + digits + "([^0-9.,]|[.,]?[^0-9])"));
        std::erase(digits, ',');
        const bool isInTable = std::regex_search(answer, std::regex("(^|\n)" + digits + "\n"));
        EXPECT_TRUE(isPrinted || isInTable) << (*it)[1].str() << " is not in\n" << answer;
    }
    EXPECT_GT(numbers, 0);
}

std::vector<Section> sectionsWithCommands(const char* page) {
    std::vector<Section> sections = readTutorials(page);
    std::erase_if(sections, [](const Section& section) { return section.commands.empty(); });
    return sections;
}

std::string nameOf(const ::testing::TestParamInfo<Section>& section) {
    std::string name = section.param.title;
    std::erase_if(name, [](unsigned char letter) { return std::isalnum(letter) == 0; });
    return name;
}

INSTANTIATE_TEST_SUITE_P(Page, Tutorials, ::testing::ValuesIn(sectionsWithCommands("tutorials.md")), nameOf);
INSTANTIATE_TEST_SUITE_P(Objects, Tutorials, ::testing::ValuesIn(sectionsWithCommands("objects-tutorials.md")), nameOf);
INSTANTIATE_TEST_SUITE_P(Learn, Tutorials, ::testing::ValuesIn(sectionsWithCommands("learn.md")), nameOf);
INSTANTIATE_TEST_SUITE_P(Channels, Tutorials, ::testing::ValuesIn(sectionsWithCommands("channel-tutorials.md")),
                         nameOf);

TEST(TutorialPage, HasSixJobsWithImagesThatAreThere) {
    const std::vector<Section> sections = sectionsWithCommands("tutorials.md");
    EXPECT_EQ(sections.size(), 6U);
    const fs::path docs = fs::path(POLLARD_SOURCE_DIR) / "docs";
    std::vector<std::string> shown;
    for (const Section& section : sections) {
        const std::regex image(R"(!\[[^\]]+\]\(([^)]+)\))");
        for (std::sregex_iterator it(section.prose.begin(), section.prose.end(), image), end; it != end; ++it) {
            shown.push_back((*it)[1]);
            EXPECT_TRUE(fs::exists(docs / shown.back())) << shown.back();
        }
        const std::regex sample(R"(\]\((\.\./resources/samples/[^)]+)\))");
        std::smatch found;
        ASSERT_TRUE(std::regex_search(section.prose, found, sample)) << section.title;
        EXPECT_TRUE(fs::exists(docs / found[1].str())) << found[1];
    }
    std::size_t files = 0;
    for (const auto& file : fs::directory_iterator(docs)) {
        files += file.path().filename().string().starts_with("tutorial-") ? 1 : 0;
    }
    EXPECT_EQ(shown.size(), files) << "an image is not shown, or shown twice";
}

TEST(TutorialPage, ComparesWithHoles) {
    EXPECT_TRUE(matches("kept 1 of 2", "kept 1 of 2"));
    EXPECT_FALSE(matches("kept 1 of 22", "kept 1 of 2"));
    EXPECT_FALSE(matches(" kept 1 of 2", "kept 1 of 2"));
    EXPECT_TRUE(matches("a.tif: 3 objects (cpu, 0.1 ms)", "a.tif: 3 objects …"));
    EXPECT_TRUE(matches("a.tif: 3 objects (cpu, 0.1 ms)", "a.tif: 3 … ms)"));
    EXPECT_FALSE(matches("a.tif: 4 objects (cpu, 0.1 ms)", "a.tif: 3 … ms)"));
}

} // namespace
} // namespace pollard::cli
