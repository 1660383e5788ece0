#include "vm/image/shown_image.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

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

struct FramePool::FreeFrames {
    std::mutex mutex;
    std::vector<std::unique_ptr<Image>> spare; ///< oldest first
    std::uint64_t allocations = 0;

    std::unique_ptr<Image> take(PixelType type, std::uint32_t width, std::uint32_t height) {
        const std::scoped_lock lock(mutex);
        const auto fits = [&](const auto& image) {
            return image->type() == type && image->width() == width && image->height() == height;
        };
        const auto found = std::find_if(spare.begin(), spare.end(), fits);
        if (found == spare.end()) {
            // Another image is open: spare images of the previous one only take memory.
            spare.clear();
            ++allocations;
            return nullptr;
        }
        std::unique_ptr<Image> image = std::move(*found);
        spare.erase(found);
        return image;
    }

    void giveBack(std::unique_ptr<Image> image) {
        const std::scoped_lock lock(mutex);
        spare.push_back(std::move(image));
        if (spare.size() > kSpareFrames) {
            spare.erase(spare.begin());
        }
    }
};

FramePool::FramePool() : free_(std::make_shared<FreeFrames>()) {}

std::shared_ptr<Image> FramePool::acquire(PixelType type, std::uint32_t width, std::uint32_t height) {
    std::unique_ptr<Image> image = free_->take(type, width, height);
    if (!image) {
        image = std::make_unique<Image>(type, width, height);
    }
    // Returning takes the lock of the free frames, so the last reader is done before the next writer starts.
    const auto giveBack = [shelf = std::weak_ptr(free_)](Image* returned) {
        std::unique_ptr<Image> owned(returned);
        if (const auto alive = shelf.lock()) {
            alive->giveBack(std::move(owned));
        }
    };
    return {image.release(), giveBack};
}

std::uint64_t FramePool::allocations() const {
    const std::scoped_lock lock(free_->mutex);
    return free_->allocations;
}

} // namespace pollard::vm
