#pragma once

#include "base/compiler.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_law.hpp"
#include "snake/row_counts.hpp"
#include "snake/snake_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

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
    /// @param length see fineLength(); ignored if the price is 0
    [[nodiscard]] POLLARD_HOST_DEVICE double energyOf(const RegionSums& inside, std::int64_t length) const noexcept {
        const RegionSums outside = all - inside;
        if (inside.pixels < minPixels || outside.pixels < minPixels) {
            return kTooSmall;
        }
        return energy(inside) + energy(outside) + othersEnergy + lengthEnergy(length);
    }
    /// Upper bound for an energy that counts as lower than @p energy, so that rounding errors do not count as a gain.
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

/// A table that device code can copy.
struct PlaceSteps {
    static constexpr std::size_t kCount = 8;
    ContourNode steps[kCount];

    [[nodiscard]] POLLARD_HOST_DEVICE constexpr const ContourNode& operator[](std::size_t place) const noexcept {
        return steps[place];
    }
};

/// Steps to the positions around a node, in the order of trial.
inline constexpr PlaceSteps kPlaceSteps{{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};

/// The steps along x and y plus 1, in two bits each: tables that fit a register, because indexed tables are slow on a
/// device.
inline constexpr ContourNode kPackedSteps = [] {
    ContourNode packed;
    for (std::size_t place = 0; place < PlaceSteps::kCount; ++place) {
        packed.x |= (kPlaceSteps[place].x + 1) << 2 * place;
        packed.y |= (kPlaceSteps[place].y + 1) << 2 * place;
    }
    return packed;
}();

/// Position @p place around a node.
/// @param reach px
[[nodiscard]] POLLARD_HOST_DEVICE inline ContourNode placeAround(ContourNode node, std::uint32_t reach,
                                                                 std::size_t place) noexcept {
    constexpr std::int32_t kAlongX = kPackedSteps.x;
    constexpr std::int32_t kAlongY = kPackedSteps.y;
    const auto distance = static_cast<std::int32_t>(reach);
    return {node.x + distance * ((kAlongX >> 2 * place & 3) - 1), node.y + distance * ((kAlongY >> 2 * place & 3) - 1)};
}

/// Whether node @p before can be joined to node @p after via @p place without touching the contour or enclosing
/// forbidden pixels.
/// @param boxes of these nodes, or null
/// @param forbidden the contour contains no pixel of this mask; null for none
[[nodiscard]] bool mayJoin(const Contour& nodes, std::size_t before, std::size_t after, ContourNode place,
                           const ContourBoxes* boxes, const RowCounts* forbidden);

/// A contour with inserted nodes. oldNumbers has the former index of each node, -1 for an inserted node.
struct SplitContour {
    Contour nodes;
    std::vector<std::ptrdiff_t> oldNumbers;
};
/// Inserts a node in the middle of every edge longer than minLength, one edge after another, as long as there are fewer
/// than maxNodes nodes and mayJoin() is true.
[[nodiscard]] SplitContour splitLongEdges(const Contour& contour, const SnakeSpec& spec, const RowCounts* forbidden);

} // namespace pollard
