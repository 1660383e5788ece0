#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pollard {

/// The number at the start of @p text, after spaces and a sign; no value if there is none. "0.499|" gives 0.499,
/// "1e999" infinity. The decimal separator is a point in every locale.
[[nodiscard]] std::optional<double> leadingNumber(std::string_view text) noexcept;

/// Whether a text starts with a whole number beyond 2^53 that no double has: "9007199254740993".
[[nodiscard]] bool isRoundedWhole(std::string_view text) noexcept;

/// The fewest digits that give the same number again, in every locale.
[[nodiscard]] std::string exactNumber(double value);

/// @p value with at most @p digits digits, as "%.10g" prints it in the C locale, in every locale.
[[nodiscard]] std::string generalText(double value, int digits);

/// @p value with @p decimals digits behind the point in every locale.
[[nodiscard]] std::string fixedText(double value, int decimals);

/// The double of 15 digits next to @p value, without the rounding errors of a product: 44.64 for 62 * 0.72.
[[nodiscard]] double decimalOf(double value) noexcept;

} // namespace pollard
