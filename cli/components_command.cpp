#include "command.hpp"
#include "image_argument.hpp"
#include "named.hpp"
#include "output_target.hpp"
#include "progress_line.hpp"
#include "text.hpp"
#include "thread_arena.hpp"
#include "threshold_range.hpp"
#include "tree_job.hpp"

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/object_condition.hpp"
#include "components/object_files.hpp"
#include "components/object_list.hpp"
#include "components/outlines.hpp"
#include "io/result_tags.hpp"
#include "io/scene_units.hpp"
#include "io/text_file.hpp"
#include "io/tiff_writer.hpp"

#include <CLI/App.hpp>

#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cli {

namespace {

struct Options {
    ImageOptions image;
    std::string threshold = "1";
    int connectivity = 4;
    std::string algorithm;
    std::string labels;
    std::string table;
    std::string outlines;
    std::string where;
    std::string unit = "px";
};

/// The condition of --where. @throws UsageError for a text that is no condition
ObjectCondition conditionOf(const Options& options) {
    try {
        return ObjectCondition::parse(options.where);
    } catch (const Error& error) {
        throw UsageError(std::string("where: ") + error.what());
    }
}

/// The unit of --unit. @throws UsageError for a text that is no unit of length
LengthUnit unitOf(const Options& options) {
    const auto unit = unitAtStart(options.unit);
    if (!unit || unit->bytes != options.unit.size() || unit->dimension != Dimension::length) {
        throw UsageError("unit: '" + options.unit + "': unknown (there are " + unitNames(Dimension::length) + ")");
    }
    return unit->unit;
}

/// The unit of measures, with the size of a pixel of this image. @throws Error(invalidArgument) if it does not say how
/// big a pixel is
ObjectUnit objectUnitOf(LengthUnit unit, const ImageInfo& info, const std::string& image) {
    if (unit == LengthUnit::pixel) {
        return {};
    }
    if (const std::string why = whyNoScene(info.pixelSize, Dimension::length); !why.empty()) {
        throw Error(ErrorCode::invalidArgument, image + ": --unit " + unitName(unit, Dimension::length) + ": " + why);
    }
    return {unit, inUnit(1, unit, Dimension::length, *info.pixelSize)};
}

ObjectCondition conditionFor(const ObjectCondition& asked, const ImageInfo& info, const std::string& image) {
    try {
        return asked.inPixels(info.pixelSize);
    } catch (const Error& error) {
        throw Error(error.code(), image + ": --where: " + error.what());
    }
}

/// The objects that meet the condition, which is given in px.
std::vector<std::uint32_t> listedObjects(const ObjectCondition& condition, const Components& components,
                                         const JobControl& control) {
    if (condition.isEmpty()) {
        return allLabels(components);
    }
    ObjectListSpec spec;
    spec.condition = condition;
    return listObjects(components, spec, control).labels;
}

/// Takes the numbers of all other objects out of the label image.
void keepOnly(const std::vector<std::uint32_t>& listed, Components& components) {
    std::vector<std::uint8_t> stays(std::size_t{components.count} + 1, 0);
    for (const std::uint32_t label : listed) {
        stays[label] = 1;
    }
    for (std::uint32_t& label : components.labels) {
        label = stays[label] != 0 ? label : 0;
    }
}

void checkTargets(const Options& options) {
    if (!options.labels.empty()) {
        requireTiffName(options.labels);
    }
    const std::string* const files[] = {&options.labels, &options.table, &options.outlines};
    const char* const names[] = {"the label image", "the table", "the outlines"};
    for (std::size_t i = 0; i < std::size(files); ++i) {
        if (files[i]->empty()) {
            continue;
        }
        requireDifferent(parseImageArgument(options.image.image).path, *files[i], "the input");
        for (std::size_t j = 0; j < i; ++j) {
            if (!files[j]->empty()) {
                requireDifferent(*files[j], *files[i], names[j]);
            }
        }
        requireWritable(*files[i]);
    }
}

/// The files appear together: table and outlines wait as temporaries until the label image is there.
void writeFiles(const Options& options, Components& components, const std::vector<std::uint32_t>& listed,
                const ObjectUnit& unit, const ImageInfo& info, const JobControl& control) {
    std::optional<TextFile> table;
    std::optional<TextFile> outlines;
    if (!options.table.empty()) {
        table.emplace(options.table, "write table of objects");
        writeObjectTable(*table, components, listed, control, unit);
    }
    if (!options.outlines.empty()) {
        outlines.emplace(options.outlines, "write outlines");
        writeObjectOutlines(*outlines, components, traceOutlines(components, control), listed, control, unit);
    }
    if (!options.labels.empty()) {
        if (listed.size() != components.count) {
            keepOnly(listed, components); // the outlines are followed
        }
        writeTiff32(options.labels, components.labels.span(), components.width, components.height,
                    {.deflate = true, .carried = resultTags(info, ResultValues::others)}, control);
    }
    if (table) {
        table->commit();
    }
    if (outlines) {
        outlines->commit();
    }
}

void printResult(const Options& options, const ThresholdRange& range, const Components& components, std::size_t listed,
                 const Image& image, const Engine& engine, Context& context) {
    if (context.common.json) {
        Json object{{"file", options.image.image},
                    {"width", image.width()},
                    {"height", image.height()},
                    {"bits", bitsOf(image.type())},
                    {"count", components.count},
                    {"threshold", *range.low},
                    {"threshold_high", range.high ? Json(*range.high) : Json()},
                    {"foreground", components.foreground},
                    {"connectivity", options.connectivity},
                    {"algorithm", components.algorithm},
                    {"engine", engine.name()},
                    {"labels_file", options.labels.empty() ? Json() : Json(options.labels)},
                    {"csv_file", options.table.empty() ? Json() : Json(options.table)},
                    {"geojson_file", options.outlines.empty() ? Json() : Json(options.outlines)},
                    {"components_ms", components.milliseconds}};
        if (!options.where.empty()) {
            object["where"] = options.where;
            object["listed"] = listed;
        }
        printJson(context.out, object);
        return;
    }
    if (context.common.quiet) {
        return;
    }
    const double share = 100 * static_cast<double>(components.foreground) / static_cast<double>(image.pixelCount());
    context.out << options.image.image << ": " << grouped(components.count) << " objects of levels "
                << (range.high ? std::to_string(*range.low) + " to " + std::to_string(*range.high)
                               : "from " + std::to_string(*range.low) + " on")
                << (range.method ? " (" + options.threshold + ")" : "") << ", " << grouped(components.foreground)
                << " pixels (" << fixed(share, 1) << " %), connectivity " << options.connectivity << " ("
                << engine.name() << ", " << components.algorithm << ", " << fixed(components.milliseconds, 1)
                << " ms)\n";
    if (!options.where.empty()) {
        context.out << grouped(listed) << " of them meet " << options.where << '\n';
    }
    for (const std::string& file : {options.labels, options.table, options.outlines}) {
        if (!file.empty()) {
            context.out << "written: " << file << '\n';
        }
    }
}

void run(Context& context, const Options& options) {
    ThresholdRange range = parseThreshold(options.threshold);
    const std::vector<Engine*> engines = enginesWith(context, options.algorithm, kLabellingJob);
    const ObjectCondition asked = conditionOf(options);
    const LengthUnit unit = unitOf(options);
    checkTargets(options);

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    const Image& image = *loaded.image;
    const ObjectUnit measured = objectUnitOf(unit, loaded.info, options.image.image);
    const ObjectCondition condition = conditionFor(asked, loaded.info, options.image.image);
    const JobControl control = progress.control("finding objects", context.stop);
    const Mask mask = arena.execute([&] { return maskOf(range, image, loaded.valid.get(), control); });
    ComponentsSpec spec;
    spec.connectivity = options.connectivity == 4 ? Connectivity::four : Connectivity::eight;
    spec.algorithm = options.algorithm;
    spec.labels = !options.labels.empty() || !options.outlines.empty();
    spec.features = !options.table.empty() || !options.outlines.empty() || !condition.isEmpty();
    Components components;
    const Engine* used = nullptr;
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        used = &engine;
        components = arena.execute([&] { return engine.labelComponents(mask, &image, spec, control); });
    });
    std::size_t listed = components.count;
    arena.execute([&] {
        const std::vector<std::uint32_t> labels = listedObjects(condition, components, control);
        listed = labels.size();
        writeFiles(options, components, labels, measured, loaded.info, progress.control("writing", context.stop));
    });
    progress.clear();
    printResult(options, range, components, listed, image, *used, context);
}

} // namespace

CommandAction declareComponents(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("components", "Find the connected objects of a mask or a thresholded image");
    const auto options = std::make_shared<Options>();
    options->image.declare(command);
    declareThreshold(command, options->threshold);
    command.add_option("--connectivity", options->connectivity, "Neighbours of a pixel")
        ->check(CLI::IsMember({4, 8}).description(""))
        ->type_name("4|8")
        ->capture_default_str();
    addText(command, "--algorithm", options->algorithm, "Labelling algorithm, see 'pollard-cli algorithms'", "NAME");
    addText(command, "--labels", options->labels,
            "Write the objects' numbers as a 32-bit TIFF: 1 .. count\nin raster order of the first pixel, 0 between",
            "OUT.tif");
    addText(command, "--csv", options->table,
            "Write a line an object: area, box, centroid, sums,\nellipse (axes in px, angle in radians from the x "
            "axis\ntowards y, which points down), grey levels, perimeter\nin pixel sides, holes",
            "OUT.csv");
    addText(command, "--geojson", options->outlines,
            "Write the outlines as polygons with holes along the\nedges of pixels; px, y points down", "OUT.geojson");
    addText(command, "--where", options->where,
            "Write only objects that meet this, e.g. 'area > 15 um2\n&& circularity > 0.8'; names as in the table",
            "CONDITION");
    addText(
        command, "--unit", options->unit,
        "Unit of lengths and areas in the table and in the\nproperties of outlines: px, nm, um, mm, cm, m, km; the\n"
        "names then end in it: area_um2. The image says how big a\npixel is; sums and coordinates stay px",
        "UNIT")
        ->capture_default_str();
    return [options](Context& context) { run(context, *options); };
}

} // namespace pollard::cli
