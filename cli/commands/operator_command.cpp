#include "base/parallel.hpp"
#include "command.hpp"
#include "jobs/tree_job.hpp"
#include "operators/apply_operator.hpp"
#include "operators/operator_spec.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "recipe/no_data.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"
#include "report.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

struct OperatorOptions {
    ImageOptions image;
    std::string kind;
    std::string shape{nameOf(OperatorShape::disc)};
    std::optional<double> radius;
    std::optional<double> sigma;
    std::optional<double> height;
    std::string unit = "px";
    std::string marker;
    std::string markerChannel;
    bool greyMarker = false;
    int connectivity = 0; ///< 0: 4, and 6 in volumes
    std::string target;

    /// @throws UsageError for a parameter that is missing or that the operator does not take
    [[nodiscard]] OperatorSpec spec() const {
        OperatorSpec spec;
        spec.kind = valueNamed("operator", kind, kOperators);
        spec.shape = valueNamed("shape", shape, kOperatorShapes);
        spec.radius = parameter("--radius", radius, takesShape(spec.kind));
        spec.sigma = parameter("--sigma", sigma, takesSigma(spec.kind));
        spec.height = parameter("--height", height, takesHeight(spec.kind));
        spec.unit = parseUnit(unit);
        refuseConflicts({{connectivity != 0 && !takesConnectivity(spec.kind),
                          "option: '--connectivity': " + kind + " has no neighbours"}});
        refuseConflicts(
            {{!marker.empty() && !takesMarker(spec.kind), "option: '--marker': is not of " + kind},
             {marker.empty() && takesMarker(spec.kind), "option: '--marker': is missing; " + kind + " needs it"}});
        refuseConflicts({{greyMarker && marker.empty(), "option: '--grey-marker': needs --marker"},
                         {!markerChannel.empty() && marker.empty(), "option: '--marker-channel': needs --marker"}});
        spec.marker = marker;
        spec.markerChannel = markerChannel.empty() ? ChannelChoice{} : ChannelChoice::parse(markerChannel);
        spec.greyMarker = greyMarker;
        TreeOptions neighbours;
        neighbours.connectivity = connectivity;
        spec.connectivity = neighbours.spec(image.volume).connectivity;
        return spec;
    }

private:
    [[nodiscard]] double parameter(const std::string& name, const std::optional<double>& number, bool isTaken) const {
        refuseConflicts({{number.has_value() && !isTaken, "option: '" + name + "': is not of " + kind},
                         {!number && isTaken, "option: '" + name + "': is missing; " + kind + " needs it"}});
        return number.value_or(1);
    }
};

void runOperator(Context& context, const OperatorOptions& options) {
    const OperatorSpec spec = options.spec();
    const std::vector<Engine*> engines = enginesWith(context, {});
    requireResultName(options.target, false, !options.image.volume);
    requireOutputs(options.image.image, {{options.target, "the result"}});

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress,
                                         {.proportional = needsProportional(spec.kind), .keepSamples = true});
    const ImageUnits units(loaded.info, options.image.volume);
    OperatorResult result;
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        result = arena.execute([&] {
            return applyOperator(engine, loaded.image, spec, units, {loaded.valid}, {context.common.threads},
                                 progress.control(options.kind, context.stop));
        });
    });
    const ResultValues values = resultValuesAfter(ResultValues::levels, result.values);
    const LoadedImage source =
        result.mapping ? withOwnLevels(loaded, result.image, std::move(*result.mapping)) : loaded;
    const Plane plane = resultPlane(*result.image, source, values);
    writeResult(options.target, plane, progress.control("writing", context.stop));
    progress.clear();
    printNote(context, noteOnType(loaded.info, values, plane.rows.type));

    Report printed;
    printed.addImage(options.image.image, loaded.image->extent(), bitsOf(loaded.image->type()), options.target);
    printed.fields["operator"] = options.kind;
    addSlices(printed.fields, loaded.image->extent());
    printed.addWritten(options.target);
    printed.print(context);
}

} // namespace

CommandAction declareOperator(CLI::App& app) {
    CLI::App& command = *app.add_subcommand("operator", "Opening, top-hat, smoothing, distances, skeleton ...");
    const auto options = std::make_shared<OperatorOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    addValue(command, "-o,--out", options->target,
             "TIFF to write; has the depth, pixel size and geo\ntags of IMAGE. Others as of filter", "OUT.tif")
        ->required();
    addValue(command, "--operator", options->kind, joined(namesOf(kOperators), ",\n"), "NAME")
        ->required()
        ->check(oneOf(namesOf(kOperators)));
    addChoice(command, "--shape", options->shape, "Structuring element; in a volume a ball or a box",
              namesOf(kOperatorShapes))
        ->capture_default_str();
    addValue(command, "--radius", options->radius, "Of the structuring element, in --unit", "R");
    addValue(command, "--sigma", options->sigma, "Of gaussian, in --unit", "S");
    addValue(command, "--height", options->height, "Of h-maxima and h-minima, a difference of grey values", "H");
    addValue(command, "--unit", options->unit, "Of lengths: px (in volumes widths of a voxel), nm, um,\nmm, cm, m, km",
             "UNIT")
        ->capture_default_str();
    addValue(command, "--marker", options->marker,
             "Of a reconstruction: an image of the same size, whose\npixels other than 0 are marked", "FILE");
    addValue(command, "--marker-channel", options->markerChannel, "Channel of the marker, as --channel names it",
             "CHANNEL");
    command.add_flag("--grey-marker", options->greyMarker,
                     "The reconstruction starts from the values of the\nmarker, not from the image at marked pixels");
    declareConnectivity(command, options->connectivity);
    return [options](Context& context) { runOperator(context, *options); };
}

} // namespace pollard::cli
