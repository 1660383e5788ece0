#include "io/volumes/patient_axes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard {

namespace {

/// The components from the largest to the smallest.
std::array<std::size_t, 3> bySize(const AxisDirection& direction) {
    std::array<std::size_t, 3> order{0, 1, 2};
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return std::abs(direction[i]); });
    return order;
}

bool hasLength(const AxisDirection& direction) {
    const double length = lengthOf(direction);
    return length > 0 && std::isfinite(length);
}

AxisDirection normalOf(const std::array<AxisDirection, 2>& plane) {
    const auto& [a, b] = plane;
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

} // namespace

std::string patientLetters(const AxisDirection& direction) {
    constexpr double kCosine = 0.93969262078590838; // of 20 degrees
    constexpr double kRounding = 1e-9;
    if (!hasLength(direction)) {
        return {};
    }
    const std::array<std::size_t, 3> order = bySize(direction);
    const auto letterOf = [&](std::size_t axis) { return kRas[axis][direction[axis] < 0 ? 1 : 0]; };
    std::string letters(1, letterOf(order[0]));
    if (std::abs(direction[order[0]]) < (kCosine - kRounding) * lengthOf(direction)) {
        letters += letterOf(order[1]);
    }
    return letters;
}

std::optional<PatientPlane> patientPlane(const VoxelMap& map, VolumeAxis across) {
    const AxisDirection normal = normalOf(directionsIn(map, across));
    return hasLength(normal) ? std::optional(static_cast<PatientPlane>(bySize(normal)[0])) : std::nullopt;
}

std::array<AxisDirection, 2> directionsIn(const VoxelMap& map, VolumeAxis across) {
    const auto& [x, y, z] = map.steps;
    return across == VolumeAxis::x ? std::array{z, y} : across == VolumeAxis::y ? std::array{x, z} : std::array{x, y};
}

AxisDirection voxelCentre(const VoxelMap& map, double x, double y, double z) noexcept {
    AxisDirection place = map.origin;
    const std::array voxels{x, y, z};
    for (std::size_t axis = 0; axis < voxels.size(); ++axis) {
        for (std::size_t component = 0; component < place.size(); ++component) {
            place[component] += voxels[axis] * map.steps[axis][component];
        }
    }
    return place;
}

void setStepLengths(VoxelMap& map, const std::array<double, 3>& lengths) noexcept {
    for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
        const double length = lengthOf(map.steps[axis]);
        for (double& component : map.steps[axis]) {
            component *= lengths[axis] > 0 && length > 0 ? lengths[axis] / length : 1;
        }
    }
}

} // namespace pollard
