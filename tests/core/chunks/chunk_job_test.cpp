#include "chunks/chunk_job.hpp"

#include "base/error.hpp"
#include "core/chunks/part_jobs.hpp"
#include "core/io/io_support.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "io/volumes/read_volume.hpp"
#include "recipe/results/result_file.hpp"
#include "support/affordable.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {
namespace {

using namespace testing;
using test::TempDir;

TEST(PixelStore, HasTheBoxesInAnyOrder) {
    const TempDir dir;
    for (unsigned seed = 0; seed < 20; ++seed) {
        RandomJobs jobs(seed);
        const Extent whole{1 + jobs.below(9), 1 + jobs.below(9), 1 + jobs.below(9)};
        const ChunkGrid grid(whole, {1 + jobs.below(9), 1 + jobs.below(9), 1 + jobs.below(9)});
        PixelStore store(dir / "pixels", whole, ValueType::u16, false);
        std::vector<std::uint64_t> order(grid.count());
        std::iota(order.begin(), order.end(), std::uint64_t{0});
        std::ranges::shuffle(order, jobs.random());
        for (const std::uint64_t chunk : order) {
            const ChunkBox box = grid.boxOf(chunk);
            std::vector<std::uint16_t> pixels(box.extent.pixelCount());
            for (std::uint32_t p = 0; p < pixels.size(); ++p) {
                const Voxel at = voxelAt(p, box.extent);
                pixels[p] = static_cast<std::uint16_t>(grid.pixel(box.x + at.x, box.y + at.y, box.z + at.z));
            }
            store.put(box, reinterpret_cast<const std::byte*>(pixels.data()));
        }
        std::vector<std::uint16_t> all(whole.pixelCount());
        store.rows().read(0, static_cast<std::uint32_t>(whole.rows()), reinterpret_cast<std::byte*>(all.data()));
        for (std::size_t p = 0; p < all.size(); ++p) {
            ASSERT_EQ(all[p], p) << seed;
        }
    }
}

TEST(PixelStore, ContinuesWithAFileOfItsSizeOnly) {
    const TempDir dir;
    const std::vector<std::uint8_t> pixels{1, 2, 3, 4, 5, 6};
    const auto data = reinterpret_cast<const std::byte*>(pixels.data());
    PixelStore(dir / "pixels", {3, 2, 1}, ValueType::u8, false).put({0, 0, 0, {3, 2, 1}}, data);
    PixelStore resumed(dir / "pixels", {3, 2, 1}, ValueType::u8, true);
    EXPECT_TRUE(resumed.isResumed());
    std::vector<std::uint8_t> read(3);
    resumed.rows().read(1, 1, reinterpret_cast<std::byte*>(read.data()));
    EXPECT_EQ(read, (std::vector<std::uint8_t>{4, 5, 6}));
    EXPECT_FALSE(PixelStore(dir / "pixels", {3, 3, 1}, ValueType::u8, true).isResumed());
    EXPECT_FALSE(PixelStore(dir / "none", {3, 3, 1}, ValueType::u8, true).isResumed());
    EXPECT_FALSE(PixelStore(dir / "pixels", {3, 3, 1}, ValueType::u8, false).isResumed());
    EXPECT_THROW(PixelStore(dir / "no/folder", {3, 3, 1}, ValueType::u8, false), Error);
    std::filesystem::resize_file(dir / "pixels", 4);
    EXPECT_THROW(resumed.rows().read(1, 1, reinterpret_cast<std::byte*>(read.data())), Error);
}

/// The bytes of a file, or of all files in a folder by their names.
std::map<std::string, std::string> contentOf(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) {
        return {{"", test::readBytes(path)}};
    }
    std::map<std::string, std::string> content;
    for (const auto& each : std::filesystem::recursive_directory_iterator(path)) {
        if (each.is_regular_file()) {
            content.emplace(each.path().lexically_relative(path).string(), test::readBytes(each.path()));
        }
    }
    return content;
}

class FilterVolume : public ::testing::Test {
protected:
    /// Writes the volume.
    [[nodiscard]] ChunkRequest requestFor(const Image& image, const PartJob& job, std::uint32_t chunk,
                                          const char* target) const {
        writeTiff(dir_ / "v.tif", {image, {.scene = {.axes = {{'z', static_cast<int>(image.extent().slices), {}}}}}});
        ChunkRequest request;
        request.source = dir_ / "v.tif";
        request.volume = true;
        request.kind = job.kind;
        request.connectivity = job.connectivity;
        request.filter = job.filter;
        request.target = dir_ / target;
        request.chunk = chunk;
        request.memory = std::uint64_t{1} << 28;
        request.engines = {engine_.get()};
        return request;
    }

    /// Writes a random volume, and filters it in memory and in bricks.
    void expectEqual(unsigned seed, const char* target) {
        std::filesystem::create_directory(dir_ / "whole");
        RandomJobs jobs(seed);
        const auto image = jobs.image({1 + jobs.below(14), 1 + jobs.below(9), 2 + jobs.below(7)});
        const PartJob job = jobs.job(*image, true);
        SCOPED_TRACE(describe(job));
        // Every row takes files that are made durable.
        const std::uint32_t chunk = seed % 10 == 0 ? 1 : 2 + jobs.below(7);
        const ChunkReport report = filterImage(requestFor(*image, job, chunk, target));

        const LoadedImage loaded = readVolume(dir_ / "v.tif");
        const auto session = engine_->openSession();
        session->open(loaded.image);
        (void)session->buildTree({job.kind, job.connectivity, "", {}});
        const auto whole = dir_ / "whole" / target; // the name stands in OME-Zarr
        if (job.filter.output == Output::labels) {
            const LabelImage labels = session->labels(job.filter);
            writeResult(whole, resultPlane(labels.labels.span(), image->extent(), loaded.info), {});
            EXPECT_EQ(report.counts.components, labels.count);
        } else {
            Image out(image->type(), image->extent());
            const FilterReport counts = session->filter(job.filter, out);
            writeResult(whole, resultPlane(out, loaded, resultValuesOf(job.filter)), {});
            EXPECT_EQ(report.counts.keptNodes, counts.keptNodes);
            EXPECT_EQ(report.counts.changedPixels, counts.changedPixels);
        }
        ASSERT_EQ(contentOf(dir_ / target), contentOf(whole)) << seed;
        std::filesystem::remove_all(dir_ / target); // a folder of OME-Zarr is not replaced
        std::filesystem::remove_all(whole);
    }

    TempDir dir_;
    std::unique_ptr<Engine> engine_ = makeCpuEngine();
};

TEST_F(FilterVolume, WritesTheBytesOfTheVolumeInMemory) {
    for (int i = 0; i < repeats(40); ++i) {
        constexpr std::array<const char*, 4> kTargets = {"o.nrrd", "o.nii.gz", "o.tif", "o.zarr"};
        expectEqual(static_cast<unsigned>(i), kTargets[static_cast<unsigned>(i) % kTargets.size()]);
        if (HasFatalFailure()) {
            return;
        }
    }
}

TEST_F(FilterVolume, ContinuesOnlyWithThePixelsOfFinishedChunks) {
    RandomJobs jobs(2);
    const auto image = jobs.image({14, 9, 6});
    FilterSpec filter;
    filter.criteria = {parseCriterion("area>=3")};
    const PartJob job =
        partJob(ChunkGrid(image->extent(), {4, 4, 4}), image->type(), TreeKind::max, Connectivity::six, filter);
    ChunkRequest request = requestFor(*image, job, 4, "o.tif");
    request.folder = dir_ / "work";
    (void)filterImage(request);
    EXPECT_FALSE(std::filesystem::exists(request.folder));
    const std::string whole = test::readBytes(request.target);
    const auto stopWhileWriting = [&] {
        std::filesystem::remove(request.target);
        request.resume = false;
        std::stop_source stop;
        const JobControl control(stop.get_token(), [&](double, std::string_view stage) {
            if (stage == "writing") {
                stop.request_stop();
            }
        });
        EXPECT_THROW((void)filterImage(request, control), Cancelled);
        request.resume = true;
    };

    stopWhileWriting();
    EXPECT_EQ(filterImage(request).counts.builtTrees, 0U) << "all chunks are finished";
    EXPECT_EQ(test::readBytes(request.target), whole);

    stopWhileWriting();
    std::filesystem::remove(WorkFolder::fileIn(request.folder, "pixels"));
    try {
        (void)filterImage(request);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::fileDamaged);
        EXPECT_THAT(error.what(), ::testing::HasSubstr("the pixels of finished chunks are missing"));
    }
}

TEST(ChunkForVolume, IsASlabOfSlicesOrACube) {
    const auto bytes = [](std::uint64_t pixels) { return pixels * 48 * 2; };
    EXPECT_EQ(chunkForVolume({100, 100, 900}, bytes(100 * 100 * 40)), (Extent{100, 100, 40}));
    EXPECT_EQ(chunkForVolume({100, 100, 30}, bytes(100 * 100 * 40)), (Extent{100, 100, 30}));
    EXPECT_EQ(chunkForVolume({100, 100, 5}, bytes(100 * 100 * 6)), (Extent{100, 100, 5}));
    const Extent cube = chunkForVolume({1000, 1000, 900}, bytes(1'000'000));
    EXPECT_EQ(cube.width, cube.height);
    EXPECT_EQ(cube.width, cube.slices);
    EXPECT_NEAR(cube.width, 100, 1);
}

} // namespace
} // namespace pollard
