#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pollard {

/// Limits for the parsed form of a JSON text.
struct JsonLimits {
    int maxDepth = 8;                                   ///< lists and objects inside each other
    std::uint64_t maxBytes = std::uint64_t{256} << 20U; ///< of memory, by jsonWeight()
};

/// Upper bound of the memory that a text takes while it is parsed and afterwards, bytes: from the number of its values
/// and keys and the length of its texts, without building a tree. Of a text that breaks off or is no JSON, only the
/// part before that place counts.
/// @param kind of file, for messages
/// @throws Error(invalidArgument) for lists and objects deeper than the limit, Error(limitExceeded) for more memory;
///         both as early as possible
[[nodiscard]] std::uint64_t jsonWeight(std::string_view text, const std::string& kind, const JsonLimits& limits);

} // namespace pollard
