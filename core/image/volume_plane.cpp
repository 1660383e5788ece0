#include "image/volume_plane.hpp"

#include "base/error.hpp"

#include <string>

namespace pollard {

PlaneVoxels voxelsOf(const VolumePlane& plane, const Extent& volume) {
    const std::size_t slice = volume.slicePixels();
    const std::size_t at = plane.at;
    const std::uint32_t count = plane.across == VolumeAxis::x   ? volume.width
                                : plane.across == VolumeAxis::y ? volume.height
                                                                : volume.slices;
    if (at >= count) {
        throw Error(ErrorCode::invalidArgument, "plane " + std::to_string(at) + " of a volume of " + text(volume) +
                                                    ": there are " + std::to_string(count) + " across this axis");
    }
    switch (plane.across) {
    case VolumeAxis::x:
        return {volume.slices, volume.height, at, slice, volume.width};
    case VolumeAxis::y:
        return {volume.width, volume.slices, at * volume.width, 1, slice};
    case VolumeAxis::z:
        break;
    }
    return {volume.width, volume.height, at * slice, 1, volume.width};
}

Image pictureOf(const VolumePlane& plane, const Image& volume) {
    const PlaneVoxels voxels = voxelsOf(plane, volume.extent());
    Image picture(volume.type(), voxels.width, voxels.height);
    dispatch(volume.type(), [&]<class T>(T) {
        const T* const from = volume.pixels<T>().data();
        T* const to = picture.pixels<T>().data();
        for (std::uint32_t y = 0; y < voxels.height; ++y) {
            voxels.forEachInRow(y, [&](std::size_t pixel, std::size_t voxel) { to[pixel] = from[voxel]; });
        }
    });
    return picture;
}

Mask pictureOf(const VolumePlane& plane, const Mask& mask, const Extent& volume) {
    const PlaneVoxels voxels = voxelsOf(plane, volume);
    Mask picture(voxels.width, voxels.height, false);
    for (std::uint32_t y = 0; y < voxels.height; ++y) {
        voxels.forEachInRow(y, [&](std::size_t pixel, std::size_t voxel) {
            if (mask.test(static_cast<std::uint32_t>(voxel % volume.width),
                          static_cast<std::uint32_t>(voxel / volume.width))) {
                picture.set(static_cast<std::uint32_t>(pixel % voxels.width), y, true);
            }
        });
    }
    return picture;
}

} // namespace pollard
