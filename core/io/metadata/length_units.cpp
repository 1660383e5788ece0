#include "io/metadata/length_units.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace pollard {

std::optional<double> micrometresOf(std::string_view unit) {
    // Two characters look like the micro sign; a Latin-1 byte and ImageJ's escape are further spellings.
    constexpr std::array<std::pair<std::string_view, double>, 33> kUnits = {{
        {"µm", 1},      {"μm", 1},           {"\xb5m", 1},        {"\\u00B5m", 1},     {"\\u00b5m", 1},
        {"um", 1},      {"micron", 1},       {"microns", 1},      {"micrometer", 1},   {"micrometre", 1},
        {"nm", 1e-3},   {"nanometer", 1e-3}, {"nanometre", 1e-3}, {"pm", 1e-6},        {"Å", 1e-4},
        {"Å", 1e-4},    {"angstrom", 1e-4},  {"mm", 1e3},         {"millimeter", 1e3}, {"millimetre", 1e3},
        {"cm", 1e4},    {"centimeter", 1e4}, {"centimetre", 1e4}, {"dm", 1e5},         {"m", 1e6},
        {"meter", 1e6}, {"metre", 1e6},      {"km", 1e9},         {"in", 25400},       {"inch", 25400},
        {"ft", 304800}, {"yd", 914400},      {"mil", 25.4},
    }};
    const std::string lower = lowered(unit);
    for (const auto& [name, micrometres] : kUnits) {
        if (name == unit || (unit.size() > 3 && name == lower)) {
            return micrometres;
        }
    }
    return std::nullopt;
}

std::optional<double> secondsOf(std::string_view unit) {
    constexpr std::array<std::pair<std::string_view, double>, 24> kUnits = {{
        {"s", 1},       {"sec", 1},           {"second", 1},
        {"seconds", 1}, {"ms", 1e-3},         {"msec", 1e-3},
        {"µs", 1e-6},   {"μs", 1e-6},         {"us", 1e-6},
        {"usec", 1e-6}, {"ns", 1e-9},         {"millisecond", 1e-3},
        {"min", 60},    {"minute", 60},       {"minutes", 60},
        {"h", 3600},    {"hour", 3600},       {"microsecond", 1e-6},
        {"d", 86400},   {"nanosecond", 1e-9}, {"milliseconds", 1e-3},
        {"day", 86400}, {"hours", 3600},      {"days", 86400},
    }};
    const auto* const found = std::ranges::find(kUnits, unit, &std::pair<std::string_view, double>::first);
    return found == kUnits.end() ? std::nullopt : std::optional(found->second);
}

} // namespace pollard
