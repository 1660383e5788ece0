#include "jobs/object_results.hpp"

#include "options/named_files.hpp"
#include "text.hpp"

#include "base/error.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/outline_files/outlines.hpp"
#include "components/shape/object_edges.hpp"
#include "geo/vector_layer.hpp"
#include "io/label_file.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/text_file.hpp"
#include "recipe/results/result_file.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard::cli {

namespace {

std::vector<ObjectColumn> columnsOf(const ObjectResults& results, bool withPlaces) {
    std::vector<ObjectColumn> columns =
        placeColumns(results.components, withPlaces ? results.places : ImagePlaces{}, results.fluxes);
    std::ranges::copy(results.further.columns, std::back_inserter(columns));
    return columns;
}

void writeTable(TextFile& file, const ComponentsRequest& request, const ObjectResults& results,
                const JobControl& control) {
    const Components& components = results.components;
    const ObjectEdges edges =
        measureEdges(components, edgeMeasureOf(results.table), control, results.unit.proportions());
    writeObjectTable(file, MeasuredObjects(components, &edges, results.unit), results.list.labels, results.table,
                     control, columnsOf(results, request.features.empty()));
}

/// The columns of writeTable() as properties: in the order of --features for images, in the usual order for volumes.
std::vector<ObjectFeatureInfo> describedFeatures(const ComponentsRequest& request, const ObjectResults& results) {
    const std::vector<ObjectFeatureInfo>& table = results.table.features;
    const bool named = !request.features.empty() && request.features != kAllFeatures;
    if (named && !results.components.isVolume()) {
        return table;
    }
    std::vector<ObjectFeatureInfo> columns;
    std::ranges::copy_if(objectFeatures(results.components.connectivity), std::back_inserter(columns),
                         [&](const ObjectFeatureInfo& each) {
                             return std::ranges::find(table, each.feature, &ObjectFeatureInfo::feature) != table.end();
                         });
    return columns;
}

/// Labels whose properties a label image holds: all labels, or none, with a note, if the metadata would be larger than
/// readers accept. @param columns of the properties
std::span<const std::uint32_t> describedLabels(const ComponentsRequest& request, const ObjectList& list,
                                               std::size_t columns, const Context& context) {
    constexpr std::size_t kMostValues = 1'000'000; // some 45 MB of JSON; metadata are read up to 64 MB
    if (!isZarrResult(request.labels)) {
        return {};
    }
    if (list.labels.size() * (columns + 1) > kMostValues) {
        printNote(context, request.labels + ": " + counted(list.labels.size(), "object") +
                               " are too many for properties in the metadata; --csv writes them, and "
                               "fewer --features make room");
        return {};
    }
    return list.labels;
}

void writeLabels(const ComponentsRequest& request, ObjectResults& results, const ImageInfo& info,
                 const Context& context, const JobControl& control) {
    Components& components = results.components;
    const ObjectList& list = results.list;
    const std::vector<ObjectFeatureInfo> columns = describedFeatures(request, results);
    const std::vector<ObjectColumn> further = columnsOf(results, request.features.empty());
    const std::span<const std::uint32_t> described =
        describedLabels(request, list, columns.size() + further.size(), context);
    const ObjectEdges edges =
        measureEdges(components, described.empty() ? EdgeMeasure::none : edgeMeasureOf(results.table), control,
                     results.unit.proportions());
    const MeasuredObjects objects(components, &edges, results.unit);
    const LabelProperties properties = labelProperties(objects, described, columns, further);
    const bool isAll = list.labels.size() == components.count;
    if (!isAll || !components.numbers.empty()) {
        std::ranges::transform(components.labels, components.labels.begin(), [&](std::uint32_t label) {
            return isAll || list.lists(label) ? components.numberOf(label) : 0;
        });
    }
    writeResult(request.labels, resultPlane(components.labels.span(), components.extent(), info, &properties), control,
                {.compression = request.stream.tiffCompression()});
}

void writeChildren(TextFile& file, std::span<const ChildCount> counts, const JobControl& control) {
    file << "label,children";
    file.endLine(control);
    for (const ChildCount& count : counts) {
        file << count.parent << ',' << count.children;
        file.endLine(control);
    }
}

} // namespace

bool asksForTable(const ComponentsRequest& request) { return !request.table.empty() || isZarrResult(request.labels); }

TableFeatures featuresOf(const ComponentsRequest& request, Connectivity connectivity) {
    return parsedArgument([&] { return tableFeatures(connectivity, request.features); });
}

ObjectUnit unitFor(const ComponentsRequest& request, LengthUnit unit, const ImageInfo& info) {
    const bool inVolume = request.image.volume;
    const std::string why = unit == LengthUnit::pixel ? std::string() : whyNoObjectUnit(info.pixelSize, inVolume);
    if (!why.empty()) {
        throw Error(ErrorCode::invalidArgument,
                    request.image.image + ": --unit " + unitName(unit, Dimension::length) + ": " + why);
    }
    return objectUnitOf(unit, info.pixelSize, inVolume, info.spacing, info.mapping);
}

void checkObjectTargets(const ComponentsRequest& request) {
    if (!request.labels.empty()) {
        if (request.stream.asksForChunks()) {
            requireTiffName(request.labels);
        } else {
            requireResultName(request.labels, true);
        }
    }
    std::vector<NamedFile> inputs{{parseImageArgument(request.image.image).path, "the input"}};
    if (!request.columns.parents.empty()) {
        inputs.push_back({request.columns.parents, "the parents"});
    }
    if (!request.regions.labels.empty()) {
        inputs.push_back(
            {labelFileOf(std::filesystem::absolute(request.regions.labels).string(), inputs.front().path).string(),
             "the labels"});
    }
    requireOutputs(inputs, {{request.labels, "the label image"},
                            {request.table, "the table"},
                            {request.outlines, "the outlines"},
                            {request.vector, "the vector file"},
                            {request.columns.children, "the table of parents"}});
    if (!request.vector.empty()) {
        requireVectorName(request.vector);
    }
}

void writeObjectResults(const ComponentsRequest& request, ObjectResults& results, const LoadedImage& loaded,
                        const Context& context, const JobControl& control) {
    const Components& components = results.components;
    const std::vector<std::uint32_t>& labels = results.list.labels;
    std::optional<TextFile> table;
    std::optional<TextFile> children;
    std::optional<TextFile> outlines;
    std::optional<AtomicFile> vector;
    if (!request.table.empty()) {
        table.emplace(request.table, "write table of objects");
        writeTable(*table, request, results, control);
    }
    if (!request.columns.children.empty()) {
        children.emplace(request.columns.children, "write table of parents");
        writeChildren(*children, results.further.children, control);
    }
    if (!request.outlines.empty()) {
        outlines.emplace(request.outlines, "write outlines");
        const auto map =
            components.isVolume() ? nullptr : request.positions.mapOf(loaded, request.image.image, context);
        writeObjectOutlines(*outlines, components, labels, control, map.get(), results.unit, columnsOf(results, false));
    }
    if (!request.vector.empty()) {
        vector.emplace(request.vector, "write outlines");
        writeVectorOutlines(*vector, request.vector, components, labels, loaded.info.carried, control, results.unit,
                            columnsOf(results, true));
    }
    if (!request.labels.empty()) {
        writeLabels(request, results, loaded.info, context, control);
    }
    for (std::optional<TextFile>* const file : {&table, &children, &outlines}) {
        if (*file) {
            (*file)->commit();
        }
    }
    if (vector) {
        vector->commit();
    }
}

} // namespace pollard::cli
