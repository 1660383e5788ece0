#pragma once

#include "filter/filter_spec.hpp"

#include <string>
#include <string_view>

namespace pollard {

/// Reads `dynamics:20`: a measure by name and a count.
/// @throws Error(invalidArgument) naming the text and what is wrong with it
[[nodiscard]] Prominent parseProminent(std::string_view text);
/// What parseProminent() reads back to the same.
[[nodiscard]] std::string toString(const Prominent& prominent);

} // namespace pollard
