#pragma once

#include "json/json_weight.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard {

// What a session may be, for reader and writer.

inline constexpr std::size_t kMaxSessionBytes = std::size_t{256} << 20U;  ///< of the file
inline constexpr JsonLimits kSessionLimits{8, std::uint64_t{768} << 20U}; ///< some 16 million numbers

} // namespace pollard
