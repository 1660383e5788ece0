#include "components/objects/feature_table.hpp"

#include "base/error.hpp"
#include "components/objects/object_files.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace pollard {

namespace {

constexpr std::array kFurther{ObjectFeature::border, ObjectFeature::imagejPerimeter, ObjectFeature::imagejCircularity};

} // namespace

std::vector<ObjectFeature> parseFeatures(std::string_view text, std::span<const ObjectFeatureInfo> known) {
    std::vector<ObjectFeature> features;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        const std::string_view id = text.substr(from, to - from);
        const auto feature = findObjectFeature(id, known);
        if (!feature) {
            throw Error(ErrorCode::invalidArgument,
                        "features: '" + std::string(id) + "' is no feature; there are " + featureIds(known));
        }
        if (std::ranges::find(features, *feature) != features.end()) {
            throw Error(ErrorCode::invalidArgument, "features: '" + std::string(id) + "' stands twice");
        }
        features.push_back(*feature);
        from = to + 1;
    }
    return features;
}

std::span<const ObjectFeature> furtherFeatures() noexcept { return kFurther; }

EdgeMeasure edgeMeasureOf(std::span<const ObjectFeature> features) noexcept {
    EdgeMeasure measure = EdgeMeasure::none;
    for (const ObjectFeature feature : features) {
        measure = std::max(measure, objectFeatureInfo(feature).edge);
    }
    return measure;
}

void writeFeatureTable(TextFile& file, const Components& components, const ObjectEdges& edges,
                       std::span<const std::uint32_t> labels, std::span<const ObjectFeature> features,
                       const JobControl& control, const ObjectUnit& unit, std::span<const ObjectColumn> further) {
    for (std::size_t i = 0; i < features.size(); ++i) {
        file << (i == 0 ? "" : ",") << columnOf(features[i], unit);
    }
    writeColumnNames(file, further);
    file.endLine(control);
    for (const std::uint32_t label : labels) {
        for (std::size_t i = 0; i < features.size(); ++i) {
            file << (i == 0 ? "" : ",");
            writeFeature(file, features[i],
                         featureOf(components.objects[label - 1], label, features[i], unit.side, edges.of(label)),
                         unit);
        }
        writeColumnCells(file, further, label);
        file.endLine(control);
    }
}

void writeFullTable(TextFile& file, const Components& components, const ObjectEdges& edges,
                    std::span<const std::uint32_t> labels, const JobControl& control, const ObjectUnit& unit,
                    std::span<const ObjectColumn> further) {
    writeObjectColumns(file, unit);
    for (const ObjectFeature feature : kFurther) {
        file << ',' << columnOf(feature, unit);
    }
    writeColumnNames(file, further);
    file.endLine(control);
    for (const std::uint32_t label : labels) {
        const ComponentRecord& object = components.objects[label - 1];
        writeObjectCells(file, object, label, unit);
        for (const ObjectFeature feature : kFurther) {
            file << ',';
            writeFeature(file, feature, featureOf(object, label, feature, unit.side, edges.of(label)), unit);
        }
        writeColumnCells(file, further, label);
        file.endLine(control);
    }
}

} // namespace pollard
