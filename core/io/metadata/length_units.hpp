#pragma once

#include <optional>
#include <string_view>

namespace pollard {

/// Micrometres of a unit of length as microscopy programs write it ("µm", "micron", "nm", "mm", "inch", "Å" ...);
/// absent for what is no length ("pixel") or not known.
[[nodiscard]] std::optional<double> micrometresOf(std::string_view unit);

} // namespace pollard
