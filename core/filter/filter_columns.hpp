#pragma once

#include "attributes/attribute.hpp"
#include "filter/filter_spec.hpp"

#include <memory>
#include <vector>

namespace pollard {

/// The attribute columns that a filter needs.
struct FilterColumns {
    std::vector<std::shared_ptr<const AttributeColumn>> criteria; ///< one per criterion, in the same order
    std::shared_ptr<const AttributeColumn> prominence;            ///< of FilterSpec::prominent; null if unset
};

/// Attribute with the values of a prominence measure.
[[nodiscard]] AttributeId attributeOf(Prominence measure) noexcept;

/// Checks that all bounds are in pixels and none has a unit of values; called before a filter enters an engine.
/// @throws Error(invalidArgument) naming the criterion
void requirePixels(const FilterSpec& spec);

/// Collects the columns of @p spec.
/// @throws Error(invalidArgument) as requirePixels()
/// @param attribute `std::shared_ptr<const AttributeColumn>(AttributeId)`
template <class Attribute> [[nodiscard]] FilterColumns columnsOf(const FilterSpec& spec, Attribute&& attribute) {
    requirePixels(spec);
    FilterColumns columns;
    columns.criteria.reserve(spec.criteria.size());
    for (const Criterion& criterion : spec.criteria) {
        columns.criteria.push_back(attribute(criterion.attribute));
    }
    if (spec.prominent) {
        columns.prominence = attribute(attributeOf(spec.prominent->measure));
    }
    return columns;
}

} // namespace pollard
