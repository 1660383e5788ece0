#include "components/objects/object_tracks.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace pollard {

namespace {

/// The object with the largest overlap.
struct Partner {
    std::uint32_t label = 0; ///< 0: none
    std::uint64_t pixels = 0;
};

void consider(Partner& partner, std::uint32_t label, std::uint64_t pixels) noexcept {
    if (pixels > partner.pixels || (pixels == partner.pixels && label < partner.label)) {
        partner = {label, pixels};
    }
}

} // namespace

std::string_view nameOf(TrackEventKind kind) noexcept {
    switch (kind) {
    case TrackEventKind::birth:
        return "birth";
    case TrackEventKind::split:
        return "split";
    case TrackEventKind::merge:
        return "merge";
    case TrackEventKind::death:
        return "death";
    }
    return {};
}

TrackedFrame ObjectTracker::add(Components components, const JobControl& control) {
    try {
        TrackedFrame result;
        result.frame = frames_;
        result.tracks.assign(components.count, 0);
        std::vector<Partner> heirs(lastTracks_.size());
        std::vector<Partner> sources(components.count);
        if (last_) {
            for (const ObjectOverlap& overlap : overlapsOf(*last_, components, control)) {
                consider(heirs[overlap.before - 1], overlap.now, overlap.pixels);
                consider(sources[overlap.now - 1], overlap.before, overlap.pixels);
            }
        }
        for (std::size_t i = 0; i < heirs.size(); ++i) {
            if (const std::uint32_t heir = heirs[i].label; heir != 0 && sources[heir - 1].label == i + 1) {
                result.tracks[heir - 1] = lastTracks_[i];
            }
        }
        std::uint32_t tracks = tracks_;
        std::vector<TrackEvent> started;
        for (std::size_t i = 0; i < sources.size(); ++i) {
            if (result.tracks[i] != 0) {
                continue;
            }
            if (tracks == std::numeric_limits<std::uint32_t>::max()) {
                throw Error(ErrorCode::limitExceeded, "track objects: more than 4,294,967,295 tracks");
            }
            result.tracks[i] = ++tracks;
            const std::uint32_t source = sources[i].label;
            started.push_back({source == 0 ? TrackEventKind::birth : TrackEventKind::split, frames_, tracks,
                               source == 0 ? 0 : lastTracks_[source - 1]});
        }
        std::vector<TrackEvent> ended;
        for (std::size_t i = 0; i < heirs.size(); ++i) {
            const std::uint32_t heir = heirs[i].label;
            if (heir == 0) {
                ended.push_back({TrackEventKind::death, frames_, lastTracks_[i], 0});
            } else if (result.tracks[heir - 1] != lastTracks_[i]) {
                ended.push_back({TrackEventKind::merge, frames_, lastTracks_[i], result.tracks[heir - 1]});
            }
        }
        std::sort(ended.begin(), ended.end(),
                  [](const TrackEvent& a, const TrackEvent& b) { return a.track < b.track; });
        result.events = std::move(ended);
        result.events.insert(result.events.end(), started.begin(), started.end());
        lastTracks_ = result.tracks;
        last_ = std::move(components);
        tracks_ = tracks;
        ++frames_;
        return result;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "track objects: no memory left");
    }
}

} // namespace pollard
