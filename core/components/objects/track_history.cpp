#include "components/objects/track_history.hpp"

#include "base/error.hpp"

#include <cmath>

namespace pollard {

double Track::displacement() const noexcept {
    return points.empty() ? 0 : std::hypot(points.back().x - points.front().x, points.back().y - points.front().y);
}

double Track::pathLength() const noexcept {
    double length = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    }
    return length;
}

void TrackHistory::add(const ComponentRecords& objects, const TrackedFrame& frame) {
    if (frame.frame != frameCount() || frame.tracks.size() != objects.size()) {
        throw Error(ErrorCode::invalidArgument,
                    "history of tracks: frame " + std::to_string(frame.frame) + " does not go on where the others end");
    }
    for (const TrackEvent& event : frame.events) {
        ++events_[static_cast<std::size_t>(event.kind)];
        if (event.kind == TrackEventKind::birth || event.kind == TrackEventKind::split) {
            Track& track = tracks_.emplace_back();
            track.number = event.track;
            track.firstFrame = frame.frame;
            track.began = event.kind;
            track.from = event.other;
        } else {
            Track& track = tracks_[event.track - 1];
            track.ended = event.kind;
            track.into = event.other;
        }
    }
    for (std::size_t i = 0; i < objects.size(); ++i) {
        tracks_[frame.tracks[i] - 1].points.push_back(
            {objects[i].centroidX(), objects[i].centroidY(), static_cast<std::uint32_t>(i + 1)});
    }
    frames_.push_back(frame.tracks);
}

} // namespace pollard
