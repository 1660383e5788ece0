#pragma once

#include "base/job_control.hpp"
#include "components/objects/object_tracks.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace pollard {

/// The tables of tracks as they grow, CSV: objects (a line an object and frame: frame, track, the columns of
/// writeObjectTable()) and events (a line an event: frame, event, track, other; see TrackEvent). They appear under
/// their names at the end, together.
class TrackFiles {
public:
    /// @param objects, events empty: not written
    /// @throws Error(writeFailed)
    TrackFiles(const std::filesystem::path& objects, const std::filesystem::path& events);
    ~TrackFiles();
    TrackFiles(const TrackFiles&) = delete;
    TrackFiles& operator=(const TrackFiles&) = delete;

    /// @param objects of the frame; not looked at without a table of objects
    /// @throws Error(writeFailed), Cancelled
    void add(const ComponentRecords& objects, const TrackedFrame& frame, const JobControl& control);
    /// @throws Error(writeFailed)
    void commit();

private:
    struct Files;
    std::unique_ptr<Files> files_;
};

} // namespace pollard
