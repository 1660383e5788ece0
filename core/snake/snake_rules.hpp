#pragma once

#include "base/host_device.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_law.hpp"
#include "snake/region_sums.hpp"

#include <cstdint>

namespace pollard {

/// Criteria for changes of a contour.
struct SnakeRules {
    /// Energy of a region that is too small; above all others.
    static constexpr double kTooSmall = 1e300;

    RegionEnergy energy;
    RegionSums all;          ///< sums over inside and outside
    double othersEnergy = 0; ///< energy of the regions and lengths of other contours
    std::int64_t minPixels = 1;
    ContourNode corner;     ///< upper left corner of the image, or of the part that the contour may reach
    ContourNode opposite;   ///< lower right corner
    double lengthPrice = 0; ///< energy per px of the contour's length

    [[nodiscard]] POLLARD_HOST_DEVICE bool isInImage(ContourNode place) const noexcept {
        return place.x >= corner.x && place.y >= corner.y && place.x <= opposite.x && place.y <= opposite.y;
    }
    /// Energy of a length.
    /// @param length see fineLength()
    [[nodiscard]] POLLARD_HOST_DEVICE double lengthEnergy(std::int64_t length) const noexcept {
        return lengthPrice * (static_cast<double>(length) / kLengthParts);
    }
    /// Energy of both regions, of other contours' regions, and of the contour's length.
    /// @param length see fineLength(); any number if it has no price
    [[nodiscard]] POLLARD_HOST_DEVICE double energyOf(const RegionSums& inside, std::int64_t length) const noexcept {
        const RegionSums outside = all - inside;
        if (inside.pixels < minPixels || outside.pixels < minPixels) {
            return kTooSmall;
        }
        return energy(inside) + energy(outside) + othersEnergy + lengthEnergy(length);
    }
    /// Bound that a lower energy must be below, so that rounding is not a gain.
    [[nodiscard]] POLLARD_HOST_DEVICE static double limitBelow(double energy) noexcept {
        const double relative = 1e-12 * (energy < 0 ? -energy : energy);
        return energy - (relative > 1e-9 ? relative : 1e-9);
    }
};

/// Half of a step, px, at least 1. With several steps, the shortest is half of the longest until the first split and is
/// halved at each split: a contour of few nodes need not fit to the pixel.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t shorterStep(std::uint32_t step) noexcept {
    return step > 1 ? step / 2 : 1;
}

/// Position of the node that splits an edge.
[[nodiscard]] POLLARD_HOST_DEVICE inline ContourNode middleOf(ContourNode a, ContourNode b) noexcept {
    return {a.x + (b.x - a.x) / 2, a.y + (b.y - a.y) / 2};
}
/// Larger extent of an edge, px.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::int32_t extentOf(ContourNode a, ContourNode b) noexcept {
    const std::int32_t x = a.x < b.x ? b.x - a.x : a.x - b.x;
    const std::int32_t y = a.y < b.y ? b.y - a.y : a.y - b.y;
    return x > y ? x : y;
}

} // namespace pollard
