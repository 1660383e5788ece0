#pragma once

#include "attributes/attribute.hpp"
#include "image/value_mapping.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pollard {

/// Whether the column of an attribute is in values: attributes of grey levels if the levels are ranks, also entropy and
/// stability, which depend on distances of values; and sums unless level 0 is the value 0. Other columns are in levels.
[[nodiscard]] bool isColumnInValues(AttributeId id, const ValueMapping& mapping) noexcept;

/// Value of a number of a column: the number itself for attributes of other things than grey levels.
[[nodiscard]] double columnValue(AttributeId id, double number, const std::optional<ValueMapping>& mapping) noexcept;

/// The number of a column for a bound of values. A number of the column that reads like the bound is within it.
/// @param isLower whether numbers from it on are within the bound, else those up to it
[[nodiscard]] double columnBound(AttributeId id, double value, bool isLower,
                                 const std::optional<ValueMapping>& mapping) noexcept;

/// Unit of the values of an attribute, "HU", "HU^2", "HU*px"; AttributeInfo::unit if the values have none.
[[nodiscard]] std::string columnUnit(AttributeId id, const std::optional<ValueMapping>& mapping);

/// For operations that take distances of levels for distances of values.
/// @param what of the message, "h-maxima"
/// @throws Error(invalidArgument) for levels that are ranks, with the option that maps the values evenly
void requireProportional(const std::optional<ValueMapping>& mapping, std::string_view what);

} // namespace pollard
