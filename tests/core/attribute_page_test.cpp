// The page about attributes agrees with the program.

#include "attributes/attribute.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {
namespace {

constexpr std::string_view kBegin = "<!-- written by the tests: definitions -->\n";
constexpr std::string_view kEnd = "<!-- end -->\n";

/// Escapes text for a Markdown table.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '*' || c == '<') {
            out += '\\';
        }
        out += c;
    }
    return out;
}

/// One table per group, in the order in which the groups first appear, and one of definitions in volumes.
std::string tables() {
    std::vector<std::string_view> groups;
    for (const AttributeInfo& info : allAttributes()) {
        if (std::ranges::find(groups, info.group) == groups.end()) {
            groups.push_back(info.group);
        }
    }
    std::string text;
    const auto addHead = [&](std::string_view title) {
        text.append("\n### ").append(title).append(
            "\n\n| id | definition | unit | marks | source |\n|---|---|---|---|---|\n");
    };
    const auto addRow = [&](const AttributeInfo& info) {
        const std::string marks = std::string(info.increasing ? "I" : "") + (info.integral ? "Z" : "");
        text.append("| `").append(info.name).append("` | ").append(escaped(info.formula));
        text.append(" | ").append(escaped(info.unit)).append(" | ").append(marks);
        text.append(" | ").append(info.source).append(" |\n");
    };
    for (const std::string_view group : groups) {
        addHead(group);
        for (const AttributeInfo& info : allAttributes()) {
            if (info.group == group) {
                addRow(info);
            }
        }
    }
    addHead("In volumes");
    for (const AttributeInfo& info : attributesOfVolumesAlone()) {
        addRow(info);
    }
    return text + '\n';
}

TEST(AttributePage, HoldsTheDefinitionsOfTheProgram) {
    const char* const target = std::getenv("POLLARD_ATTRIBUTE_TABLE");
    const std::filesystem::path path = target != nullptr
                                           ? std::filesystem::path(target)
                                           : std::filesystem::path(POLLARD_SOURCE_DIR) / "docs" / "attributes.md";
    std::stringstream read;
    read << std::ifstream(path).rdbuf();
    const std::string page = read.str();
    const std::size_t begin = page.find(kBegin);
    const std::size_t end = page.find(kEnd);
    ASSERT_NE(begin, std::string::npos) << path;
    ASSERT_NE(end, std::string::npos) << path;
    const std::size_t from = begin + kBegin.size();
    if (target != nullptr) {
        std::ofstream(path) << page.substr(0, from) + tables() + page.substr(end);
        return;
    }
    EXPECT_EQ(page.substr(from, end - from), tables())
        << "write it anew: POLLARD_ATTRIBUTE_TABLE=docs/attributes.md core_tests --gtest_filter='AttributePage*'";
}

} // namespace
} // namespace pollard
