#pragma once

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

} // namespace pollard
