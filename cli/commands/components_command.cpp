#include "command.hpp"
#include "jobs/chunk_run.hpp"
#include "jobs/object_results.hpp"
#include "jobs/tree_job.hpp"
#include "options/object_options.hpp"
#include "options/option_values.hpp"
#include "report.hpp"
#include "text.hpp"

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "chunks/sweeps/objects_in_bands.hpp"
#include "components/components.hpp"
#include "components/object_places.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_files.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "engine/find_objects.hpp"
#include "io/write/text_file.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

/// The neighbours that --connectivity names. @throws UsageError for neighbours of volumes in an image
Connectivity connectivityOf(const ComponentsRequest& request) {
    TreeOptions options;
    const int neighbours = request.image.volume ? 26 : 8;
    options.connectivity = request.regions.best && request.connectivity == 0 ? neighbours : request.connectivity;
    return options.spec(request.image.volume).connectivity;
}

/// @throws UsageError if the request has an option that works on images only
void refuseOptionsOfImages(const ComponentsRequest& request) {
    const ColumnOptions& columns = request.columns;
    refuseConflicts({{!request.vector.empty(), "--gpkg: leave it out, a volume has no place on a map"},
                     {columns.ring > 0, "--ring: works on images, not on volumes"},
                     {!columns.parents.empty(), "--parents: works on images, not on volumes"},
                     {!columns.children.empty(), "--children: works on images, not on volumes"}});
}

/// The engines to try. @throws UsageError for an algorithm that works on images only; as enginesWith()
std::vector<Engine*> enginesFor(const ComponentsRequest& request, const Context& context) {
    std::vector<Engine*> engines = enginesWith(context, request.algorithm, kLabellingJob);
    std::erase_if(engines, [&](const Engine* engine) {
        return std::ranges::none_of(engine->algorithms(), [&](const AlgorithmInfo& each) {
            return each.job == kLabellingJob && (each.takesVolumes || !request.image.volume) &&
                   (request.algorithm.empty() || each.name == request.algorithm);
        });
    });
    refuseConflicts({{engines.empty(), "algorithm: '" + request.algorithm + "': works on images, not on volumes"}});
    return engines;
}

/// @param option for messages: "where". @throws UsageError for an invalid condition
ObjectCondition conditionOf(const std::string& option, const std::string& text, Connectivity connectivity) {
    return parsedArgument([&] { return ObjectCondition::parse(text, objectFeatures(connectivity)); }, option + ": ");
}

/// The option that needs the whole image; empty if there is none.
std::string wholeOption(const ComponentsRequest& request) {
    const ColumnOptions& columns = request.columns;
    const std::pair<const char*, bool> all[] = {{"--fill-holes", request.fillHoles},
                                                {"--no-border", request.withoutBorder},
                                                {"--split", request.split.has_value()},
                                                {"--features", !request.features.empty()},
                                                {"--geojson", !request.outlines.empty()},
                                                {"--gpkg", !request.vector.empty()},
                                                {"--where", !request.where.empty()},
                                                {"--class", !request.classes.parse().empty()},
                                                {"--measure", !columns.measure.empty()},
                                                {"--parents", !columns.parents.empty()},
                                                {"--above-background", request.above().has_value()}};
    const auto* const found = std::ranges::find_if(all, [](const auto& option) { return option.second; });
    return found == std::end(all) ? request.regions.option() : found->first;
}

std::string aboveText(const BackgroundThreshold& above) {
    return " brighter than the local background by " + generalText(above.sigmas, 6) + " sigma (boxes of " +
           std::to_string(above.box) + " px)";
}

/// Adds the first fields.
void addObjects(Report& report, const ComponentsRequest& request, const Components& components, PixelType type,
                const FoundThreshold& threshold, std::uint32_t count, std::uint64_t pixels, const std::string& engine) {
    report.fields["file"] = request.image.image;
    report.fields["width"] = components.width;
    report.fields["height"] = components.height;
    addSlices(report.fields, components.extent());
    report.fields.update({{"bits", bitsOf(type)},
                          {"count", count},
                          {"threshold", threshold.low ? numberJson(*threshold.low) : Json()},
                          {"threshold_high", threshold.high ? numberJson(*threshold.high) : Json()},
                          {"foreground", pixels},
                          {"connectivity", static_cast<int>(components.connectivity)},
                          {"algorithm", components.algorithm},
                          {"engine", engine},
                          {"labels_file", orNull(request.labels)},
                          {"csv_file", orNull(request.table)}});
    addValueUnit(report.fields, threshold.unit);
}

void printAll(Report& report, const ComponentsRequest& request, const Context& context) {
    for (const std::string& file :
         {request.labels, request.table, request.outlines, request.vector, request.columns.children}) {
        report.addWritten(file);
    }
    report.print(context);
}

void printComponents(const ComponentsRequest& request, const FoundThreshold& threshold, const ObjectResults& results,
                     const ObjectRule& rule, const Image& image, const Engine& engine, const Context& context) {
    const Components& components = results.components;
    const ObjectList& list = results.list;
    const double share = 100 * static_cast<double>(list.pixels) / static_cast<double>(image.pixelCount());
    Report report;
    Json& fields = report.fields;
    addObjects(report, request, components, image.type(), threshold, components.count - list.atBorder, list.pixels,
               engine.name());
    fields["geojson_file"] = orNull(request.outlines);
    if (!components.isVolume()) {
        fields["gpkg_file"] = orNull(request.vector);
        fields["vector_file"] = orNull(request.vector);
    }
    fields["components_ms"] = components.milliseconds;
    report.text << request.image.image << ": " << counted(list.labels.size(), "object")
                << (rule.above             ? aboveText(*rule.above)
                    : rule.usesThreshold() ? " of values " + threshold.text()
                                           : std::string())
                << (findThresholdMethod(request.threshold) ? " (" + request.threshold + ")" : "")
                << regionText(rule, components)
                << (request.withoutBorder ? ", " + grouped(list.atBorder) + " at the border left out" : "") << ", "
                << counted(list.pixels, components.isVolume() ? "voxel" : "pixel") << " (" << fixed(share, 1)
                << " %), connectivity " << static_cast<int>(components.connectivity) << " (" << engine.name() << ", "
                << components.algorithm << ", " << fixed(components.milliseconds, 1) << " ms)\n";
    if (const std::string unmet = unmetText(components); !unmet.empty()) {
        report.text << unmet << '\n';
    }
    addUnsure(report, results.unsure, components.extent());
    if (!request.where.empty()) {
        fields["where"] = request.where;
        fields["listed"] = list.labels.size();
        report.text << grouped(list.labels.size()) << " of " << grouped(components.count)
                    << (list.labels.size() == 1 ? " meets " : " meet ") << request.where << '\n';
    }
    request.columns.addTo(fields, results.further);
    if (results.classified) {
        addClasses(report, *results.classified, list.labels);
    }
    if (request.fillHoles) {
        fields["fill_holes"] = true;
    }
    addSplit(fields, request);
    if (request.above()) {
        fields["above_background"] = request.above()->sigmas;
        fields["background_box"] = request.above()->box;
    }
    addRegions(fields, rule, components);
    if (request.withoutBorder) {
        fields["left_out_at_border"] = list.atBorder;
    }
    printAll(report, request, context);
}

void printComponents(const ComponentsRequest& request, const ThresholdRange& range, const ImageObjectsReport& found,
                     double milliseconds, const Context& context) {
    const Components& components = found.components;
    const FoundThreshold threshold(range, found.levels, found.info.mapping);
    Report report;
    addObjects(report, request, components, found.type, threshold, components.count, components.foreground, "cpu");
    report.fields["band_rows"] = found.bandRows;
    report.fields["readings"] = found.readings;
    report.fields["total_ms"] = milliseconds;
    report.text << request.image.image << ": " << counted(components.count, "object") << " of values "
                << threshold.text() << ", " << counted(components.foreground, "pixel") << ", connectivity "
                << static_cast<int>(components.connectivity) << " (bands of " << grouped(found.bandRows)
                << " rows, image read " << counted(static_cast<std::uint64_t>(found.readings), "time") << ", "
                << fixed(milliseconds / 1000, 1) << " s)\n";
    printAll(report, request, context);
}

void runComponentsInChunks(Context& context, const ComponentsRequest& request) {
    refuseInChunks(request.image);
    const std::string whole = wholeOption(request);
    refuseConflicts({{!whole.empty(), "--stream: leave out " + whole + ", which needs the whole image"}});
    const ThresholdRange range = parseThreshold(request.threshold);
    const LengthUnit unit = parseUnit(request.unit);
    ChunkRequest chunks = chunkRequest(request.image, request.stream, context);
    chunks.connectivity = connectivityOf(request);
    chunks.target = request.labels;
    chunks.compression = request.stream.tiffCompression();
    chunks.strips = request.stream.strips;
    if (!request.table.empty()) {
        chunks.read.mapping.proportional = true; // grey features are sums of levels
    }
    checkObjectTargets(request);
    const auto [report, milliseconds] =
        runInChunks(context, !chunks.target.empty() && !chunks.strips, [&](ProgressLine& progress) {
            ImageObjectsReport found = objectsOfImage(chunks, {range.method, range.values},
                                                      progress.control("finding objects in bands", context.stop));
            if (!request.table.empty()) {
                TextFile table(request.table, "write table of objects");
                const ObjectUnit measured = unitFor(request, unit, found.info);
                writeObjectTable(
                    table, MeasuredObjects(found.components, nullptr, measured), allLabels(found.components),
                    tableFeatures(chunks.connectivity), progress.control("writing", context.stop),
                    placeColumns(found.components, placesOf(found.info, found.extent.width, found.extent.height)));
                table.commit();
            }
            return found;
        });
    printComponents(request, range, report, milliseconds, context);
}

/// memoryReason() if no option needs the whole image.
std::string chunksNeededForComponents(const ComponentsRequest& request) {
    constexpr std::uint64_t kPixelBytes = 12; // image, mask, runs and labels
    return wholeOption(request).empty() ? memoryReason(request.image, kPixelBytes) : std::string();
}

/// Work on the objects of an image in memory.
class ObjectsJob {
public:
    /// Checks the options. @throws UsageError, Error
    ObjectsJob(const ComponentsRequest& request, Context& context)
        : request_(request), context_(context), range_(parseThreshold(request.threshold)) {
        if (request.image.volume) {
            refuseOptionsOfImages(request);
        }
        spec_.connectivity = connectivityOf(request);
        spec_.algorithm = request.algorithm;
        checkBackground();
        rule_ = ruleOf(range_, request, spec_.connectivity);
        rule_.above = request.above();
        const bool isUsual = request.regions.best && request.threshold == ComponentsRequest{}.threshold;
        request.regions.addTo(rule_, request.statesThreshold && !isUsual, request.image.volume);
        refuseConflicts({{!request.regions.option().empty() && !request.algorithm.empty(),
                          request.regions.option() + ": leave out --algorithm"}});
        results_.table = featuresOf(request, spec_.connectivity);
        refuseConflicts({{!request.features.empty() && !asksForTable(request),
                          "features: they are columns of a table, which --csv names"}});
        request.columns.check(asksForTable(request) || request.asksForOutlines());
        engines_ = enginesFor(request, context);
        conditions_.push_back({"--where", conditionOf("where", request.where, spec_.connectivity)});
        unit_ = parseUnit(request.unit);
        checkObjectTargets(request);
        classes_ = request.classes.parse(objectFeatures(spec_.connectivity));
        for (const ObjectClass& one : classes_) {
            conditions_.push_back(
                {"--class " + one.name, conditionOf("class: " + one.name, one.condition, spec_.connectivity)});
        }
        plan_ = request.columns.planOf(request.image, conditions_, context);
    }

    void run() {
        ThreadArena arena(context_.common.threads);
        ProgressLine progress(context_.err, context_.showProgress, context_.pace);
        const bool needsDistances = rule_.watershed || rule_.hierarchy;
        const LoadedImage loaded = loadImage(request_.image, context_, progress, {.proportional = needsDistances});
        results_.unit = unitFor(request_, unit_, loaded.info);
        for (OptionCondition& one : conditions_) {
            one.toPixels(loaded.info, request_.image.image, request_.image.volume, unit_);
        }
        arena.execute([&] {
            find(loaded, progress.control("finding objects", context_.stop));
            addPlaces(loaded, progress.control("measuring", context_.stop));
            list(progress.control("measuring", context_.stop));
            writeObjectResults(request_, results_, loaded, context_, progress.control("writing", context_.stop));
        });
        progress.clear();
        FoundThreshold threshold(range_, levels_, loaded.info.mapping);
        if (rule_.above || !rule_.usesThreshold()) { // which differs from place to place
            threshold.low = threshold.high = std::nullopt;
        }
        printComponents(request_, threshold, results_, rule_, *loaded.image, *used_, context_);
    }

private:
    /// @throws UsageError
    void checkBackground() const {
        const ComponentsRequest defaults;
        const double sigmas = request_.aboveBackground.value_or(1);
        refuseConflicts(
            {{request_.above() && request_.threshold != defaults.threshold,
              "--above-background: leave out --threshold, whose place it takes"},
             {request_.above() && request_.image.volume, "--above-background: works on images, not on volumes"},
             {!request_.above() && request_.backgroundBox != defaults.backgroundBox,
              "--background-box: is for --above-background"},
             {!(sigmas > 0 && sigmas <= BackgroundThreshold::kMostSigmas), "--above-background: must be above 0"},
             {request_.backgroundBox < BackgroundThreshold::kLeastBox ||
                  request_.backgroundBox > BackgroundThreshold::kMostBox,
              "--background-box: must be " + std::to_string(BackgroundThreshold::kLeastBox) + " to " +
                  std::to_string(BackgroundThreshold::kMostBox) + " px"}});
    }

    /// Whether a column or a condition is measured in the label image of a volume, too.
    [[nodiscard]] bool needsShapes() const {
        EdgeMeasure needed = edgeMeasureOf(results_.table);
        for (const OptionCondition& one : conditions_) {
            needed = std::max(needed, one.condition.edgeMeasure());
        }
        return needed >= EdgeMeasure::ball;
    }

    void find(const LoadedImage& loaded, const JobControl& control) {
        const Image& image = *loaded.image;
        const std::optional<ValueMapping>& values = loaded.info.mapping;
        if (!rule_.above && rule_.usesThreshold()) {
            requirePossible(range_, values, image.type(), request_.image.image);
        }
        levels_ = rule_.levelsOf(image, loaded.valid.get(), control, values);
        const ImageArgument argument = parseImageArgument(request_.image.image);
        const ObjectSource objects{image,  loaded.valid.get(),
                                   values, loaded.info.pixelSize,
                                   &image, labelsOfImage(argument.path, request_.image.readOptions())};
        const bool measuresLabels = !request_.features.empty() || request_.columns.asked() ||
                                    std::ranges::any_of(conditions_, &OptionCondition::needsLabels);
        spec_.labels = !request_.labels.empty() || request_.asksForOutlines() || rule_.above ||
                       !plan_.channels.empty() || (measuresLabels && !request_.image.volume) || needsShapes();
        spec_.features = asksForTable(request_) || request_.asksForOutlines() || request_.withoutBorder ||
                         !classes_.empty() || !conditions_.front().condition.isEmpty();
        const bool sumsRanks = values && !values->isProportional() && spec_.features;
        spec_.labels = spec_.labels || sumsRanks;
        onFirstThatWorks(engines_, context_, [&](Engine& engine) {
            used_ = &engine;
            ObjectChoices choices;
            results_.components = findObjects(engine, rule_, objects, levels_, spec_, control, &choices);
            if (request_.regions.ask != 0) {
                const BestChoice choice = rule_.best->choiceFor(loaded.info.pixelSize, request_.image.volume);
                results_.unsure = choices.candidates->leastSure(choice, request_.regions.ask, control);
            }
        });
        sumValues(results_.components, image, values, control);
    }

    void list(const JobControl& control) {
        const Components& components = results_.components;
        results_.further = request_.columns.measured(request_.image, plan_, components, control);
        std::vector<ObjectColumn> columns = placeColumns(components, results_.places, results_.fluxes);
        columns.insert(columns.end(), results_.further.measured.begin(), results_.further.measured.end());
        std::vector<ClassCondition> conditions;
        for (const OptionCondition& one : conditions_) {
            conditions.push_back({one.withColumns(columns, request_.image.image)});
        }
        ObjectUnit unit = results_.unit;
        const ObjectEdges edges =
            measureEdges(components, edgeMeasureOf(std::span(std::as_const(conditions))), control, unit.proportions());
        if (!components.isVolume()) { // numbers of conditions on images are in px
            unit.unit = LengthUnit::pixel;
            unit.sides = {};
        }
        const MeasuredObjects objects(components, &edges, unit);
        if (request_.withoutBorder || !conditions.front().condition.isEmpty()) {
            results_.list = listObjects(objects,
                                        {.condition = conditions.front().condition,
                                         .withoutBorder = request_.withoutBorder,
                                         .borderXy = request_.borderXy},
                                        control);
        } else {
            results_.list.labels = allLabels(components);
            results_.list.pixels = components.foreground;
        }
        request_.columns.addParents(results_.further, components, results_.list.labels, control);
        if (!classes_.empty()) {
            results_.classified = std::make_shared<const ClassifiedObjects>(
                classifyObjects(objects, classes_, std::span(std::as_const(conditions)).subspan(1), control));
            results_.further.columns.push_back(classColumn(results_.classified));
        }
    }

    void addPlaces(const LoadedImage& loaded, const JobControl& control) {
        const bool isNamed = std::ranges::any_of(
            conditions_, [](const OptionCondition& one) { return !one.condition.columns().empty(); });
        if (!(asksForTable(request_) || request_.asksForOutlines() || isNamed)) {
            return;
        }
        results_.places = placesOf(loaded.info, loaded.image->width(), loaded.image->height());
        results_.fluxes =
            rule_.fluxesOf(results_.components, *loaded.image, loaded.valid.get(), control, loaded.info.mapping);
    }

    const ComponentsRequest& request_;
    Context& context_;
    ThresholdRange range_;
    ObjectRule rule_;
    LevelRange levels_; ///< of the objects
    ComponentsSpec spec_;
    std::vector<Engine*> engines_;
    std::vector<OptionCondition> conditions_; ///< of --where, then of the classes
    LengthUnit unit_ = LengthUnit::pixel;
    std::vector<ObjectClass> classes_;
    ColumnPlan plan_;
    ObjectResults results_;
    const Engine* used_ = nullptr;
};

void runComponents(Context& context, const ComponentsRequest& request) {
    const auto reason = [&] { return request.image.volume ? "" : chunksNeededForComponents(request); };
    if (worksInChunks(request.stream, reason, "worked on in bands", context)) {
        runComponentsInChunks(context, request);
    } else {
        ObjectsJob(request, context).run();
    }
}

} // namespace

CommandAction declareComponents(CLI::App& app) {
    CLI::App& command =
        *app.add_subcommand("components", "Find the connected objects of a mask or a thresholded image");
    const auto options = std::make_shared<ComponentsRequest>();
    options->image.declare(command);
    declareThreshold(command, options->threshold);
    noteStated(command, "--threshold", options->statesThreshold);
    addValue(command, "--above-background", options->aboveBackground,
             "Instead of --threshold: objects that are brighter than\nthe local background by K times its spread, as "
             "SExtractor\nfinds sources; tables have the column flux, the sum of\nvalue - background",
             "K");
    addValue(command, "--background-box", options->backgroundBox,
             "Side of the boxes in which the background is measured", "PX")
        ->capture_default_str();
    options->regions.declare(command);
    options->image.declareVolume(command);
    declareConnectivity(command, options->connectivity);
    addValue(command, "--algorithm", options->algorithm, "Labelling algorithm, see 'pollard-cli algorithms'", "NAME");
    declareSwitches(command, *options,
                    "Fill the holes of the foreground first: those that touch\nneither the border of the image nor "
                    "pixels without data",
                    "Leave out objects with a pixel in the first or last row\nor column, or slice of a volume; the "
                    "others keep their\nnumbers");
    command
        .add_flag("--border-xy", options->borderXy,
                  "With --no-border in a volume: the first and last slice\nare no border")
        ->needs(command.get_option("--no-border"));
    addValue(command, "--labels", options->labels,
             "Write the objects' numbers as a 32-bit TIFF: 1 .. count\nin raster order of the first pixel, 0 between; "
             "of a volume\na page for each slice; also as .nii.gz, .nrrd, .npy, and\nas .zarr with the table as "
             "properties; with --stream as\nTIFF",
             "OUT.tif|OUT.npy");
    addValue(command, "--csv", options->table,
             "Write a line per object: area, box, centroid, sums,\nellipse (axes in px, angle in radians from the x "
             "axis\ntowards y, which points down), grey levels, perimeter\nin pixel sides, holes; of volumes, see "
             "docs/volumes.md",
             "OUT.csv");
    addValue(
        command, "--features", options->features,
        "Columns of the table instead: ids with commas between,\nor all for the usual ones, then border (pixels "
        "in the\nfirst or last row or column), perimeter_imagej and\ncircularity_imagej (as ImageJ defines them), and "
        "convex\nhulls, inscribed circles and thickness: docs/objects.md",
        "IDS|all");
    options->columns.declare(command);
    addValue(command, "--geojson", options->outlines,
             "Write the outlines as polygons with holes along the\nedges of pixels, of a volume those in each slice",
             "OUT.geojson");
    addValue(command, "--gpkg,--vector", options->vector,
             "Write them in the coordinate system of the image, with\nGDAL, by the name as FlatGeobuf (.fgb), CSV with "
             "WKT\n(.csv) or GeoPackage (.gpkg)",
             "OUT.gpkg|fgb|csv");
    options->positions.declare(command);
    addValue(command, "--where", options->where,
             "Write only objects that meet this, e.g. 'area > 15 um2\n&& circularity > 0.8' or 'mean[GFP] > 100'; "
             "names as in the\ntable",
             "CONDITION");
    options->classes.declare(command);
    addValue(command, "--unit", options->unit,
             "Unit of lengths, areas and positions in the table and in\nthe properties of outlines: px, nm, um, mm, "
             "cm, m, km;\nthe names then end in it: area_um2. The image has the\nsize of a pixel; raw sums and the "
             "coordinates of outlines\nstay px. In volumes also of volumes and the numbers in\nconditions",
             "UNIT")
        ->capture_default_str();
    options->stream.declareOnePass(command);
    return [options](Context& context) { runComponents(context, *options); };
}

} // namespace pollard::cli
