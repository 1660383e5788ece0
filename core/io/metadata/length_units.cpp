#include "io/metadata/length_units.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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

std::optional<PixelSize> pixelSizeOfResolution(double xPerUnit, double yPerUnit, double unitMicrometres,
                                               const std::string& source) {
    constexpr double kInch = 25400;
    const PixelSize size{unitMicrometres / xPerUnit, unitMicrometres / yPerUnit, "µm", source, false};
    const auto usable = [](double v) { return v > 0 && std::isfinite(v); };
    if (!usable(size.x) || !usable(size.y)) {
        return std::nullopt;
    }
    // Files with centimetres or metres round 72 dpi down.
    const auto forPrint = [](double micrometres) {
        const double dots = kInch / micrometres;
        return dots >= 71.9 && dots <= 1200.1;
    };
    PixelSize result = size;
    result.print = forPrint(size.x) && forPrint(size.y);
    return result;
}

namespace {

/// Slice distance of the file converted to another unit; 0 if unknown or not a length.
double sliceDistance(const std::optional<PixelSize>& file, const std::string& unit) {
    if (!file || file->print || !(file->z > 0)) {
        return 0;
    }
    const std::optional<double> from = micrometresOf(file->unit);
    const std::optional<double> to = micrometresOf(unit);
    return from && to ? file->z * (*from / *to) : 0;
}

} // namespace

std::optional<std::string_view> statedUnit(std::string_view text) noexcept {
    constexpr std::string_view kMicro = "µm";
    if (text == "um" || text == "μm") { // Greek letter mu, which looks like the micro sign
        return kMicro;
    }
    const auto found = std::find(kStatedUnits.begin(), kStatedUnits.end(), text);
    return found == kStatedUnits.end() ? std::nullopt : std::optional(*found);
}

bool isStatedSide(double side) noexcept { return side >= kSmallestSide && side <= kLargestSide; }

std::pair<double, double> pixelScale(const ImageInfo& info, int shrink) noexcept {
    const double blocks = std::max(shrink, 1);
    std::pair<double, double> scale{blocks, blocks};
    if (info.level > 0 && static_cast<std::size_t>(info.level) < info.levels.size()) {
        const ResolutionLevel& full = info.levels.front();
        const ResolutionLevel& level = info.levels[static_cast<std::size_t>(info.level)];
        if (level.width > 0 && level.height > 0) {
            scale.first *= static_cast<double>(full.width) / level.width;
            scale.second *= static_cast<double>(full.height) / level.height;
        }
    }
    return scale;
}

void statePixelSize(ImageInfo& info, const PixelSize& size, int shrink, int slices) {
    const auto [x, y] = pixelScale(info, shrink);
    const double distance = size.z > 0 ? size.z * slices : sliceDistance(info.pixelSize, size.unit);
    info.pixelSize = size;
    info.pixelSize->x *= x;
    info.pixelSize->y *= y;
    info.pixelSize->z = distance;
}

} // namespace pollard
