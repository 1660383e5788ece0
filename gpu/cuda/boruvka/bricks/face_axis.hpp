#pragma once

#include "image/extent.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// The faces between bricks across one axis. u and v are the other two axes, in the order x, y, z.
struct FaceAxis {
    std::uint32_t faces;                             ///< number of layers of faces
    std::uint32_t lengthU, lengthV;                  ///< of the volume, voxels
    std::uint32_t brick, brickU, brickV;             ///< sides of a brick
    std::uint32_t step, stepU, stepV;                ///< to the next voxel, in numbers of voxels
    std::uint32_t direction, directionU, directionV; ///< the same in SpaceDirection
    bool takesCrossingU, takesCrossingV;             ///< whether edges that cross faces across u or v as well
                                                     ///< belong to this axis: they do to the first one

    /// @param axis 0 to 2 for x to z
    template <class Shape> [[nodiscard]] static FaceAxis of(std::uint32_t axis, const Extent& volume) noexcept {
        const std::uint32_t lengths[3] = {volume.width, volume.height, volume.slices};
        const std::uint32_t sides[3] = {Shape::kWidth, Shape::kHeight, Shape::kDepth};
        const std::uint32_t steps[3] = {1, volume.width, volume.width * volume.height};
        const std::uint32_t directions[3] = {1, 3, 9};
        const std::uint32_t u = axis == 0 ? 1 : 0;
        const std::uint32_t v = axis == 2 ? 1 : 2;
        return {(lengths[axis] - 1) / sides[axis],
                lengths[u],
                lengths[v],
                sides[axis],
                sides[u],
                sides[v],
                steps[axis],
                steps[u],
                steps[v],
                directions[axis],
                directions[u],
                directions[v],
                axis < u,
                axis < v};
    }
    /// Number of pairs of voxels that face each other.
    [[nodiscard]] std::size_t pairs() const noexcept { return std::size_t{faces} * lengthU * lengthV; }
    /// Numbers of labels: two layers of voxels for every layer of bricks.
    [[nodiscard]] std::size_t labels() const noexcept { return 2 * (std::size_t{faces} + 1) * lengthU * lengthV; }
};

} // namespace pollard::cuda
