#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pollard {

enum class VolumeAxis : std::uint8_t { x, y, z };

/// How the image of a plane of voxels is turned.
struct PlaneTurn {
    bool isTransposed = false; ///< rows and columns are exchanged, before the two mirrors
    bool isMirrored = false;   ///< the last column is on the left
    bool isUpsideDown = false; ///< the last row is on top

    bool operator==(const PlaneTurn&) const = default;
};

/// A plane of voxels across an axis. The image of a plane across z is a slice. Across y, it has a row along x for each
/// slice; across x, a column along y for each slice. So the first one fits below a slice, the second one to its right.
struct VolumePlane {
    VolumeAxis across = VolumeAxis::z;
    std::uint32_t at = 0; ///< position on the axis
    PlaneTurn turn{};     ///< of the image

    bool operator==(const VolumePlane&) const = default;
};

/// The axis of voxels along the rows or the columns of the image of a plane.
struct ImageAxis {
    VolumeAxis axis = VolumeAxis::x;
    bool isReversed = false; ///< from the last voxel to the first one

    bool operator==(const ImageAxis&) const = default;
};

/// Axes to the right and down in the image of a plane.
[[nodiscard]] std::array<ImageAxis, 2> axesOf(const VolumePlane& plane) noexcept;

/// The voxels of a plane: pixel (x, y) of its image is voxel first + x * right + y * down, modulo the range of the
/// type, because steps towards the first voxel are negative.
struct PlaneVoxels {
    std::uint32_t width = 0; ///< px of the image
    std::uint32_t height = 0;
    std::size_t first = 0;
    std::size_t right = 1;
    std::size_t down = 0;

    [[nodiscard]] std::size_t voxelAt(std::size_t x, std::size_t y) const noexcept {
        return first + x * right + y * down;
    }
    /// Calls @p take(pixel, voxel) for the pixels of a row of the image.
    template <class Take> void forEachInRow(std::uint32_t y, const Take& take) const {
        std::size_t voxel = voxelAt(0, y);
        for (std::size_t pixel = std::size_t{y} * width, end = pixel + width; pixel < end; ++pixel, voxel += right) {
            take(pixel, voxel);
        }
    }
};

/// @throws Error(invalidArgument) if the volume has no such plane
[[nodiscard]] PlaneVoxels voxelsOf(const VolumePlane& plane, const Extent& volume);

/// The image of a plane. @throws Error(invalidArgument) if the volume has no such plane
[[nodiscard]] Image imageOf(const VolumePlane& plane, const Image& volume);

/// The mask of a plane. @param mask with the rows of all slices of @p volume
[[nodiscard]] Mask imageOf(const VolumePlane& plane, const Mask& mask, const Extent& volume);

} // namespace pollard
