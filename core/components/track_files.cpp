#include "components/track_files.hpp"

#include "components/objects/object_files.hpp"
#include "io/write/text_file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace pollard {

struct TrackFiles::Files {
    TableFeatures table = tableFeatures(Connectivity::four);
    std::optional<TextFile> objects;
    std::optional<TextFile> events;
    bool hasNames = false;
    char axis = '\0'; ///< of the further columns; 0: none
    bool hasDistance = false;

    /// Ends a line with the cells of the further columns.
    void endLine(TextFile& file, const std::optional<AxisPosition>& at, const JobControl& control) const {
        const bool isOn = at && at->axis == axis;
        if (axis != '\0') {
            file << ',';
            if (isOn) {
                file << at->index;
            }
        }
        if (hasDistance) {
            file << ',';
            if (isOn && at->distance) {
                file << *at->distance;
            }
        }
        file.endLine(control);
    }
};

TrackFiles::TrackFiles(const std::filesystem::path& objects, const std::filesystem::path& events)
    : files_(std::make_unique<Files>()) {
    if (!objects.empty()) {
        files_->objects.emplace(objects, "write table of tracks");
    }
    if (!events.empty()) {
        files_->events.emplace(events, "write table of events");
    }
}

void TrackFiles::writeNames(const std::optional<AxisPosition>& first) {
    files_->axis = first ? first->axis : '\0';
    files_->hasDistance = first && first->distance;
    std::string further;
    if (first) {
        further = std::string(",") + first->axis + (first->distance ? "," + distanceColumn(first->axis) : "");
    }
    if (files_->objects) {
        *files_->objects << "frame,track,";
        writeFeatureNames(*files_->objects, files_->table);
        *files_->objects << further;
        files_->objects->endLine({});
    }
    if (files_->events) {
        *files_->events << "frame,event,track,other" << further;
        files_->events->endLine({});
    }
    files_->hasNames = true;
}

TrackFiles::~TrackFiles() = default;

void TrackFiles::add(const ComponentRecords& objects, const TrackedFrame& frame, const JobControl& control,
                     const ObjectUnit& unit, const std::optional<AxisPosition>& at) {
    if (!files_->hasNames) {
        writeNames(at);
    }
    if (files_->objects) {
        TextFile& file = *files_->objects;
        for (std::size_t i = 0; i < frame.tracks.size(); ++i) {
            file << frame.frame << ',' << frame.tracks[i] << ',';
            writeFeatureCells(file, files_->table,
                              MeasuredObject(objects[i], static_cast<std::uint32_t>(i + 1), unit, nullptr), unit);
            files_->endLine(file, at, control);
        }
    }
    if (files_->events) {
        TextFile& file = *files_->events;
        for (const TrackEvent& event : frame.events) {
            file << frame.frame << ',' << nameOf(event.kind) << ',' << event.track << ',';
            if (event.other != 0) {
                file << event.other;
            }
            files_->endLine(file, at, control);
        }
    }
}

void TrackFiles::commit() {
    if (!files_->hasNames) {
        writeNames({});
    }
    if (files_->objects) {
        files_->objects->commit();
    }
    if (files_->events) {
        files_->events->commit();
    }
}

} // namespace pollard
