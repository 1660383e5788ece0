#include "analysis/relief.hpp"
#include "analysis/seeds.hpp"
#include "analysis/watershed.hpp"
#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "command.hpp"
#include "components/objects/object_rule.hpp"
#include "engine/engine.hpp"
#include "engine/find_seeds.hpp"
#include "filter/filter_units.hpp"
#include "image/distance_transform.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/object_options.hpp"
#include "options/option_values.hpp"
#include "options/seed_options.hpp"
#include "recipe/results/result_file.hpp"
#include "report.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

struct WatershedOptions {
    ImageOptions image;
    TreeOptions neighbours; ///< only the connectivity
    std::string flood{nameOf(Relief::levels)};
    bool dark = false;
    SeedOptions seeds;
    std::string within;
    bool lines = false;
    std::string target;
};

/// The values of the levels of a relief.
ImageUnits unitsOf(Relief relief, const ImageInfo& info, bool isVolume) {
    if (relief != Relief::distance) {
        return {info, isVolume};
    }
    ValueMapping distances;
    distances.step = 1 / kDistanceSteps;
    distances.exact = true;
    distances.unit = "px";
    return {info.pixelSize, distances, isVolume};
}

/// The pixels to flood; null: all.
std::shared_ptr<const Mask> insideOf(const WatershedOptions& options, const ThresholdRange& range,
                                     const LoadedImage& loaded, Connectivity connectivity, const JobControl& control) {
    if (options.within.empty()) {
        return loaded.valid;
    }
    const ObjectRule rule = ruleOf(range, {}, connectivity);
    const std::optional<ValueMapping>& values = loaded.info.mapping;
    const Mask* valid = loaded.valid.get();
    requirePossible(range, values, loaded.image->type(), options.image.image);
    const LevelRange levels = rule.levelsOf(*loaded.image, valid, control, values);
    return std::make_shared<const Mask>(rule.maskOf(*loaded.image, levels, valid, control, values));
}

void printWatershed(const WatershedOptions& options, const LoadedImage& loaded, Connectivity connectivity,
                    std::size_t count, const Buffer<std::uint32_t>& labels, Context& context) {
    const auto pixels =
        static_cast<std::uint64_t>(labels.size()) - static_cast<std::uint64_t>(std::ranges::count(labels, 0U));
    Report report;
    const Extent& extent = loaded.image->extent();
    report.addImage(options.image.image, extent, bitsOf(loaded.image->type()), options.target);
    addSlices(report.fields, extent);
    report.fields.update({{"flood", options.flood},
                          {"dark", options.dark},
                          {"connectivity", static_cast<int>(connectivity)},
                          {"lines", options.lines},
                          {"seeds", count},
                          {"labelled_pixels", pixels}});
    report.text << options.image.image << ": " << counted(count, "seed") << ", "
                << partText(pixels, labels.size(), extent.isVolume() ? " voxels" : " pixels") << " labelled\n";
    report.addWritten(options.target);
    report.print(context);
}

/// Number of different labels but 0.
std::size_t countLabels(const Buffer<std::uint32_t>& labels) {
    std::vector<std::uint32_t> found;
    std::ranges::copy_if(labels, std::back_inserter(found), [](std::uint32_t label) { return label != 0; });
    std::ranges::sort(found);
    return static_cast<std::size_t>(std::unique(found.begin(), found.end()) - found.begin());
}

void runWatershed(Context& context, WatershedOptions& options) {
    const Relief relief = *reliefOf(options.flood);
    const Connectivity connectivity = options.neighbours.spec(options.image.volume).connectivity;
    options.seeds.check(relief, options.image.volume);
    const bool needsMask =
        relief == Relief::distance || (options.seeds.areExtremes() && options.seeds.relief() == Relief::distance);
    refuseConflicts({{needsMask && options.within.empty(), "--within: is needed for distances, states the objects"},
                     {options.dark && relief != Relief::levels && options.seeds.relief() != Relief::levels,
                      "--dark: is for levels"}});
    const ThresholdRange range = options.within.empty() ? ThresholdRange{} : parseThreshold(options.within);
    requireResultName(options.target, true, false);
    std::vector<NamedFile> inputs{{parseImageArgument(options.image.image).path, "the input"}};
    if (!options.seeds.file().empty()) {
        inputs.push_back({options.seeds.file(), "the seeds"});
    }
    requireOutputs(inputs, {{options.target, "the label image"}});

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress, {.proportional = true});
    std::size_t count = 0;
    Buffer<std::uint32_t> labels;
    arena.execute([&] {
        const JobControl control = progress.control("watershed", context.stop);
        const auto inside = insideOf(options, range, loaded, connectivity, control);
        const auto made = madeRelief(*loaded.image, inside.get(), relief, connectivity, control);
        const Image& image = made ? *made : *loaded.image;
        Buffer<std::uint32_t> seeds;
        if (options.seeds.areExtremes()) {
            const Relief of = options.seeds.relief();
            const SeedRule rule = options.seeds.rule(unitsOf(of, loaded.info, options.image.volume));
            const auto other =
                of == relief ? std::nullopt : madeRelief(*loaded.image, inside.get(), of, connectivity, control);
            const Image& peaks = other ? *other : of == relief ? image : *loaded.image;
            onFirstThatWorks(askedEngines(context), context, [&](Engine& engine) {
                LabelImage found =
                    seedsOf(engine, {peaks, inside.get(), connectivity, isDescending(of, options.dark)}, rule, control);
                count = found.count;
                seeds = std::move(found.labels);
            });
        } else {
            seeds = options.seeds.labels(options.image, image.extent(), connectivity, context, progress);
            count = countLabels(seeds);
        }
        const WatershedSpec spec{connectivity, isDescending(relief, options.dark), options.lines};
        onFirstThatWorks(askedEngines(context), context, [&](Engine& engine) {
            labels = engine.watershed(image, seeds.span(), inside.get(), spec, control);
        });
        seeds.reset();
        writeResult(options.target, resultPlane(labels.span(), image.extent(), loaded.info),
                    progress.control("writing", context.stop));
    });
    progress.clear();
    printWatershed(options, loaded, connectivity, count, labels, context);
}

} // namespace

CommandAction declareWatershed(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("watershed", "Regions that grow from seeds, from high values to low ones, until they meet");
    const auto options = std::make_shared<WatershedOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    addValue(command, "-o,--out", options->target, "Label image to write, with the size of IMAGE; .npy, too", "OUT.tif")
        ->required();
    addValue(command, "--flood", options->flood,
             "Image to flood: levels; gradient: the largest difference\nto a neighbour, from low to high; distance to "
             "the pixels\noutside --within, from high to low",
             "NAME")
        ->check(oneOf(namesOf(kAllReliefs)))
        ->capture_default_str();
    command.add_flag("--dark", options->dark, "The objects are dark: flood levels from low to high");
    options->seeds.declare(command);
    addValue(command, "--within", options->within,
             "Flood only pixels of these values, as --threshold of\ncomponents: LO, LO:HI, :HI or a method", "T");
    command.add_flag(
        "--lines", options->lines,
        "Label 0 for pixels with a neighbour in a region of a\nsmaller label, so that regions do not touch");
    declareConnectivity(command, options->neighbours.connectivity);
    return [options](Context& context) { runWatershed(context, *options); };
}

} // namespace pollard::cli
