#include "io/volumes/patient_axes.hpp"

#include "io/metadata/length_units.hpp"

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

bool isSetByUser(const PixelSize& size) { return size.source == kSetByHand || size.source == kSetForFolder; }

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

std::array<AxisDirection, 2> directionsIn(const VoxelMap& map, VolumeAxis across, const PlaneTurn& turn) {
    std::array<AxisDirection, 2> directions;
    const auto axes = axesOf({across, 0, turn});
    for (std::size_t i = 0; i < axes.size(); ++i) {
        directions[i] = map.steps[static_cast<std::size_t>(axes[i].axis)];
        for (double& component : directions[i]) {
            component *= axes[i].isReversed ? -1 : 1;
        }
    }
    return directions;
}

PlaneTurn uprightTurn(const VoxelMap& map, VolumeAxis across) {
    constexpr std::size_t kRight = 0; // axes of the patient
    constexpr std::size_t kAnterior = 1;
    constexpr std::size_t kSuperior = 2;
    const auto plane = patientPlane(map, across);
    PlaneTurn turn;
    if (!plane || across == VolumeAxis::z) {
        return turn;
    }
    const bool isSagittal = *plane == PatientPlane::sagittal;
    const std::size_t horizontal = isSagittal ? kAnterior : kRight;
    const std::size_t vertical = *plane == PatientPlane::axial ? kAnterior : kSuperior;
    const auto share = [](const AxisDirection& direction, std::size_t axis) {
        return std::abs(direction[axis]) / lengthOf(direction);
    };
    const auto stored = directionsIn(map, across);
    turn.isTransposed = share(stored[0], vertical) > share(stored[1], vertical);
    const auto [right, down] = directionsIn(map, across, turn);
    const bool isAsInSlices = !isSagittal && axesOf({across, 0, turn})[0].axis == VolumeAxis::x;
    turn.isMirrored = right[horizontal] > 0 && !isAsInSlices;
    turn.isUpsideDown = down[vertical] > 0;
    return turn;
}

std::optional<VoxelMap> patientMap(const ImageInfo& info) {
    if (!info.place || !info.place->isAnatomical) {
        return std::nullopt;
    }
    VoxelMap map = info.place->map;
    if (const auto& size = info.pixelSize; size && isSetByUser(*size)) {
        const std::optional<double> from = micrometresOf(size->unit);
        const std::optional<double> to = micrometresOf(info.place->unit);
        const double factor = from && to ? *from / *to : 1;
        setStepLengths(map, {size->x * factor, size->y * factor, size->z * factor});
    }
    return map;
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
