#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pollard {

/// Text of a file prepared for display: valid UTF-8 (other bytes are interpreted as Latin-1), on one line, without
/// control characters and outer spaces, at most @p maxBytes long, with "…" at the end if truncated.
[[nodiscard]] std::string factText(std::string_view text, std::size_t maxBytes = 200);

/// A number with at most 10 digits: "0.25", "4.5e-07".
[[nodiscard]] std::string factNumber(double value);

} // namespace pollard
