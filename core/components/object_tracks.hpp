#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_features.hpp"
#include "io/page_selection.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace pollard {

/// Number of pixels shared by objects of consecutive frames.
struct ObjectOverlap {
    std::uint32_t before = 0; ///< label in the earlier frame
    std::uint32_t now = 0;    ///< label in the later frame
    std::uint64_t pixels = 0; ///< at least 1

    bool operator==(const ObjectOverlap&) const = default;
};

/// All pairs of objects that share pixels, by label before, then by label now. Parallel over rows, independent of the
/// number of threads. O(pixels + pairs log pairs).
/// @param before, now with label images
/// @throws Error(invalidArgument) if a label image is missing or the frames differ in size, Error(outOfMemory);
/// Cancelled
[[nodiscard]] std::vector<ObjectOverlap> overlapsOf(const Components& before, const Components& now,
                                                    const JobControl& control = {});

/// Start or end of a track.
enum class TrackEventKind : std::uint8_t {
    birth, ///< an object without overlap with the previous frame
    split, ///< an object overlaps one whose track continues in another object; TrackEvent::other is that track
    merge, ///< the track's last object overlaps one that continues another track; TrackEvent::other is that track
    death, ///< the track's last object has no overlap with this frame
};
inline constexpr std::array kTrackEventKinds{TrackEventKind::birth, TrackEventKind::split, TrackEventKind::merge,
                                             TrackEventKind::death};
/// "birth", "split", "merge", "death"
[[nodiscard]] std::string_view nameOf(TrackEventKind kind) noexcept;

/// Start or end of a track. Birth and split refer to the first frame of the track, merge and death to the first frame
/// after it.
struct TrackEvent {
    TrackEventKind kind = TrackEventKind::birth;
    std::uint32_t frame = 0; ///< 0-based
    std::uint32_t track = 0;
    std::uint32_t other = 0; ///< other track; 0 for birth and death

    bool operator==(const TrackEvent&) const = default;
};

/// Tracks and events of a frame.
struct FrameTracks {
    std::uint32_t frame = 0;
    std::vector<std::uint32_t> tracks; ///< of object i (label i + 1)
    std::vector<TrackEvent> events;    ///< ends by track number, then starts by track number
};

/// Tracks objects from frame to frame by their overlap in pixels.
///
/// An object's *heir* is the object of the next frame with the largest overlap, its *source* the object of the previous
/// frame with the largest overlap (at a tie the smaller label). If heir and source agree, the track continues, so a
/// track has at most one object per frame. A track that does not continue ends: in a merge if its object has an heir,
/// else by death. An object that continues no track starts one: by a split if it has a source, else by birth. Tracks
/// are numbered 1, 2, ... in the order of frames and labels; numbers are not reused.
///
/// (A precise form of the inheritance of labels in "tree merge kernel" component analysis of image streams, 2023.)
class ObjectTracker {
public:
    /// Adds the next frame. Strong exception guarantee.
    /// @param components with label image
    /// @throws Error(invalidArgument) for a frame of another size or without labels, Error(outOfMemory),
    /// Error(limitExceeded) beyond 2^32 - 1 tracks; Cancelled
    FrameTracks add(Components components, const JobControl& control = {});

    [[nodiscard]] std::uint32_t frameCount() const noexcept { return frames_; }
    [[nodiscard]] std::uint32_t trackCount() const noexcept { return tracks_; }

private:
    std::uint32_t frames_ = 0;
    std::uint32_t tracks_ = 0;
    std::optional<Components> last_;        ///< previous frame
    std::vector<std::uint32_t> lastTracks_; ///< of its objects
};

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
    void add(const ComponentRecords& objects, const FrameTracks& frame);

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

/// CSV tables of tracks: objects (a line per object and frame: frame, track, the columns of writeObjectTable()) and
/// events (a line per event: frame, event, track, other; see TrackEvent). If frames have positions on an axis, both
/// have further columns: t or z, and t_s or z_um if the distance is stated. Both files appear at commit().
class TrackFiles {
public:
    /// @param objects, events paths; empty: not written
    /// @throws Error(writeFailed)
    TrackFiles(const std::filesystem::path& objects, const std::filesystem::path& events);
    ~TrackFiles();
    TrackFiles(const TrackFiles&) = delete;
    TrackFiles& operator=(const TrackFiles&) = delete;

    /// @param objects of the frame; ignored without a table of objects
    /// @param unit with the values of the grey levels; the levels are not ranks
    /// @param at position of the frame; the first frame determines the columns
    /// @throws Error(writeFailed), Cancelled
    void add(const ComponentRecords& objects, const FrameTracks& frame, const JobControl& control,
             const ObjectUnit& unit = {}, const std::optional<AxisPosition>& at = {});
    /// Puts the files in place.
    /// @throws Error(writeFailed)
    void commit();

private:
    void writeNames(const std::optional<AxisPosition>& first);

    struct Files;
    std::unique_ptr<Files> files_;
};

} // namespace pollard
