#pragma once

#include "base/host_device.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_law.hpp"
#include "snake/region_sums.hpp"

#include <cstdint>

namespace pollard {

/// What the changes of a contour are judged by.
struct SnakeRules {
    /// More than any energy: a region that is too small.
    static constexpr double kTooSmall = 1e300;

    RegionEnergy energy;
    RegionSums all;          ///< what inside and outside share
    double othersEnergy = 0; ///< of what others hold of the image
    std::int64_t minPixels = 1;
    ContourNode corner;   ///< of the image, or the part of it that the contour may reach
    ContourNode opposite; ///< its lower right corner

    [[nodiscard]] POLLARD_HOST_DEVICE bool isInImage(ContourNode place) const noexcept {
        return place.x >= corner.x && place.y >= corner.y && place.x <= opposite.x && place.y <= opposite.y;
    }
    /// Of both regions and what others hold.
    [[nodiscard]] POLLARD_HOST_DEVICE double energyOf(const RegionSums& inside) const noexcept {
        const RegionSums outside = all - inside;
        if (inside.pixels < minPixels || outside.pixels < minPixels) {
            return kTooSmall;
        }
        return energy(inside) + energy(outside) + othersEnergy;
    }
    /// An energy has to be less to be lower than @p energy, so that rounding is no gain.
    [[nodiscard]] POLLARD_HOST_DEVICE static double limitBelow(double energy) noexcept {
        const double relative = 1e-12 * (energy < 0 ? -energy : energy);
        return energy - (relative > 1e-9 ? relative : 1e-9);
    }
};

/// The step, px, that is half of another one; 1 has none. Where nodes choose among several steps, the shortest of them
/// is half of the longest up to the first split, and half of what it was from each split on: a contour of few nodes
/// need not fit to the pixel.
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t shorterStep(std::uint32_t step) noexcept {
    return step > 1 ? step / 2 : 1;
}

/// Place of the node that splits an edge.
[[nodiscard]] POLLARD_HOST_DEVICE inline ContourNode middleOf(ContourNode a, ContourNode b) noexcept {
    return {a.x + (b.x - a.x) / 2, a.y + (b.y - a.y) / 2};
}
/// The larger of both extents, px.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::int32_t extentOf(ContourNode a, ContourNode b) noexcept {
    const std::int32_t x = a.x < b.x ? b.x - a.x : a.x - b.x;
    const std::int32_t y = a.y < b.y ? b.y - a.y : a.y - b.y;
    return x > y ? x : y;
}

} // namespace pollard
