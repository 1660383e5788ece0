#include "base/text.hpp"
#include "io/write/text_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pollard {
namespace {

TEST(CsvField, IsReadAsItIsWritten) {
    const std::vector<std::string> fields{"label", "pearson[DAPI,GFP]", "", "\"488\"", ",", "mean[GFP]", ""};
    std::string line;
    for (const std::string& field : fields) {
        line += (&field == &fields.front() ? "" : ",") + csvField(field);
    }
    EXPECT_EQ(line, R"(label,"pearson[DAPI,GFP]",,"""488""",",",mean[GFP],)");
    EXPECT_EQ(csvFields(line), fields);
    EXPECT_EQ(csvFields("a,b\r"), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(csvFields(""), std::vector<std::string>{""});
}

TEST(Text, IsTrimmedAndInSmallLetters) {
    EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
    EXPECT_EQ(trimmed(" \ta ", " "), "\ta");
    EXPECT_EQ(trimmed("  "), "");
    EXPECT_EQ(lowered("DAPI µM Ä"), "dapi µm Ä");
    EXPECT_EQ(inQuotes("a \"b\""), "\"a \"\"b\"\"\"");
}

} // namespace
} // namespace pollard
