#include "base/stage_timer.hpp"
#include "base/thread_arena.hpp"
#include "command.hpp"
#include "jobs/chunk_run.hpp"
#include "jobs/object_results.hpp"
#include "jobs/tree_job.hpp"
#include "jobs/volume_objects.hpp"
#include "options/named.hpp"
#include "options/read_choice.hpp"
#include "options/threshold_range.hpp"
#include "progress_line.hpp"
#include "text.hpp"

#include "base/error.hpp"
#include "chunks/sweeps/objects_in_bands.hpp"
#include "components/components.hpp"
#include "components/fill_holes.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_files.hpp"
#include "components/objects/object_list.hpp"
#include "io/metadata/scene_units.hpp"
#include "io/write/text_file.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

/// Parses --where. @throws UsageError for an invalid condition
ObjectCondition conditionOf(const ComponentsRequest& options) {
    try {
        return ObjectCondition::parse(options.where);
    } catch (const Error& error) {
        throw UsageError(std::string("where: ") + error.what());
    }
}

/// Unit of measurements with the pixel size of this image in it. @throws Error(invalidArgument) if the pixel size is
/// unknown
ObjectUnit objectUnitOf(LengthUnit unit, const ImageInfo& info, const std::string& image) {
    if (unit == LengthUnit::pixel) {
        return {};
    }
    if (const std::string why = whyNoScene(info.pixelSize, Dimension::length); !why.empty()) {
        throw Error(ErrorCode::invalidArgument, image + ": --unit " + unitName(unit, Dimension::length) + ": " + why);
    }
    return {unit, inUnit(1, unit, Dimension::length, *info.pixelSize)};
}

/// Objects to write. @param condition in px
ObjectList listOf(const ComponentsRequest& options, const ObjectCondition& condition, const Components& components,
                  const JobControl& control) {
    if (options.withoutBorder || !condition.isEmpty()) {
        ObjectListSpec spec;
        spec.condition = condition;
        spec.withoutBorder = options.withoutBorder;
        return listObjects(components, spec, control);
    }
    ObjectList list;
    list.labels = allLabels(components);
    list.pixels = components.foreground;
    return list;
}

void printComponents(const ComponentsRequest& options, const ThresholdRange& range, const Components& components,
                     const ObjectList& list, const ObjectColumns& further, const ClassifiedObjects* classified,
                     const Image& image, const Engine& engine, Context& context) {
    if (context.common.json) {
        Json object{{"file", options.image.image},
                    {"width", image.width()},
                    {"height", image.height()},
                    {"bits", bitsOf(image.type())},
                    {"count", components.count - list.atBorder},
                    {"threshold", *range.low},
                    {"threshold_high", range.high ? Json(*range.high) : Json()},
                    {"foreground", list.pixels},
                    {"connectivity", static_cast<int>(components.connectivity)},
                    {"algorithm", components.algorithm},
                    {"engine", engine.name()},
                    {"labels_file", options.labels.empty() ? Json() : Json(options.labels)},
                    {"csv_file", options.table.empty() ? Json() : Json(options.table)},
                    {"geojson_file", options.outlines.empty() ? Json() : Json(options.outlines)},
                    {"gpkg_file", options.vector.empty() ? Json() : Json(options.vector)},
                    {"vector_file", options.vector.empty() ? Json() : Json(options.vector)},
                    {"components_ms", components.milliseconds}};
        if (!options.where.empty()) {
            object["where"] = options.where;
            object["listed"] = list.labels.size();
        }
        options.columns.addTo(object, further);
        if (classified != nullptr) {
            addClasses(object, *classified, list.labels);
        }
        if (options.fillHoles) {
            object["fill_holes"] = true;
        }
        if (options.withoutBorder) {
            object["left_out_at_border"] = list.atBorder;
        }
        printJson(context.out, object);
        return;
    }
    if (context.common.quiet) {
        return;
    }
    const double share = 100 * static_cast<double>(list.pixels) / static_cast<double>(image.pixelCount());
    context.out << options.image.image << ": " << grouped(list.labels.size()) << " objects of levels "
                << (range.high ? std::to_string(*range.low) + " to " + std::to_string(*range.high)
                               : "from " + std::to_string(*range.low) + " on")
                << (range.method ? " (" + options.threshold + ")" : "")
                << (options.withoutBorder ? ", " + grouped(list.atBorder) + " at the border left out" : "") << ", "
                << grouped(list.pixels) << " pixels (" << fixed(share, 1) << " %), connectivity "
                << static_cast<int>(components.connectivity) << " (" << engine.name() << ", " << components.algorithm
                << ", " << fixed(components.milliseconds, 1) << " ms)\n";
    printListing(context, options, components.count, list, classified);
    for (const std::string& file :
         {options.labels, options.table, options.outlines, options.vector, options.columns.children}) {
        if (!file.empty()) {
            context.out << "written: " << file << '\n';
        }
    }
}

/// The option that needs the whole picture; empty if there is none.
std::string wholeOption(const ComponentsRequest& options) {
    const ColumnOptions& columns = options.columns;
    const std::pair<const char*, bool> all[] = {
        {"--fill-holes", options.fillHoles},           {"--no-border", options.withoutBorder},
        {"--features", !options.features.empty()},     {"--geojson", !options.outlines.empty()},
        {"--gpkg", !options.vector.empty()},           {"--where", !options.where.empty()},
        {"--class", !options.classes.parse().empty()}, {"--measure", !columns.measure.empty()},
        {"--parents", !columns.parents.empty()}};
    const auto* const found = std::ranges::find_if(all, [](const auto& option) { return option.second; });
    return found == std::end(all) ? std::string() : found->first;
}

void printComponents(const ComponentsRequest& options, const ThresholdRange& range, const PictureObjectsReport& report,
                     double milliseconds, const Context& context) {
    const Components& components = report.components;
    if (context.common.json) {
        printJson(context.out, {{"file", options.image.image},
                                {"width", report.extent.width},
                                {"height", report.extent.height},
                                {"bits", bitsOf(report.type)},
                                {"count", components.count},
                                {"threshold", report.low},
                                {"threshold_high", range.high ? Json(*range.high) : Json()},
                                {"foreground", components.foreground},
                                {"connectivity", static_cast<int>(components.connectivity)},
                                {"algorithm", components.algorithm},
                                {"engine", "cpu"},
                                {"labels_file", options.labels.empty() ? Json() : Json(options.labels)},
                                {"csv_file", options.table.empty() ? Json() : Json(options.table)},
                                {"band_rows", report.bandRows},
                                {"readings", report.readings},
                                {"total_ms", milliseconds}});
        return;
    }
    if (context.common.quiet) {
        return;
    }
    context.out << options.image.image << ": " << grouped(components.count) << " objects from level " << report.low
                << " on, " << grouped(components.foreground) << " pixels, connectivity "
                << static_cast<int>(components.connectivity) << " (bands of " << grouped(report.bandRows)
                << " rows, picture read " << report.readings << " times, " << fixed(milliseconds / 1000, 1) << " s)\n";
    for (const std::string& file : {options.labels, options.table}) {
        if (!file.empty()) {
            context.out << "written: " << file << '\n';
        }
    }
}

void runComponentsInChunks(Context& context, const ComponentsRequest& options) {
    refuseWholeImages(options.image);
    if (const std::string option = wholeOption(options); !option.empty()) {
        throw UsageError("--stream: leave out " + option + ", which needs the whole picture");
    }
    const ThresholdRange range = parseThreshold(options.threshold);
    const LengthUnit unit = parseUnit(options.unit);
    ChunkRequest request = chunkRequest(options.image, options.stream, context);
    request.connectivity = connectivityOf(options);
    request.target = options.labels;
    request.compression = options.stream.tiffCompression();
    request.strips = options.stream.strips;
    checkObjectTargets(options);
    StageTimer timer;
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const PictureObjectsReport report =
        objectsOfPicture(request, {range.method, range.low.value_or(1), range.high.value_or(std::uint16_t{0xffff})},
                         progress.control("finding objects in bands", context.stop));
    if (!options.table.empty()) {
        TextFile table(options.table, "write table of objects");
        writeObjectTable(table, report.components, allLabels(report.components),
                         progress.control("writing", context.stop),
                         objectUnitOf(unit, report.info, options.image.image));
        table.commit();
    }
    progress.clear();
    timer.finish("all");
    for (const std::string& note : report.info.notes) {
        printNote(context, note);
    }
    if (!request.target.empty() && !request.strips) {
        printTilesNote(context);
    }
    printComponents(options, range, report, timer.totalMilliseconds(), context);
}

/// memoryReason() if no option needs the whole picture.
std::string chunksNeededForComponents(const ComponentsRequest& options) {
    constexpr std::uint64_t kPixelBytes = 12; // image, mask, runs and labels
    return wholeOption(options).empty() ? memoryReason(options.image, kPixelBytes) : std::string();
}

void runComponents(Context& context, const ComponentsRequest& options) {
    if (options.stream.asksForChunks()) {
        runComponentsInChunks(context, options);
        return;
    }
    if (options.image.volume) {
        if (!options.vector.empty()) {
            throw UsageError("--gpkg: leave it out, a volume has no place on a map");
        }
        findVolumeObjects(context, options);
        return;
    }
    if (const std::string reason = chunksNeededForComponents(options); !reason.empty()) {
        printNote(context, reason + ": worked on in bands (--stream)");
        runComponentsInChunks(context, options);
        return;
    }
    const Connectivity connectivity = connectivityOf(options);
    ThresholdRange range = parseThreshold(options.threshold);
    (void)featuresOf(options);
    if (!options.features.empty() && !asksForTable(options)) {
        throw UsageError("features: they are columns of a table, which --csv names");
    }
    options.columns.check(asksForTable(options) || options.asksForOutlines());
    const std::vector<Engine*> engines = enginesWith(context, options.algorithm, kLabellingJob);
    std::vector<OptionCondition> conditions{{"--where", conditionOf(options)}};
    const LengthUnit unit = parseUnit(options.unit);
    checkObjectTargets(options);
    const std::vector<ObjectClass> classes = options.classes.parse();
    for (const ObjectClass& one : classes) {
        conditions.push_back({"--class " + one.name, ObjectCondition::parse(one.condition)});
    }
    const ColumnPlan plan = options.columns.planOf(options.image, conditions, context);

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(options.image, context, progress);
    const Image& image = *loaded.image;
    const ObjectUnit measured = objectUnitOf(unit, loaded.info, options.image.image);
    for (OptionCondition& one : conditions) {
        one.toPixels(loaded.info, options.image.image);
    }
    const JobControl control = progress.control("finding objects", context.stop);
    ComponentsSpec spec;
    spec.connectivity = connectivity;
    Mask mask = arena.execute([&] { return maskOf(range, image, loaded.valid.get(), control); });
    if (options.fillHoles) {
        arena.execute([&] { fillHoles(mask, loaded.valid.get(), spec.connectivity, control); });
    }
    spec.algorithm = options.algorithm;
    spec.labels = !options.labels.empty() || options.asksForOutlines() || !options.features.empty() ||
                  options.columns.asked() || std::ranges::any_of(conditions, &OptionCondition::needsLabels);
    spec.features = asksForTable(options) || options.asksForOutlines() || options.withoutBorder || !classes.empty() ||
                    !conditions.front().condition.isEmpty();
    Components components;
    const Engine* used = nullptr;
    onFirstThatWorks(engines, context, [&](Engine& engine) {
        used = &engine;
        components = arena.execute([&] { return engine.labelComponents(mask, &image, spec, control); });
    });
    const JobControl measuring = progress.control("measuring", context.stop);
    ObjectColumns further =
        arena.execute([&] { return options.columns.measured(options.image, plan, components, measuring); });
    const ObjectList list = arena.execute([&] {
        return listOf(options, conditions.front().withColumns(further.measured, options.image.image), components,
                      control);
    });
    arena.execute([&] { options.columns.addParents(further, components, list.labels, measuring); });
    const std::shared_ptr<const ClassifiedObjects> classified = arena.execute([&] {
        return classify(classes, std::span(conditions).subspan(1), components, further.measured, options.image.image,
                        measuring);
    });
    if (classified) {
        further.columns.push_back(classColumn(classified));
    }
    arena.execute([&] {
        writeObjectResults(options, components, list, measured, further, loaded, context,
                           progress.control("writing", context.stop));
    });
    progress.clear();
    printComponents(options, range, components, list, further, classified.get(), image, *used, context);
}

} // namespace

CommandAction declareComponents(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("components", "Find the connected objects of a mask or a thresholded image");
    const auto options = std::make_shared<ComponentsRequest>();
    options->image.declare(command);
    declareThreshold(command, options->threshold);
    options->image.declareVolume(command);
    command
        .add_option("--connectivity", options->connectivity, "Neighbours of a pixel; in a volume 6 (default), 18 or 26")
        ->check(CLI::IsMember({4, 8, 6, 18, 26}).description(""))
        ->type_name("4|8|6|18|26")
        ->default_str("4");
    addText(command, "--algorithm", options->algorithm, "Labelling algorithm, see 'pollard-cli algorithms'", "NAME");
    declareSwitches(command, *options,
                    "Fill the holes of the foreground first: those that touch\nneither the border of the image nor "
                    "pixels without data",
                    "Leave out objects with a pixel in the first or last row\nor column, or slice of a volume; the "
                    "others keep their\nnumbers");
    addText(command, "--labels", options->labels,
            "Write the objects' numbers as a 32-bit TIFF: 1 .. count\nin raster order of the first pixel, 0 between; "
            "of a volume\na page for each slice; also as .nii.gz, .nrrd, .npy, and\nas .zarr with the table as "
            "properties; with "
            "--stream as\nTIFF",
            "OUT.tif|OUT.npy");
    addText(command, "--csv", options->table,
            "Write a line per object: area, box, centroid, sums,\nellipse (axes in px, angle in radians from the x "
            "axis\ntowards y, which points down), grey levels, perimeter\nin pixel sides, holes; of volumes, see "
            "docs/volumes.md",
            "OUT.csv");
    addText(
        command, "--features", options->features,
        "Columns of the table instead: ids with commas between,\nor all for the usual ones, then border (pixels in the"
        "\nfirst or last row or column), perimeter_imagej and\ncircularity_imagej (as ImageJ defines them)",
        "IDS|all");
    options->columns.declare(command);
    addText(command, "--geojson", options->outlines,
            "Write the outlines as polygons with holes along the\nedges of pixels, of a volume those in each slice",
            "OUT.geojson");
    addText(
        command, "--gpkg,--vector", options->vector,
        "Write them in the coordinate system of the image, with\nGDAL, by the name as FlatGeobuf (.fgb), CSV with WKT\n"
        "(.csv) or GeoPackage (.gpkg)",
        "OUT.gpkg|fgb|csv");
    options->positions.declare(command);
    addText(command, "--where", options->where,
            "Write only objects that meet this, e.g. 'area > 15 um2\n&& circularity > 0.8' or 'mean[GFP] > 100'; names "
            "as in "
            "the\ntable",
            "CONDITION");
    options->classes.declare(command);
    addText(command, "--unit", options->unit,
            "Unit of lengths, areas and positions in the table and in\nthe properties of outlines: px, nm, um, mm, cm, "
            "m, km;\n"
            "the names then end in it: area_um2. The image has the\nsize of a pixel; raw sums and the coordinates of "
            "outlines\nstay px. In volumes also of volumes and the numbers in\nconditions",
            "UNIT")
        ->capture_default_str();
    options->stream.declareOnePass(command);
    return [options](Context& context) { runComponents(context, *options); };
}

} // namespace pollard::cli
