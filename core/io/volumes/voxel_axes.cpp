#include "io/volumes/voxel_axes.hpp"

#include "io/metadata/length_units.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace pollard {

std::string directionsText(std::span<const AxisDirection> directions, const SpaceLetters& letters) {
    constexpr double kParallel = 1e-4;
    constexpr std::string_view kNames = "xyz";
    std::string text;
    bool isOblique = false;
    for (std::size_t axis = 0; axis < std::min<std::size_t>(directions.size(), kNames.size()); ++axis) {
        const AxisDirection& direction = directions[axis];
        const double length = lengthOf(direction);
        if (!(length > 0) || !std::isfinite(length)) {
            return {};
        }
        const auto largest = std::ranges::max_element(direction, {}, [](double c) { return std::abs(c); });
        const auto component = static_cast<std::size_t>(largest - direction.begin());
        isOblique = isOblique || std::abs(*largest) < (1 - kParallel) * length;
        text += (text.empty() ? "" : ", ") + std::string(1, kNames[axis]) + " to " + letters[component][*largest < 0];
    }
    return isOblique ? text + ", oblique" : text;
}

double lengthOf(const AxisDirection& direction) noexcept {
    return std::hypot(direction[0], direction[1], direction[2]);
}

std::optional<std::string> voxelUnit(std::string_view text) {
    constexpr std::array<std::pair<double, const char*>, 5> kUnits{
        {{1e-3, "nm"}, {1, "µm"}, {1e3, "mm"}, {1e4, "cm"}, {1e6, "m"}}};
    const std::optional<double> micrometres = micrometresOf(text);
    const auto found = std::ranges::find_if(kUnits, [&](const auto& unit) { return unit.first == micrometres; });
    return found == kUnits.end() ? std::nullopt : std::optional<std::string>(found->second);
}

} // namespace pollard
