#include "jobs/chunk_filter.hpp"

#include "base/stage_timer.hpp"
#include "io/read_support.hpp"
#include "jobs/channel_filter.hpp"
#include "options/output_target.hpp"
#include "progress_line.hpp"
#include "text.hpp"

#include <exception>

namespace pollard::cli {

namespace {

std::string sidesText(const Extent& extent) { return grouped(extent.width) + " x " + grouped(extent.height) + " px"; }

void refuseWholeOptions(const FilterRequest& request) {
    if (filtersAllChannels(request)) {
        throw UsageError("--stream: filters one channel; leave out --guide and --channel all");
    }
    if (request.image.volume) {
        throw UsageError("--stream: works on pictures; leave out --volume");
    }
    if (request.filter.hasPicks()) {
        throw UsageError("--stream: components are not picked by pixel in chunks");
    }
    if (request.image.shrink > 1) {
        throw UsageError("--stream: leave out --shrink; --level reads a reduced version of a pyramid");
    }
}

} // namespace

std::string chunksNeeded(const FilterRequest& request, const FilterSpec& asked) {
    if (filtersAllChannels(request) || request.image.volume || request.filter.hasPicks() || request.image.shrink > 1 ||
        !partProblem(asked, false).empty()) {
        return {};
    }
    try {
        const PictureRegions picture(parseImageArgument(request.image.image).path, request.image.readOptions());
        const std::uint64_t pixels = std::uint64_t{picture.width()} * picture.height();
        const std::uint64_t needed = bytesInMemory(pixels);
        const std::uint64_t available = availableMemory();
        if (needed <= available && pixels <= Image::kMaxPixels) {
            return {};
        }
        return "the picture of " + sidesText({picture.width(), picture.height()}) + " takes about " + sizeText(needed) +
               " of memory, " + sizeText(available) + " are free";
    } catch (const std::exception&) { // loadImage() tells
        return {};
    }
}

PictureFilter pictureFilter(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    refuseWholeOptions(request);
    PictureFilter filter;
    filter.source = parseImageArgument(request.image.image).path;
    filter.read = request.image.readOptions();
    filter.read.threads = context.common.threads;
    const TreeSpec tree = request.treeSpec();
    filter.kind = tree.kind;
    filter.connectivity = tree.connectivity;
    filter.algorithm = tree.algorithm;
    filter.filter = asked;
    filter.target = request.target;
    filter.compression = request.stream.tileCompression();
    filter.memory = request.stream.memoryBytes();
    filter.chunk = request.stream.chunk;
    filter.folder = request.stream.workFolder;
    filter.resume = request.stream.resume;
    filter.engines = enginesWith(context, tree.algorithm);
    filter.threads = context.common.threads;
    filter.note = [&context](const std::string& text) { printNote(context, text); };
    return filter;
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
    if (context.common.json) {
        Json object{{"file", request.image.image},
                    {"output_file", request.target},
                    {"width", report.extent.width},
                    {"height", report.extent.height},
                    {"bits", report.bits},
                    {"kept", stream.keptNodes},
                    {"removed", stream.nodes - stream.keptNodes},
                    {"changed_pixels", stream.changedPixels},
                    {"nodes", stream.nodes}};
        if (isLabelled) {
            object["labels"] = stream.components;
        }
        request.filter.addFields(object, asked);
        object["engine"] = report.engine;
        object["chunk"] = {report.chunk.width, report.chunk.height};
        object["readings"] = report.readings;
        object["chunk_trees"] = stream.builtTrees;
        object["open_nodes"] = stream.openNodes;
        object["merged_nodes"] = stream.mergedNodes;
        object["largest_merge"] = stream.largestMerge;
        object["largest_frontier"] = stream.largestFrontier;
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
    TextTable table({"picture", sidesText(report.extent) + " in chunks of " + sidesText(report.chunk)}, {left, left});
    table.add({"filter", FilterOptions::describe(asked) + " (" + fixed(milliseconds / 1000, 1) + " s, " +
                             fixed(static_cast<double>(pixels) / milliseconds / 1000, 1) + " MPix/s)"});
    table.add({"kept", grouped(stream.keptNodes) + " of " + grouped(stream.nodes) + " nodes" +
                           shareText(stream.keptNodes, stream.nodes)});
    table.add({"changed", grouped(stream.changedPixels) + " of " + grouped(pixels) + " pixels" +
                              shareText(stream.changedPixels, pixels)});
    if (isLabelled) {
        table.add({"labels", grouped(stream.components)});
    }
    table.add({"chunks", grouped(stream.builtTrees) + " trees, " + grouped(stream.openNodes) +
                             " nodes over seams, picture read at most " + std::to_string(report.readings) +
                             " times, working files " + sizeText(stream.folderBytes)});
    for (const auto& [name, value] : details.rows) {
        table.add({name, value});
    }
    table.add({"written", request.target});
    table.print(context.out);
}

void filterInChunks(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    const PictureFilter filter = pictureFilter(request, asked, context);
    requireTarget(request);
    StageTimer timer;
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const PictureFilterReport report = filterPicture(filter, progress.control("filtering in chunks", context.stop));
    progress.clear();
    timer.finish("all");
    for (const std::string& note : report.info.notes) {
        printNote(context, note);
    }
    printChunkReport(request, asked, report, timer.totalMilliseconds(), context);
}

} // namespace pollard::cli
