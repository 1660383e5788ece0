#include "image/volume_plane.hpp"

#include "base/error.hpp"

#include <string>
#include <utility>

namespace pollard {

std::array<ImageAxis, 2> axesOf(const VolumePlane& plane) noexcept {
    std::array<ImageAxis, 2> axes{ImageAxis{VolumeAxis::x}, ImageAxis{VolumeAxis::y}};
    if (plane.across == VolumeAxis::x) {
        axes[0].axis = VolumeAxis::z;
    } else if (plane.across == VolumeAxis::y) {
        axes[1].axis = VolumeAxis::z;
    }
    if (plane.turn.isTransposed) {
        std::swap(axes[0], axes[1]);
    }
    axes[0].isReversed = plane.turn.isMirrored;
    axes[1].isReversed = plane.turn.isUpsideDown;
    return axes;
}

PlaneVoxels voxelsOf(const VolumePlane& plane, const Extent& volume) {
    struct Along {
        std::uint32_t count;
        std::size_t step;
    };
    const std::array<Along, 3> all{
        {{volume.width, 1}, {volume.height, volume.width}, {volume.slices, volume.slicePixels()}}};
    const auto along = [&all](VolumeAxis axis) { return all[static_cast<std::size_t>(axis)]; };
    const Along across = along(plane.across);
    if (plane.at >= across.count) {
        throw Error(ErrorCode::invalidArgument, "plane " + std::to_string(plane.at) + " of a volume of " +
                                                    text(volume) + ": there are " + std::to_string(across.count) +
                                                    " across this axis");
    }
    PlaneVoxels voxels;
    voxels.first = plane.at * across.step;
    const auto stepOf = [&](const ImageAxis& each) {
        const auto [count, step] = along(each.axis);
        if (!each.isReversed) {
            return step;
        }
        voxels.first += (count - 1) * step;
        return std::size_t{0} - step;
    };
    const auto [right, down] = axesOf(plane);
    voxels.width = along(right.axis).count;
    voxels.height = along(down.axis).count;
    voxels.right = stepOf(right);
    voxels.down = stepOf(down);
    return voxels;
}

Image imageOf(const VolumePlane& plane, const Image& volume) {
    const PlaneVoxels voxels = voxelsOf(plane, volume.extent());
    Image image(volume.type(), voxels.width, voxels.height);
    dispatch(volume.type(), [&]<class T>(T) {
        const T* const from = volume.pixels<T>().data();
        T* const to = image.pixels<T>().data();
        for (std::uint32_t y = 0; y < voxels.height; ++y) {
            voxels.forEachInRow(y, [&](std::size_t pixel, std::size_t voxel) { to[pixel] = from[voxel]; });
        }
    });
    return image;
}

Mask imageOf(const VolumePlane& plane, const Mask& mask, const Extent& volume) {
    const PlaneVoxels voxels = voxelsOf(plane, volume);
    Mask image(voxels.width, voxels.height, false);
    for (std::uint32_t y = 0; y < voxels.height; ++y) {
        voxels.forEachInRow(y, [&](std::size_t pixel, std::size_t voxel) {
            if (mask.test(static_cast<std::uint32_t>(voxel % volume.width),
                          static_cast<std::uint32_t>(voxel / volume.width))) {
                image.set(static_cast<std::uint32_t>(pixel % voxels.width), y, true);
            }
        });
    }
    return image;
}

} // namespace pollard
