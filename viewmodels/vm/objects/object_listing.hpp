#pragma once

#include "components/components.hpp"
#include "components/objects/object_list.hpp"

#include <cstdint>
#include <memory>

namespace pollard::vm {

/// Objects found in a picture; immutable.
struct FoundObjects {
    Components components;  ///< with labels and records; grey levels are those of the original picture
    std::uint16_t low = 0;  ///< first level of objects
    std::uint16_t high = 0; ///< last level of objects
    int page = 0;           ///< of the file, 0-based
};

/// The rows of the table of objects; immutable.
struct ObjectListing : ObjectList {
    std::shared_ptr<const FoundObjects> found;
    std::shared_ptr<const ObjectEdges> edges; ///< with the requested measurements; null: none

    [[nodiscard]] const ComponentRecord& object(std::uint32_t label) const noexcept {
        return found->components.objects[label - 1];
    }
    /// See featureOf().
    [[nodiscard]] double value(std::uint32_t label, ObjectFeature feature, double side = 1) const noexcept {
        return featureOf(object(label), label, feature, side, edges ? edges->of(label) : nullptr);
    }
    /// Whether value() has the data for the feature.
    [[nodiscard]] bool knows(ObjectFeature feature) const noexcept {
        const EdgeMeasure needed = objectFeatureInfo(feature).edge;
        return needed == EdgeMeasure::none || (edges && edges->measured >= needed);
    }
};

} // namespace pollard::vm
