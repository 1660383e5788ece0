#include "command.hpp"
#include "jobs/channel_filter.hpp"
#include "jobs/chunk_run.hpp"
#include "jobs/filter_job.hpp"
#include "options/filter_options.hpp"
#include "options/image_argument.hpp"
#include "options/output_target.hpp"
#include "progress_line.hpp"
#include "recipe/no_data.hpp"
#include "recipe/result_file.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <memory>

namespace pollard::cli {

namespace {

void printFilter(const FilterRequest& options, const Filtered& result, const Context& context) {
    const FilterReport& report = result.report;
    const FilterSpec& filter = result.filter;
    const TreeSpec tree = options.treeSpec();
    const Image& image = *result.picture;
    if (context.common.json) {
        Json object{{"file", options.image.image},
                    {"output_file", options.target},
                    {"width", image.width()},
                    {"height", image.height()},
                    {"bits", filter.output == Output::labels || (result.mark && result.mark->isWide)
                                 ? 32
                                 : bitsOf(image.type())},
                    {"kept", report.keptNodes},
                    {"removed", report.removedNodes},
                    {"changed_pixels", report.changedPixels}};
        if (filter.output == Output::labels) {
            object["labels"] = result.labels.count;
        }
        addSlices(object, image);
        options.filter.addFields(object, filter);
        addTreeFields(object, result.built, tree);
        object["filter_ms"] = report.milliseconds;
        object["filter_stages"] = stagesJson(report.stages);
        printJson(context.out, object);
        return;
    }
    if (context.common.quiet) {
        return;
    }
    const std::uint64_t nodes = result.built.report.nodes;
    using enum TextTable::Align;
    TextTable table({"tree", describe(result.built, tree)}, {left, left});
    table.add({"filter", FilterOptions::describe(filter) + " (" + fixed(report.milliseconds, 1) + " ms)"});
    table.add(
        {"kept", grouped(report.keptNodes) + " of " + grouped(nodes) + " nodes" + shareText(report.keptNodes, nodes)});
    table.add({"removed", grouped(report.removedNodes) + " nodes"});
    table.add({"changed", grouped(report.changedPixels) + " of " + grouped(image.pixelCount()) + " pixels" +
                              shareText(report.changedPixels, image.pixelCount())});
    if (filter.output == Output::labels) {
        table.add({"labels", grouped(result.labels.count)});
    }
    table.add({"written", options.target});
    table.print(context.out);
}

void writeFiltered(const FilterRequest& options, const LoadedImage& source, const Filtered& result,
                   const JobControl& control) {
    if (result.filter.output == Output::labels) {
        writeResult32(options.target, result.labels.labels.span(), result.picture->extent(), source.info, control,
                      nullptr, options.stream.tiffCompression());
    } else {
        writeResult(options.target, *result.picture, source.valid.get(), source.info,
                    {resultValuesOf(result.filter.output), result.mark}, control, options.stream.tiffCompression());
    }
}

void runFilter(Context& context, const FilterRequest& options) {
    if (filtersAllChannels(options)) {
        filterChannels(options, context);
        return;
    }
    if (options.stream.asksForChunks()) {
        filterInChunks(options, options.filter.spec(), context);
        return;
    }
    const FilterSpec asked = options.filter.spec();
    if (const std::string reason = chunksNeeded(options, asked); !reason.empty()) {
        printNote(context, reason + ": filtered in chunks (--stream)");
        filterInChunks(options, asked, context);
        return;
    }
    const std::vector<Engine*> engines = enginesWith(context, options.tree.algorithm);
    requireResultName(options.target);
    requireDifferent(parseImageArgument(options.image.image).path, options.target, "the input");
    requireWritable(options.target);

    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    Filtered result = filterImage(options, asked, engines, loaded, context, progress);
    result.mark = noDataMark(loaded, resultLevelsOf(asked));
    writeFiltered(options, loaded, result, progress.control("writing", context.stop));
    progress.clear();
    printFilter(options, result, context);
}

} // namespace

CommandAction declareFilter(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("filter", "Keep the components of an image that meet criteria");
    const auto options = std::make_shared<FilterRequest>();
    options->declare(command);
    return [options](Context& context) { runFilter(context, *options); };
}

} // namespace pollard::cli
