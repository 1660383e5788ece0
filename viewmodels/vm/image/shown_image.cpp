#include "vm/image/shown_image.hpp"

namespace pollard::vm {

bool hasPlane(const Extent& volume, const VolumePlane& plane) noexcept {
    const std::uint32_t count = plane.across == VolumeAxis::x   ? volume.width
                                : plane.across == VolumeAxis::y ? volume.height
                                                                : volume.slices;
    return plane.at < count;
}

std::optional<std::uint32_t> ShownImage::voxelAt(const QPointF& point, const Extent& extent) const {
    if (!hasPlane(extent, plane())) {
        return std::nullopt;
    }
    const PlaneVoxels voxels = voxelsOf(plane(), extent);
    if (!(point.x() >= 0 && point.y() >= 0 && point.x() < voxels.width && point.y() < voxels.height)) {
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(
        voxels.voxelAt(static_cast<std::size_t>(point.x()), static_cast<std::size_t>(point.y())));
}

std::optional<std::uint32_t> ShownImage::nodeAt(const QPointF& point, const ComponentTree& tree) const {
    const auto voxel = voxelAt(point, tree.extent());
    return voxel && tree.pixelNode[*voxel] < tree.nodeCount() ? std::optional(tree.pixelNode[*voxel]) : std::nullopt;
}

} // namespace pollard::vm
