#include "attributes/attribute.hpp"
#include "attributes/grey_values.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "engine/engine.hpp"
#include "hierarchy/hierarchy.hpp"
#include "hierarchy/partition.hpp"
#include "hierarchy/region_measures.hpp"
#include "hierarchy/region_tree.hpp"
#include "hierarchy/strength_values.hpp"
#include "io/write/text_file.hpp"
#include "jobs/region_table.hpp"
#include "jobs/tree_job.hpp"
#include "options/image_argument.hpp"
#include "options/named_files.hpp"
#include "options/option_values.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"
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
constexpr const char* kFrontiers = "frontiers";

struct HierarchyOptions {
    ImageOptions image;
    TreeOptions neighbours; ///< only the connectivity
    std::string strength{nameOf(Strength::area)};
    std::string weight{nameOf(EdgeWeight::difference)};
    std::optional<double> above;
    std::optional<std::uint64_t> regions;
    std::optional<std::uint64_t> minArea;
    std::optional<std::uint64_t> maxArea;
    std::string output = kRegions;
    std::string target;
    std::string table; ///< of the nodes

    [[nodiscard]] bool ofSize() const { return minArea || maxArea; }
    /// Whether the output depends on a strength.
    [[nodiscard]] bool isCut() const {
        return !target.empty() && output != kBoundaries && output != kFrontiers && !ofSize();
    }
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

void writeFrontiers(const HierarchyOptions& options, const Hierarchy& hierarchy, const RegionTree& tree,
                    RegionMeasures& measures, const LoadedImage& loaded, const JobControl& control) {
    const Buffer<double> ofNodes = measures.compute(RegionNumber::frontierStrength, control);
    const AttributeId column = options.spec().weight == EdgeWeight::maximum ? AttributeId::mean : AttributeId::height;
    std::vector<double> ofMerges(tree.mergeNode.size());
    std::ranges::transform(tree.mergeNode, ofMerges.begin(),
                           [&](std::uint32_t node) { return columnValue(column, ofNodes[node], loaded.info.mapping); });
    const Buffer<double> found = boundaryNumbers(hierarchy, ofMerges, control);
    writeResult(options.target,
                Plane{pixelRowsOf(found.data(), hierarchy.extent(), ValueType::f64),
                      resultFacts(loaded.info, ResultValues::others, hierarchy.extent())},
                control);
}

/// Writes the regions, or their means, that a strength or a size selects. @return number of regions
std::uint64_t writeRegions(const HierarchyOptions& options, const Hierarchy& hierarchy, const LabelImage& labels,
                           const LoadedImage& loaded, const JobControl& control) {
    if (options.output == kMeans) {
        writeResult(options.target,
                    resultPlane(regionMeans(*loaded.image, labels, control), loaded, ResultValues::between), control);
    } else {
        writeResult(options.target, resultPlane(labels.labels.span(), hierarchy.extent(), loaded.info), control);
    }
    return labels.count;
}

/// Writes what needs the tree of the regions: the table, frontiers, regions of a range of sizes.
/// @return number of these regions
std::uint64_t writeOfTree(const HierarchyOptions& options, const Hierarchy& hierarchy, const LoadedImage& loaded,
                          const JobControl& control) {
    const HierarchySpec spec = options.spec();
    const RegionTree tree = makeRegionTree(hierarchy, RegionForm::merged, control);
    RegionMeasures measures(hierarchy, tree, *loaded.image, loaded.valid.get(), spec);
    std::optional<TextFile> table;
    if (!options.table.empty()) {
        table.emplace(options.table, "write table of regions");
        writeRegionTable(*table, measures, tree, spec, loaded, control);
    }
    std::uint64_t count = 0;
    if (!options.target.empty() && options.output == kFrontiers) {
        writeFrontiers(options, hierarchy, tree, measures, loaded, control);
    } else if (!options.target.empty() && options.ofSize()) {
        const std::vector<std::uint8_t> keep = regionsOfSize(
            measures, options.minArea.value_or(1), options.maxArea.value_or(hierarchy.extent().pixelCount()), control);
        count = writeRegions(options, hierarchy, labelsOf(hierarchy, tree, keep, control), loaded, control);
    }
    if (table) {
        table->commit();
    }
    return count;
}

void checkHierarchyOptions(const HierarchyOptions& options) {
    const bool isOfBoundaries = options.output == kBoundaries || options.output == kFrontiers;
    const bool hasStrength = options.above || options.regions;
    refuseConflicts(
        {{options.above && options.regions, "--above, --regions: give one of them"},
         {isOfBoundaries && hasStrength,
          "--output " + options.output + ": leave out --above and --regions, all boundaries are written"},
         {isOfBoundaries && options.ofSize(), "--output " + options.output + ": leave out --min-area and --max-area"},
         {hasStrength && options.ofSize(), "--min-area, --max-area: leave out --above and --regions"},
         {options.minArea && options.maxArea && *options.minArea > *options.maxArea,
          "--min-area: is larger than --max-area"},
         {options.target.empty() && options.table.empty(), "give -o, --csv or both"},
         {options.target.empty() && (hasStrength || options.ofSize() || options.output != kRegions),
          "--above, --regions, --min-area, --max-area and --output are for an image, which -o names"}});
    if (!options.target.empty()) {
        requireResultName(options.target, options.output == kRegions, !options.image.volume);
        if (!options.table.empty()) {
            requireDifferent(options.table, options.target, "the table");
        }
    }
    requireOutputs(options.image.image, {{options.target, "the result"}, {options.table, "the table"}});
}

void runHierarchy(Context& context, const HierarchyOptions& options) {
    const HierarchySpec spec = options.spec();
    checkHierarchyOptions(options);

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded =
        loadImage(options.image, context, progress, {.proportional = true, .keepSamples = options.output == kMeans});
    const StrengthValues values(spec.strength, spec.weight, loaded.info.mapping);
    const Mask* valid = loaded.valid.get();
    const JobControl writing = progress.control("writing", context.stop);
    std::uint64_t strength = 0;
    std::uint64_t count = 0;
    std::optional<Hierarchy> made;
    onFirstThatWorks(askedEngines(context), context, [&](Engine& engine) {
        made = arena.execute([&] {
            return engine.makeHierarchy(*loaded.image, valid, spec, progress.control("hierarchy", context.stop));
        });
    });
    const Hierarchy& hierarchy = *made;
    if (!options.table.empty() || options.ofSize() || options.output == kFrontiers) {
        count = arena.execute([&] { return writeOfTree(options, hierarchy, loaded, writing); });
    }
    if (options.isCut()) {
        strength =
            options.regions ? hierarchy.strengthFor(*options.regions) : values.strengthOf(options.above.value_or(0));
        count = arena.execute([&] {
            const LabelImage labels = regions(hierarchy, strength, valid, progress.control("regions", context.stop));
            return writeRegions(options, hierarchy, labels, loaded, writing);
        });
    } else if (options.output == kBoundaries) {
        arena.execute([&] { writeBoundaries(options, hierarchy, loaded, writing); });
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
    if (options.ofSize()) {
        report.fields["regions"] = count;
        report.text << counted(count, "region") << " of the range of sizes\n";
    } else if (options.isCut()) {
        report.fields.update({{"above", numberJson(values.valueOf(strength))}, {"regions", count}});
        report.text << counted(count, "region") << " with boundaries above " << strengthText(values, strength) << '\n';
    }
    if (!options.target.empty()) {
        report.addWritten(options.target);
    }
    report.addWritten("csv_file", options.table);
    report.print(context);
}

} // namespace

CommandAction declareHierarchy(CLI::App& app) {
    CLI::App& command = *app.add_subcommand(
        "hierarchy", "Regions by a watershed or by flat zones, for any strength of the boundaries between them");
    const auto options = std::make_shared<HierarchyOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    addValue(command, "-o,--out", options->target, "Image to write, with the size of IMAGE", "OUT.tif");
    addValue(command, "--csv", options->table,
             "Table of all regions of the hierarchy: parent, strength,\nsize, shape, values, frontier", "OUT.csv");
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
    addValue(command, "--min-area", options->minArea,
             "Instead of a strength: the largest regions of all\nstrengths with at least this many px", "PX")
        ->check(CLI::PositiveNumber.description(""));
    addValue(command, "--max-area", options->maxArea, "The same, with at most this many px", "PX")
        ->check(CLI::PositiveNumber.description(""));
    addValue(
        command, "--output", options->output,
        "regions: labels from 1; means: the mean of its region at\neach pixel; boundaries: strength at each pixel; "
        "frontiers:\nmean weight along the boundary at each pixel",
        "NAME")
        ->check(oneOf({kRegions, kMeans, kBoundaries, kFrontiers}))
        ->capture_default_str();
    declareConnectivity(command, options->neighbours.connectivity);
    return [options](Context& context) { runHierarchy(context, *options); };
}

} // namespace pollard::cli
