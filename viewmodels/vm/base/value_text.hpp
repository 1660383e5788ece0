#pragma once

#include "image/value_mapping.hpp"

#include <QString>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace pollard::vm {

/// Text of core, untranslated.
[[nodiscard]] inline QString fromUtf8(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// The reason that a message of core states behind its subject, a path or a kind of file: "page 9 does not exist"; the
/// message itself if it does not name the subject.
[[nodiscard]] QString reasonOf(std::string_view message, std::string_view subject);

/// "12 px"; only the value if there is no unit.
[[nodiscard]] QString withUnit(const QString& value, std::string_view unit);

/// A short text of a value of any size: 12, 3.25, 1.25e+07.
[[nodiscard]] QString shortValue(double value);

/// A grey value of any size: a whole number in full, "-1,024", "2,147,483,700", else up to @p digits, "0.0731".
[[nodiscard]] QString greyNumber(double value, int digits = 6);

/// The value of a level with the unit of the values, "300 HU"; the level itself if levels are values.
[[nodiscard]] QString greyText(const std::optional<ValueMapping>& mapping, double level, int digits = 6);

/// A level for tool tips, "level 33,092"; empty if levels are values.
[[nodiscard]] QString levelText(const std::optional<ValueMapping>& mapping, double level);

/// The unit of the values for axes and tables: "HU"; "grey" in the user's language without one.
[[nodiscard]] QString greyUnit(const std::optional<ValueMapping>& mapping);

/// A number with the groups of digits of the user's locale: "1,204".
[[nodiscard]] QString countText(std::uint64_t count);

/// A number as a person of the present locale types it: with an exponent, groups of digits, and a point or a comma as
/// the decimal mark, "1e3", "1,5", "1.5". A text that has two meanings, such as "1.000" in German, is a grouped number
/// if that lies within the limits, else it has a decimal mark.
/// @returns a finite number, possibly outside of the limits; nothing if the text is no number
[[nodiscard]] std::optional<double> typedNumber(const QString& text,
                                                double least = std::numeric_limits<double>::lowest(),
                                                double most = std::numeric_limits<double>::max());

/// A text as a name for recipes and sessions: one line without control characters, of at most @p mostBytes of UTF-8.
[[nodiscard]] QString lineText(QString text, qsizetype mostBytes);

} // namespace pollard::vm
