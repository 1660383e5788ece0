#include "vm/document/page_cache.hpp"

#include "filter/filter_units.hpp"

#include <algorithm>
#include <iterator>
#include <variant>

namespace pollard::vm {

namespace {

constexpr std::uint64_t kDeviceBytesPerNode = 26; ///< tables and an attribute
constexpr std::uint64_t kDeviceBytesPerPixel = 4; ///< the node of the pixel

std::uint64_t bytesOfTree(const ComponentTree& tree) {
    return tree.pixelNode.bytes() + tree.parent.bytes() + tree.level.bytes() + tree.subtreeEnd.bytes() +
           tree.canonical.bytes();
}

} // namespace

void LastFrame::set(const FrameResult& frame) {
    device_ = frame.deviceFrame;
    image_ = frame.image;
    pyramid_ = frame.pyramid;
    frame_ = frame;
    frame_.image.reset();
    frame_.pyramid.reset();
    frame_.deviceFrame.reset();
    frame_.takenOver.reset();
}

std::optional<FrameResult> LastFrame::get(const FilterSpec& spec, bool wantsPyramid) const {
    FrameResult frame = frame_;
    frame.image = image_.lock();
    frame.pyramid = pyramid_.lock();
    // Bounds in units depend on the size of a pixel, which may have changed.
    const bool isIt = frame.image && frame.spec == spec && !hasUnits(spec) && (frame.pyramid || !wantsPyramid);
    return isIt ? std::optional(std::move(frame)) : std::nullopt;
}

std::uint64_t OpenedPage::hostBytes() const {
    std::uint64_t bytes = picture.image ? picture.image->bytes() : 0;
    if (picture.pyramid) {
        bytes += bytes / 3;
    }
    if (picture.volume) {
        bytes += picture.volume->bytes();
    }
    if (picture.analysed() != picture.whole()) {
        bytes += picture.analysed()->bytes();
    }
    if (picture.inside) {
        bytes += picture.whole()->bytes(); // the analysed image is a copy
        bytes += picture.inside->bytes();
    }
    if (const auto& valid = picture.wholeValid(); valid && valid != picture.inside) {
        bytes += valid->bytes();
    }
    if (picture.histogram) {
        bytes += picture.histogram->counts.size() * sizeof(picture.histogram->counts[0]);
    }
    if (tree.tree) {
        bytes += bytesOfTree(*tree.tree);
    }
    for (const auto& [id, column] : tree.attributes) {
        bytes += std::visit([](const auto& values) { return values.bytes(); }, column->values);
    }
    return bytes;
}

std::uint64_t OpenedPage::deviceBytes() const {
    if (tree.engine.name == kFallbackEngine || !tree.tree || !picture.image) {
        return 0;
    }
    return picture.whole()->bytes() + tree.tree->pixelCount() * kDeviceBytesPerPixel +
           tree.tree->nodeCount() * kDeviceBytesPerNode;
}

void PageCache::setBudget(const Budget& budget) {
    budget_ = budget;
    makeRoom(0, 0);
}

void PageCache::keep(const Key& key, OpenedPage page) {
    static_cast<void>(take(key));
    const std::uint64_t host = page.hostBytes();
    const std::uint64_t device = page.deviceBytes();
    if (host > budget_.host || device > budget_.device) {
        return;
    }
    makeRoom(host, device);
    entries_.push_front({key, host, device, std::move(page)});
    hostBytes_ += host;
    deviceBytes_ += device;
}

std::optional<OpenedPage> PageCache::take(const Key& key) {
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    if (found == entries_.end()) {
        return std::nullopt;
    }
    std::optional<OpenedPage> page(std::move(found->page));
    erase(found);
    return page;
}

void PageCache::clear() noexcept {
    entries_.clear();
    hostBytes_ = deviceBytes_ = 0;
}

void PageCache::makeRoom(std::uint64_t hostBytes, std::uint64_t deviceBytes) {
    while (!entries_.empty() &&
           (hostBytes_ + hostBytes > budget_.host || deviceBytes_ + deviceBytes > budget_.device)) {
        erase(std::prev(entries_.end()));
    }
}

void PageCache::erase(std::list<Entry>::iterator entry) {
    hostBytes_ -= entry->hostBytes;
    deviceBytes_ -= entry->deviceBytes;
    entries_.erase(entry);
}

} // namespace pollard::vm
