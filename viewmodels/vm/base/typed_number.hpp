#pragma once

#include <QString>

#include <limits>
#include <optional>

namespace pollard::vm {

/// A number as a person of the present locale types it: with an exponent, groups of digits, and a point or a comma as
/// the decimal mark, "1e3", "1,5", "1.5". A text that has two meanings, such as "1.000" in German, is a grouped number
/// if that lies within the limits, else it has a decimal mark.
/// @returns a finite number, possibly outside of the limits; nothing if the text is no number
[[nodiscard]] std::optional<double> typedNumber(const QString& text,
                                                double least = std::numeric_limits<double>::lowest(),
                                                double most = std::numeric_limits<double>::max());

} // namespace pollard::vm
