#include "chunks/image_chunks.hpp"

#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "chunks/part_files.hpp"
#include "chunks/work_folder.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_units.hpp"
#include "geo/map_coordinates.hpp"
#include "image/image.hpp"
#include "io/write/volume_writer.hpp"
#include "recipe/no_data.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Memory of the work on a chunk, per pixel: its image twice, the tree with the build's working memory, decisions and
/// results of nodes, the filtered pixels.
constexpr std::uint64_t kChunkPixelBytes = 48;
/// Shares of the memory.
constexpr double kChunkShare = 0.5;
constexpr double kMergeShare = 0.2;
constexpr double kKeptShare = 0.25;
constexpr std::uint64_t kLeastMemory = std::uint64_t{64} << 20;
/// Larger chunks are not faster.
constexpr std::uint32_t kLargestSide = 8192;
constexpr std::uint64_t kLargestPixels = std::uint64_t{kLargestSide} * kLargestSide;

std::uint64_t share(std::uint64_t memory, double part) {
    return static_cast<std::uint64_t>(static_cast<double>(memory) * part);
}

std::uint32_t upToTiles(std::uint64_t side) {
    const std::uint64_t tiles = std::max<std::uint64_t>(1, (side + kResultTile - 1) / kResultTile);
    constexpr std::uint64_t kMostTiles = 0xffff'ffffULL / kResultTile;
    return static_cast<std::uint32_t>(std::min(tiles, kMostTiles) * kResultTile);
}

/// The chunks of the job to be resumed. They do not follow from the free memory of this run.
std::optional<ChunkGrid> gridToResume(const ChunkRequest& request, const Extent& whole) {
    const std::string job = request.resume ? WorkFolder::jobIn(workFolder(request)) : std::string();
    if (job.empty()) {
        return {};
    }
    const ChunkGrid grid = parsePartJob(job).job.grid;
    return grid.whole() == whole ? std::optional(grid) : std::nullopt;
}

/// @param automatic sides of chunks by the memory @param asked sides in the request, if it has any
ChunkGrid gridFor(const ChunkRequest& request, const Extent& whole, const Extent& automatic, const Extent& asked) {
    if (request.chunk == 0) {
        const std::optional<ChunkGrid> resumed = gridToResume(request, whole);
        return resumed ? *resumed : ChunkGrid(whole, automatic);
    }
    return {whole, asked};
}

std::uint64_t memoryFor(const ChunkRequest& request) {
    return std::max(request.memory > 0 ? request.memory : availableMemory() / 4 * 3, kLeastMemory);
}

/// @throws Error(invalidArgument) if the job is for a volume
void requireShareable(const PartJob& job) {
    if (job.grid.whole().isVolume()) {
        throw Error(ErrorCode::invalidArgument,
                    "share an image among tasks: a volume is filtered by one process; use filter --volume --stream");
    }
}

} // namespace

std::uint64_t bytesInMemory(std::uint64_t pixels) noexcept { return pixels * kChunkPixelBytes; }

Extent chunkFor(const Extent& image, const BlockGrid& blocks, std::uint64_t memory) {
    const std::uint64_t pixels = std::min<std::uint64_t>(share(memory, kChunkShare) / kChunkPixelBytes, kLargestPixels);
    const bool isStripped = blocks.width >= image.width && image.width > kResultTile;
    if (isStripped && std::uint64_t{image.width} * kResultTile <= pixels) {
        const std::uint64_t rows = pixels / image.width / kResultTile * kResultTile;
        return {image.width, std::min(upToTiles(rows), upToTiles(image.height)), 1};
    }
    const auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(pixels)));
    const std::uint32_t tiles = upToTiles(std::max<std::uint64_t>(side / kResultTile, 1) * kResultTile);
    return {tiles, tiles, 1};
}

Extent chunkForVolume(const Extent& volume, std::uint64_t memory) {
    constexpr std::uint64_t kLeastSlices = 16; // thinner slabs have too many nodes over seams
    const std::uint64_t pixels = std::min<std::uint64_t>(share(memory, kChunkShare) / kChunkPixelBytes, kLargestPixels);
    const std::uint64_t slices = pixels / volume.slicePixels();
    if (slices >= std::min<std::uint64_t>(kLeastSlices, volume.slices)) {
        return {volume.width, volume.height,
                static_cast<std::uint32_t>(std::min<std::uint64_t>(slices, volume.slices))};
    }
    const auto side = static_cast<std::uint32_t>(std::max(1.0, std::cbrt(static_cast<double>(pixels))));
    return {side, side, side};
}

/// The units for the bounds of a filter.
ImageUnits unitsFor(const FilterSpec& filter, const RegionSource& regions) {
    ImageInfo info = regions.info();
    const bool isVolume = regions.extent().isVolume();
    if (hasUnits(filter) && !isVolume) {
        findGroundSize(info, regions.extent().width, regions.extent().height);
    }
    return {info, isVolume};
}

bool needsProportionalInChunks(const FilterSpec& filter) noexcept {
    const auto isGrey = [](AttributeId id) { return id != AttributeId::level && attributeInfo(id).grey != Grey::none; };
    return needsProportional(filter) ||
           std::ranges::any_of(filter.criteria, [&](const Criterion& each) { return isGrey(each.attribute); }) ||
           (filter.prominent && isGrey(attributeOf(filter.prominent->measure)));
}

/// Options of reading with which the levels suit the filter.
ReadOptions readOptionsFor(const ChunkRequest& request) {
    ReadOptions options = request.read;
    options.keepSamples = options.keepSamples || areLevels(resultValuesOf(request.filter));
    options.mapping.proportional = options.mapping.proportional || needsProportionalInChunks(request.filter);
    return options;
}

FilterSpec inLevelsOfChunks(const FilterSpec& filter, const ImageUnits& units) {
    FilterSpec spec = inPixels(filter, units);
    const std::optional<ValueMapping>& mapping = units.mapping;
    for (Criterion& criterion : spec.criteria) {
        if (criterion.attribute != AttributeId::level || !mapping || !isColumnInValues(criterion.attribute, *mapping)) {
            continue;
        }
        criterion.minimum = std::isinf(criterion.minimum) ? criterion.minimum : mapping->levelOf(criterion.minimum);
        criterion.maximum = std::isinf(criterion.maximum) ? criterion.maximum : mapping->levelOf(criterion.maximum);
    }
    return spec;
}

ImageChunks::ImageChunks(const ChunkRequest& request, const JobControl& control) : memory(memoryFor(request)) {
    const ReadOptions read = readOptionsFor(request);
    ChunkGrid grid;
    if (request.volume) {
        const std::vector<std::filesystem::path> files =
            request.slices.empty() ? std::vector{request.source} : request.slices;
        regions = openRegions(VolumeFiles{files, share(memory, kChunkShare)}, read, control);
        const Extent whole = regions->extent();
        grid = gridFor(request, whole, chunkForVolume(whole, memory), {request.chunk, request.chunk, request.chunk});
    } else {
        regions = openRegions(request.source, read, control);
        const Extent whole = regions->extent();
        const std::uint32_t side = upToTiles(request.chunk);
        grid = gridFor(request, whole, chunkFor(whole, regions->blocks(), memory), {side, side, 1});
    }
    if (regions->passes() > 0) {
        regions->prepare(control); // levels and values belong together by all pixels
    }
    job = partJob(grid, regions->type(), request.kind, request.connectivity,
                  inLevelsOfChunks(request.filter, unitsFor(request.filter, *regions)));
    job.measureValues(regions->info().mapping);
    job.written = resultSamples(*regions, resultValuesOf(job.filter), control);
    facts = regions->facts();
}

ImageChunks::ImageChunks(const ChunkRequest& request, const ChunkPlan& plan, const JobControl& control)
    : regions(openRegions(request.source, readOptionsFor(request), control)), memory(memoryFor(request)),
      facts(plan.facts) {
    NamedPartJob planned = parsePartJob(plan.job);
    if (planned.source != regions->identity() || planned.job.type != regions->type() ||
        planned.job.grid.whole() != regions->extent()) {
        throw Error(ErrorCode::invalidArgument,
                    request.source.string() +
                        ": is not the image of the job: it has changed, or is read in another way");
    }
    job = std::move(planned.job);
    requireShareable(job);
    regions->prepareBy(plan.facts);
}

ChunkPlan ImageChunks::plan() const {
    requireShareable(job);
    return {textOf(job, regions->identity()), facts};
}

std::uint64_t ImageChunks::mergeMemory() const noexcept { return share(memory, kMergeShare); }

ChunkReader ImageChunks::reader() const {
    ChunkReader reader;
    reader.read = [from = regions.get()](const ChunkBox& box, const JobControl& control) {
        return from->readBox({box.x, box.y, box.extent.width, box.extent.height}, {box.z, box.extent.slices}, control);
    };
    if (const auto& valid = regions->validLevels()) {
        // Without a valid pixel, analysisImage() takes the level that no pixel is beyond.
        const std::uint16_t most = maxLevelOf(regions->type());
        const bool isMax = job.kind == TreeKind::max;
        reader.outsideLevel = valid->none ? (isMax ? most : std::uint16_t{0})
                              : isMax     ? valid->smallest
                                          : valid->largest;
    }
    reader.identity = regions->identity();
    return reader;
}

ChunkTreeOptions ImageChunks::treeOptions(const ChunkRequest& request) const {
    return {request.engines,           request.algorithm,          {request.threads},
            share(memory, kKeptShare), share(memory, kChunkShare), request.note};
}

ChunkReport reportOn(const ImageChunks& chunks, int bits) {
    ChunkReport report;
    report.info = chunks.regions->info();
    report.type = chunks.job.type;
    report.extent = chunks.job.grid.whole();
    report.chunk = chunks.job.grid.chunkExtent();
    report.bits = bits;
    report.readings = chunks.regions->passes() + 2 + (chunks.job.filter.output == Output::labels ? 1 : 0);
    return report;
}

std::filesystem::path workFolder(const ChunkRequest& request) {
    if (!request.folder.empty()) {
        return request.folder;
    }
    std::filesystem::path folder = request.target;
    return folder += ".parts";
}

bool writesRows(const ChunkRequest& request) {
    return request.volume || request.strips || isZarrResult(request.target) || isVoxelFile(request.target) ||
           isFitsFile(request.target);
}

} // namespace pollard
