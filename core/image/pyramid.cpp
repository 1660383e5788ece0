#include "image/pyramid.hpp"

#include "image/halving.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace pollard {
namespace {

constexpr std::uint32_t half(std::uint32_t side) noexcept { return side / 2 + side % 2; }

/// Allocates the levels above 0; their pixels are uninitialised.
std::vector<Image> allocateLevels(PixelType type, std::uint32_t width, std::uint32_t height, std::size_t count) {
    std::vector<Image> levels;
    levels.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        width = half(width);
        height = half(height);
        levels.emplace_back(type, width, height);
    }
    return levels;
}

} // namespace

Coverage::Coverage(std::shared_ptr<const Mask> mask, std::size_t levels, const JobControl& control)
    : mask_(std::move(mask)), levels_(allocateLevels(PixelType::u8, mask_->width(), mask_->height(), levels - 1)) {
    if (!levels_.empty()) {
        halveMask(*mask_, levels_.front(), control);
    }
    for (std::size_t i = 1; i < levels_.size(); ++i) {
        halve(levels_[i - 1], levels_[i], control);
    }
}

std::uint8_t Coverage::at(std::size_t level, std::uint32_t x, std::uint32_t y) const {
    if (level == 0) {
        return mask_->test(x, y) ? 255 : 0;
    }
    const Image& image = levels_.at(level - 1);
    return image.pixels<std::uint8_t>()[std::size_t{y} * image.width() + x];
}

std::size_t Pyramid::levelsOf(std::uint32_t width, std::uint32_t height) noexcept {
    std::size_t levels = 1;
    for (std::uint32_t side = std::max(width, height); side > kCoarsestSide; side = half(side)) {
        ++levels;
    }
    return levels;
}

struct PyramidPool::Shelf {
    std::mutex mutex;
    std::vector<std::vector<Image>> spare; ///< oldest first
    std::uint64_t allocations = 0;

    std::vector<Image> take(const Image& image, std::size_t count) {
        const std::scoped_lock lock(mutex);
        const auto found = std::find_if(spare.begin(), spare.end(), [&](const std::vector<Image>& levels) {
            return levels.size() == count && levels.front().type() == image.type() &&
                   levels.front().width() == half(image.width()) && levels.front().height() == half(image.height());
        });
        if (found == spare.end()) {
            // Different shape: another image is open, so the spare levels are useless.
            spare.clear();
            ++allocations;
            return {};
        }
        std::vector<Image> levels = std::move(*found);
        spare.erase(found);
        return levels;
    }

    void giveBack(std::vector<Image> levels) {
        const std::scoped_lock lock(mutex);
        spare.push_back(std::move(levels));
        if (spare.size() > kSpare) {
            spare.erase(spare.begin());
        }
    }
};

PyramidPool::PyramidPool() : shelf_(std::make_shared<Shelf>()) {}

std::shared_ptr<const Pyramid> PyramidPool::make(std::shared_ptr<const Image> image,
                                                 std::shared_ptr<const Coverage> coverage, const JobControl& control) {
    auto made = std::make_unique<Pyramid>(std::move(image));
    made->coverage_ = std::move(coverage);
    const Image& base = *made->image_;
    const std::size_t count = Pyramid::levelsOf(base.width(), base.height()) - 1;
    if (count == 0) {
        return made;
    }
    made->smaller_ = shelf_->take(base, count);
    if (made->smaller_.empty()) {
        made->smaller_ = allocateLevels(base.type(), base.width(), base.height(), count);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (made->coverage_) {
            halveWeighted(made->level(i), *made->coverage_, i, made->smaller_[i], control);
        } else {
            halve(made->level(i), made->smaller_[i], control);
        }
    }
    const auto giveBack = [shelf = std::weak_ptr(shelf_)](Pyramid* returned) {
        const std::unique_ptr<Pyramid> owned(returned);
        if (const auto alive = shelf.lock()) {
            alive->giveBack(std::move(owned->smaller_));
        }
    };
    return {made.release(), giveBack};
}

std::uint64_t PyramidPool::allocations() const {
    const std::scoped_lock lock(shelf_->mutex);
    return shelf_->allocations;
}

} // namespace pollard
