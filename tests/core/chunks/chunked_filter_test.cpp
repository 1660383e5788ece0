#include "chunks/chunked_filter.hpp"

#include "core/chunks/part_jobs.hpp"
#include "core/io/io_support.hpp"
#include "support/affordable.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace pollard {
namespace {

using namespace testing;

/// An image in memory, read and written chunk by chunk. Stops after a number of chunks, as if the program were killed.
class MemoryEnds {
public:
    MemoryEnds(const Image& image, const PartJob& job) : image_(image), job_(job) {
        outcome_.pixels.resize(image.pixelCount());
        if (job.filter.output == Output::labels) {
            outcome_.labels.resize(image.pixelCount());
        }
    }

    struct Killed {};
    void killAfter(int chunks) { left_ = chunks; }

    ChunkReader reader() {
        return {[this](const ChunkBox& box, const JobControl&) {
                    countDown();
                    return LoadedImage{cutBox(box), nullptr, {}};
                },
                0, 17};
    }

    ChunkSink sink() {
        return {[this](const FilteredChunk& chunk, const JobControl&) {
                    countDown();
                    take(chunk);
                },
                {}};
    }

    Outcome outcome_;

private:
    void countDown() {
        if (left_ == 0) {
            throw Killed{};
        }
        --left_;
    }

    std::shared_ptr<const Image> cutBox(const ChunkBox& box) const {
        auto part = std::make_shared<Image>(image_.type(), box.extent);
        for (std::uint32_t p = 0; p < part->pixelCount(); ++p) {
            setLevel(*part, p, image_.level(wholeIndex(box, p)));
        }
        return part;
    }

    std::size_t wholeIndex(const ChunkBox& box, std::uint32_t pixel) const {
        const Voxel at = voxelAt(pixel, box.extent);
        return job_.grid.pixel(box.x + at.x, box.y + at.y, box.z + at.z);
    }

    template <class T> static T valueAt(const FilteredChunk& chunk, std::size_t pixel) {
        T value{};
        std::memcpy(&value, chunk.data() + pixel * sizeof(T), sizeof(T));
        return value;
    }

    void take(const FilteredChunk& chunk) {
        for (std::uint32_t p = 0; p < chunk.box.extent.pixelCount(); ++p) {
            const std::size_t at = wholeIndex(chunk.box, p);
            if (!outcome_.labels.empty()) {
                outcome_.labels[at] = valueAt<std::uint32_t>(chunk, p);
            } else if (chunk.type == ValueType::u8) {
                outcome_.pixels[at] = valueAt<std::uint8_t>(chunk, p);
            } else {
                outcome_.pixels[at] = valueAt<std::uint16_t>(chunk, p);
            }
        }
    }

    const Image& image_;
    const PartJob& job_;
    int left_ = -1;
};

/// Every row takes files that are made durable.
PartJob inFewRows(const PartJob& job) {
    const Extent& whole = job.grid.whole();
    const Extent& chunk = job.grid.chunkExtent();
    const Extent large{chunk.width, std::max(chunk.height, whole.height / 4 + 1),
                       std::max(chunk.slices, whole.slices / 2 + 1)};
    return partJob(ChunkGrid(whole, large), job.type, job.kind, job.connectivity, job.filter);
}

class ChunkedFilterTest : public ::testing::Test {
protected:
    ChunkCounts run(const PartJob& job, MemoryEnds& ends, bool resume, std::uint64_t memory = 1U << 30,
                    std::uint64_t keptBytes = 0) {
        const WorkFolder folder(work_, textOf(job, 17), resume);
        ChunkTreeOptions options;
        options.engines = {engine_.get()};
        options.keptBytes = keptBytes;
        ChunkedFilter filter(job, ends.reader(), std::move(options), folder, memory);
        filter.prepare({});
        const ChunkCounts report = filter.apply(ends.sink(), {});
        ends.outcome_.kept = report.keptNodes;
        return report;
    }

    /// Runs until it is done, killed after a few more chunks each time.
    void runWithKills(const PartJob& job, MemoryEnds& ends, int step) {
        for (int chunks = step;; chunks += step) {
            ends.killAfter(chunks);
            try {
                (void)run(job, ends, true);
                return;
            } catch (const MemoryEnds::Killed&) {
            }
        }
    }

    test::TempDir folder_;
    std::filesystem::path work_ = folder_ / "work";
    std::unique_ptr<Engine> engine_ = makeCpuEngine();
};

TEST_F(ChunkedFilterTest, EqualsTheWholeForRandomImages) {
    for (int i = 0; i < repeats(60); ++i) {
        RandomJobs jobs(static_cast<unsigned>(i));
        const auto image = jobs.image({1 + jobs.below(40), 1 + jobs.below(40)});
        const PartJob job = inFewRows(jobs.job(*image, false));
        MemoryEnds ends(*image, job);
        const ChunkCounts report = run(job, ends, false, 1U << 30, jobs.below(2) == 0 ? 0 : 1U << 20);
        const Outcome whole = inOnePiece(image, job);
        ASSERT_EQ(ends.outcome_, whole) << i << ": " << describe(job);
        ASSERT_EQ(report.nodes, whole.nodes);
        ASSERT_EQ(report.changedPixels, whole.changed);
    }
}

TEST_F(ChunkedFilterTest, EqualsTheWholeForRandomVolumes) {
    for (int i = 0; i < repeats(30); ++i) {
        RandomJobs jobs(static_cast<unsigned>(i));
        const auto image = jobs.image({1 + jobs.below(9), 1 + jobs.below(9), 2 + jobs.below(6)});
        const PartJob job = inFewRows(jobs.job(*image, true));
        MemoryEnds ends(*image, job);
        (void)run(job, ends, false);
        ASSERT_EQ(ends.outcome_, inOnePiece(image, job)) << i << ": " << describe(job);
    }
}

TEST_F(ChunkedFilterTest, ContinuesAfterBeingKilledAnywhere) {
    for (int i = 0; i < repeats(20); ++i) {
        RandomJobs jobs(static_cast<unsigned>(1000 + i));
        const auto image = jobs.image({8 + jobs.below(12), 8 + jobs.below(12)});
        const PartJob any = jobs.job(*image, false);
        const PartJob job = partJob(ChunkGrid(image->extent(), {4 + jobs.below(3), 3 + jobs.below(4)}), any.type,
                                    any.kind, any.connectivity, any.filter);
        MemoryEnds ends(*image, job);
        work_ = folder_ / ("work" + std::to_string(i));
        // A row of chunks reads and writes each chunk and its surroundings, and counts as done only as a whole.
        runWithKills(job, ends, 1);
        ASSERT_EQ(ends.outcome_, inOnePiece(image, job)) << i << ": " << describe(job);
    }
}

TEST_F(ChunkedFilterTest, ContinuesBetweenTheFilesOfARow) {
    RandomJobs jobs(6);
    const auto image = jobs.image({20, 20});
    FilterSpec filter;
    filter.criteria = {parseCriterion("area>=4")};
    for (const bool isProminent : {false, true}) {
        if (isProminent) {
            filter.prominent = Prominent{Prominence::dynamics, 5};
        }
        const PartJob job =
            partJob(ChunkGrid(image->extent(), {20, 5}), image->type(), TreeKind::max, Connectivity::four, filter);
        MemoryEnds ends(*image, job);
        work_ = folder_ / (isProminent ? "prominent" : "plain");
        const auto fileOf = [&](const char* name, int row) {
            return WorkFolder::fileIn(work_, name + std::string("-00000") + std::to_string(row));
        };
        const auto killAfter = [&](int chunks) {
            ends.killAfter(chunks);
            EXPECT_THROW((void)run(job, ends, true), MemoryEnds::Killed);
        };
        // The files at a moment when the second row has its step, but the frontier still belongs to the first row.
        killAfter(1);
        const std::filesystem::path kept = work_.string() + "-kept";
        std::filesystem::copy(work_, kept);
        killAfter(1);
        ASSERT_TRUE(std::filesystem::remove(fileOf("frontier", 1)));
        ASSERT_FALSE(std::filesystem::exists(fileOf("frontier", 0)));
        using std::filesystem::copy_options;
        std::filesystem::copy(kept, work_, copy_options::recursive | copy_options::skip_existing);
        ASSERT_TRUE(std::filesystem::exists(fileOf("frontier", 0)) && std::filesystem::exists(fileOf("step", 1)));
        ends.killAfter(-1);
        (void)run(job, ends, true);
        EXPECT_EQ(ends.outcome_, inOnePiece(image, job));
    }
}

TEST_F(ChunkedFilterTest, RefusesMoreOpenNodesThanMemoryAllows) {
    RandomJobs jobs(1);
    const auto image = jobs.image({64, 64});
    const PartJob job =
        partJob(ChunkGrid(image->extent(), {8, 8}), image->type(), TreeKind::max, Connectivity::four, FilterSpec{});
    MemoryEnds ends(*image, job);
    try {
        (void)run(job, ends, false, 1000);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::outOfMemory);
        EXPECT_NE(std::string(error.what()).find("work in chunks: row 1 of 8"), std::string::npos) << error.what();
    }
}

/// Every fourth row rises from left to right.
std::shared_ptr<Image> teeth(std::uint32_t width, std::uint32_t height) {
    auto image = std::make_shared<Image>(PixelType::u16, width, height);
    for (std::uint32_t p = 0; p < image->pixelCount(); ++p) {
        setLevel(*image, p, p / width % 4 == 1 ? static_cast<std::uint16_t>(1 + p % width) : std::uint16_t{0});
    }
    return image;
}

TEST_F(ChunkedFilterTest, CutsWhereMemoryIsShort) {
    const auto image = teeth(600, 40);
    FilterSpec filter;
    filter.criteria = {parseCriterion("area>=7"), parseCriterion("width>=5")};
    constexpr std::uint64_t kMemory = 200'000;
    for (const Output output : kAllOutputs) {
        filter.output = output;
        PartJob job =
            partJob(ChunkGrid(image->extent(), {300, 20}), image->type(), TreeKind::max, Connectivity::four, filter);
        MemoryEnds ends(*image, job);
        job.cut = Cut::never;
        EXPECT_THROW((void)run(job, ends, false, kMemory), Error);
        const Outcome whole = inOnePiece(image, job);
        ChunkCounts report = run(job, ends, false);
        EXPECT_EQ(ends.outcome_, whole) << describe(job);
        EXPECT_FALSE(report.isCut);
        EXPECT_GT(report.largestMerge, 1500U);
        job.cut = Cut::whereShort;
        report = run(job, ends, false, kMemory);
        EXPECT_TRUE(report.isCut);
        EXPECT_LE(report.largestMerge, 2U * 5U * 8U) << "twice as many rows as reach the seams, times the area";
        EXPECT_EQ(ends.outcome_.pixels, whole.pixels) << describe(job);
        EXPECT_EQ(ends.outcome_.labels, whole.labels) << describe(job);
        EXPECT_EQ(report.nodes - report.keptNodes, whole.nodes - whole.kept);
        EXPECT_EQ(report.changedPixels, whole.changed);
    }
}

TEST_F(ChunkedFilterTest, ContinuesWithCuts) {
    const auto image = teeth(30, 12);
    FilterSpec filter;
    filter.criteria = {parseCriterion("area>=3")};
    filter.output = Output::labels;
    PartJob job = partJob(ChunkGrid(image->extent(), {9, 4}), image->type(), TreeKind::max, Connectivity::four, filter);
    job.cut = Cut::always;
    MemoryEnds ends(*image, job);
    runWithKills(job, ends, 1);
    EXPECT_EQ(ends.outcome_.labels, inOnePiece(image, job).labels);
    job.cut = Cut::never; // the counts stay unknown
    EXPECT_TRUE(run(job, ends, true).isCut);
}

TEST_F(ChunkedFilterTest, RefusesMoreProminentLeavesThanMemoryAllows) {
    RandomJobs jobs(1);
    const auto image = jobs.image({64, 64});
    FilterSpec filter;
    filter.prominent = Prominent{Prominence::dynamics, 1'000'000};
    const PartJob job =
        partJob(ChunkGrid(image->extent(), {64, 64}), image->type(), TreeKind::max, Connectivity::four, filter);
    MemoryEnds ends(*image, job);
    EXPECT_NO_THROW((void)run(job, ends, false)); // all leaves
    EXPECT_EQ(ends.outcome_, inOnePiece(image, job));
    try {
        (void)run(job, ends, false, 1000);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::outOfMemory);
        EXPECT_NE(std::string(error.what()).find("the most prominent 1000000 extrema"), std::string::npos)
            << error.what();
    }
}

/// A file of the working folder and the kinds of files without which it is read again.
struct ReadAgain {
    const char* file;
    const char* without;
};

/// Moves the files of a kind away and back.
void hide(const std::filesystem::path& work, const std::string& kind, bool away) {
    for (int row = 0; row < 3; ++row) {
        const auto file = work / (kind + "-00000" + std::to_string(row) + ".pollard");
        const auto other = work / ("hidden-00000" + std::to_string(row) + ".pollard");
        if (!away) {
            std::filesystem::remove(file);
        }
        if (std::filesystem::exists(away ? file : other)) {
            std::filesystem::rename(away ? file : other, away ? other : file);
        }
    }
}

TEST_F(ChunkedFilterTest, RefusesDamagedFilesWithOneLine) {
    RandomJobs jobs(3);
    const auto image = jobs.image({30, 30});
    const auto expectRefused = [&](const FilterSpec& filter, const std::vector<ReadAgain>& files) {
        const PartJob job =
            partJob(ChunkGrid(image->extent(), {10, 10}), image->type(), TreeKind::max, Connectivity::eight, filter);
        MemoryEnds ends(*image, job);
        (void)run(job, ends, false);
        for (const auto& [name, without] : files) {
            const std::filesystem::path path = work_ / (std::string(name) + ".pollard");
            std::ifstream in(path, std::ios::binary);
            const std::string good{std::istreambuf_iterator<char>(in), {}};
            in.close();
            std::mt19937 random(5);
            for (int i = 0; i < repeats(40); ++i) {
                std::string bad = good;
                if (i % 2 == 0) {
                    bad.resize(random() % good.size());
                } else {
                    bad[random() % good.size()] ^= static_cast<char>(1U << (random() % 8));
                }
                std::ofstream(path, std::ios::binary | std::ios::trunc) << bad;
                hide(work_, without, true);
                try {
                    (void)run(job, ends, true);
                    FAIL() << name << ", " << i;
                } catch (const Error& error) {
                    EXPECT_TRUE(error.code() == ErrorCode::fileDamaged || error.code() == ErrorCode::fileUnreadable)
                        << error.what();
                    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
                }
                hide(work_, without, false);
            }
            std::ofstream(path, std::ios::binary | std::ios::trunc) << good;
        }
    };
    FilterSpec filter;
    filter.criteria = {parseCriterion("area>=4")};
    filter.output = Output::labels;
    expectRefused(filter, {{"step-000001", "results"},
                           {"results-000000", "none"},
                           {"results-000002", "none"},
                           {"first-000001", "none"},
                           {"row-000000", "none"}});
    filter.criteria = {parseCriterion("extinction_area>=2"), parseCriterion("depth<=30")};
    filter.prominent = Prominent{Prominence::dynamics, 7};
    filter.rule = Rule::max;
    expectRefused(filter, {{"step-000001", "decisions"},
                           {"leaves-000002", "values"},
                           {"values-000001", "row"},
                           {"decisions-000001", "results"}});
}

TEST(WorkFolderTest, LeavesOtherFilesAlone) {
    const test::TempDir dir;
    const std::filesystem::path user = dir / "photos";
    std::filesystem::create_directory(user);
    std::ofstream(user / "job.json") << "{}";
    for (const bool resume : {false, true}) {
        EXPECT_THROW(WorkFolder(user, "{}", resume), Error);
    }
    EXPECT_TRUE(std::filesystem::exists(user / "job.json"));

    const std::filesystem::path work = dir / "work";
    {
        const WorkFolder folder(work, "{}", false);
        std::ofstream(folder.file("step", 3)) << "x";
        std::ofstream(work / "notes.txt") << "mine";
        folder.remove();
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(work), {}), 1);
    EXPECT_TRUE(std::filesystem::exists(work / "notes.txt"));
    std::filesystem::remove(work / "notes.txt");
    WorkFolder(work, "{}", false).remove();
    EXPECT_FALSE(std::filesystem::exists(work));
}

TEST(WorkFolderTest, DiscardsTheJobOfAnEarlierRunOnly) {
    const test::TempDir dir;
    const std::filesystem::path work = dir / "work";
    {
        const WorkFolder held(work, "{}", false);
        WorkFolder::discard(work);
        EXPECT_TRUE(WorkFolder::hasJob(work));
    }
    std::ofstream(work / "notes.txt") << "mine";
    WorkFolder::discard(work);
    EXPECT_FALSE(WorkFolder::hasJob(work));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(work), {}), 1);
    std::filesystem::remove(work / "notes.txt");
    WorkFolder(work, "{}", false);
    WorkFolder::discard(work);
    EXPECT_FALSE(std::filesystem::exists(work));
    WorkFolder::discard(work);
}

TEST(WorkFolderTest, BeginsANewJobWhereARemovalWasInterrupted) {
    const test::TempDir dir;
    const std::filesystem::path step = WorkFolder(dir / "work", "{}", false).file("step", 0);
    std::ofstream(step) << "x";
    std::filesystem::remove(WorkFolder::fileIn(dir / "work", "job"));
    const WorkFolder folder(dir / "work", "{}", true);
    EXPECT_FALSE(std::filesystem::exists(step));
    EXPECT_EQ(WorkFolder::jobIn(dir / "work"), "{}");
}

TEST_F(ChunkedFilterTest, RefusesAFolderOfAnotherJobOrOfOthers) {
    RandomJobs jobs(4);
    const auto image = jobs.image({9, 9});
    const auto jobOf = [&](const char* criterion) {
        FilterSpec filter;
        filter.criteria = {parseCriterion(criterion)};
        return partJob(ChunkGrid(image->extent(), {4, 4}), image->type(), TreeKind::max, Connectivity::four, filter);
    };
    const PartJob job = jobOf("area>=4");
    MemoryEnds ends(*image, job);
    (void)run(job, ends, false);
    const PartJob other = jobOf("area>=5");
    MemoryEnds otherEnds(*image, other);
    EXPECT_THROW((void)run(other, otherEnds, true), Error);
    EXPECT_NO_THROW((void)run(other, otherEnds, false)); // starts anew
    EXPECT_EQ(otherEnds.outcome_.pixels, inOnePiece(image, other).pixels);

    std::filesystem::create_directory(folder_.path() / "photos");
    std::ofstream(folder_.path() / "photos" / "a.tif") << "x";
    EXPECT_THROW(WorkFolder(folder_.path() / "photos", "{}", false), Error);
    const WorkFolder first(folder_.path() / "one", "{}", false);
    EXPECT_THROW(WorkFolder(folder_.path() / "one", "{}", true), Error); // in use
}

TEST(PartJobText, IsReadBack) {
    for (unsigned i = 0; i < 300; ++i) {
        RandomJobs jobs(i);
        const bool isVolume = i % 3 == 0;
        const auto image = jobs.image({1 + jobs.below(9), 1 + jobs.below(9), isVolume ? 3U : 1U});
        const PartJob job = jobs.job(*image, isVolume);
        const std::string text = textOf(job, std::uint64_t{i} << 40U);
        const NamedPartJob read = parsePartJob(text);
        EXPECT_EQ(textOf(read.job, read.source), text);
        EXPECT_EQ(read.source, std::uint64_t{i} << 40U);
        EXPECT_EQ(read.job.needs, job.needs);
    }
    EXPECT_THROW((void)parsePartJob("{}"), Error);
    EXPECT_THROW((void)parsePartJob(""), Error);
}

} // namespace
} // namespace pollard
