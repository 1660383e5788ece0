#include "base/error.hpp"
#include "command.hpp"
#include "filter/analysis_image.hpp"
#include "filter/filter_units.hpp"
#include "image/mask_runs.hpp"
#include "io/tiff/tiff_writer.hpp"
#include "jobs/tree_job.hpp"
#include "options/attribute_help.hpp"
#include "options/filter_options.hpp"
#include "options/image_argument.hpp"
#include "options/output_target.hpp"
#include "progress_line.hpp"
#include "recipe/result_tags.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <memory>

namespace pollard::cli {

namespace {

struct Options {
    ImageOptions image;
    TreeOptions tree;
    FilterOptions filter;
    std::string target;
};

struct Filtered {
    FilterReport report;
    Image picture;     ///< for all outputs except labels
    LabelImage labels; ///< for output labels
};

void printResult(const Options& options, const BuiltTree& built, const TreeSpec& tree, const FilterSpec& filter,
                 const Image& image, const Filtered& result, Context& context) {
    const FilterReport& report = result.report;
    if (context.common.json) {
        Json object{{"file", options.image.image},
                    {"output_file", options.target},
                    {"width", image.width()},
                    {"height", image.height()},
                    {"bits", filter.output == Output::labels ? 32 : bitsOf(image.type())},
                    {"kept", report.keptNodes},
                    {"removed", report.removedNodes},
                    {"changed_pixels", report.changedPixels}};
        if (filter.output == Output::labels) {
            object["labels"] = result.labels.count;
        }
        options.filter.addFields(object, filter);
        addTreeFields(object, built, tree);
        object["filter_ms"] = report.milliseconds;
        object["filter_stages"] = stagesJson(report.stages);
        printJson(context.out, object);
        return;
    }
    if (context.common.quiet) {
        return;
    }
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
        return " (" + fixed(100 * static_cast<double>(part) / static_cast<double>(whole), 1) + " %)";
    };
    const std::uint64_t nodes = built.report.nodes;
    using enum TextTable::Align;
    TextTable table({"tree", describe(built, tree)}, {left, left});
    table.add({"filter", FilterOptions::describe(filter) + " (" + fixed(report.milliseconds, 1) + " ms)"});
    table.add(
        {"kept", grouped(report.keptNodes) + " of " + grouped(nodes) + " nodes" + share(report.keptNodes, nodes)});
    table.add({"removed", grouped(report.removedNodes) + " nodes"});
    table.add({"changed", grouped(report.changedPixels) + " of " + grouped(image.pixelCount()) + " pixels" +
                              share(report.changedPixels, image.pixelCount())});
    if (filter.output == Output::labels) {
        table.add({"labels", grouped(result.labels.count)});
    }
    table.add({"written", options.target});
    table.print(context.out);
}

/// Sets the labels outside the analysed region to 0.
void clearOutside(LabelImage& image, const Mask& inside) {
    for (std::uint32_t y = 0; y < image.height; ++y) {
        forEachRun(inside, y, false, [&](std::uint32_t first, std::uint32_t last) {
            std::uint32_t* row = image.labels.data() + std::size_t{y} * image.width;
            std::fill(row + first, row + last, 0U);
        });
    }
}

void writeResult(const Options& options, const LoadedImage& loaded, const FilterSpec& filter, Filtered& result,
                 const JobControl& control) {
    const TiffWriteOptions how = resultOptions(loaded.info, resultValuesOf(filter.output));
    if (filter.output == Output::labels) {
        if (loaded.valid) {
            clearOutside(result.labels, *loaded.valid);
        }
        writeTiff32(options.target, result.labels.labels.span(), result.labels.width, result.labels.height, how,
                    control);
        return;
    }
    if (loaded.valid) {
        restoreOutside(*loaded.image, *loaded.valid, filter.output, result.picture);
    }
    writeTiff(options.target, result.picture, how, control);
}

/// The filter with criteria in pixels of this image.
FilterSpec resolved(const FilterSpec& asked, const ImageInfo& info, const std::string& image) {
    try {
        return inPixels(asked, info.pixelSize);
    } catch (const Error& error) {
        throw Error(error.code(), image + ": " + error.what());
    }
}

void run(Context& context, const Options& options) {
    const FilterSpec asked = options.filter.spec();
    const TreeSpec tree = options.tree.spec();
    const std::vector<Engine*> engines = enginesWith(context, tree.algorithm);
    requireTiffName(options.target);
    requireDifferent(parseImageArgument(options.image.image).path, options.target, "the input");
    requireWritable(options.target);

    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    const Image& image = *loaded.image;
    const FilterSpec pixels = resolved(asked, loaded.info, options.image.image);
    const auto analysed = analysisImage(loaded.image, loaded.valid.get(), tree.kind);
    Filtered result{{}, Image(image.type(), image.width(), image.height()), {}};
    BuiltTree built;
    FilterSpec filter;
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        built = buildTree(engine, tree, analysed, context, progress);
        filter = pixels;
        if (options.filter.hasPicks()) {
            options.filter.addPicks(*built.session->tree(), filter);
        }
        result.report = built.session->filter(filter, result.picture, progress.control("filtering", context.stop));
        if (filter.output == Output::labels) {
            result.labels = built.session->labels(filter, progress.control("numbering", context.stop));
        }
    });
    filter.criteria = asked.criteria; // report criteria as given
    writeResult(options, loaded, filter, result, progress.control("writing", context.stop));
    progress.clear();
    printResult(options, built, tree, filter, image, result, context);
}

} // namespace

CommandAction declareFilter(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("filter", "Keep the components of an image that meet criteria");
    const auto options = std::make_shared<Options>();
    options->image.declare(command);
    command
        .add_option("-o,--out", options->target,
                    "TIFF to write; has the depth (labels: 32 bits),\npixel size and geo tags of IMAGE")
        ->required()
        ->type_name("OUT.tif");
    options->filter.declare(command);
    options->tree.declare(command);
    command.footer(attributeHelp() + FilterOptions::help());
    return [options](Context& context) { run(context, *options); };
}

} // namespace pollard::cli
