#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pollard {

constexpr std::string_view kWhiteSpace = " \t\r\n\v\f";

/// @p text without the characters of @p space at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text, std::string_view space = kWhiteSpace) noexcept;

/// @p text with ASCII letters in lower case.
[[nodiscard]] std::string lowered(std::string_view text);

/// @p text in double quotes, with each double quote in it doubled.
[[nodiscard]] std::string inQuotes(std::string_view text);

/// The number at the start of @p text, after spaces and a sign; no value if there is none. "0.499|" gives 0.499,
/// "1e999" infinity. The decimal separator is a point in every locale.
[[nodiscard]] std::optional<double> leadingNumber(std::string_view text) noexcept;

/// Whether a text starts with a whole number beyond 2^53 that is no double: "9007199254740993".
[[nodiscard]] bool isRoundedWhole(std::string_view text) noexcept;

/// The shortest text that reads back as the same number, in every locale.
[[nodiscard]] std::string exactNumber(double value);

/// @p value with at most @p digits digits, as "%.10g" prints it in the C locale, in every locale.
[[nodiscard]] std::string generalText(double value, int digits);

/// @p value with @p decimals digits after the point, in every locale.
[[nodiscard]] std::string fixedText(double value, int decimals);

/// The double of 15 digits next to @p value, without the rounding errors of a product: 44.64 for 62 * 0.72.
[[nodiscard]] double decimalOf(double value) noexcept;

/// Formats 1536 as "1.5 KiB", independent of the locale.
[[nodiscard]] std::string bytesText(std::uint64_t bytes);

} // namespace pollard
