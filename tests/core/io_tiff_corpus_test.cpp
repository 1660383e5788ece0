#include "io_sha256.hpp"
#include "io_support.hpp"

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

/// The conformance files of other projects are not part of the repository.
fs::path corpusFolder() {
    if (const char* folder = std::getenv("POLLARD_TIFF_CORPUS")) {
        return folder;
    }
    return fs::path(__FILE__).parent_path() / "../../../shared/images/tiff-corpus";
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

/// The samples as stored, interleaved, low byte first: the sample that is read alone, undoing the inversion.
std::string rawSamples(const fs::path& path, const ImageInfo& info) {
    std::vector<std::vector<std::uint16_t>> planes;
    for (int sample = 0; sample < info.samples; ++sample) {
        planes.push_back(levelsOf(*readImage(path, withChannel(sample)).image));
    }
    const bool inverted = info.photometric == "MinIsWhite";
    std::string bytes;
    for (std::size_t i = 0; i < planes[0].size(); ++i) {
        for (std::size_t s = 0; s < planes.size(); ++s) {
            const int value = inverted && s == 0 ? (1 << info.bits) - 1 - planes[s][i] : planes[s][i];
            bytes += static_cast<char>(value);
            if (info.bits > 8) {
                bytes += static_cast<char>(value >> 8);
            }
        }
    }
    return bytes;
}

bool hasComparablePixels(const Row& row, const ImageInfo& info) {
    return info.photometric != "Palette" && row.at("compression") != "JPEG" && !row.at("truth_sha256").empty();
}

class TiffCorpus : public testing::Test {
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
    int compared = 0;
    for (const Row& row : rows_) {
        if (row.at("cls") != "core") {
            continue;
        }
        SCOPED_TRACE(row.at("name"));
        const fs::path path = fileOf(corpusFolder(), row);
        try {
            const ImageInfo info = readImage(path).info;
            ++loaded;
            if (hasComparablePixels(row, info)) {
                EXPECT_EQ(sha256(rawSamples(path, info)), row.at("truth_sha256"));
                ++compared;
            }
        } catch (const Error& error) {
            ADD_FAILURE() << error.what();
        }
    }
    RecordProperty("loaded", loaded);
    RecordProperty("compared", compared);
    std::cout << loaded << " core files loaded, pixels of " << compared << " compared\n";
    EXPECT_GT(compared, loaded / 2);
}

TEST_F(TiffCorpus, ExtendedFilesLoadOrSayThatTheyAreUnsupported) {
    int loaded = 0;
    int unsupported = 0;
    for (const Row& row : rows_) {
        if (row.at("cls") != "ext") {
            continue;
        }
        SCOPED_TRACE(row.at("name"));
        const fs::path path = fileOf(corpusFolder(), row);
        try {
            const ImageInfo info = readImage(path).info;
            if (hasComparablePixels(row, info)) {
                EXPECT_EQ(sha256(rawSamples(path, info)), row.at("truth_sha256"));
            }
            ++loaded;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::formatUnsupported) << error.what();
            ++unsupported;
        }
    }
    std::cout << loaded << " extended files loaded, " << unsupported << " named as unsupported\n";
    EXPECT_GT(loaded + unsupported, 0);
}

TEST_F(TiffCorpus, DamagedFilesAreRefusedWithinASecond) {
    int refused = 0;
    int either = 0;
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
        } else {
            ++either;
        }
    }
    std::cout << refused << " damaged files refused, " << either << " more may do either\n";
    EXPECT_GT(refused, 0);
}

TEST(Sha256, GivesTheDigestsOfTheStandard) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

} // namespace

} // namespace pollard::test
