#include "command.hpp"
#include "jobs/channel_filter.hpp"
#include "jobs/chunk_run.hpp"
#include "jobs/filter_job.hpp"
#include "options/filter_options.hpp"
#include "options/image_argument.hpp"
#include "progress_line.hpp"
#include "recipe/no_data.hpp"
#include "recipe/result_file.hpp"
#include "report.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <memory>

namespace pollard::cli {

namespace {

void printFilter(const FilterRequest& options, const Filtered& result, int bits, const Context& context) {
    const FilterReport& report = result.report;
    const FilterSpec& filter = result.filter;
    const Extent extent = result.picture->extent();
    Report printed;
    printed.addImage(options.image.image, extent, bits, options.target);
    Json& fields = printed.fields;
    fields["kept"] = report.keptNodes;
    fields["removed"] = report.removedNodes;
    fields["changed_pixels"] = report.changedPixels;
    TextTable table({"tree", describe(result.built)}, "ll");
    table.add({"filter", FilterOptions::describe(filter) + " (" + fixed(report.milliseconds, 1) + " ms)"});
    table.add({"kept", partText(report.keptNodes, result.built.report.nodes, " nodes")});
    table.add({"removed", counted(report.removedNodes, "node")});
    table.add({"changed", partText(report.changedPixels, extent.pixelCount(), " pixels")});
    if (filter.output == Output::labels) {
        fields["labels"] = result.labels.count;
        table.add({"labels", grouped(result.labels.count)});
    }
    addSlices(fields, extent);
    options.filter.addFields(fields, filter);
    addTreeFields(fields, result.built);
    fields["filter_ms"] = report.milliseconds;
    fields["filter_stages"] = stagesJson(report.stages);
    table.add({"written", options.target});
    table.print(printed.text);
    printed.print(context);
}

void runFilter(Context& context, const FilterRequest& options) {
    if (filtersAllChannels(options)) {
        filterChannels(options, context);
        return;
    }
    const FilterSpec asked = options.filter.spec();
    if (worksInChunks(
            options.stream, [&] { return chunksNeeded(options, asked); }, "filtered in chunks", context)) {
        filterInChunks(options, asked, context);
        return;
    }
    const std::vector<Engine*> engines = enginesWith(context, options.tree.algorithm);
    requireTarget(options, true, !options.image.volume && asked.output != Output::labels);

    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress, {.keepSamples = true});
    const Filtered result = filterImage(options, asked, engines, loaded, context, progress);
    const LoadedImage source = result.own ? withOwnLevels(loaded, result.picture, *result.own) : loaded;
    const Plane plane = result.filter.output == Output::labels
                            ? resultPlane(result.labels.labels.span(), result.picture->extent(), loaded.info)
                            : resultPlane(*result.picture, source, resultValuesOf(result.filter));
    writeResult(options.target, plane, progress.control("writing", context.stop),
                {.compression = options.stream.tiffCompression()});
    progress.clear();
    printNote(context, noteOnType(loaded.info, resultValuesOf(result.filter), plane.rows.type));
    printFilter(options, result, bitsOf(plane.rows.type), context);
}

} // namespace

CommandAction declareFilter(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("filter", "Keep the components of an image that meet criteria");
    const auto options = std::make_shared<FilterRequest>();
    options->declare(command);
    return [options](Context& context) { runFilter(context, *options); };
}

} // namespace pollard::cli
