#pragma once

#include "components/components.hpp"
#include "components/objects/object_list.hpp"

#include <cstdint>
#include <memory>

namespace pollard::vm {

/// Objects that were found in a picture; never changed.
struct FoundObjects {
    Components components;  ///< with labels and records; grey levels are those of the original picture
    std::uint16_t low = 0;  ///< levels that make an object
    std::uint16_t high = 0; ///< the last of them
    int page = 0;           ///< of the file, 0-based
};

/// The rows of the table of objects; never changed.
struct ObjectListing : ObjectList {
    std::shared_ptr<const FoundObjects> found;
    std::shared_ptr<const ObjectEdges> edges; ///< with the requested measurements; null: none

    [[nodiscard]] const ComponentRecord& object(std::uint32_t label) const noexcept {
        return found->components.objects[label - 1];
    }
    /// As featureOf().
    [[nodiscard]] double value(std::uint32_t label, ObjectFeature feature, double side = 1) const noexcept {
        return featureOf(object(label), label, feature, side, edges ? edges->of(label) : nullptr);
    }
    /// Whether value() knows what the feature is taken from.
    [[nodiscard]] bool knows(ObjectFeature feature) const noexcept {
        const EdgeMeasure needed = objectFeatureInfo(feature).edge;
        return needed == EdgeMeasure::none || (edges && edges->measured >= needed);
    }
};

} // namespace pollard::vm
