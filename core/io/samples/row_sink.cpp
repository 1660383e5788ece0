#include "io/samples/row_sink.hpp"

#include <algorithm>
#include <utility>

namespace pollard {

RowFan::RowFan(std::vector<std::unique_ptr<RowSink>> sinks) : sinks_(std::move(sinks)) {
    for (const auto& sink : sinks_) {
        samples_.insert(samples_.end(), sink->samples().begin(), sink->samples().end());
    }
}

void RowFan::put(const RowPlace& place, const PackedRows& packed) {
    for (const auto& sink : sinks_) {
        sink->put(place, packed);
    }
}

void GapMap::clear(std::uint32_t first, std::size_t last, std::uint32_t y) {
    if (!mask_) {
        mask_ = std::make_shared<Mask>(width_, height_, true);
    }
    mask_->setRun(first, static_cast<std::uint32_t>(last), y, false);
}

void GapMap::add(const RowPlace& place) {
    const std::scoped_lock lock(mutex_); // neighbours in a row share words
    clear(place.x, place.x + place.count, place.y);
}

void GapMap::add(const RowPlace& place, std::span<const std::uint8_t> flags) {
    auto first = std::find_if(flags.begin(), flags.end(), [](std::uint8_t flag) { return flag != 0; });
    if (first == flags.end()) {
        return;
    }
    const std::scoped_lock lock(mutex_);
    while (first != flags.end()) {
        const auto last = std::find(first, flags.end(), std::uint8_t{0});
        clear(place.x + static_cast<std::uint32_t>(first - flags.begin()),
              place.x + static_cast<std::size_t>(last - flags.begin()), place.y);
        first = std::find_if(last, flags.end(), [](std::uint8_t flag) { return flag != 0; });
    }
}

} // namespace pollard
