#include "vm/region/region_mask.hpp"

#include "image/region_mask.hpp"

#include <cstdint>
#include <utility>

namespace pollard::vm {

void RegionMask::make(const Image* picture, const std::vector<RegionShape>& shapes, bool inverted) {
    worker_.stop(Lane::build);
    mask_.reset();
    const auto all = picture != nullptr ? static_cast<qint64>(picture->pixelCount()) : 0;
    if (picture == nullptr || shapes.empty()) {
        end(nullptr, all);
        return;
    }
    if (std::exchange(count_, -1) != -1) {
        emit countChanged();
    }
    struct Made {
        std::shared_ptr<const Mask> mask;
        std::uint64_t count = 0;
    };
    auto job = [shapes, inverted, width = picture->width(), height = picture->height()](const std::stop_token& stop) {
        auto mask = std::make_shared<Mask>(makeRegionMask(width, height, shapes, inverted, JobControl(stop)));
        return Made{mask, mask->count()};
    };
    worker_.post(Lane::build, std::move(job), [this, all](const JobOutcome& outcome, const Made& made) {
        if (outcome.ok()) {
            // An empty region is no restriction, and the whole picture needs no mask.
            const auto count = static_cast<qint64>(made.count);
            end(count > 0 && count < all ? made.mask : nullptr, count);
        }
    });
}

void RegionMask::end(std::shared_ptr<const Mask> mask, qint64 count) {
    mask_ = std::move(mask);
    const bool differs = std::exchange(count_, count) != count;
    emit made();
    if (differs) {
        emit countChanged();
    }
}

} // namespace pollard::vm
