#include "jobs/chunk_run.hpp"

#include "chunks/chunk_job.hpp"
#include "io/read_support.hpp"
#include "io/region_source.hpp"
#include "io/volumes/volume_slices.hpp"
#include "options/named_files.hpp"
#include "recipe/results/result_file.hpp"
#include "report.hpp"
#include "text.hpp"

#include <exception>
#include <utility>

namespace pollard::cli {

namespace {

std::string reasonFor(const char* what, const Extent& extent, std::uint64_t pixelBytes) {
    const std::uint64_t needed = pixelBytes * extent.pixelCount();
    const std::uint64_t available = availableMemory();
    if (needed <= available && extent.pixelCount() <= Image::kMaxPixels) {
        return {};
    }
    return std::string(what) + " of " + sidesText(extent) + " takes about " + sizeText(needed) + " of memory, " +
           sizeText(available) + " are free";
}

Conflict shrinkingOf(const ImageOptions& image) {
    return {image.shrink > 1, "--stream: leave out --shrink; --level reads a reduced version of a pyramid"};
}

} // namespace

std::string memoryReason(const ImageOptions& image, std::uint64_t pixelBytes, bool takesVolumes) {
    if (image.shrink > 1 || (image.volume && !takesVolumes)) {
        return {};
    }
    try {
        if (image.volume) {
            return reasonFor("the volume", VolumeSlices(volumeFiles(image), image.readOptions()).extent(), pixelBytes);
        }
        const auto regions = openRegions(parseImageArgument(image.image).path, image.readOptions());
        return reasonFor("the image", regions->extent(), pixelBytes);
    } catch (const std::exception&) { // loadImage() fails likewise
        return {};
    }
}

void refuseInChunks(const ImageOptions& image) {
    refuseConflicts({{image.volume, "--stream: works on images; leave out --volume"}, shrinkingOf(image)});
}

void refuseInChunks(const FilterRequest& request, bool allChannels) {
    refuseConflicts(
        {{!allChannels && request.concernsAllChannels(),
          "--stream: filters one channel; leave out --guide and --channel all"},
         {allChannels && !request.guide.empty(), "--stream: filters each channel by its own tree; leave out --guide"},
         {request.filter.hasPicks(), "--stream: components are not picked by pixel in chunks"},
         shrinkingOf(request.image)});
}

bool worksInChunks(const StreamOptions& stream, const std::function<std::string()>& reasonOf, const char* how,
                   const Context& context) {
    if (stream.asksForChunks()) {
        return true;
    }
    const std::string reason = reasonOf();
    if (!reason.empty()) {
        printNote(context, reason + ": " + how + " (--stream)");
    }
    return !reason.empty();
}

ChunkRequest chunkRequest(const ImageOptions& image, const StreamOptions& stream, const Context& context) {
    ChunkRequest request;
    request.source = parseImageArgument(image.image).path;
    request.read = image.readOptions();
    request.read.threads = context.common.threads;
    request.memory = stream.memoryBytes();
    request.chunk = stream.chunk;
    request.threads = context.common.threads;
    request.compression = stream.tiffCompression();
    request.strips = stream.strips;
    request.folder = stream.workFolder;
    request.resume = stream.resume;
    return request;
}

ChunkRequest chunkRequest(const ImageOptions& image, const TreeSpec& tree, const StreamOptions& stream,
                          const Context& context) {
    ChunkRequest request = chunkRequest(image, stream, context);
    request.kind = tree.kind;
    request.connectivity = tree.connectivity;
    request.algorithm = tree.algorithm;
    request.engines = enginesWith(context, tree.algorithm);
    request.note = [&context](const std::string& text) { printNote(context, text); };
    return request;
}

std::string sidesText(const Extent& extent) {
    return grouped(extent.width) + " x " + grouped(extent.height) +
           (extent.isVolume() ? " x " + grouped(extent.slices) : "") + " px";
}

std::string chunksText(const ChunkReport& report) {
    return counted(report.counts.builtTrees, "tree") + ", " + counted(report.counts.openNodes, "node") +
           " over seams, image read at most " + counted(static_cast<std::uint64_t>(report.readings), "time");
}

void addChunkFields(Json& object, const ChunkReport& report) {
    object["engine"] = report.engine;
    object["chunk"] = {report.chunk.width, report.chunk.height};
    object["readings"] = report.readings;
    object["chunk_trees"] = report.counts.builtTrees;
    object["open_nodes"] = report.counts.openNodes;
    object["merged_nodes"] = report.counts.mergedNodes;
    object["largest_merge"] = report.counts.largestMerge;
    object["largest_frontier"] = report.counts.largestFrontier;
}

WorkFacts chunkFacts(const TreeSpec& tree, const ChunkReport& report, double milliseconds, Json fields) {
    fields["nodes"] = report.counts.nodes;
    fields["tree"] = tree.kind == TreeKind::max ? "max" : "min";
    fields["connectivity"] = static_cast<int>(tree.connectivity);
    addChunkFields(fields, report);
    if (report.counts.folderBytes > 0) {
        fields["work_bytes"] = report.counts.folderBytes;
    }
    fields["total_ms"] = milliseconds;
    return {report.extent, bitsOf(report.type),
            counted(report.counts.nodes, "node") + " in chunks of " + sidesText(report.chunk) + " (" + report.engine +
                ", " + chunksText(report) + ", " + fixed(milliseconds / 1000, 1) + " s)",
            std::move(fields)};
}

Json countJson(std::uint64_t nodes, bool isCut) { return isCut ? Json() : Json(nodes); }

void printTilesNote(const Context& context) {
    printNote(context, "written in tiles, which ImageJ opens by the plugin Bio-Formats only; --strips writes strips");
}

std::string chunksNeeded(const FilterRequest& request, const FilterSpec& asked) {
    const bool isVolume = request.image.volume;
    if (request.concernsAllChannels() || request.filter.hasPicks() || !chunkProblem(asked, isVolume).empty()) {
        return {};
    }
    return memoryReason(request.image, bytesInMemory(1), true);
}

ChunkRequest chunkRequest(const FilterRequest& request, const FilterSpec& asked, const Context& context,
                          bool takesVolumes) {
    if (!request.image.volume || !takesVolumes) {
        refuseInChunks(request.image);
    }
    refuseInChunks(request, false);
    ChunkRequest filter = chunkRequest(request.image, request.treeSpec(), request.stream, context);
    filter.filter = asked;
    filter.target = request.target;
    filter.volume = request.image.volume;
    return filter;
}

void requireTarget(const FilterRequest& request, bool byRows, bool orImage) {
    byRows ? requireResultName(request.target, false, orImage) : requireTiffName(request.target);
    requireOutputs(request.image.image, {{request.target, "the result"}});
}

void printChunkReport(const FilterRequest& request, const FilterSpec& asked, const ChunkReport& report,
                      double milliseconds, const Context& context, const ReportDetails& details) {
    const ChunkCounts& counts = report.counts;
    const bool isVolume = report.extent.isVolume();
    const std::uint64_t pixels = report.extent.pixelCount();
    Report printed;
    Json& fields = printed.fields;
    printed.addImage(request.image.image, report.extent, report.bits, request.target);
    fields["kept"] = countJson(counts.keptNodes, counts.isCut);
    fields["removed"] = counts.nodes - counts.keptNodes;
    fields["changed_pixels"] = counts.changedPixels;
    fields["nodes"] = countJson(counts.nodes, counts.isCut);
    TextTable table(
        {isVolume ? "volume" : "image", sidesText(report.extent) + " in chunks of " + sidesText(report.chunk)}, "ll");
    table.add({"filter", FilterOptions::describe(asked) + " (" + fixed(milliseconds / 1000, 1) + " s, " +
                             fixed(static_cast<double>(pixels) / milliseconds / 1000, 1) + " MPix/s)"});
    if (counts.isCut) {
        table.add({"removed", grouped(counts.nodes - counts.keptNodes) + " nodes; those kept are not counted"});
    } else {
        table.add({"kept", partText(counts.keptNodes, counts.nodes, " nodes")});
    }
    table.add({"changed", partText(counts.changedPixels, pixels, " pixels")});
    if (asked.output == Output::labels) {
        fields["labels"] = counts.components;
        table.add({"labels", grouped(counts.components)});
    }
    addSlices(fields, report.extent);
    request.filter.addFields(fields, asked);
    addChunkFields(fields, report);
    if (isVolume) {
        fields["chunk"].push_back(report.chunk.slices);
    }
    fields["work_bytes"] = counts.folderBytes;
    fields["total_ms"] = milliseconds;
    fields.update(details.fields);
    table.add({"chunks", chunksText(report) + ", working files " + sizeText(counts.folderBytes)});
    for (const auto& [name, value] : details.rows) {
        table.add({name, value});
    }
    table.add({"written", request.target});
    table.print(printed.text);
    printed.print(context);
}

void filterInChunks(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    ChunkRequest filter = chunkRequest(request, asked, context, true);
    const bool byRows = writesRows(filter);
    refuseConflicts({{isZarrResult(request.target) && filter.compression != TiffCompression::deflate,
                      "--compression: OME-Zarr is written with Blosc and Zstandard; leave it out"}});
    requireTarget(request, byRows);
    if (filter.volume) {
        filter.slices = volumeFiles(request.image);
        printVolumeNote(request.image, filter.slices.size() > 1 ? filter.slices.size() : 0, context);
    }
    const auto [report, milliseconds] = runInChunks(context, !byRows, [&](ProgressLine& progress) {
        return filterImage(filter, progress.control("filtering in chunks", context.stop));
    });
    printChunkReport(request, asked, report, milliseconds, context);
}

} // namespace pollard::cli
