// Images on a disk with errors.
#include "fault_layer.hpp"

#include "core/io/io_support.hpp"
#include "core/io/io_tiff_variants.hpp"

#include "chunks/chunk_job.hpp"
#include "cpu/cpu_engine.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/image_writer.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace pollard::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kWidth = 120;
constexpr std::uint32_t kHeight = 90;

std::shared_ptr<Image> image(PixelType type = PixelType::u16) {
    auto image = std::make_shared<Image>(type, kWidth, kHeight);
    const auto samples = testSamples(image->pixelCount(), bitsOf(type));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (type == PixelType::u8) {
            image->pixels<std::uint8_t>()[i] = static_cast<std::uint8_t>(samples[i]);
        } else {
            image->pixels<std::uint16_t>()[i] = samples[i];
        }
    }
    return image;
}

/// A format with a function that writes a file in this format.
struct Format {
    std::string name;
    std::function<void(const fs::path&)> write;
};

void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

void writeTiffVariant(const fs::path& path, std::uint32_t tile, bool bigTiff) {
    const TiffVariant variant{.width = kWidth,
                              .height = kHeight,
                              .bits = 16,
                              .compression = COMPRESSION_LZW,
                              .tile = tile,
                              .bigTiff = bigTiff};
    writeVariant(path, variant, {testSamples(variant.sampleCount(), 16)});
}

void writePng(const fs::path& path) {
    const auto samples = testSamples(std::size_t{3} * kWidth * kHeight, 8);
    const std::vector<std::uint8_t> rgb(samples.begin(), samples.end());
    const auto writer = makeRgbWriter(path, RgbFormat::png, kWidth, kHeight);
    writer->write(rgb);
    writer->finish();
}

std::vector<Format> formats() {
    return {
        {"PlainTiff", [](const fs::path& path) { writeTiff(path, *image(), {.compression = TiffCompression::none}); }},
        {"StripTiff", [](const fs::path& path) { writeTiffVariant(path, 0, false); }},
        {"TiledBigTiff", [](const fs::path& path) { writeTiffVariant(path, 32, true); }},
        {"Png", writePng},
        {"Pgm", [](const fs::path& path) {
             std::string bytes = "P5\n" + std::to_string(kWidth) + " " + std::to_string(kHeight) + "\n255\n";
             for (const std::uint16_t sample : testSamples(std::size_t{kWidth} * kHeight, 8)) {
                 bytes += static_cast<char>(sample);
             }
             writeBytes(path, bytes);
         }}};
}

class ReadFaults : public ::testing::TestWithParam<Format> {
protected:
    ReadFaults() : path_(dir_ / "picture") {
        GetParam().write(path_);
        expected_ = levelsOf(*readImage(path_).image);
    }

    /// Reading must give the pixels, or one clear error that names the file.
    void expectPixelsOrClearError() const {
        try {
            EXPECT_EQ(levelsOf(*readImage(path_).image), expected_);
        } catch (const Error& error) {
            expectClear(error);
        }
    }
    void expectClear(const Error& error) const {
        const std::string message = error.what();
        EXPECT_TRUE(error.code() == ErrorCode::fileDamaged || error.code() == ErrorCode::fileUnreadable ||
                    error.code() == ErrorCode::formatUnknown)
            << message;
        EXPECT_NE(message.find(path_.string()), std::string::npos) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }

    TempDir dir_;
    fs::path path_;
    std::vector<std::uint16_t> expected_;
};

TEST_P(ReadFaults, ShortReadsChangeNothing) {
    for (const std::size_t bytes : {1U, 3U, 7U, 64U}) {
        const Faults faults({.folder = dir_.path(), .largestTransfer = bytes});
        EXPECT_EQ(levelsOf(*readImage(path_).image), expected_) << bytes;
        EXPECT_GT(faults.seen(), 10U) << "the reader does not read through the layer";
    }
}

TEST_P(ReadFaults, SignalsDoNoHarm) {
    const Faults faults({.folder = dir_.path(), .interrupt = true});
    expectPixelsOrClearError();
    EXPECT_GT(faults.seen(), 0U);
}

TEST_P(ReadFaults, ABadSectorIsOneClearError) {
    const auto size = fs::file_size(path_);
    int failed = 0;
    for (std::uint64_t readable = 0; readable < size; readable += size / 40 + 1) {
        const Faults faults({.folder = dir_.path(), .largestTransfer = 512, .readable = readable});
        try {
            EXPECT_EQ(levelsOf(*readImage(path_).image), expected_) << readable;
        } catch (const Error& error) {
            ++failed;
            expectClear(error);
        }
    }
    EXPECT_GT(failed, 30) << "most of the file is needed";
}

TEST_P(ReadFaults, AFileThatVanishesWhileItIsReadIsReadOrRefused) {
    const JobControl control({}, [this](double, std::string_view) { fs::remove(path_); });
    try {
        EXPECT_EQ(levelsOf(*readImage(path_, {}, control).image), expected_);
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(path_.string()), std::string::npos) << error.what();
    }
}

TEST_P(ReadFaults, AFileThatShrinksWhileItIsReadIsReadOrRefused) {
    const JobControl control({}, [this](double, std::string_view) { fs::resize_file(path_, 40); });
    ReadOptions options;
    options.threads = 1;
    try {
        EXPECT_EQ(levelsOf(*readImage(path_, options, control).image), expected_);
    } catch (const Error& error) {
        expectClear(error);
    }
}

TEST_P(ReadFaults, AFileThatGrowsWhileItIsReadIsReadAsItWas) {
    const JobControl control({}, [this](double, std::string_view) {
        std::ofstream(path_, std::ios::binary | std::ios::app) << std::string(5000, 'x');
    });
    EXPECT_EQ(levelsOf(*readImage(path_, {}, control).image), expected_);
}

INSTANTIATE_TEST_SUITE_P(Formats, ReadFaults, ::testing::ValuesIn(formats()),
                         [](const auto& test) { return test.param.name; });

/// A function that saves a file.
struct Saver {
    std::string name;
    std::function<void(const fs::path&)> save;
};

void PrintTo(const Saver& saver, std::ostream* out) { *out << saver.name; }

class SaveFaults : public ::testing::TestWithParam<Saver> {
protected:
    SaveFaults() : path_(dir_ / "out") { writeBytes(path_, kOld); }

    void expectRefused(const FaultPlan& plan) const {
        const Faults faults(plan);
        try {
            GetParam().save(path_);
            ADD_FAILURE() << "saved although the disk refused";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::writeFailed) << error.what();
            EXPECT_NE(std::string(error.what()).find(path_.string()), std::string::npos) << error.what();
        }
        EXPECT_GT(faults.seen(), 0U);
    }
    void expectUntouched() const {
        EXPECT_EQ(readBytes(path_), kOld);
        EXPECT_EQ(dir_.entries(), 1U) << "something half-written is left";
    }

    static constexpr const char* kOld = "what was there before";
    TempDir dir_;
    fs::path path_;
};

TEST_P(SaveFaults, AFullDiskLeavesTheOldFile) {
    GetParam().save(path_);
    const std::uint64_t size = fs::file_size(path_);
    writeBytes(path_, kOld);
    for (std::uint64_t writable = 0; writable < size; writable += size / 25 + 1) {
        SCOPED_TRACE(writable);
        expectRefused({.folder = dir_.path(), .writable = writable});
        expectUntouched();
    }
}

TEST_P(SaveFaults, ADiskThatCannotKeepTheDataLeavesTheOldFile) {
    expectRefused({.folder = dir_.path(), .syncFails = true});
    expectUntouched();
}

TEST_P(SaveFaults, ARefusedNameLeavesTheOldFile) {
    expectRefused({.folder = dir_.path(), .renameFails = true});
    expectUntouched();
}

TEST_P(SaveFaults, TheFileIsOnTheDiskBeforeItsNameAndTheNameAfterIt) {
    const Faults faults({.folder = dir_.path()});
    GetParam().save(path_);
    EXPECT_EQ(faults.log(), (std::vector<std::string>{"sync out", "rename out", "sync ."}));
}

TEST_P(SaveFaults, ShortWritesChangeNothing) {
    GetParam().save(path_);
    const std::string whole = readBytes(path_);
    writeBytes(path_, kOld);
    {
        const Faults faults({.folder = dir_.path(), .largestTransfer = 100});
        GetParam().save(path_);
        EXPECT_GT(faults.seen(), 10U);
    }
    EXPECT_EQ(readBytes(path_), whole);
}

INSTANTIATE_TEST_SUITE_P(Writers, SaveFaults,
                         ::testing::Values(Saver{"Tiff", [](const fs::path& path) { writeTiff(path, *image()); }},
                                           Saver{"PlainTiff",
                                                 [](const fs::path& path) {
                                                     writeTiff(path, *image(), {.compression = TiffCompression::none});
                                                 }},
                                           Saver{"LabelTiff",
                                                 [](const fs::path& path) {
                                                     std::vector<std::uint32_t> labels(std::size_t{kWidth} * kHeight);
                                                     for (std::size_t i = 0; i < labels.size(); ++i) {
                                                         labels[i] = static_cast<std::uint32_t>(i * 2654435761U);
                                                     }
                                                     writeTiff(path, measuredRowsOf(labels, Extent{kWidth, kHeight}));
                                                 }},
                                           Saver{"Png", writePng}),
                         [](const auto& test) { return test.param.name; });

/// Three files renamed together; the second is new, the others replace existing ones.
class TogetherFaults : public ::testing::Test {
protected:
    TogetherFaults() {
        writeBytes(first_, "old first");
        writeBytes(third_, "old third");
    }

    /// @return error message
    [[nodiscard]] std::string commit() const {
        AtomicFile::FileSet files;
        for (const fs::path& path : {first_, second_, third_}) {
            files.push_back(std::make_unique<AtomicFile>(path, "cannot write"));
            files.back()->writeAll("new", 3);
        }
        try {
            AtomicFile::commitTogether(files);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::writeFailed);
            return error.what();
        }
        return {};
    }
    void expectUntouched() const {
        EXPECT_EQ(readBytes(first_), "old first");
        EXPECT_FALSE(fs::exists(second_));
        EXPECT_EQ(readBytes(third_), "old third");
        EXPECT_EQ(dir_.entries(), 2U) << "something is left";
    }

    TempDir dir_;
    fs::path first_ = dir_ / "first";
    fs::path second_ = dir_ / "second";
    fs::path third_ = dir_ / "third";
};

TEST_F(TogetherFaults, AllFilesGetTheirNames) {
    EXPECT_EQ(commit(), "");
    for (const fs::path& path : {first_, second_, third_}) {
        EXPECT_EQ(readBytes(path), "new");
    }
    EXPECT_EQ(dir_.entries(), 3U) << "something is left";
}

TEST_F(TogetherFaults, ARefusedNameTakesBackThoseBefore) {
    for (const fs::path& refused : {first_, second_, third_}) {
        SCOPED_TRACE(refused);
        {
            const Faults faults({.folder = dir_.path(), .refused = refused});
            EXPECT_NE(commit().find(refused.string()), std::string::npos);
            EXPECT_GT(faults.seen(), 0U);
        }
        expectUntouched();
    }
}

TEST_F(TogetherFaults, ADiskThatCannotKeepTheDataNamesNone) {
    {
        const Faults faults({.folder = dir_.path(), .syncFails = true});
        EXPECT_NE(commit(), "");
    }
    expectUntouched();
}

TEST_F(TogetherFaults, ADiskThatCannotKeepOneOfThemNamesNone) {
    // Without hard links, a file already renamed could not be restored.
    for (const char* name : {"first", "second", "third"}) {
        SCOPED_TRACE(name);
        std::string why;
        {
            const Faults faults({.folder = dir_.path(), .syncFailsOf = name, .linkFails = true});
            why = commit();
        }
        EXPECT_NE(why.find((dir_ / name).string()), std::string::npos) << why;
        EXPECT_EQ(why.find("already replaced"), std::string::npos) << why;
        expectUntouched();
    }
}

TEST_F(TogetherFaults, FilesAreOnTheDiskBeforeTheyAreNamed) {
    const Faults faults({.folder = dir_.path()});
    EXPECT_EQ(commit(), "");
    std::vector<std::string> log = faults.log();
    ASSERT_EQ(log.size(), 7U);
    std::sort(log.begin(), log.begin() + 3); // in any order
    EXPECT_EQ(log, (std::vector<std::string>{"sync first", "sync second", "sync third", "rename first", "rename second",
                                             "rename third", "sync ."}));
}

TEST_F(TogetherFaults, WhatCannotBeTakenBackIsTold) {
    std::string why;
    {
        const Faults faults({.folder = dir_.path(), .linkFails = true, .refused = third_});
        why = commit();
    }
    EXPECT_NE(why.find("already replaced: " + first_.string()), std::string::npos) << why;
    EXPECT_EQ(readBytes(first_), "new");
    EXPECT_FALSE(fs::exists(second_));
    EXPECT_EQ(readBytes(third_), "old third");
    EXPECT_EQ(dir_.entries(), 2U) << "something is left";
}

/// A filter in chunks, whose working files and result lie in the folder.
class ChunkFaults : public ::testing::Test {
protected:
    ChunkFaults() {
        const auto samples = testSamples(image_->pixelCount(), 8);
        std::ranges::copy(samples, image_->pixels<std::uint8_t>().begin());
        writeTiff(source_.path() / "a.tif", *image_);
        request_.source = source_.path() / "a.tif";
        request_.target = dir_ / "o.tif";
        request_.filter.criteria = {parseCriterion("area>=5")};
        request_.chunk = kResultTile;
        request_.engines = {engine_.get()};
        (void)filterImage(request_);
        expected_ = readBytes(request_.target);
        std::filesystem::remove(request_.target);
    }

    std::shared_ptr<Image> image_ = std::make_shared<Image>(PixelType::u8, 700U, 600U);
    TempDir source_;
    TempDir dir_;
    std::unique_ptr<Engine> engine_ = makeCpuEngine();
    ChunkRequest request_;
    std::string expected_;
};

TEST_F(ChunkFaults, AFullDiskIsOneErrorAndLeavesNothing) {
    int failures = 0;
    for (std::uint64_t room = 0;; room += room / 2 + 256) {
        const Faults faults({.folder = dir_.path(), .writable = room});
        try {
            (void)filterImage(request_);
            break;
        } catch (const Error& error) {
            ++failures;
            EXPECT_EQ(error.code(), ErrorCode::writeFailed) << error.what();
            EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
            EXPECT_EQ(dir_.entries(), 0U);
        }
    }
    EXPECT_GT(failures, 5);
    EXPECT_EQ(readBytes(request_.target), expected_);
}

TEST_F(ChunkFaults, ShortTransfersChangeNothing) {
    {
        const Faults faults({.folder = dir_.path(), .largestTransfer = 1000});
        (void)filterImage(request_);
        EXPECT_GT(faults.seen(), 50U);
    }
    EXPECT_EQ(readBytes(request_.target), expected_);
}

TEST_F(ChunkFaults, PixelsAreOnTheDiskBeforeTheirRowCountsAsDone) {
    request_.folder = dir_ / "work";
    request_.strips = true;
    const Faults faults({.folder = request_.folder});
    (void)filterImage(request_);
    const std::vector<std::string> log = faults.log();
    int rows = 0;
    for (std::size_t i = 0; i < log.size(); ++i) {
        if (log[i].starts_with("rename row-")) {
            ASSERT_GE(i, 2U);
            EXPECT_EQ(log[i - 2], "sync pixels.pollard");
            EXPECT_TRUE(log[i - 1].starts_with("sync row-"));
            ++rows;
        }
    }
    EXPECT_EQ(rows, 2);
}

TEST_F(ChunkFaults, NoRowIsDoneOnADiskThatCannotKeepItsPixels) {
    request_.folder = dir_ / "work";
    request_.strips = true;
    const Faults faults({.folder = request_.folder, .syncFailsOf = "pixels.pollard"});
    try {
        (void)filterImage(request_);
        ADD_FAILURE() << "filtered although the disk refused";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::writeFailed) << error.what();
        EXPECT_NE(std::string(error.what()).find("pixels.pollard"), std::string::npos) << error.what();
    }
    for (const auto& entry : fs::directory_iterator(request_.folder)) {
        EXPECT_FALSE(entry.path().filename().string().starts_with("row-")) << entry.path();
    }
    EXPECT_FALSE(fs::exists(request_.target));
}

TEST(PixelStoreFaults, ShortTransfersAndSignalsChangeNothing) {
    const TempDir dir;
    const Extent whole{50, 20, 1};
    const std::vector<std::uint16_t> pixels = testSamples(whole.pixelCount(), 16);
    for (const FaultPlan& plan :
         {FaultPlan{.folder = dir.path(), .largestTransfer = 7}, FaultPlan{.folder = dir.path(), .interrupt = true}}) {
        const Faults faults(plan);
        PixelStore store(dir / "pixels", whole, ValueType::u16, false);
        store.put({0, 0, 0, whole}, reinterpret_cast<const std::byte*>(pixels.data()));
        std::vector<std::uint16_t> found(pixels.size());
        store.rows().read(0, whole.height, reinterpret_cast<std::byte*>(found.data()));
        EXPECT_EQ(found, pixels);
        EXPECT_GE(faults.seen(), 4U);
    }
}

} // namespace
} // namespace pollard::test
