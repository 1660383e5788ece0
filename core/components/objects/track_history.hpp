#pragma once

#include "components/objects/object_tracks.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// Where an object of a track is in a frame.
struct TrackPoint {
    double x = 0; ///< centroid, px; the centre of the first pixel is (0, 0)
    double y = 0;
    std::uint32_t label = 0; ///< of the object in its frame
};

/// A track from its first frame to its last one; it has an object in each of them.
struct Track {
    std::uint32_t number = 0;
    std::uint32_t firstFrame = 0;
    TrackEventKind began = TrackEventKind::birth; ///< or split
    std::uint32_t from = 0;                       ///< track that it was split off from, else 0
    std::optional<TrackEventKind> ended;          ///< death or merge; empty: it is still there in the last frame
    std::uint32_t into = 0;                       ///< track that it merged into, else 0
    std::vector<TrackPoint> points;               ///< of the frames firstFrame, firstFrame + 1, ...

    [[nodiscard]] std::uint32_t frameCount() const noexcept { return static_cast<std::uint32_t>(points.size()); }
    [[nodiscard]] std::uint32_t lastFrame() const noexcept { return firstFrame + frameCount() - 1; }
    /// From the first centroid to the last one, px.
    [[nodiscard]] double displacement() const noexcept;
    /// Along all centroids, px.
    [[nodiscard]] double pathLength() const noexcept;
};

/// The tracks of a sequence, gathered frame by frame from an ObjectTracker.
class TrackHistory {
public:
    /// The next frame, with the measurements of its objects.
    /// @throws Error(invalidArgument) if it is not the next one, or the objects are not those of the frame
    void add(const ComponentRecords& objects, const TrackedFrame& frame);

    [[nodiscard]] std::uint32_t frameCount() const noexcept { return static_cast<std::uint32_t>(frames_.size()); }
    /// Track number i + 1 at place i.
    [[nodiscard]] const std::vector<Track>& tracks() const noexcept { return tracks_; }
    /// Track of object i (label i + 1) of a frame.
    [[nodiscard]] const std::vector<std::uint32_t>& tracksOf(std::uint32_t frame) const { return frames_.at(frame); }
    /// How many of each kind there were, in the order of kTrackEventKinds.
    [[nodiscard]] const std::array<std::uint64_t, kTrackEventKinds.size()>& events() const noexcept { return events_; }

private:
    std::vector<Track> tracks_;
    std::vector<std::vector<std::uint32_t>> frames_;
    std::array<std::uint64_t, kTrackEventKinds.size()> events_{};
};

} // namespace pollard
