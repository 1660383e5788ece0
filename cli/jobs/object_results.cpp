#include "jobs/object_results.hpp"

#include "options/image_argument.hpp"
#include "options/output_target.hpp"

#include "base/error.hpp"
#include "components/objects/feature_table.hpp"
#include "components/objects/object_edges.hpp"
#include "components/outline_vector.hpp"
#include "components/outlines.hpp"
#include "components/volumes/measured_objects.hpp"
#include "geo/vector_layer.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/npy_writer.hpp"
#include "io/write/text_file.hpp"
#include "recipe/result_file.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard::cli {

namespace {

void writeTable(const ComponentsRequest& options, TextFile& file, const Components& components,
                std::span<const std::uint32_t> labels, const ObjectUnit& unit, std::span<const ObjectColumn> further,
                const JobControl& control) {
    if (options.features.empty()) {
        writeObjectTable(file, components, labels, control, unit, further);
    } else if (options.features == kAllFeatures) {
        writeFullTable(file, components, measureEdges(components, edgeMeasureOf(furtherFeatures()), control), labels,
                       control, unit, further);
    } else {
        const std::vector<ObjectFeature> features = featuresOf(options);
        writeFeatureTable(file, components, measureEdges(components, edgeMeasureOf(features), control), labels,
                          features, control, unit, further);
    }
}

/// The columns of writeTable().
std::vector<ObjectFeatureInfo> measuredColumns(const ComponentsRequest& options) {
    const std::vector<ObjectFeature> named = featuresOf(options);
    std::vector<ObjectFeatureInfo> columns;
    if (named.empty()) {
        const std::span<const ObjectFeature> others = furtherFeatures();
        std::ranges::copy_if(objectFeatures(), std::back_inserter(columns), [&](const ObjectFeatureInfo& each) {
            return options.features == kAllFeatures || std::ranges::find(others, each.feature) == others.end();
        });
    } else {
        std::ranges::transform(named, std::back_inserter(columns), objectFeatureInfo);
    }
    return columns;
}

void writeObjectLabels(const ComponentsRequest& options, const Components& components, const ObjectList& list,
                       const ObjectUnit& unit, const ObjectColumns& further, const ImageInfo& info,
                       const Context& context, const JobControl& control) {
    Buffer<std::uint32_t> listed;
    std::span<const std::uint32_t> values = components.labels.span();
    if (list.labels.size() != components.count) {
        listed = Buffer<std::uint32_t>(components.labels.size());
        std::ranges::transform(components.labels, listed.begin(),
                               [&](std::uint32_t label) { return list.lists(label) ? label : 0; });
        values = listed.span();
    }
    const std::vector<ObjectFeatureInfo> columns = measuredColumns(options);
    const std::span<const std::uint32_t> described =
        describedLabels(options, list, columns.size() + further.columns.size(), context);
    if (namesArray(options.labels)) {
        writeNpy32(options.labels, values, {components.width, components.height}, control);
        return;
    }
    ObjectEdges edges;
    if (!described.empty()) {
        EdgeMeasure needed = EdgeMeasure::none;
        for (const ObjectFeatureInfo& column : columns) {
            needed = std::max(needed, column.edge);
        }
        edges = measureEdges(components, needed, control);
    }
    const MeasuredObjects objects(components, &edges, unit.side);
    const LabelProperties properties = labelProperties(objects, described, columns, unit.unit, further.columns);
    writeResult32(options.labels, values, {components.width, components.height}, info, control, &properties,
                  options.stream.tiffCompression());
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

std::vector<ObjectFeature> featuresOf(const ComponentsRequest& options) {
    if (options.features.empty() || options.features == kAllFeatures) {
        return {};
    }
    try {
        return parseFeatures(options.features);
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
}

void checkObjectTargets(const ComponentsRequest& options) {
    if (!options.labels.empty()) {
        if (options.stream.asksForChunks()) {
            requireTiffName(options.labels);
        } else {
            requireResultName(options.labels, true);
        }
    }
    const std::string* const files[] = {&options.labels, &options.table, &options.outlines, &options.vector,
                                        &options.columns.children};
    const char* const names[] = {"the label image", "the table", "the outlines", "the vector file",
                                 "the table of parents"};
    for (std::size_t i = 0; i < std::size(files); ++i) {
        if (files[i]->empty()) {
            continue;
        }
        requireDifferent(parseImageArgument(options.image.image).path, *files[i], "the input");
        if (!options.columns.parents.empty()) {
            requireDifferent(options.columns.parents, *files[i], "the parents");
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (!files[j]->empty()) {
                requireDifferent(*files[j], *files[i], names[j]);
            }
        }
        requireWritable(*files[i]);
    }
    if (!options.vector.empty()) {
        requireVectorName(options.vector);
    }
}

void writeObjectResults(const ComponentsRequest& options, const Components& components, const ObjectList& list,
                        const ObjectUnit& unit, const ObjectColumns& further, const LoadedImage& loaded,
                        const Context& context, const JobControl& control) {
    std::optional<TextFile> table;
    std::optional<TextFile> children;
    std::optional<TextFile> outlines;
    std::optional<AtomicFile> vector;
    if (!options.table.empty()) {
        table.emplace(options.table, "write table of objects");
        writeTable(options, *table, components, list.labels, unit, further.columns, control);
    }
    if (!options.columns.children.empty()) {
        children.emplace(options.columns.children, "write table of parents");
        writeChildren(*children, further.children, control);
    }
    const Outlines traced = options.asksForOutlines() ? traceOutlines(components, control) : Outlines();
    if (!options.outlines.empty()) {
        outlines.emplace(options.outlines, "write outlines");
        const auto map = options.positions.mapOf(loaded, options.image.image, context);
        writeObjectOutlines(*outlines, components, traced, list.labels, control, map.get(), unit, further.columns);
    }
    if (!options.vector.empty()) {
        vector.emplace(options.vector, "write outlines");
        writeVectorOutlines(*vector, options.vector, components, traced, list.labels, loaded.info.carried, control,
                            unit, further.columns);
    }
    if (!options.labels.empty()) {
        writeObjectLabels(options, components, list, unit, further, loaded.info, context, control);
    }
    if (table) {
        table->commit();
    }
    if (children) {
        children->commit();
    }
    if (outlines) {
        outlines->commit();
    }
    if (vector) {
        vector->commit();
    }
}

} // namespace pollard::cli
