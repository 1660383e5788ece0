#include "parts/objects/picture_objects.hpp"

#include "base/thread_arena.hpp"
#include "components/threshold.hpp"
#include "io/picture_regions.hpp"
#include "io/read_support.hpp"
#include "io/tiff/tiff_writer.hpp"
#include "io/tiff/tile_store.hpp"
#include "io/tiff/tiled_tiff.hpp"
#include "parts/folder_guard.hpp"
#include "parts/objects/streamed_objects.hpp"
#include "recipe/result_tags.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace pollard {

namespace {

/// Memory of the work on a band, per pixel: image, mask, runs and labels.
constexpr std::uint64_t kPixelBytes = 16;
/// Larger bands are not faster.
constexpr std::uint64_t kMostBandPixels = std::uint64_t{1} << 26;

/// Whole rows of tiles.
std::uint32_t bandRowsFor(const Extent& picture, std::uint64_t memory) {
    const std::uint64_t pixels = std::min(memory / 2 / kPixelBytes, kMostBandPixels);
    const std::uint64_t tiles = std::max<std::uint64_t>(1, pixels / picture.width / kResultTile);
    return static_cast<std::uint32_t>(
        std::min(tiles * kResultTile, (std::uint64_t{picture.height} + kResultTile - 1) / kResultTile * kResultTile));
}

/// The method's threshold of the whole picture.
std::uint16_t thresholdOf(ThresholdMethod method, const ObjectJob& job, const ChunkReader& reader,
                          const JobControl& control) {
    const JobControl quiet = control.withoutProgress();
    auto counts = std::make_unique<LevelCounts>();
    for (std::uint32_t top = 0; top < job.picture.height; top += std::min(job.bandRows, job.picture.height - top)) {
        control.report(static_cast<double>(top) / job.picture.height, "counting levels");
        const std::uint32_t rows = std::min(job.bandRows, job.picture.height - top);
        const LoadedImage band = reader.read({0, top, 0, {job.picture.width, rows}}, quiet);
        const auto some = countLevels(*band.image, band.valid.get(), quiet);
        std::ranges::transform(*some, *counts, counts->begin(), std::plus<>());
    }
    return automaticThreshold(method, *counts);
}

/// Writes the labels as they are made.
void writeLabels(ObjectsInBands& objects, const PictureFilter& request, const ObjectJob& job,
                 const PictureRegions& regions, std::uint64_t count, const JobControl& control) {
    constexpr double kLabelling = 0.6;
    PartFolder folder(workFolder(request), "objects " + std::to_string(regions.identity()), false);
    const FolderGuard guard(folder);
    const TileLayout layout{job.picture.width, job.picture.height, 32, kResultTile, request.compression};
    TileStore tiles(folder.file("tiles"), layout, folder.identity(), TileStore::Opening::create);
    objects.label(
        [&](std::uint32_t top, std::span<const std::uint32_t> labels) {
            const auto rows = static_cast<std::uint32_t>(labels.size() / layout.width);
            tiles.put({0, top, layout.width, rows}, labels.data(), layout.width * layout.pixelBytes(),
                      control.withoutProgress());
        },
        control.part(0, kLabelling));
    TiffWriteOptions tags = resultOptions(regions.info(), ResultValues::others);
    const JobControl writing = control.part(kLabelling, 1 - kLabelling);
    if (request.strips) {
        tags.compression = request.compression;
        PixelRows rows = pixelRowsOf(tiles);
        rows.largest = count;
        writeTiff(request.target, rows, tags, writing);
        return;
    }
    const TileStore* const stores[] = {&tiles};
    writeTiledTiff(request.target, stores, tiles,
                   {.reduction = TiledTiffOptions::Reduction::topLeft, .carried = tags.carried, .scene = tags.scene},
                   writing);
}

} // namespace

PictureObjectsReport objectsOfPicture(const PictureFilter& request, const ObjectLevels& levels,
                                      const JobControl& control) {
    PictureRegions regions(request.source, request.read, control.withoutProgress());
    if (regions.passes() > 0) {
        regions.prepare(control.part(0, kPassShare));
    }
    const std::uint64_t memory = request.memory > 0 ? request.memory : availableMemory() / 4 * 3;
    const Extent picture{regions.width(), regions.height(), 1};
    ObjectJob job{picture, bandRowsFor(picture, memory), levels.low, levels.high, request.connectivity, memory / 2};
    if (request.chunk > 0) {
        job.bandRows = (request.chunk + kResultTile - 1) / kResultTile * kResultTile;
    }
    const ChunkReader reader{[&](const ChunkBox& box, const JobControl& quiet) {
                                 return regions.read({box.x, box.y, box.extent.width, box.extent.height}, quiet);
                             },
                             0, regions.identity()};
    PictureObjectsReport report;
    report.readings = regions.passes() + (levels.method ? 1 : 0) + (request.target.empty() ? 1 : 2);
    const JobControl working = regions.passes() > 0 ? control.part(kPassShare, 1 - kPassShare) : control;
    constexpr double kCounting = 0.15;
    constexpr double kFinding = 0.35;
    ThreadArena arena(request.threads);
    arena.execute([&] {
        if (levels.method) {
            job.low = thresholdOf(*levels.method, job, reader, working.part(0, kCounting));
        }
        ObjectsInBands objects(job, reader);
        report.components = objects.find(working.part(kCounting, kFinding));
        if (!request.target.empty()) {
            writeLabels(objects, request, job, regions, report.components.count,
                        working.part(kCounting + kFinding, 1 - kCounting - kFinding));
        }
    });
    report.low = job.low;
    report.info = regions.info();
    report.type = regions.type();
    report.extent = picture;
    report.bandRows = job.bandRows;
    return report;
}

} // namespace pollard
