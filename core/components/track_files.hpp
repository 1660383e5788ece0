#pragma once

#include "base/job_control.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_tracks.hpp"
#include "io/page_selection.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace pollard {

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
    /// @param unit with the values of its grey levels, which are no ranks
    /// @param at position of the frame; the first frame decides about the columns
    /// @throws Error(writeFailed), Cancelled
    void add(const ComponentRecords& objects, const TrackedFrame& frame, const JobControl& control,
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
