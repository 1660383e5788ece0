#pragma once

#include <cstdint>
#include <string>

namespace pollard {

/// Formats 1536 as "1.5 KiB", independent of the locale.
[[nodiscard]] std::string bytesText(std::uint64_t bytes);

} // namespace pollard
