#include "vm/image/frame_pool.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace pollard::vm {

struct FramePool::Shelf {
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

FramePool::FramePool() : shelf_(std::make_shared<Shelf>()) {}

std::shared_ptr<Image> FramePool::acquire(PixelType type, std::uint32_t width, std::uint32_t height) {
    std::unique_ptr<Image> image = shelf_->take(type, width, height);
    if (!image) {
        image = std::make_unique<Image>(type, width, height);
    }
    // Returning takes the shelf's lock, so the last reader is done before the next writer starts.
    const auto giveBack = [shelf = std::weak_ptr(shelf_)](Image* returned) {
        std::unique_ptr<Image> owned(returned);
        if (const auto alive = shelf.lock()) {
            alive->giveBack(std::move(owned));
        }
    };
    return {image.release(), giveBack};
}

std::uint64_t FramePool::allocations() const {
    const std::scoped_lock lock(shelf_->mutex);
    return shelf_->allocations;
}

} // namespace pollard::vm
