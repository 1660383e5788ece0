#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_overlaps.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace pollard {

/// What happens to a track in a frame.
enum class TrackEventKind : std::uint8_t {
    birth, ///< an object that shares no pixel with any of the frame before
    split, ///< an object that shares pixels with one whose track goes on in another object; TrackEvent::other is that
    merge, ///< the object of the frame before shares pixels with one that goes on another track; that is `other`
    death, ///< the object of the frame before shares no pixel with any of this frame
};
inline constexpr std::array kTrackEventKinds{TrackEventKind::birth, TrackEventKind::split, TrackEventKind::merge,
                                             TrackEventKind::death};
/// "birth", "split", "merge", "death"
[[nodiscard]] std::string_view nameOf(TrackEventKind kind) noexcept;

/// The first or last frame of a track. Birth and split are of the first frame that has it, merge and death of the first
/// that has it no more.
struct TrackEvent {
    TrackEventKind kind = TrackEventKind::birth;
    std::uint32_t frame = 0; ///< counted from 0
    std::uint32_t track = 0;
    std::uint32_t other = 0; ///< track; 0 for birth and death

    bool operator==(const TrackEvent&) const = default;
};

/// What a frame brought.
struct TrackedFrame {
    std::uint32_t frame = 0;
    std::vector<std::uint32_t> tracks; ///< of object i (label i + 1)
    std::vector<TrackEvent> events;    ///< those of ended tracks by their number, then those of new ones by theirs
};

/// Follows objects from frame to frame by the pixels that they share.
///
/// An object's *heir* is the object of the next frame that it shares most pixels with, an object's *source* the one of
/// the frame before (of equal ones the one of the smaller label). Where heir and source agree the track goes on: a
/// track has at most one object a frame. An object whose track does not go on ends it: in a merge if it has an heir,
/// else by death. An object that goes on no track starts one: by a split if it has a source, else by birth. Tracks are
/// numbered 1, 2, ... in the order of frames and labels; a number is never used again.
///
/// (The rule makes precise the inheritance of labels of "tree merge kernel" component analysis of image streams, 2023.)
class ObjectTracker {
public:
    /// The next frame. Nothing changes if it throws.
    /// @param components with its label image
    /// @throws Error(invalidArgument) for a frame of another size or without labels, Error(outOfMemory),
    ///         Error(limitExceeded) if there would be more than 2^32 - 1 tracks; Cancelled
    TrackedFrame add(Components components, const JobControl& control = {});

    [[nodiscard]] std::uint32_t frameCount() const noexcept { return frames_; }
    [[nodiscard]] std::uint32_t trackCount() const noexcept { return tracks_; }

private:
    std::uint32_t frames_ = 0;
    std::uint32_t tracks_ = 0;
    std::optional<Components> last_;        ///< frame
    std::vector<std::uint32_t> lastTracks_; ///< of its objects
};

} // namespace pollard
