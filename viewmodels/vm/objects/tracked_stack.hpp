#pragma once

#include "vm/objects/object_listing.hpp"

#include "components/objects/track_history.hpp"

#include <cstdint>
#include <vector>

namespace pollard::vm {

/// The objects of all pages of a file, followed from page to page; immutable.
struct TrackedStack {
    TrackHistory history;
    std::vector<TrackedFrame> frames;
    std::vector<ComponentRecords> objects; ///< per frame
    std::vector<std::uint64_t> foreground; ///< per frame: pixels of all objects
    std::uint64_t objectCount = 0;         ///< over all frames

    /// Tracks of the objects of a page: element i is that of object number i + 1; null unless these objects were
    /// followed.
    [[nodiscard]] const std::vector<std::uint32_t>* tracksOf(const FoundObjects& found) const {
        if (found.components.isVolume() || found.page < 0 || static_cast<std::size_t>(found.page) >= objects.size()) {
            return nullptr;
        }
        const auto page = static_cast<std::uint32_t>(found.page);
        const auto& records = objects[page];
        const auto& others = found.components.objects;
        // Different masks differ in the number of objects or pixels; a few records are compared.
        const bool same = records.size() == others.size() &&
                          (records.empty() || (records.front() == others.front() && records.back() == others.back() &&
                                               foreground[page] == found.components.foreground));
        return same ? &history.tracksOf(page) : nullptr;
    }
};

} // namespace pollard::vm
