#include "jobs/region_table.hpp"

#include "attributes/attribute.hpp"
#include "attributes/grey_values.hpp"
#include "base/buffer.hpp"
#include "hierarchy/strength_values.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace pollard::cli {

namespace {

/// The attribute whose numbers a number of regions has; nullopt for the strength, and numbers of edges and basins.
std::optional<AttributeId> greyColumn(const RegionAttribute& attribute, EdgeWeight weight) {
    if (const auto* id = std::get_if<AttributeId>(&attribute)) {
        return *id;
    }
    switch (*std::get_if<RegionNumber>(&attribute)) {
    case RegionNumber::minimum:
    case RegionNumber::maximum:
        return AttributeId::mean;
    case RegionNumber::range:
        return AttributeId::height;
    case RegionNumber::frontierStrength:
    case RegionNumber::contourStrength:
        return weight == EdgeWeight::maximum ? AttributeId::mean : AttributeId::height;
    default:
        return std::nullopt;
    }
}

/// Converts a column from levels to values.
void toValues(Buffer<double>& column, const RegionAttribute& attribute, RegionMeasures& measures,
              const RegionTree& tree, const HierarchySpec& spec, const LoadedImage& loaded, const JobControl& control) {
    const std::optional<ValueMapping>& mapping = loaded.info.mapping;
    if (attribute == RegionAttribute(RegionNumber::strength)) {
        const StrengthValues values(spec.strength, spec.weight, mapping);
        for (std::size_t node = tree.leafCount; node < column.size(); ++node) {
            column[node] = values.valueOf(tree.strength[node]);
        }
        return;
    }
    const std::optional<AttributeId> grey = greyColumn(attribute, spec.weight);
    if (!grey || !mapping) {
        return;
    }
    if (*grey == AttributeId::sum) {
        const Buffer<std::uint32_t>& areas = measures.areas(control);
        for (std::size_t node = 0; node < column.size(); ++node) {
            column[node] = areas[node] == 0
                               ? 0
                               : columnValue(AttributeId::mean, column[node] / areas[node], mapping) * areas[node];
        }
        return;
    }
    const bool isOfEdges = attribute == RegionAttribute(RegionNumber::frontierStrength) ||
                           attribute == RegionAttribute(RegionNumber::contourStrength);
    const Buffer<double> edges = isOfEdges
                                     ? measures.compute(attribute == RegionAttribute(RegionNumber::frontierStrength)
                                                            ? RegionNumber::frontierLength
                                                            : RegionNumber::contourLength,
                                                        control)
                                     : Buffer<double>();
    for (std::size_t node = 0; node < column.size(); ++node) {
        if (!isOfEdges || edges[node] > 0) {
            column[node] = columnValue(*grey, column[node], mapping);
        }
    }
}

} // namespace

void writeRegionTable(TextFile& file, RegionMeasures& measures, const RegionTree& tree, const HierarchySpec& spec,
                      const LoadedImage& loaded, const JobControl& control) {
    const std::vector<RegionAttribute> attributes = regionAttributes(loaded.image->extent().isVolume());
    std::vector<Buffer<double>> columns;
    file << "node,parent";
    for (const RegionAttribute& attribute : attributes) {
        file << ',' << nameOf(attribute);
        columns.push_back(measures.compute(attribute, control));
        toValues(columns.back(), attribute, measures, tree, spec, loaded, control);
    }
    file.endLine(control);
    const Buffer<std::uint32_t>& areas = measures.areas(control);
    for (std::uint32_t node = 0; node < tree.nodeCount(); ++node) {
        if (areas[node] == 0) {
            continue;
        }
        file << node << ',';
        if (!tree.isRoot(node)) {
            file << tree.parent[node];
        }
        for (const Buffer<double>& column : columns) {
            file << ',' << column[node];
        }
        file.endLine(control);
    }
}

std::vector<std::uint8_t> regionsOfSize(RegionMeasures& measures, std::uint64_t least, std::uint64_t most,
                                        const JobControl& control) {
    const Buffer<std::uint32_t>& areas = measures.areas(control);
    std::vector<std::uint8_t> keep(areas.size());
    for (std::size_t node = 0; node < keep.size(); ++node) {
        keep[node] = areas[node] > 0 && areas[node] >= least && areas[node] <= most ? 1 : 0;
    }
    return keep;
}

} // namespace pollard::cli
