#pragma once

#include "attributes/attribute.hpp"
#include "image/value_mapping.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pollard {

/// Whether the column of an attribute is in values instead of levels. If levels are ranks, this holds for attributes of
/// grey levels, and for entropy and stability, which depend on distances of values. It also holds for sums, unless
/// level 0 is the value 0.
[[nodiscard]] bool isColumnInValues(AttributeId id, const ValueMapping& mapping) noexcept;

/// Converts a number of a column to a value; the number itself if the attribute is not of grey levels.
[[nodiscard]] double columnValue(AttributeId id, double number, const std::optional<ValueMapping>& mapping) noexcept;

/// Converts a bound from a value to a number of the column. A number that has the same text as the bound is within it.
/// @param isLower whether it is a lower bound, else an upper bound
[[nodiscard]] double columnBound(AttributeId id, double value, bool isLower,
                                 const std::optional<ValueMapping>& mapping) noexcept;

/// Unit of the values of an attribute, "HU", "HU^2", "HU*px"; AttributeInfo::unit if the values have none.
[[nodiscard]] std::string columnUnit(AttributeId id, const std::optional<ValueMapping>& mapping);

/// Checks that distances of levels are proportional to distances of values.
/// @param what of the message, "h-maxima"
/// @throws Error(invalidArgument) for levels that are ranks, with the option that maps the values evenly
void requireProportional(const std::optional<ValueMapping>& mapping, std::string_view what);

} // namespace pollard
