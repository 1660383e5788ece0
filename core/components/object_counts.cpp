#include "components/object_counts.hpp"

#include "base/error.hpp"
#include "components/objects/channel_columns.hpp"
#include "components/objects/object_parents.hpp"
#include "components/objects/object_rule.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pollard {

ObjectColumn countColumn(const Components& components, const ChannelPlane& plane, std::optional<double> from,
                         const JobControl& control) {
    const Extent extent = components.extent();
    if (plane.image->extent() != extent) {
        throw Error(ErrorCode::invalidArgument, "channel " + plane.channel.name + " differs in size from the objects");
    }
    ObjectRule rule = ObjectSettings{}.rule;
    rule.connectivity = components.isVolume() ? Connectivity::twentySix : Connectivity::eight;
    if (from) {
        rule.method.reset();
        rule.values = ValueBounds{};
        rule.values->low = *from;
    }
    const LevelRange levels = rule.levelsOf(*plane.image, plane.valid.get(), control, plane.mapping);
    ComponentsSpec spec;
    spec.connectivity = rule.connectivity;
    spec.slices = extent.slices;
    const Components children = labelComponents(rule.maskOf(*plane.image, levels, plane.valid.get(), control),
                                                plane.image.get(), spec, control);
    auto counts = std::make_shared<std::vector<std::uint32_t>>(components.count, 0);
    for (const ObjectParent& parent : parentsOf(children, components.labels.span(), control)) {
        if (parent.label != 0) {
            ++(*counts)[parent.label - 1];
        }
    }
    return {std::string(kCountMeasure) + '[' + plane.channel.name + ']',
            [counts](std::uint32_t label) { return static_cast<double>((*counts)[label - 1]); }};
}

} // namespace pollard
