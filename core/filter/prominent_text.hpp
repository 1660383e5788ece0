#pragma once

#include "filter/filter_spec.hpp"

#include <string>
#include <string_view>

namespace pollard {

/// Parses `dynamics:20`: name of a measure and count.
/// @throws Error(invalidArgument) naming the text and the problem
[[nodiscard]] Prominent parseProminent(std::string_view text);
/// Text that parseProminent() parses to an equal value.
[[nodiscard]] std::string toString(const Prominent& prominent);

} // namespace pollard
