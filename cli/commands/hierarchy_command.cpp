#include "base/parallel.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "hierarchy/make_hierarchy.hpp"
#include "hierarchy/partition.hpp"
#include "hierarchy/strength_values.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "recipe/result_file.hpp"
#include "recipe/result_tags.hpp"
#include "report.hpp"
#include "text.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cli {

namespace {

constexpr const char* kRegions = "regions";
constexpr const char* kMeans = "means";
constexpr const char* kBoundaries = "boundaries";

struct HierarchyOptions {
    ImageOptions image;
    TreeOptions neighbours; ///< only the connectivity
    std::string strength{nameOf(Strength::area)};
    std::string weight{nameOf(EdgeWeight::difference)};
    std::optional<double> above;
    std::optional<std::uint64_t> regions;
    std::string output = kRegions;
    std::string target;

    [[nodiscard]] HierarchySpec spec() const {
        return {*strengthOf(strength), *edgeWeightOf(weight), neighbours.spec(image.volume).connectivity};
    }
};

/// "1,234 px", "30 HU"
std::string strengthText(const StrengthValues& values, std::uint64_t strength) {
    return valueText(values.valueOf(strength), values.unit());
}

void writeBoundaries(const HierarchyOptions& options, const Hierarchy& hierarchy, const LoadedImage& loaded,
                     const JobControl& control) {
    const Extent& extent = hierarchy.extent();
    const Buffer<std::uint64_t> strengths = boundaryStrengths(hierarchy, control);
    const HierarchySpec spec = options.spec();
    if (spec.strength == Strength::area) {
        const std::vector<std::uint32_t> areas(strengths.begin(), strengths.end());
        writeResult(options.target, resultPlane(areas, extent, loaded.info), control);
    } else if (spec.strength == Strength::volume) {
        const std::vector<double> volumes(strengths.begin(), strengths.end());
        writeResult(options.target,
                    Plane{pixelRowsOf(volumes.data(), extent, ValueType::f64),
                          resultFacts(loaded.info, ResultValues::others, extent)},
                    control);
    } else {
        Image image(loaded.image->type(), extent);
        dispatch(image.type(), [&]<class Pixel>(Pixel) {
            std::ranges::transform(strengths, image.pixels<Pixel>().begin(),
                                   [](std::uint64_t each) { return static_cast<Pixel>(each); });
        });
        const bool areLevels = spec.strength == Strength::altitude && spec.weight == EdgeWeight::maximum;
        writeResult(options.target,
                    resultPlane(image, loaded, areLevels ? ResultValues::between : ResultValues::differences), control);
    }
}

void runHierarchy(Context& context, const HierarchyOptions& options) {
    const HierarchySpec spec = options.spec();
    refuseConflicts({{options.above && options.regions, "--above, --regions: give one of them"},
                     {options.output == kBoundaries && (options.above || options.regions),
                      "--output boundaries: leave out --above and --regions, all boundaries are written"}});
    requireResultName(options.target, options.output == kRegions, !options.image.volume);
    requireOutputs(options.image.image, {{options.target, "the result"}});

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded =
        loadImage(options.image, context, progress, {.proportional = true, .keepSamples = options.output == kMeans});
    const StrengthValues values(spec.strength, spec.weight, loaded.info.mapping);
    const Mask* valid = loaded.valid.get();
    const JobControl writing = progress.control("writing", context.stop);
    std::uint64_t strength = 0;
    std::uint64_t count = 0;
    const Hierarchy hierarchy = arena.execute(
        [&] { return makeHierarchy(*loaded.image, valid, spec, progress.control("hierarchy", context.stop)); });
    if (options.output == kBoundaries) {
        arena.execute([&] { writeBoundaries(options, hierarchy, loaded, writing); });
    } else {
        strength =
            options.regions ? hierarchy.strengthFor(*options.regions) : values.strengthOf(options.above.value_or(0));
        const LabelImage labels = arena.execute(
            [&] { return regions(hierarchy, strength, valid, progress.control("regions", context.stop)); });
        count = labels.count;
        if (options.output == kMeans) {
            const Image means = arena.execute([&] { return regionMeans(*loaded.image, labels, writing); });
            writeResult(options.target, resultPlane(means, loaded, ResultValues::between), writing);
        } else {
            writeResult(options.target, resultPlane(labels.labels.span(), hierarchy.extent(), loaded.info), writing);
        }
    }
    progress.clear();

    Report report;
    report.addImage(options.image.image, loaded.image->extent(), bitsOf(loaded.image->type()), options.target);
    addSlices(report.fields, loaded.image->extent());
    const std::uint64_t strongest = hierarchy.strengths().empty() ? 0 : hierarchy.strengths().back();
    report.fields.update({{"by", options.strength},
                          {"weight", options.weight},
                          {"connectivity", static_cast<int>(spec.connectivity)},
                          {"output", options.output},
                          {"basins", hierarchy.regionsAt(0)},
                          {"strongest", numberJson(values.valueOf(strongest))}});
    report.text << options.image.image << ": " << counted(hierarchy.regionsAt(0), "basin") << ", boundaries by "
                << options.strength << " up to " << strengthText(values, strongest) << '\n';
    if (options.output != kBoundaries) {
        report.fields.update({{"above", numberJson(values.valueOf(strength))}, {"regions", count}});
        report.text << counted(count, "region") << " with boundaries above " << strengthText(values, strength) << '\n';
    }
    report.addWritten(options.target);
    report.print(context);
}

} // namespace

CommandAction declareHierarchy(CLI::App& app) {
    CLI::App& command = *app.add_subcommand(
        "hierarchy", "Regions by a watershed or by flat zones, for any strength of the boundaries between them");
    const auto options = std::make_shared<HierarchyOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    addValue(command, "-o,--out", options->target, "Image to write, with the size of IMAGE", "OUT.tif")->required();
    addValue(command, "--by", options->strength,
             "What makes a boundary strong: altitude, the difference that\nseparates two flat zones; dynamics, area, "
             "volume: of the\nbasin that vanishes with the boundary",
             "NAME")
        ->check(oneOf({"altitude", "dynamics", "area", "volume"}))
        ->capture_default_str();
    addValue(
        command, "--weight", options->weight,
        "Weight between neighbours: difference of their values;\nmaximum, if IMAGE is a gradient or another relief",
        "NAME")
        ->check(oneOf({"difference", "maximum"}))
        ->capture_default_str();
    addValue(command, "--above", options->above, "Keep boundaries stronger than this, in values of the image or px",
             "T")
        ->check(CLI::NonNegativeNumber.description(""));
    addValue(command, "--regions", options->regions, "Keep the strongest boundaries: at most this many regions", "N")
        ->check(CLI::PositiveNumber.description(""));
    addValue(command, "--output", options->output,
             "regions: labels from 1; means: the mean of its region at\neach pixel; boundaries: strength at each pixel",
             "NAME")
        ->check(oneOf({kRegions, kMeans, kBoundaries}))
        ->capture_default_str();
    declareConnectivity(command, options->neighbours.connectivity);
    return [options](Context& context) { runHierarchy(context, *options); };
}

} // namespace pollard::cli
