#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"

#include <array>
#include <cstdint>
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
struct TrackedFrame {
    std::uint32_t frame = 0;
    std::vector<std::uint32_t> tracks; ///< of object i (label i + 1)
    std::vector<TrackEvent> events;    ///< ends by track number, then starts by track number
};

/// Tracks objects from frame to frame by their overlap in pixels.
///
/// An object's *heir* is the object of the next frame with the largest overlap, its *source* that of the previous frame
/// (at a tie the smaller label). If heir and source agree, the track continues, so a track has at most one object per
/// frame. A track that does not continue ends: in a merge if its object has an heir, else by death. An object that
/// continues no track starts one: by a split if it has a source, else by birth. Tracks are numbered 1, 2, ... in the
/// order of frames and labels; numbers are not reused.
///
/// (This makes the inheritance of labels in "tree merge kernel" component analysis of image streams, 2023, precise.)
class ObjectTracker {
public:
    /// Adds the next frame. Strong exception guarantee.
    /// @param components with label image
    /// @throws Error(invalidArgument) for a frame of another size or without labels, Error(outOfMemory),
    /// Error(limitExceeded) beyond 2^32 - 1 tracks; Cancelled
    TrackedFrame add(Components components, const JobControl& control = {});

    [[nodiscard]] std::uint32_t frameCount() const noexcept { return frames_; }
    [[nodiscard]] std::uint32_t trackCount() const noexcept { return tracks_; }

private:
    std::uint32_t frames_ = 0;
    std::uint32_t tracks_ = 0;
    std::optional<Components> last_;        ///< previous frame
    std::vector<std::uint32_t> lastTracks_; ///< of its objects
};

} // namespace pollard
