#pragma once

#include "components/objects/object_tracks.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// Position of a track's object in a frame.
struct TrackPoint {
    double x = 0; ///< centroid, px; the centre of the first pixel is (0, 0)
    double y = 0;
    std::uint32_t label = 0; ///< of the object in this frame
};

/// A track with an object in each frame from its first to its last.
struct Track {
    std::uint32_t number = 0;
    std::uint32_t firstFrame = 0;
    TrackEventKind began = TrackEventKind::birth; ///< birth or split
    std::uint32_t from = 0;                       ///< track from which it split, else 0
    std::optional<TrackEventKind> ended;          ///< death or merge; unset: present in the last frame
    std::uint32_t into = 0;                       ///< track into which it merged, else 0
    std::vector<TrackPoint> points;               ///< in the frames firstFrame, firstFrame + 1, ...

    [[nodiscard]] std::uint32_t frameCount() const noexcept { return static_cast<std::uint32_t>(points.size()); }
    [[nodiscard]] std::uint32_t lastFrame() const noexcept { return firstFrame + frameCount() - 1; }
    /// Distance from the first to the last centroid, px.
    [[nodiscard]] double displacement() const noexcept;
    /// Length of the path through all centroids, px.
    [[nodiscard]] double pathLength() const noexcept;
};

/// The tracks of a sequence, collected frame by frame from an ObjectTracker.
class TrackHistory {
public:
    /// Adds the next frame with the measurements of its objects.
    /// @throws Error(invalidArgument) if it is not the next frame, or the numbers of objects differ
    void add(const ComponentRecords& objects, const TrackedFrame& frame);

    [[nodiscard]] std::uint32_t frameCount() const noexcept { return static_cast<std::uint32_t>(frames_.size()); }
    /// All tracks; number i + 1 has index i.
    [[nodiscard]] const std::vector<Track>& tracks() const noexcept { return tracks_; }
    /// Track of object i (label i + 1) of a frame.
    [[nodiscard]] const std::vector<std::uint32_t>& tracksOf(std::uint32_t frame) const { return frames_.at(frame); }
    /// Number of events of each kind, in the order of kTrackEventKinds.
    [[nodiscard]] const std::array<std::uint64_t, kTrackEventKinds.size()>& events() const noexcept { return events_; }

private:
    std::vector<Track> tracks_;
    std::vector<std::vector<std::uint32_t>> frames_;
    std::array<std::uint64_t, kTrackEventKinds.size()> events_{};
};

} // namespace pollard
