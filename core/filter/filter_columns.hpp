#pragma once

#include "attributes/attribute.hpp"
#include "filter/filter_spec.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace pollard {

/// The attribute columns that a filter needs.
struct FilterColumns {
    std::vector<std::shared_ptr<const AttributeColumn>> criteria; ///< one per criterion, in the same order
    std::shared_ptr<const AttributeColumn> prominence;            ///< of FilterSpec::prominent; null if unset
    /// Attributes of FilterSpec::forest, each once, and the area if it asks about larger components.
    std::vector<std::shared_ptr<const AttributeColumn>> forest;
};

/// Attributes that a forest needs, each once.
[[nodiscard]] std::vector<AttributeId> attributesOf(const Forest& forest);

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
    for (const AttributeId id : attributesOf(spec.forest)) {
        columns.forest.push_back(attribute(id));
    }
    return columns;
}

/// Attributes of the columns of @p spec. @throws as columnsOf()
[[nodiscard]] std::vector<AttributeId> attributesOf(const FilterSpec& spec);

/// A criterion as a closed interval in the type of the attribute's column, for exact comparison of 64-bit integers.
/// Trivially copyable, so that device code takes it by value.
template <class T> struct CriterionBounds {
    T minimum;
    T maximum;
    bool empty; ///< no value meets the criterion
};

/// Bounds of a criterion in type T. A NaN bound makes the interval empty.
template <class T> [[nodiscard]] CriterionBounds<T> boundsOf(const Criterion& criterion) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        return {criterion.minimum, criterion.maximum, !(criterion.minimum <= criterion.maximum)};
    } else {
        const double low = std::ceil(criterion.minimum);
        const double high = std::floor(criterion.maximum);
        // 2^bits is exact as a double; the largest T may not be.
        const double limit = std::ldexp(1.0, std::numeric_limits<T>::digits);
        const double lowest = std::is_signed_v<T> ? -limit : 0.0;
        const bool empty = !(low <= high) || low >= limit || high < lowest;
        return {low <= lowest || empty ? std::numeric_limits<T>::min() : static_cast<T>(low),
                high >= limit || empty ? std::numeric_limits<T>::max() : static_cast<T>(high), empty};
    }
}

} // namespace pollard
