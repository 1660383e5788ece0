#include "core/io/io_sha256.hpp"
#include "core/io/io_tiff_support.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>

namespace pollard::test {

namespace {

namespace fs = std::filesystem;

/// One line of manifest.tsv, by column name.
using Row = std::map<std::string, std::string>;

/// The conformance files of other projects are outside the repository.
fs::path corpusFolder() {
    if (const char* folder = std::getenv("POLLARD_TIFF_CORPUS")) {
        return folder;
    }
    return fs::path(POLLARD_SOURCE_DIR) / "../shared/images/tiff-corpus";
}

std::vector<Row> manifest(const fs::path& folder) {
    const auto cells = [](const std::string& line) {
        std::vector<std::string> out(1);
        for (const char c : line) {
            if (c == '\t') {
                out.emplace_back();
            } else {
                out.back() += c;
            }
        }
        return out;
    };
    std::ifstream file(folder / "manifest.tsv");
    std::string line;
    std::getline(file, line);
    const auto names = cells(line);
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        const auto values = cells(line);
        Row row;
        for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) {
            row[names[i]] = values[i];
        }
        rows.push_back(row);
    }
    return rows;
}

fs::path fileOf(const fs::path& folder, const Row& row) {
    const fs::path good = folder / "good" / row.at("name");
    return fs::exists(good) ? good : folder / "bad" / row.at("name");
}

/// Result of reading one file.
struct Outcome {
    std::optional<ErrorCode> error;
    std::string text;        ///< for the table
    bool samePixels = false; ///< the stored samples have the given digest
    bool loaded = false;
    std::chrono::milliseconds time{0};
};

/// Lossy compression and colour conversion allow differences of 3, which a digest cannot express.
bool isLossy(const Row& row) { return row.at("truth_by").find("within") != std::string::npos; }

/// The message without the folder, in one cell.
std::string withoutFolder(std::string message, const fs::path& path) {
    const std::string before = "cannot read image: " + path.string() + ": ";
    if (message.starts_with(before)) {
        message.erase(0, before.size());
    }
    std::replace(message.begin(), message.end(), '|', '/');
    return message;
}

void describeLoaded(const fs::path& path, const Row& row, Outcome& outcome) {
    const LoadedImage loaded = readImage(path);
    outcome.loaded = true;
    const auto& truth = row.find("truth_sha256");
    if (truth == row.end() || truth->second.empty()) {
        outcome.text = "loads";
        return;
    }
    outcome.samePixels = sha256(storedSamples(path, loaded.info.samples)) == truth->second;
    outcome.text = outcome.samePixels ? "loads, samples identical" : "loads, colours converted";
    if (loaded.info.mapping) {
        outcome.text += loaded.info.mapping->exact ? "; every value its own level" : "; values spread over the levels";
    }
    if (loaded.info.orientation != 1) {
        outcome.text += "; turned upright";
    }
}

Outcome outcomeOf(const fs::path& path, const Row& row) {
    Outcome outcome;
    const auto start = std::chrono::steady_clock::now();
    try {
        describeLoaded(path, row, outcome);
    } catch (const Error& error) {
        outcome.error = error.code();
        outcome.text = "error: " + withoutFolder(error.what(), path);
    }
    outcome.time = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
    return outcome;
}

class TiffCorpus : public ::testing::Test {
protected:
    void SetUp() override {
        if (!fs::exists(corpusFolder() / "manifest.tsv")) {
            GTEST_SKIP() << "no conformance corpus at " << corpusFolder();
        }
        rows_ = manifest(corpusFolder());
        ASSERT_FALSE(rows_.empty());
    }

    std::vector<Row> rows_;
};

TEST_F(TiffCorpus, CoreFilesLoadWithTheirPixels) {
    int loaded = 0;
    for (const Row& row : rows_) {
        if (row.at("cls") != "core") {
            continue;
        }
        SCOPED_TRACE(row.at("name"));
        const Outcome outcome = outcomeOf(fileOf(corpusFolder(), row), row);
        EXPECT_TRUE(outcome.loaded) << outcome.text;
        EXPECT_TRUE(outcome.samePixels || isLossy(row)) << outcome.text;
        loaded += outcome.loaded ? 1 : 0;
    }
    RecordProperty("loaded", loaded);
    EXPECT_GT(loaded, 0);
}

/// Displayed levels: grey as stored, upright, MinIsWhite inverted.
TEST_F(TiffCorpus, GreyLevelsAreTheStoredSamplesUpright) {
    int compared = 0;
    for (const Row& row : rows_) {
        if (row.at("cls") != "core" || row.at("samples") != "1" || row.at("photometric") == "PALETTE" ||
            row.at("orientation") != "1") {
            continue;
        }
        SCOPED_TRACE(row.at("name"));
        const fs::path path = fileOf(corpusFolder(), row);
        const LoadedImage loaded = readImage(path);
        const std::string stored = storedSample(path, 0);
        std::string levels(reinterpret_cast<const char*>(loaded.image->data()), loaded.image->bytes());
        if (loaded.info.photometric == "MinIsWhite") {
            ASSERT_LE(loaded.info.bits, 8);
            for (char& level : levels) {
                level = static_cast<char>((1 << loaded.info.bits) - 1 - static_cast<unsigned char>(level));
            }
        }
        EXPECT_EQ(levels, stored);
        ++compared;
    }
    EXPECT_GT(compared, 0);
}

TEST_F(TiffCorpus, ExtendedFilesLoadOrSayThatTheyAreUnsupported) {
    int loaded = 0;
    int unsupported = 0;
    for (const Row& row : rows_) {
        if (row.at("cls") != "ext") {
            continue;
        }
        SCOPED_TRACE(row.at("name"));
        const Outcome outcome = outcomeOf(fileOf(corpusFolder(), row), row);
        if (outcome.error) {
            EXPECT_EQ(*outcome.error, ErrorCode::formatUnsupported) << outcome.text;
            ++unsupported;
        } else {
            EXPECT_TRUE(outcome.samePixels || isLossy(row)) << outcome.text;
            ++loaded;
        }
    }
    std::cout << loaded << " extended files loaded, " << unsupported << " named as unsupported\n";
    EXPECT_GT(loaded, unsupported);
}

TEST_F(TiffCorpus, DamagedFilesAreRefusedWithinASecond) {
    int refused = 0;
    for (const Row& row : rows_) {
        if (row.at("cls") != "bad") {
            continue;
        }
        SCOPED_TRACE(row.at("name"));
        const auto start = std::chrono::steady_clock::now();
        const auto failure = readFailure(fileOf(corpusFolder(), row));
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
        if (row.at("expected") == "clear error") {
            EXPECT_TRUE(failure.has_value());
            refused += failure.has_value() ? 1 : 0;
        }
    }
    EXPECT_GT(refused, 0);
}

/// Writes the table of docs/tiff-conformance.md to the file in the variable.
TEST_F(TiffCorpus, WritesItsTableWhenAsked) {
    const char* target = std::getenv("POLLARD_TIFF_TABLE");
    if (target == nullptr) {
        GTEST_SKIP() << "POLLARD_TIFF_TABLE names no file to write";
    }
    std::ofstream table(target);
    table << R"(# TIFF conformance

Files of public test suites, and a few made for the purpose, none of which is part of this repository, with the expected
and the actual result of each. `core` files must load with the given samples, `ext` ones may be named as unsupported,
`bad` ones must give one clear error within a second (`either`: an error or the pixels).

"Samples identical" means that the SHA-256 of all samples, as stored or as colours that the codec gives, is the given
one. The shown image follows from them: upright, MinIsWhite inverted, colours as luminance, values mapped to levels.
LogLuv has no such digest here, because it is read as numbers; the tests of its codec compare those.

Written by the tests:

```
POLLARD_TIFF_TABLE=docs/tiff-conformance.md core_tests --gtest_filter='TiffCorpus*'
```

`POLLARD_TIFF_CORPUS` names the folder of the files, if it is not `../shared/images/tiff-corpus`.

| file | class | expected | got |
|---|---|---|---|
)";
    int rows = 0;
    for (const Row& row : rows_) {
        const Outcome outcome = outcomeOf(fileOf(corpusFolder(), row), row);
        table << "| " << row.at("name") << " | " << row.at("cls") << " | " << row.at("expected") << " | "
              << outcome.text << " |\n";
        ++rows;
    }
    EXPECT_EQ(rows, static_cast<int>(rows_.size()));
}

TEST(Sha256, GivesTheDigestsOfTheStandard) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

} // namespace

} // namespace pollard::test
