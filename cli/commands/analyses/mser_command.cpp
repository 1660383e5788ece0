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

#include "analysis/mser.hpp"
#include "io/write/text_file.hpp"
#include "recipe/results/result_file.hpp"
#include "tree/stability.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>

#include <memory>
#include <optional>

namespace pollard::cli {

namespace {

struct MserCommandOptions {
    ImageOptions image;
    TreeOptions tree;
    std::optional<double> delta; ///< difference of values
    std::optional<std::uint64_t> maxArea;
    MserSpec mser;
    std::string table;
    std::string labels;
};

void writeMserTable(TextFile& file, const ComponentTree& tree, const std::vector<MserRegion>& regions,
                    const std::optional<ValueMapping>& values, const JobControl& control) {
    const bool isVolume = tree.extent().isVolume();
    file << "label,level,area,variation,x,y," << (isVolume ? "z" : "major,minor,angle")
         << ",node,canonical_x,canonical_y" << (isVolume ? ",canonical_z\n" : "\n");
    for (std::size_t i = 0; i < regions.size(); ++i) {
        const MserRegion& region = regions[i];
        const Voxel canonical = voxelAt(tree.canonical[region.node], tree.extent());
        file << i + 1 << ',' << valueOf(values, region.level) << ',' << region.area << ',' << region.variation << ','
             << region.x << ',' << region.y << ',';
        if (isVolume) {
            file << region.z;
        } else {
            file << region.major << ',' << region.minor << ',' << region.angle;
        }
        file << ',' << region.node << ',' << canonical.x << ',' << canonical.y;
        if (isVolume) {
            file << ',' << canonical.z;
        }
        file.endLine(control);
    }
}

/// Both files appear together: the table is a temporary until the label image is written.
void writeMserFiles(const MserCommandOptions& options, const ComponentTree& tree,
                    const std::vector<MserRegion>& regions, const ImageInfo& info, const Context& context,
                    ProgressLine& progress) {
    const JobControl control = progress.control("writing", context.stop);
    std::optional<TextFile> table;
    if (!options.table.empty()) {
        table.emplace(options.table, "write table of regions");
        writeMserTable(*table, tree, regions, info.mapping, control);
    }
    if (!options.labels.empty()) {
        const Buffer<std::uint32_t> labels = mserLabels(tree, regions, control);
        writeResult(options.labels, resultPlane(labels.span(), tree.extent(), info), control);
    }
    if (table) {
        table->commit();
    }
}

void printMser(const MserCommandOptions& options, const SessionTree& built, const Image& image, std::size_t count,
               double milliseconds, Context& context) {
    const MserSpec& mser = options.mser;
    Report report;
    report.addImage(options.image.image, image.extent(), bitsOf(image.type()));
    report.fields.update(
        {{"count", count},
         {"delta", mser.delta ? numberJson(columnValue(AttributeId::contrast, *mser.delta, built.values)) : Json()},
         {"min_area", mser.minArea},
         {"max_area", orNull(mser.maxArea)},
         {"max_variation", mser.maxVariation},
         {"min_diversity", mser.minDiversity}});
    report.text << options.image.image << ": " << describe(built) << '\n'
                << counted(count, "maximally stable region") << " (" << fixed(milliseconds, 1) << " ms)\n";
    report.addWritten("csv_file", options.table);
    report.addWritten("labels_file", options.labels);
    addSlices(report.fields, image.extent());
    addTreeFields(report.fields, built);
    report.fields["mser_ms"] = milliseconds;
    report.print(context);
}

void checkMserTargets(const MserCommandOptions& options) {
    if (!options.labels.empty()) {
        requireResultName(options.labels);
        if (!options.table.empty()) {
            requireDifferent(options.table, options.labels, "the table");
        }
    }
    requireOutputs(options.image.image, {{options.table, "the table"}, {options.labels, "the label image"}});
}

/// The levels of --delta; without it the levels that the attribute `stability` uses. Nothing for unsigned 8 or 16 bits,
/// for which these are the default.
/// @throws Error(invalidArgument) naming the image
std::optional<std::uint16_t> levelsOfDelta(const MserCommandOptions& options, const LoadedImage& loaded) {
    const std::optional<ValueMapping>& values = loaded.info.mapping;
    if (!options.delta) {
        const bool isUnsigned = !values || values->file.type == ValueType::u8 || values->file.type == ValueType::u16;
        return isUnsigned ? std::nullopt : std::optional(stabilityDelta(loaded.image->type(), values));
    }
    const double levels = std::floor(columnBound(AttributeId::contrast, *options.delta, false, values));
    const std::uint16_t most = maxLevelOf(loaded.image->type());
    if (!(levels >= 1 && levels <= most)) {
        const double step = columnValue(AttributeId::contrast, 1, values);
        throw Error(ErrorCode::invalidArgument, options.image.image + ": delta: " + exactNumber(*options.delta) +
                                                    ": expected a difference of values from " + exactNumber(step) +
                                                    " to " + valueText(step * most, unitOf(values)));
    }
    return static_cast<std::uint16_t>(levels);
}

void runMser(Context& context, const MserCommandOptions& given) {
    MserCommandOptions options = given;
    options.mser.maxArea = options.maxArea;
    const std::uint64_t most = options.maxArea.value_or(options.mser.minArea);
    refuseConflicts(
        {{most < options.mser.minArea, "max-area: '" + std::to_string(most) + "': is less than --min-area " +
                                           std::to_string(options.mser.minArea)}});
    const TreeSpec tree = options.tree.spec(options.image.volume);
    const std::vector<Engine*> engines = enginesWith(context, tree.algorithm);
    checkMserTargets(options);

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress, {.proportional = true});
    options.mser.delta = levelsOfDelta(options, loaded);
    SessionTree built;
    std::shared_ptr<const ComponentTree> nodes;
    std::shared_ptr<const AttributeColumn> area;
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        built = buildTree(engine, tree, loaded, context, progress);
        area = built.session->attribute(AttributeId::area, progress.control("measuring", context.stop));
        nodes = built.session->tree();
    });
    StageTimer timer;
    const std::vector<MserRegion> regions = arena.execute([&] {
        return findMser(*nodes, *area, options.mser, progress.control("looking for stable regions", context.stop));
    });
    timer.finish("mser");
    arena.execute([&] { writeMserFiles(options, *nodes, regions, loaded.info, context, progress); });
    progress.clear();
    printMser(options, built, *loaded.image, regions.size(), timer.totalMilliseconds(), context);
}

} // namespace

CommandAction declareMser(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("mser", "Find maximally stable extremal regions: bright ones, with --tree min dark ones");
    const auto options = std::make_shared<MserCommandOptions>();
    options->image.declare(command);
    options->image.declareVolume(command);
    addValue(
        command, "--delta", options->delta,
        "Difference of grey values over which a region must be\nstable; unless given 5 at 8 bits, 1285 at 16 bits, "
        "5/255 of\nthe range of other images",
        "D")
        ->check(CLI::PositiveNumber.description(""));
    addValue(command, "--min-area", options->mser.minArea, "Smallest region, px", "N")->capture_default_str();
    addValue(command, "--max-area", options->maxArea, "Largest region, px; a quarter of the image unless given", "N");
    addValue(command, "--max-variation", options->mser.maxVariation,
             "Largest change of the area over delta levels,\nas a part of the region's own", "V")
        ->check(CLI::NonNegativeNumber.description(""))
        ->capture_default_str();
    addValue(command, "--min-diversity", options->mser.minDiversity,
             "Smallest part by which a region differs from the\nnext one around it, 0..1", "V")
        ->check(within(0.0, 1.0))
        ->capture_default_str();
    addValue(command, "--csv", options->table,
             "Write a line per region: label, level, area, variation,\ncentre, axes (px) and angle (radians, from the "
             "x axis\ntowards y, which points down) of its ellipse, node; of a\nvolume the centre alone",
             "OUT.csv");
    addValue(command, "--labels", options->labels,
             "Write the number of the smallest region around every\npixel as a 32-bit TIFF (or .nii,\n.nii.gz, .nrrd), "
             "0 where there is none",
             "OUT.tif");
    options->tree.declare(command);
    return [options](Context& context) { runMser(context, *options); };
}

} // namespace pollard::cli
