#include "attributes/grey_values.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "report.hpp"
#include "text.hpp"

#include "analysis/h_maxima.hpp"
#include "recipe/results/result_file.hpp"

#include <CLI/App.hpp>
#include <cmath>
#include <optional>

#include <memory>

namespace pollard::cli {

namespace {

struct HMaximaCommandOptions {
    ImageOptions image;
    TreeOptions tree;
    std::string target;
    double h = 0;
    std::string output{nameOf(Output::filtered)};
};

/// The height as whole levels: maxima that rise no more than it vanish.
/// @throws Error(invalidArgument) naming the image and the range of the values
std::uint16_t levelsOfHeight(const HMaximaCommandOptions& options, const LoadedImage& loaded) {
    const std::optional<ValueMapping>& values = loaded.info.mapping;
    const double levels = std::floor(columnBound(AttributeId::height, options.h, false, values));
    const std::uint16_t most = maxLevelOf(loaded.image->type());
    if (!(levels <= most)) {
        const double largest = values && values->minimum < values->maximum
                                   ? values->maximum - values->minimum
                                   : columnValue(AttributeId::height, most, values);
        throw Error(ErrorCode::invalidArgument, options.image.image + ": height: " + exactNumber(options.h) +
                                                    ": the values differ by " + valueText(largest, unitOf(values)) +
                                                    " at most");
    }
    return static_cast<std::uint16_t>(levels);
}

void printHMaxima(const HMaximaCommandOptions& options, const SessionTree& built, const Image& image,
                  const HMaximaReport& report, Context& context) {
    Report printed;
    printed.addImage(options.image.image, image.extent(), bitsOf(image.type()), options.target);
    printed.fields.update({{"h", numberJson(options.h)},
                           {"output", options.output},
                           {"maxima", report.maxima},
                           {"changed_pixels", report.changedPixels},
                           {"changed_mass", massJson(report.changedMass, built.values)}});
    addSlices(printed.fields, image.extent());
    addTreeFields(printed.fields, built);
    printed.text << options.image.image << ": " << describe(built) << '\n'
                 << (built.spec.kind == TreeKind::max ? "maxima: " : "minima: ") << grouped(report.maxima) << " of "
                 << grouped(built.report.leaves) << (report.maxima == 1 ? " remains" : " remain")
                 << "; changed: " << counted(report.changedPixels, "pixel") << '\n';
    printed.addWritten(options.target);
    printed.print(context);
}

void runHMaxima(Context& context, const HMaximaCommandOptions& options) {
    const Output output = options.output == nameOf(Output::residue) ? Output::residue : Output::filtered;
    const TreeSpec tree = options.tree.spec(options.image.volume);
    const std::vector<Engine*> engines = enginesWith(context, tree.algorithm);
    requireResultName(options.target, false, !options.image.volume);
    requireOutputs(options.image.image, {{options.target, "the result"}});

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress, {.proportional = true, .keepSamples = true});
    const std::uint16_t height = levelsOfHeight(options, loaded);
    const Image& image = *loaded.image;
    SessionTree built;
    std::shared_ptr<const ComponentTree> nodes;
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        built = buildTree(engine, tree, loaded, context, progress);
        nodes = built.session->tree();
    });
    Image out(image.type(), image.extent());
    const HMaximaReport report = arena.execute(
        [&] { return hMaxima(*nodes, height, output, out, progress.control("filtering", context.stop)); });
    built.session->restoreOutside(output, out);
    const ResultValues values = output == Output::residue ? ResultValues::differences : ResultValues::between;
    const Plane plane = resultPlane(out, loaded, values);
    writeResult(options.target, plane, progress.control("writing", context.stop));
    progress.clear();
    printNote(context, noteOnType(loaded.info, values, plane.rows.type));
    printHMaxima(options, built, image, report, context);
}

} // namespace

CommandAction declareHMaxima(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("h-maxima", "Suppress maxima that rise no more than H (--tree min: minima)");
    const auto options = std::make_shared<HMaximaCommandOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    addValue(command, "-o,--out", options->target,
             "TIFF to write; has the depth, pixel size and geo\ntags of IMAGE. Others as of filter", "OUT.tif")
        ->required();
    addValue(command, "--height", options->h, "Height, a difference of grey values; --h H is the same", "H")
        ->required()
        ->check(CLI::NonNegativeNumber.description(""));
    addValue(command, "--output", options->output,
             "filtered: the image less its h-domes;\nresidue: the h-domes (--tree min: h-basins)", "NAME")
        ->check(oneOf({"filtered", "residue"}))
        ->capture_default_str();
    options->tree.declare(command);
    return [options](Context& context) { runHMaxima(context, *options); };
}

} // namespace pollard::cli
