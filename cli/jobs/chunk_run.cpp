#include "jobs/chunk_run.hpp"

#include "io/picture_regions.hpp"
#include "io/read_support.hpp"
#include "io/volumes/volume_slices.hpp"
#include "jobs/channel_filter.hpp"
#include "options/output_target.hpp"
#include "parts/chunk_job.hpp"
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

PictureFilter filterOf(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    refuseWholeOptions(request);
    PictureFilter filter = pictureRequest(request.image, request.treeSpec(), request.stream, context);
    filter.filter = asked;
    filter.target = request.target;
    filter.volume = request.image.volume;
    return filter;
}

/// As requireTarget(), for a target that is written row by row.
void requireRowTarget(const FilterRequest& request, const PictureFilter& filter) {
    if (isZarrResult(request.target) && filter.compression != TiffCompression::deflate) {
        throw UsageError("--compression: OME-Zarr is written with Blosc and Zstandard; leave it out");
    }
    requireResultName(request.target);
    requireDifferent(filter.source, request.target, "the input");
    requireWritable(request.target);
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

PictureFilter pictureRequest(const ImageOptions& image, const StreamOptions& stream, const Context& context) {
    PictureFilter request;
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

PictureFilter pictureRequest(const ImageOptions& image, const TreeSpec& tree, const StreamOptions& stream,
                             const Context& context) {
    PictureFilter request = pictureRequest(image, stream, context);
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

std::string chunksText(const PictureFilterReport& report) {
    return grouped(report.stream.builtTrees) + " trees, " + grouped(report.stream.openNodes) +
           " nodes over seams, picture read at most " + std::to_string(report.readings) + " times";
}

void addChunkFields(Json& object, const PictureFilterReport& report) {
    object["engine"] = report.engine;
    object["chunk"] = {report.chunk.width, report.chunk.height};
    object["readings"] = report.readings;
    object["chunk_trees"] = report.stream.builtTrees;
    object["open_nodes"] = report.stream.openNodes;
    object["merged_nodes"] = report.stream.mergedNodes;
    object["largest_merge"] = report.stream.largestMerge;
    object["largest_frontier"] = report.stream.largestFrontier;
}

WorkFacts chunkFacts(const TreeSpec& tree, const PictureFilterReport& report, double milliseconds, Json fields) {
    fields["nodes"] = report.stream.nodes;
    fields["tree"] = tree.kind == TreeKind::max ? "max" : "min";
    fields["connectivity"] = static_cast<int>(tree.connectivity);
    addChunkFields(fields, report);
    if (report.stream.folderBytes > 0) {
        fields["work_bytes"] = report.stream.folderBytes;
    }
    fields["total_ms"] = milliseconds;
    return {report.extent, bitsOf(report.type),
            grouped(report.stream.nodes) + " nodes in chunks of " + sidesText(report.chunk) + " (" + report.engine +
                ", " + chunksText(report) + ", " + fixed(milliseconds / 1000, 1) + " s)",
            std::move(fields)};
}

Json countJson(std::uint64_t nodes, bool isCut) { return isCut ? Json() : Json(nodes); }

void printTilesNote(const Context& context) {
    printNote(context, "written in tiles, which ImageJ opens by the plugin Bio-Formats only; --strips writes strips");
}

std::string chunksNeeded(const FilterRequest& request, const FilterSpec& asked) {
    const bool isVolume = request.image.volume;
    if (filtersAllChannels(request) || request.filter.hasPicks() || !partProblem(asked, isVolume).empty()) {
        return {};
    }
    return memoryReason(request.image, bytesInMemory(1), true);
}

PictureFilter pictureFilter(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    refuseWholeImages(request.image);
    return filterOf(request, asked, context);
}

void requireTarget(const FilterRequest& request) {
    requireTiffName(request.target);
    requireDifferent(parseImageArgument(request.image.image).path, request.target, "the input");
    requireWritable(request.target);
}

void printChunkReport(const FilterRequest& request, const FilterSpec& asked, const PictureFilterReport& report,
                      double milliseconds, const Context& context, const ReportDetails& details) {
    const StreamedReport& stream = report.stream;
    const bool isLabelled = asked.output == Output::labels;
    const bool isVolume = report.extent.isVolume();
    if (context.common.json) {
        Json object{{"file", request.image.image},
                    {"output_file", request.target},
                    {"width", report.extent.width},
                    {"height", report.extent.height},
                    {"bits", report.bits},
                    {"kept", countJson(stream.keptNodes, stream.isCut)},
                    {"removed", stream.nodes - stream.keptNodes},
                    {"changed_pixels", stream.changedPixels},
                    {"nodes", countJson(stream.nodes, stream.isCut)}};
        if (isLabelled) {
            object["labels"] = stream.components;
        }
        if (isVolume) {
            object["slices"] = report.extent.slices;
        }
        request.filter.addFields(object, asked);
        addChunkFields(object, report);
        if (isVolume) {
            object["chunk"].push_back(report.chunk.slices);
        }
        object["work_bytes"] = stream.folderBytes;
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
    if (stream.isCut) {
        table.add({"removed", grouped(stream.nodes - stream.keptNodes) + " nodes; those kept are not counted"});
    } else {
        table.add({"kept", grouped(stream.keptNodes) + " of " + grouped(stream.nodes) + " nodes" +
                               shareText(stream.keptNodes, stream.nodes)});
    }
    table.add({"changed", grouped(stream.changedPixels) + " of " + grouped(pixels) + " pixels" +
                              shareText(stream.changedPixels, pixels)});
    if (isLabelled) {
        table.add({"labels", grouped(stream.components)});
    }
    table.add({"chunks", chunksText(report) + ", working files " + sizeText(stream.folderBytes)});
    for (const auto& [name, value] : details.rows) {
        table.add({name, value});
    }
    table.add({"written", request.target});
    table.print(context.out);
}

void filterInChunks(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    PictureFilter filter =
        request.image.volume ? filterOf(request, asked, context) : pictureFilter(request, asked, context);
    const bool byRows = writesRows(filter);
    byRows ? requireRowTarget(request, filter) : requireTarget(request);
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
