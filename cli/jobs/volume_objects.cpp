#include "jobs/volume_objects.hpp"

#include "base/thread_arena.hpp"
#include "jobs/tree_job.hpp"
#include "options/output_target.hpp"
#include "options/read_choice.hpp"
#include "options/threshold_range.hpp"
#include "progress_line.hpp"
#include "text.hpp"

#include "base/error.hpp"
#include "components/objects/feature_table.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_list.hpp"
#include "components/volumes/measured_objects.hpp"
#include "components/volumes/slice_outlines.hpp"
#include "components/volumes/volume_components.hpp"
#include "components/volumes/volume_features.hpp"
#include "io/write/npy_writer.hpp"
#include "io/write/text_file.hpp"
#include "recipe/result_file.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

/// @throws UsageError if the request has an option that works on pictures only
void refuseOptionsOfPictures(const ComponentsRequest& request) {
    const ColumnOptions& columns = request.columns;
    const std::pair<const char*, bool> options[] = {
        {"--fill-holes", request.fillHoles},       {"--measure", !columns.measure.empty()},
        {"--measures", !columns.measures.empty()}, {"--ring", columns.ring > 0},
        {"--pairs", !columns.pairs.empty()},       {"--signal-above", !columns.signal.empty()},
        {"--parents", !columns.parents.empty()},   {"--children", !columns.children.empty()}};
    for (const auto& [name, isSet] : options) {
        if (isSet) {
            throw UsageError(std::string(name) + ": works on pictures, not on volumes");
        }
    }
}

/// The engines to try. @throws UsageError for an algorithm that works on pictures only; as enginesWith()
std::vector<Engine*> enginesFor(const ComponentsRequest& request, const Context& context) {
    std::vector<Engine*> engines = enginesWith(context, request.algorithm, kLabellingJob);
    std::erase_if(engines, [&](const Engine* engine) {
        return std::ranges::none_of(engine->algorithms(), [&](const AlgorithmInfo& each) {
            return each.job == kLabellingJob && each.takesVolumes &&
                   (request.algorithm.empty() || each.name == request.algorithm);
        });
    });
    if (engines.empty()) {
        throw UsageError("algorithm: '" + request.algorithm + "': works on pictures, not on volumes");
    }
    return engines;
}

/// @param option for messages: "where"
/// @throws UsageError for an invalid condition, and for channels and units
ObjectCondition conditionOf(const std::string& option, const std::string& text, Connectivity connectivity) {
    ObjectCondition condition;
    try {
        condition = ObjectCondition::parse(text, volumeFeatures(connectivity));
    } catch (const Error& error) {
        throw UsageError(option + ": " + error.what());
    }
    if (!condition.columns().empty()) {
        throw UsageError(option + ": channels: works on pictures, not on volumes");
    }
    if (condition.statesUnits()) {
        throw UsageError(option + ": units in conditions: works on pictures; in volumes, --unit states the unit of all "
                                  "numbers");
    }
    return condition;
}

/// Columns of the table selected by --features; empty for all. @throws UsageError
std::vector<ObjectFeature> volumeFeatures(const ComponentsRequest& request, Connectivity connectivity) {
    if (request.features.empty() || request.features == kAllFeatures) {
        return {};
    }
    try {
        return parseFeatures(request.features, volumeFeatures(connectivity));
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
}

void checkTargets(const ComponentsRequest& request) {
    if (!request.labels.empty()) {
        requireResultName(request.labels, true);
    }
    const std::pair<std::string, const char*> files[] = {
        {request.labels, "the label image"}, {request.table, "the table"}, {request.outlines, "the outlines"}};
    for (std::size_t i = 0; i < std::size(files); ++i) {
        const std::string& file = files[i].first;
        if (file.empty()) {
            continue;
        }
        requireDifferent(parseImageArgument(request.image.image).path, file, "the input");
        for (std::size_t j = 0; j < i; ++j) {
            if (!files[j].first.empty()) {
                requireDifferent(files[j].first, file, files[j].second);
            }
        }
        requireWritable(file);
    }
}

/// @throws Error(invalidArgument) if the sides of a voxel are unknown in this unit
VolumeUnit unitFor(LengthUnit unit, const ImageInfo& info, const std::string& image) {
    const std::string why = unit == LengthUnit::pixel ? std::string() : whyNoVolumeUnit(info.pixelSize);
    if (!why.empty()) {
        throw Error(ErrorCode::invalidArgument, image + ": --unit " + unitName(unit, Dimension::length) + ": " + why);
    }
    return volumeUnitOf(unit, info.pixelSize);
}

/// @param properties for OME-Zarr
void writeVolumeLabels(const std::string& path, VolumeComponents& components, const ObjectList& list,
                       const ImageInfo& info, const LabelProperties& properties, TiffCompression compression,
                       const JobControl& control) {
    if (list.labels.size() < components.count) {
        std::ranges::transform(components.labels, components.labels.begin(),
                               [&](std::uint32_t label) { return list.lists(label) ? label : 0; });
    }
    if (namesArray(path)) {
        writeNpy32(path, components.labels.span(), components.extent, control);
        return;
    }
    writeResult32(path, components.labels.span(), components.extent, info, control, &properties, compression);
}

void printResult(const ComponentsRequest& request, const ThresholdRange& range, const VolumeComponents& components,
                 const std::string& engine, const ObjectList& list, const ClassifiedObjects* classified,
                 const Image& volume, Context& context) {
    const Extent& extent = components.extent;
    if (context.common.json) {
        Json object{{"file", request.image.image},
                    {"width", extent.width},
                    {"height", extent.height},
                    {"slices", extent.slices},
                    {"bits", bitsOf(volume.type())},
                    {"count", components.count - list.atBorder},
                    {"threshold", *range.low},
                    {"threshold_high", range.high ? Json(*range.high) : Json()},
                    {"foreground", list.pixels},
                    {"connectivity", static_cast<int>(components.connectivity)},
                    {"algorithm", components.algorithm},
                    {"engine", engine},
                    {"labels_file", request.labels.empty() ? Json() : Json(request.labels)},
                    {"csv_file", request.table.empty() ? Json() : Json(request.table)},
                    {"geojson_file", request.outlines.empty() ? Json() : Json(request.outlines)},
                    {"components_ms", components.milliseconds}};
        if (!request.where.empty()) {
            object["where"] = request.where;
            object["listed"] = list.labels.size();
        }
        if (classified != nullptr) {
            addClasses(object, *classified, list.labels);
        }
        if (request.withoutBorder) {
            object["left_out_at_border"] = list.atBorder;
        }
        printJson(context.out, object);
        return;
    }
    if (context.common.quiet) {
        return;
    }
    const double share = 100 * static_cast<double>(list.pixels) / static_cast<double>(extent.pixelCount());
    context.out << request.image.image << ": " << grouped(list.labels.size()) << " objects of levels "
                << (range.high ? std::to_string(*range.low) + " to " + std::to_string(*range.high)
                               : "from " + std::to_string(*range.low) + " on")
                << (range.method ? " (" + request.threshold + ")" : "")
                << (request.withoutBorder ? ", " + grouped(list.atBorder) + " at the border left out" : "") << ", "
                << grouped(list.pixels) << " voxels (" << fixed(share, 1) << " %), connectivity "
                << static_cast<int>(components.connectivity) << " (" << engine << ", " << components.algorithm << ", "
                << fixed(components.milliseconds, 1) << " ms)\n";
    printListing(context, request, components.count, list, classified);
    for (const std::string& file : {request.labels, request.table, request.outlines}) {
        if (!file.empty()) {
            context.out << "written: " << file << '\n';
        }
    }
}

} // namespace

bool asksForTable(const ComponentsRequest& request) { return !request.table.empty() || isZarrResult(request.labels); }

std::span<const std::uint32_t> describedLabels(const ComponentsRequest& request, const ObjectList& list,
                                               std::size_t columns, const Context& context) {
    constexpr std::size_t kMostValues = 1'000'000; // some 45 MB of JSON; metadata are read up to 64 MB
    if (!isZarrResult(request.labels)) {
        return {};
    }
    if (list.labels.size() * (columns + 1) > kMostValues) {
        printNote(context, request.labels + ": " + grouped(list.labels.size()) +
                               " objects are too many for properties in the metadata; --csv writes them, and "
                               "fewer --features make room");
        return {};
    }
    return list.labels;
}

Connectivity connectivityOf(const ComponentsRequest& request) {
    TreeOptions options;
    options.connectivity = request.connectivity;
    return options.spec(request.image.volume).connectivity;
}

void printListing(Context& context, const ComponentsRequest& request, std::uint32_t count, const ObjectList& list,
                  const ClassifiedObjects* classified) {
    if (!request.where.empty()) {
        context.out << grouped(list.labels.size()) << " of " << grouped(count) << " meet " << request.where << '\n';
    }
    if (classified != nullptr) {
        context.out << classesText(*classified, list.labels) << '\n';
    }
}

void findVolumeObjects(Context& context, const ComponentsRequest& request) {
    ThresholdRange range = parseThreshold(request.threshold);
    refuseOptionsOfPictures(request);
    if (!request.features.empty() && !asksForTable(request)) {
        throw UsageError("features: they are columns of a table, which --csv names");
    }
    const Connectivity connectivity = connectivityOf(request);
    const std::vector<ObjectFeature> features = volumeFeatures(request, connectivity);
    const ObjectCondition condition = conditionOf("where", request.where, connectivity);
    std::vector<ObjectClass> classes = request.classes.parse(volumeFeatures(connectivity));
    std::vector<ClassCondition> conditions;
    for (const ObjectClass& one : classes) {
        conditions.push_back({conditionOf("class: " + one.name, one.condition, connectivity)});
    }
    const LengthUnit unit = parseUnit(request.unit);
    const std::vector<Engine*> engines = enginesFor(request, context);
    checkTargets(request);

    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    const LoadedImage loaded = loadImage(request.image, context, progress);
    const Image& volume = *loaded.image;
    const VolumeUnit measured = unitFor(unit, loaded.info, request.image.image);
    const JobControl control = progress.control("finding objects", context.stop);
    const ComponentsSpec spec{.connectivity = connectivity,
                              .algorithm = request.algorithm,
                              .labels = !request.labels.empty() || !request.outlines.empty(),
                              .features = asksForTable(request) || !request.outlines.empty() || request.withoutBorder ||
                                          !classes.empty() || !condition.isEmpty()};
    std::shared_ptr<const ClassifiedObjects> classified;
    VolumeComponents components;
    const Engine* used = nullptr;
    {
        const Mask mask = arena.execute([&] { return maskOf(range, volume, loaded.valid.get(), control); });
        onFirstThatWorks(engines, context, [&](Engine& engine) {
            used = &engine;
            components =
                arena.execute([&] { return engine.labelVolume(mask, volume.extent(), &volume, spec, control); });
        });
    }
    ObjectList list;
    arena.execute([&] {
        if (spec.features) {
            list = listObjects(MeasuredObjects(components, measured),
                               {.condition = condition, .withoutBorder = request.withoutBorder}, control);
        } else {
            list.labels.resize(components.count);
            list.pixels = components.foreground;
        }
        if (!classes.empty()) {
            classified = std::make_shared<const ClassifiedObjects>(
                classifyObjects(MeasuredObjects(components, measured), std::move(classes), conditions, control));
        }
        const JobControl writing = progress.control("writing", context.stop);
        std::optional<TextFile> table; // the files appear together
        std::optional<TextFile> outlines;
        std::vector<ObjectColumn> further;
        if (classified) {
            further.push_back(classColumn(classified));
        }
        if (!request.outlines.empty()) {
            outlines.emplace(request.outlines, "write outlines");
            writeSliceOutlines(*outlines, components, list.labels, writing, measured, further);
        }
        if (!request.table.empty()) {
            table.emplace(request.table, "write table of objects");
            writeObjectTable(*table, components, list.labels, features, writing, measured, further);
        }
        if (!request.labels.empty()) {
            std::vector<ObjectFeatureInfo> columns;
            std::ranges::copy_if(
                volumeFeatures(connectivity), std::back_inserter(columns), [&](const ObjectFeatureInfo& each) {
                    return features.empty() || std::ranges::find(features, each.feature) != features.end();
                });
            const MeasuredObjects objects(components, measured);
            writeVolumeLabels(request.labels, components, list, loaded.info,
                              labelProperties(objects,
                                              describedLabels(request, list, columns.size() + further.size(), context),
                                              columns, unit, further),
                              request.stream.tiffCompression(), writing);
        }
        if (table) {
            table->commit();
        }
        if (outlines) {
            outlines->commit();
        }
    });
    progress.clear();
    printResult(request, range, components, used->name(), list, classified.get(), volume, context);
}

} // namespace pollard::cli
