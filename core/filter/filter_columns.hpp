#pragma once

#include "attributes/attribute.hpp"
#include "filter/filter_spec.hpp"

#include <memory>
#include <vector>

namespace pollard {

/// The attributes that a filter decides by.
struct FilterColumns {
    std::vector<std::shared_ptr<const AttributeColumn>> criteria; ///< of each criterion, in the same order
    std::shared_ptr<const AttributeColumn> prominence;            ///< null unless FilterSpec::prominent is set
};

/// The attribute that is a measure of prominence, where a leaf is asked for it.
[[nodiscard]] AttributeId attributeOf(Prominence measure) noexcept;

/// Every filter passes here on its way into an engine: bounds in units of length are not taken for pixels.
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
