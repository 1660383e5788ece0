#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pollard {

/// What a text of JSON may become when it is parsed.
struct JsonLimits {
    int maxDepth = 8;                                   ///< lists and objects inside each other
    std::uint64_t maxBytes = std::uint64_t{256} << 20U; ///< of memory, by jsonWeight()
};

/// How much memory a text takes at most while it is parsed and afterwards, bytes: an upper bound from the number of its
/// values and keys and the length of its texts, found without a tree of them. A text that breaks off or is no JSON
/// weighs what stands before that place.
/// @param kind of file, for messages
/// @throws Error(invalidArgument) for lists and objects deeper than the limit, Error(limitExceeded) for more memory;
///         both as soon as that is sure
[[nodiscard]] std::uint64_t jsonWeight(std::string_view text, const std::string& kind, const JsonLimits& limits);

} // namespace pollard
