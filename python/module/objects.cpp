#include "objects.hpp"

#include "arrays.hpp"

#include "components/objects/object_features.hpp"
#include "components/volumes/volume_features.hpp"

#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace pollard::python {

namespace {

std::vector<std::uint32_t> allLabels(std::uint32_t count) {
    std::vector<std::uint32_t> labels(count);
    std::iota(labels.begin(), labels.end(), 1U);
    return labels;
}

/// @param value of a feature of the object with a label
template <class Value>
py::dict tableOf(std::span<const ObjectFeatureInfo> features, const std::vector<std::uint32_t>& labels, Value&& value) {
    py::dict table;
    for (const ObjectFeatureInfo& info : features) {
        const auto cell = [&](std::uint32_t label) { return value(label, info.feature); };
        const py::str name{std::string(info.id)};
        if (info.integral) {
            table[name] = columnOf<std::int64_t>(labels, cell);
        } else {
            table[name] = columnOf<double>(labels, cell);
        }
    }
    return table;
}

} // namespace

py::dict tableOf(const Components& found, const ObjectEdges& edges, const std::vector<std::uint32_t>* labels) {
    return tableOf(objectFeatures(), labels != nullptr ? *labels : allLabels(found.count),
                   [&](std::uint32_t label, ObjectFeature feature) {
                       return featureOf(found.objects[label - 1], label, feature, 1, edges.of(label));
                   });
}

py::dict tableOf(const VolumeComponents& found, const VoxelSides& sides) {
    VolumeUnit unit;
    unit.sides = sides;
    const auto features = volumeFeatures(found.connectivity);
    const bool hasEuler = found.connectivity != Connectivity::eighteen;
    return tableOf(features, allLabels(found.count), [&](std::uint32_t label, ObjectFeature feature) {
        return VolumeObject(found.objects[label - 1], label, unit, hasEuler).valueOf(feature);
    });
}

} // namespace pollard::python
