#include "jobs/chunk_filter.hpp"

#include "base/stage_timer.hpp"
#include "io/read_support.hpp"
#include "jobs/channel_filter.hpp"
#include "jobs/stream_job.hpp"
#include "options/output_target.hpp"
#include "parts/stored_filter.hpp"
#include "progress_line.hpp"
#include "recipe/result_file.hpp"
#include "text.hpp"

namespace pollard::cli {

namespace {

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
    filter.compression = request.stream.tiffCompression();
    filter.strips = request.stream.strips;
    filter.folder = request.stream.workFolder;
    filter.resume = request.stream.resume;
    return filter;
}

/// The request as a filter in chunks whose target, which can be written, is no tiled TIFF.
PictureFilter rowFilter(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    const bool isVolume = request.image.volume;
    PictureFilter filter = isVolume ? filterOf(request, asked, context) : pictureFilter(request, asked, context);
    if (isZarrResult(request.target) && filter.compression != TiffCompression::deflate) {
        throw UsageError("--compression: OME-Zarr is written with Blosc and Zstandard; leave it out");
    }
    requireResultName(request.target);
    requireDifferent(filter.source, request.target, "the input");
    requireWritable(request.target);
    if (isVolume) {
        filter.volume = true;
        filter.slices = volumeFiles(request.image);
        printVolumeNote(request.image, filter.slices.size() > 1 ? filter.slices.size() : 0, context);
    }
    return filter;
}

} // namespace

std::string chunksNeeded(const FilterRequest& request, const FilterSpec& asked) {
    const bool isVolume = request.image.volume;
    if (filtersAllChannels(request) || request.filter.hasPicks() || !partProblem(asked, isVolume).empty()) {
        return {};
    }
    return isVolume ? volumeMemoryReason(request.image) : memoryReason(request.image);
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
        addStreamFields(object, report.engine, report.chunk, report.readings, stream);
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
    table.add({"chunks", chunksText(stream, report.readings) + ", working files " + sizeText(stream.folderBytes)});
    for (const auto& [name, value] : details.rows) {
        table.add({name, value});
    }
    table.add({"written", request.target});
    table.print(context.out);
}

void filterInChunks(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    const bool byRows = request.image.volume || request.stream.strips || isZarrResult(request.target);
    const PictureFilter filter = byRows ? rowFilter(request, asked, context) : pictureFilter(request, asked, context);
    if (!byRows) {
        requireTarget(request);
    }
    StageTimer timer;
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const JobControl control = progress.control("filtering in chunks", context.stop);
    const PictureFilterReport report = byRows ? filterByRows(filter, control) : filterPicture(filter, control);
    progress.clear();
    timer.finish("all");
    for (const std::string& note : report.info.notes) {
        printNote(context, note);
    }
    if (!byRows) {
        printTilesNote(context);
    }
    printChunkReport(request, asked, report, timer.totalMilliseconds(), context);
}

} // namespace pollard::cli
