#pragma once

#include "components/components.hpp"
#include "components/objects/object_list.hpp"
#include "io/channels.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

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

    /// Measurements in channels; null: none.
    std::shared_ptr<const std::vector<ObjectColumn>> columns;
    std::shared_ptr<const ChannelImage> planes; ///< of the columns
    std::string columnProblem;                  ///< why there are no columns in spite of planes, for the user

    [[nodiscard]] const ComponentRecord& object(std::uint32_t label) const noexcept {
        return found->components.objects[label - 1];
    }
    /// See featureOf(); NaN for a column that is missing.
    [[nodiscard]] double value(std::uint32_t label, const ObjectQuantity& quantity, double side = 1) const {
        if (quantity.isColumn()) {
            const ObjectColumn* const column = findColumn(columnList(), quantity.column);
            return column != nullptr ? column->valueOf(label) : std::numeric_limits<double>::quiet_NaN();
        }
        return featureOf(object(label), label, quantity.feature, side, edges ? edges->of(label) : nullptr);
    }
    /// Whether value() has the data.
    [[nodiscard]] bool knows(const ObjectQuantity& quantity) const {
        const EdgeMeasure needed = quantity.edge();
        return quantity.isColumn() ? findColumn(columnList(), quantity.column) != nullptr
                                   : needed == EdgeMeasure::none || (edges && edges->measured >= needed);
    }
    [[nodiscard]] std::span<const ObjectColumn> columnList() const noexcept {
        return columns ? std::span<const ObjectColumn>(*columns) : std::span<const ObjectColumn>();
    }
};

} // namespace pollard::vm
