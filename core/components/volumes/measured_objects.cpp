#include "components/volumes/measured_objects.hpp"

#include "components/objects/object_classes.hpp"
#include "components/objects/object_files.hpp"
#include "components/objects/object_list.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace pollard {

VolumeObject MeasuredObjects::solid(std::uint32_t label) const noexcept {
    return {volume_->objects[label - 1], label, unit_, volume_->connectivity != Connectivity::eighteen};
}

double MeasuredObjects::value(std::uint32_t label, ObjectFeature feature) const noexcept {
    return volume_ != nullptr ? solid(label).valueOf(feature)
                              : featureOf(record(label), label, feature, side_, edge(label));
}

bool MeasuredObjects::holds(const ObjectCondition& condition, std::uint32_t label, double side) const noexcept {
    return volume_ != nullptr ? condition.holds(solid(label))
                              : condition.holds(record(label), label, side, edge(label));
}

bool MeasuredObjects::touchesBorder(std::uint32_t label) const noexcept {
    return volume_ != nullptr ? volume_->objects[label - 1].border > 0
                              : pollard::touchesBorder(*picture_, record(label));
}

LabelProperties labelProperties(const MeasuredObjects& objects, std::span<const std::uint32_t> labels,
                                std::span<const ObjectFeatureInfo> features, LengthUnit unit,
                                std::span<const ObjectColumn> further) {
    std::vector<ObjectFeatureInfo> measured;
    LabelProperties table;
    table.labels.assign(labels.begin(), labels.end());
    for (const ObjectFeatureInfo& feature : features) {
        if (feature.feature != ObjectFeature::label) {
            table.names.push_back(columnOf(feature, unit));
            measured.push_back(feature);
        }
    }
    for (const ObjectColumn& column : further) {
        table.names.push_back(column.name);
    }
    table.value = [&objects, measured = std::move(measured), unit, further](std::size_t column, std::uint32_t label) {
        using Value = LabelProperties::Value;
        if (column < measured.size()) {
            const ObjectFeatureInfo& feature = measured[column];
            const double value = objects.value(label, feature.feature);
            return isWhole(feature, unit) && std::isfinite(value) ? Value(static_cast<std::int64_t>(value))
                                                                  : Value(value);
        }
        const ObjectColumn& own = further[column - measured.size()];
        if (!own.classes) {
            return Value(own.valueOf(label));
        }
        const ObjectClass* const found = own.classes->classOf(label);
        return found != nullptr ? Value(found->name) : Value();
    };
    return table;
}

} // namespace pollard
