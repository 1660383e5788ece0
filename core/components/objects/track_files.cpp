#include "components/objects/track_files.hpp"

#include "components/objects/object_files.hpp"
#include "io/write/text_file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace pollard {

struct TrackFiles::Files {
    TableFeatures table = tableFeatures(Connectivity::four);
    std::optional<TextFile> objects;
    std::optional<TextFile> events;
};

TrackFiles::TrackFiles(const std::filesystem::path& objects, const std::filesystem::path& events)
    : files_(std::make_unique<Files>()) {
    if (!objects.empty()) {
        TextFile& file = files_->objects.emplace(objects, "write table of tracks");
        file << "frame,track,";
        writeFeatureNames(file, files_->table);
        file.endLine({});
    }
    if (!events.empty()) {
        TextFile& file = files_->events.emplace(events, "write table of events");
        file << "frame,event,track,other";
        file.endLine({});
    }
}

TrackFiles::~TrackFiles() = default;

void TrackFiles::add(const ComponentRecords& objects, const TrackedFrame& frame, const JobControl& control,
                     const ObjectUnit& unit) {
    if (files_->objects) {
        TextFile& file = *files_->objects;
        for (std::size_t i = 0; i < frame.tracks.size(); ++i) {
            file << frame.frame << ',' << frame.tracks[i] << ',';
            writeFeatureCells(file, files_->table,
                              MeasuredObject(objects[i], static_cast<std::uint32_t>(i + 1), unit, nullptr), unit);
            file.endLine(control);
        }
    }
    if (files_->events) {
        TextFile& file = *files_->events;
        for (const TrackEvent& event : frame.events) {
            file << frame.frame << ',' << nameOf(event.kind) << ',' << event.track << ',';
            if (event.other != 0) {
                file << event.other;
            }
            file.endLine(control);
        }
    }
}

void TrackFiles::commit() {
    if (files_->objects) {
        files_->objects->commit();
    }
    if (files_->events) {
        files_->events->commit();
    }
}

} // namespace pollard
