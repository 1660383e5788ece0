#pragma once

#include <optional>
#include <string_view>

namespace pollard {

/// Micrometres per unit of length, with the spellings of microscopy programs ("µm", "micron", "nm", "mm", "inch", "Å"
/// ...); nothing if it is not a length ("pixel") or unknown.
[[nodiscard]] std::optional<double> micrometresOf(std::string_view unit);

/// Seconds per unit of time, with the spellings of OME, NGFF and FITS ("s", "ms", "µs", "minute", "h", "d" ...);
/// nothing if it is not a time or unknown.
[[nodiscard]] std::optional<double> secondsOf(std::string_view unit);

} // namespace pollard
