#include "vm/document/page_cache.hpp"

#include <algorithm>
#include <iterator>

namespace pollard::vm {

void PageCache::setBudget(const Budget& budget) {
    budget_ = budget;
    makeRoom(0, 0);
}

void PageCache::keep(int number, OpenedPage page) {
    static_cast<void>(take(number));
    const std::uint64_t host = page.hostBytes();
    const std::uint64_t device = page.deviceBytes();
    if (host > budget_.host || device > budget_.device) {
        return;
    }
    makeRoom(host, device);
    entries_.push_front({number, host, device, std::move(page)});
    hostBytes_ += host;
    deviceBytes_ += device;
}

std::optional<OpenedPage> PageCache::take(int number) {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.number == number; });
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
