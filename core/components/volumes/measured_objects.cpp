#include "components/volumes/measured_objects.hpp"

#include "components/objects/object_list.hpp"

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

} // namespace pollard
