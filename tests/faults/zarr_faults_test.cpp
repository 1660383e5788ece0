// OME-Zarr on a disk with errors.
#include "fault_layer.hpp"

#include "core/io/io_support.hpp"

#include "formats/zarr/zarr_store.hpp"
#include "formats/zarr/zarr_writer.hpp"
#include "io/write/imagej_roi.hpp"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

namespace pollard::test {
namespace {

namespace fs = std::filesystem;

/// An image in a folder of files, which appears when it is complete.
class ZarrFaults : public ::testing::Test {
protected:
    ZarrFaults() { std::ranges::copy(levels_, image_.pixels<std::uint16_t>().begin()); }

    void write() const { writeZarr(path_, image_); }
    void expectWhole(const fs::path& path) const { EXPECT_EQ(levelsOf(*readImage(path).image), levels_); }

    /// The message of the error, which leaves nothing; empty if there is none.
    [[nodiscard]] std::string refusal(FaultPlan plan) const {
        plan.folder = dir_.path();
        const Faults faults(plan);
        try {
            write();
        } catch (const Error& error) {
            const std::string message = error.what();
            EXPECT_EQ(error.code(), ErrorCode::writeFailed) << message;
            EXPECT_NE(message.find(path_.string() + ": "), std::string::npos) << message;
            EXPECT_EQ(dir_.entries(), 0U) << "something half-written is left";
            return message;
        }
        return {};
    }

    /// The image in a zip file.
    [[nodiscard]] fs::path zipped() const {
        StoredZip zip(dir_ / "p.zip", "write zip");
        for (const auto& entry : fs::recursive_directory_iterator(path_)) {
            if (entry.is_regular_file()) {
                const std::string bytes = readBytes(entry.path());
                zip.add(entry.path().lexically_relative(path_).string(), std::as_bytes(std::span(bytes)));
            }
        }
        zip.commit();
        return dir_ / "p.zip";
    }

    TempDir dir_;
    fs::path path_ = dir_ / "p.zarr";
    Image image_{PixelType::u16, 120, 90};
    std::vector<std::uint16_t> levels_ = testSamples(image_.pixelCount(), 16);
};

TEST_F(ZarrFaults, AFullDiskLeavesNothing) {
    int failures = 0;
    for (std::uint64_t room = 0;; room += room / 2 + 256) {
        const std::string why = refusal({.writable = room});
        if (why.empty()) {
            break;
        }
        ++failures;
        EXPECT_NE(why.find("No space left"), std::string::npos) << why;
    }
    EXPECT_GT(failures, 4);
    expectWhole(path_);
}

TEST_F(ZarrFaults, ADiskThatCannotKeepTheFilesLeavesNothing) { EXPECT_NE(refusal({.syncFails = true}), ""); }

TEST_F(ZarrFaults, ARefusedNameLeavesNothing) { EXPECT_NE(refusal({.renameFails = true}), ""); }

TEST_F(ZarrFaults, FilesAreOnTheDiskBeforeTheirNameAndTheNameAfterIt) {
    const Faults faults({.folder = dir_.path()});
    write();
    EXPECT_EQ(faults.log(), (std::vector<std::string>{"sync p.zarr", "rename p.zarr", "sync ."}));
}

TEST_F(ZarrFaults, AFileSystemWithoutFlagsOfRenameTakesTheName) {
    {
        const Faults faults({.folder = dir_.path(), .renameFlagsFail = true});
        write();
        EXPECT_EQ(faults.seen(), 5U) << "four files and the refused name";
    }
    expectWhole(path_);
    EXPECT_EQ(dir_.entries(), 1U);
}

TEST_F(ZarrFaults, ShortTransfersAndSignalsChangeNothing) {
    for (const FaultPlan& plan : {FaultPlan{.folder = dir_.path(), .largestTransfer = 64},
                                  FaultPlan{.folder = dir_.path(), .interrupt = true}}) {
        fs::remove_all(path_);
        {
            const Faults faults(plan);
            write();
            EXPECT_GT(faults.seen(), 6U) << "the writer does not write through the layer";
        }
        expectWhole(path_);
        const std::string chunk = readBytes(path_ / "0/0/0");
        const Faults faults(plan);
        EXPECT_EQ(textOfKey(*openFolderStore(path_), "0/0/0", chunk.size()), chunk);
        EXPECT_GE(faults.seen(), 2U) << "the reader does not read through the layer";
    }
    const fs::path zip = zipped();
    const Faults faults({.folder = dir_.path(), .largestTransfer = 64});
    expectWhole(zip);
}

TEST_F(ZarrFaults, ABadSectorIsOneClearError) {
    write();
    const fs::path zip = zipped();
    const std::uint64_t size = fs::file_size(zip);
    for (std::uint64_t readable = 0; readable < size; readable += size / 20) {
        const Faults faults({.folder = dir_.path(), .readable = readable});
        const auto failure = readFailure(zip);
        EXPECT_TRUE(failure == ErrorCode::fileUnreadable || failure == ErrorCode::fileDamaged) << readable;
    }
}

} // namespace
} // namespace pollard::test
