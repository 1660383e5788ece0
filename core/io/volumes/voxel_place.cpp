#include "io/volumes/voxel_place.hpp"

#include "io/metadata/length_units.hpp"

#include <algorithm>
#include <cctype>
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

namespace {

void move(VoxelMap& map, const std::array<double, 3>& voxels) noexcept {
    for (std::size_t axis = 0; axis < voxels.size(); ++axis) {
        for (std::size_t component = 0; voxels[axis] != 0 && component < voxels.size(); ++component) {
            map.origin[component] += voxels[axis] * map.steps[axis][component];
        }
    }
}

} // namespace

VoxelMap VoxelRotation::map() const noexcept {
    const auto [b, c, d] = quaternion;
    const double a = std::sqrt(std::max(0.0, 1 - b * b - c * c - d * d));
    VoxelMap map{
        {{{a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)},
          {2 * (b * c - a * d), a * a + c * c - b * b - d * d, 2 * (c * d + a * b)},
          {handed * 2 * (b * d + a * c), handed * 2 * (c * d - a * b), handed * (a * a + d * d - b * b - c * c)}}},
        origin};
    for (std::size_t axis = 0; axis < sides.size(); ++axis) {
        for (double& component : map.steps[axis]) {
            component *= sides[axis];
        }
    }
    return map;
}

void moveFirst(std::optional<VoxelPlace>& place, double x, double y, double z) noexcept {
    if (!place) {
        return;
    }
    const std::array voxels{x, y, z};
    move(place->map, voxels);
    if (place->rotation) {
        VoxelMap rotated = place->rotation->map();
        move(rotated, voxels);
        place->rotation->origin = rotated.origin;
    }
}

void shrinkVoxels(std::optional<VoxelPlace>& place, double x, double y, double z) noexcept {
    if (!place) {
        return;
    }
    moveFirst(place, (x - 1) / 2, (y - 1) / 2, (z - 1) / 2);
    const std::array factors{x, y, z};
    for (std::size_t axis = 0; axis < factors.size(); ++axis) {
        for (double& component : place->map.steps[axis]) {
            component *= factors[axis];
        }
        if (place->rotation) {
            place->rotation->sides[axis] *= factors[axis];
        }
    }
}

std::optional<std::string> anatomicalLetters(std::string_view space) {
    std::string letters;
    if (space.find('-') == std::string_view::npos) {
        letters = space.substr(0, space.size() == 4 && std::tolower(space[3]) == 't' ? 3 : space.size());
    } else {
        for (std::size_t at = 0; at < space.size() && letters.size() < 3; ++at) {
            const std::size_t end = std::min(space.find('-', at), space.size());
            constexpr std::array<std::string_view, 6> kWords{"right",     "left",     "anterior",
                                                             "posterior", "superior", "inferior"};
            if (std::ranges::find(kWords, space.substr(at, end - at)) == kWords.end()) {
                return std::nullopt;
            }
            letters += space[at];
            at = end;
        }
    }
    std::ranges::transform(letters, letters.begin(), [](unsigned char c) { return std::toupper(c); });
    const bool isKnown = letters.size() == 3 && (letters[0] == 'R' || letters[0] == 'L') &&
                         (letters[1] == 'A' || letters[1] == 'P') && (letters[2] == 'S' || letters[2] == 'I');
    return isKnown ? std::optional(letters) : std::nullopt;
}

void turnSpace(VoxelMap& map, std::string_view letters) noexcept {
    constexpr std::string_view kTarget = "RAS";
    for (std::size_t component = 0; component < kTarget.size(); ++component) {
        if (letters[component] != kTarget[component]) {
            for (auto& step : map.steps) {
                step[component] = 0 - step[component];
            }
            map.origin[component] = 0 - map.origin[component];
        }
    }
}

} // namespace pollard
