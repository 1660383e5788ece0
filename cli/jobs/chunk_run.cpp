#include "jobs/chunk_run.hpp"

#include "chunks/chunk_job.hpp"
#include "io/picture_regions.hpp"
#include "io/read_support.hpp"
#include "io/volumes/volume_slices.hpp"
#include "jobs/channel_filter.hpp"
#include "options/output_target.hpp"
#include "recipe/result_file.hpp"
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

void refuseWholeOptions(const FilterRequest& request) {
    if (filtersAllChannels(request)) {
        throw UsageError("--stream: filters one channel; leave out --guide and --channel all");
    }
    if (request.filter.hasPicks()) {
        throw UsageError("--stream: components are not picked by pixel in chunks");
    }
    refuseShrinking(request.image);
}

ChunkRequest filterOf(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    refuseWholeOptions(request);
    ChunkRequest filter = chunkRequest(request.image, request.treeSpec(), request.stream, context);
    filter.filter = asked;
    filter.target = request.target;
    filter.volume = request.image.volume;
    return filter;
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
        const PictureRegions picture(parseImageArgument(image.image).path, image.readOptions());
        return reasonFor("the picture", picture.extent(), pixelBytes);
    } catch (const std::exception&) { // loadImage() fails likewise
        return {};
    }
}

void refuseWholeImages(const ImageOptions& image) {
    if (image.volume) {
        throw UsageError("--stream: works on pictures; leave out --volume");
    }
    refuseShrinking(image);
}

void refuseShrinking(const ImageOptions& image) {
    if (image.shrink > 1) {
        throw UsageError("--stream: leave out --shrink; --level reads a reduced version of a pyramid");
    }
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
    return grouped(report.counts.builtTrees) + " trees, " + grouped(report.counts.openNodes) +
           " nodes over seams, picture read at most " + std::to_string(report.readings) + " times";
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
            grouped(report.counts.nodes) + " nodes in chunks of " + sidesText(report.chunk) + " (" + report.engine +
                ", " + chunksText(report) + ", " + fixed(milliseconds / 1000, 1) + " s)",
            std::move(fields)};
}

Json countJson(std::uint64_t nodes, bool isCut) { return isCut ? Json() : Json(nodes); }

void printTilesNote(const Context& context) {
    printNote(context, "written in tiles, which ImageJ opens by the plugin Bio-Formats only; --strips writes strips");
}

std::string chunksNeeded(const FilterRequest& request, const FilterSpec& asked) {
    const bool isVolume = request.image.volume;
    if (filtersAllChannels(request) || request.filter.hasPicks() || !chunkProblem(asked, isVolume).empty()) {
        return {};
    }
    return memoryReason(request.image, bytesInMemory(1), true);
}

ChunkRequest chunkRequest(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    refuseWholeImages(request.image);
    return filterOf(request, asked, context);
}

void requireTarget(const FilterRequest& request, bool byRows) {
    byRows ? requireResultName(request.target) : requireTiffName(request.target);
    requireDifferent(parseImageArgument(request.image.image).path, request.target, "the input");
    requireWritable(request.target);
}

void printChunkReport(const FilterRequest& request, const FilterSpec& asked, const ChunkReport& report,
                      double milliseconds, const Context& context, const ReportDetails& details) {
    const ChunkCounts& counts = report.counts;
    const bool isLabelled = asked.output == Output::labels;
    const bool isVolume = report.extent.isVolume();
    if (context.common.json) {
        Json object{{"file", request.image.image},
                    {"output_file", request.target},
                    {"width", report.extent.width},
                    {"height", report.extent.height},
                    {"bits", report.bits},
                    {"kept", countJson(counts.keptNodes, counts.isCut)},
                    {"removed", counts.nodes - counts.keptNodes},
                    {"changed_pixels", counts.changedPixels},
                    {"nodes", countJson(counts.nodes, counts.isCut)}};
        if (isLabelled) {
            object["labels"] = counts.components;
        }
        if (isVolume) {
            object["slices"] = report.extent.slices;
        }
        request.filter.addFields(object, asked);
        addChunkFields(object, report);
        if (isVolume) {
            object["chunk"].push_back(report.chunk.slices);
        }
        object["work_bytes"] = counts.folderBytes;
        object["total_ms"] = milliseconds;
        object.update(details.fields);
        printJson(context.out, object);
        return;
    }
    if (context.common.quiet) {
        return;
    }
    const std::uint64_t pixels = report.extent.pixelCount();
    using enum TextTable::Align;
    TextTable table(
        {isVolume ? "volume" : "picture", sidesText(report.extent) + " in chunks of " + sidesText(report.chunk)},
        {left, left});
    table.add({"filter", FilterOptions::describe(asked) + " (" + fixed(milliseconds / 1000, 1) + " s, " +
                             fixed(static_cast<double>(pixels) / milliseconds / 1000, 1) + " MPix/s)"});
    if (counts.isCut) {
        table.add({"removed", grouped(counts.nodes - counts.keptNodes) + " nodes; those kept are not counted"});
    } else {
        table.add({"kept", grouped(counts.keptNodes) + " of " + grouped(counts.nodes) + " nodes" +
                               shareText(counts.keptNodes, counts.nodes)});
    }
    table.add({"changed", grouped(counts.changedPixels) + " of " + grouped(pixels) + " pixels" +
                              shareText(counts.changedPixels, pixels)});
    if (isLabelled) {
        table.add({"labels", grouped(counts.components)});
    }
    table.add({"chunks", chunksText(report) + ", working files " + sizeText(counts.folderBytes)});
    for (const auto& [name, value] : details.rows) {
        table.add({name, value});
    }
    table.add({"written", request.target});
    table.print(context.out);
}

void filterInChunks(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    ChunkRequest filter =
        request.image.volume ? filterOf(request, asked, context) : chunkRequest(request, asked, context);
    const bool byRows = writesRows(filter);
    if (isZarrResult(request.target) && filter.compression != TiffCompression::deflate) {
        throw UsageError("--compression: OME-Zarr is written with Blosc and Zstandard; leave it out");
    }
    requireTarget(request, byRows);
    if (filter.volume) {
        filter.slices = volumeFiles(request.image);
        printVolumeNote(request.image, filter.slices.size() > 1 ? filter.slices.size() : 0, context);
    }
    const auto [report, milliseconds] = runInChunks(context, !byRows, [&](ProgressLine& progress) {
        return filterPicture(filter, progress.control("filtering in chunks", context.stop));
    });
    printChunkReport(request, asked, report, milliseconds, context);
}

} // namespace pollard::cli
