#pragma once

#include "image/image.hpp"
#include "operators/operator_spec.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Pixels (x, y, z) with -half <= x <= half of a structuring element around (0, 0, 0).
struct Chord {
    std::int32_t z = 0;
    std::int32_t y = 0;
    std::int32_t half = 0;

    bool operator==(const Chord&) const = default;
};

/// The rows of a disc, x^2 + y^2 <= r^2, of a ball, or of a box, |x| <= r and |y| <= r, by z and y. Coordinates count
/// sides of a voxel, in the unit of the radius.
/// @param isVolume false: no other slices
[[nodiscard]] std::vector<Chord> chordsOf(OperatorShape shape, double radius, const VoxelSides& sides, bool isVolume);

/// Pixels along an axis from the centre of a structuring element to its end. @param side of a pixel along the axis
[[nodiscard]] std::int32_t reachAlong(double radius, double side) noexcept;

} // namespace pollard
