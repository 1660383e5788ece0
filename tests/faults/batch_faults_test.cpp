// Batches of files on a disk with errors.
#include "fault_layer.hpp"

#include "core/io/io_support.hpp"

#include "base/error.hpp"
#include "batch/recipe_batch.hpp"
#include "cpu/cpu_engine.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/write/commit_queue.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::test {
namespace {

namespace fs = std::filesystem;

/// Commits sets of two files through a queue; each file replaces an older one.
class CommitQueueFaults : public ::testing::Test {
protected:
    static constexpr int kSets = 200; ///< with more files than wait at a time
    static constexpr const char* kOld = "what was there before";
    static constexpr const char* kNew = "new";

    CommitQueueFaults() {
        for (int i = 0; i < kSets; ++i) {
            writeBytes(pathOf(i, "a"), kOld);
            writeBytes(pathOf(i, "b"), kOld);
        }
    }

    [[nodiscard]] fs::path pathOf(int set, const std::string& file) const {
        return dir_ / (std::to_string(set) + file);
    }

    /// @return the error of each set, empty if there is none
    [[nodiscard]] std::vector<std::string> commitAll() const {
        std::vector<std::string> errors(kSets, "not ended");
        fill(errors);
        return errors;
    }
    /// Ends when all sets have ended.
    void fill(std::vector<std::string>& errors) const {
        CommitQueue queue;
        for (int i = 0; i < kSets; ++i) {
            AtomicFile::FileSet set;
            for (const char* name : {"a", "b"}) {
                set.push_back(std::make_unique<AtomicFile>(pathOf(i, name), "cannot write"));
                set.back()->writeAll(kNew, std::string(kNew).size());
            }
            queue.add(std::move(set), [this, i, &errors](const std::exception_ptr& failure) {
                errors[static_cast<std::size_t>(i)] = textOf(failure);
                // The files have their names when the set ends.
                EXPECT_EQ(fs::file_size(pathOf(i, "a")), std::string(failure ? kOld : kNew).size());
            });
        }
    }
    static std::string textOf(const std::exception_ptr& failure) {
        try {
            if (failure) {
                std::rethrow_exception(failure);
            }
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }
    /// Files of one set are old, of all others new, and nothing else is in the folder.
    void expectOnlyFailed(int failed) const {
        for (int i = 0; i < kSets; ++i) {
            EXPECT_EQ(readBytes(pathOf(i, "a")), i == failed ? kOld : kNew) << i;
            EXPECT_EQ(readBytes(pathOf(i, "b")), i == failed ? kOld : kNew) << i;
        }
        EXPECT_EQ(dir_.entries(), std::size_t{2} * kSets) << "something is left";
    }

    TempDir dir_;
};

TEST_F(CommitQueueFaults, AllFilesGetTheirNames) {
    EXPECT_EQ(commitAll(), std::vector<std::string>(kSets));
    expectOnlyFailed(-1);
}

TEST_F(CommitQueueFaults, ADiskThatCannotKeepAFileFailsItsSetOnly) {
    for (const std::string name : {"0a", "77b", "199a"}) {
        SCOPED_TRACE(name);
        std::vector<std::string> errors;
        {
            const Faults faults({.folder = dir_.path(), .syncFailsOf = name});
            errors = commitAll();
        }
        const int failed = std::stoi(name);
        EXPECT_NE(std::exchange(errors[static_cast<std::size_t>(failed)], "").find((dir_ / name).string()),
                  std::string::npos);
        EXPECT_EQ(errors, std::vector<std::string>(kSets));
        expectOnlyFailed(failed);
        for (int i = 0; i < kSets; ++i) {
            writeBytes(pathOf(i, "a"), kOld);
            writeBytes(pathOf(i, "b"), kOld);
        }
    }
}

TEST_F(CommitQueueFaults, ARefusedNameFailsItsSetOnly) {
    std::vector<std::string> errors;
    {
        const Faults faults({.folder = dir_.path(), .refused = dir_ / "42b"});
        errors = commitAll();
    }
    EXPECT_NE(std::exchange(errors[42], "").find((dir_ / "42b").string()), std::string::npos);
    EXPECT_EQ(errors, std::vector<std::string>(kSets));
    expectOnlyFailed(42);
}

TEST_F(CommitQueueFaults, FilesAreOnTheDiskBeforeTheirNamesAndNamesBeforeTheEnd) {
    const Faults faults({.folder = dir_.path()});
    EXPECT_EQ(commitAll(), std::vector<std::string>(kSets));
    const std::vector<std::string> log = faults.log();
    for (int i = 0; i < kSets; ++i) {
        for (const std::string& name : {std::to_string(i) + "a", std::to_string(i) + "b"}) {
            EXPECT_LT(std::ranges::find(log, "sync " + name), std::ranges::find(log, "rename " + name)) << name;
        }
    }
    EXPECT_EQ(log.back(), "sync .");
    const auto folderSyncs = std::ranges::count(log, "sync .");
    EXPECT_LE(folderSyncs, kSets); // at most one a group
    EXPECT_EQ(log.size(), static_cast<std::size_t>(4 * kSets + folderSyncs));
}

/// A recipe on several images, whose results lie in a folder with errors.
class BatchFaults : public ::testing::Test {
protected:
    static constexpr std::size_t kImages = 40;

    BatchFaults() {
        Image image(PixelType::u8, 40, 30);
        const auto samples = testSamples(image.pixelCount(), 8);
        std::ranges::copy(samples, image.pixels<std::uint8_t>().begin());
        std::vector<BatchInput> inputs;
        for (std::size_t i = 0; i < kImages; ++i) {
            const fs::path path = source_ / ("i" + std::to_string(i) + ".tif");
            writeTiff(path, image);
            inputs.push_back({path.string(), path});
        }
        FilterStep filter;
        filter.filter.criteria = {parseCriterion("area>=5")};
        recipe_.steps = {TreeStep{}, filter};
        items_ = planBatch(recipe_, inputs, dir_.path());
    }

    [[nodiscard]] std::vector<BatchResult> run(int jobs) const {
        BatchOptions options;
        options.engines = {engine_.get()};
        options.jobs = jobs;
        return runBatch(recipe_, items_, options);
    }

    TempDir source_;
    TempDir dir_;
    Recipe recipe_;
    std::vector<BatchItem> items_;
    std::unique_ptr<Engine> engine_ = makeCpuEngine();
};

TEST_F(BatchFaults, AFileThatTheDiskCannotKeepFailsAlone) {
    for (const int jobs : {0, 1, 4}) {
        SCOPED_TRACE(jobs);
        std::vector<BatchResult> results;
        {
            const Faults faults({.folder = dir_.path(), .syncFailsOf = "i7.tif"});
            results = run(jobs);
        }
        for (std::size_t i = 0; i < kImages; ++i) {
            EXPECT_EQ(results[i].error.empty(), i != 7) << results[i].error;
            EXPECT_EQ(results[i].done, i != 7);
            EXPECT_EQ(results[i].filter.has_value(), i != 7);
            EXPECT_EQ(fs::exists(items_[i].targets.front()), i != 7);
        }
        EXPECT_NE(results[7].error.find((dir_ / "i7.tif").string()), std::string::npos) << results[7].error;
        EXPECT_EQ(dir_.entries(), kImages - 1) << "something is left";
        for (const BatchItem& item : items_) {
            fs::remove(item.targets.front());
        }
    }
}

TEST_F(BatchFaults, AResultIsSyncedOnceBeforeItsName) {
    const Faults faults({.folder = dir_.path()});
    (void)run(2);
    const std::vector<std::string> log = faults.log();
    EXPECT_EQ(std::ranges::count(log, "sync i3.tif"), 1);
    const auto named = std::find(log.rbegin(), log.rend(), "rename i3.tif"); // earlier ones are of temporaries
    EXPECT_NE(std::find(named, log.rend(), "sync i3.tif"), log.rend());
    EXPECT_NE(std::find(log.rbegin(), named, "sync ."), named);
}

} // namespace
} // namespace pollard::test
