#include "jobs/chunk_filter.hpp"

#include "base/stage_timer.hpp"
#include "io/read_support.hpp"
#include "jobs/channel_filter.hpp"
#include "jobs/stream_job.hpp"
#include "options/output_target.hpp"
#include "progress_line.hpp"
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
    refuseWholeImages(request.image);
}

} // namespace

std::string chunksNeeded(const FilterRequest& request, const FilterSpec& asked) {
    if (filtersAllChannels(request) || request.filter.hasPicks() || !partProblem(asked, false).empty()) {
        return {};
    }
    return memoryReason(request.image);
}

PictureFilter pictureFilter(const FilterRequest& request, const FilterSpec& asked, const Context& context) {
    refuseWholeOptions(request);
    PictureFilter filter = pictureRequest(request.image, request.treeSpec(), request.stream, context);
    filter.filter = asked;
    filter.target = request.target;
    filter.compression = request.stream.tileCompression();
    filter.folder = request.stream.workFolder;
    filter.resume = request.stream.resume;
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
        if (stream.isCut) { // not counted
            object["kept"] = nullptr;
            object["nodes"] = nullptr;
        }
        if (isLabelled) {
            object["labels"] = stream.components;
        }
        request.filter.addFields(object, asked);
        addStreamFields(object, report.engine, report.chunk, report.readings, stream);
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
