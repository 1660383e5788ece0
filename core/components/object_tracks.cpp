#include "components/object_tracks.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "components/objects/object_files.hpp"
#include "io/write/text_file.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kRowsPerTask = 64;

/// Packs a pixel's labels in both frames into one integer, which sorts like the pair.
std::uint64_t pairOf(std::uint32_t before, std::uint32_t now) noexcept { return std::uint64_t{before} << 32U | now; }

struct PairCount {
    std::uint64_t pair;
    std::uint64_t pixels;
};

void requireLabels(const Components& components) {
    if (components.labels.size() != std::size_t{components.width} * components.height) {
        throw Error(ErrorCode::invalidArgument, "overlaps of objects: a frame has no label image");
    }
}

/// Counts pixels by runs with constant labels in both frames.
std::vector<PairCount> countRows(const Components& before, const Components& now, std::size_t first, std::size_t last) {
    std::vector<PairCount> counts;
    const std::size_t width = before.width;
    for (std::size_t i = first * width; i < last * width; ++i) {
        const std::uint32_t old = before.labels[i];
        const std::uint32_t fresh = now.labels[i];
        if (old == 0 || fresh == 0) {
            continue;
        }
        const std::uint64_t pair = pairOf(old, fresh);
        if (!counts.empty() && counts.back().pair == pair) {
            ++counts.back().pixels;
        } else {
            counts.push_back({pair, 1});
        }
    }
    return counts;
}

std::vector<ObjectOverlap> sortedOverlaps(std::vector<PairCount> counts) {
    tbb::parallel_sort(counts.begin(), counts.end(),
                       [](const PairCount& a, const PairCount& b) { return a.pair < b.pair; });
    std::vector<ObjectOverlap> overlaps;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (i == 0 || counts[i].pair != counts[i - 1].pair) {
            overlaps.push_back(
                {static_cast<std::uint32_t>(counts[i].pair >> 32U), static_cast<std::uint32_t>(counts[i].pair), 0});
        }
        overlaps.back().pixels += counts[i].pixels;
    }
    return overlaps;
}

/// The object with the largest overlap.
struct Partner {
    std::uint32_t label = 0; ///< 0: none
    std::uint64_t pixels = 0;
};

void consider(Partner& partner, std::uint32_t label, std::uint64_t pixels) noexcept {
    if (pixels > partner.pixels || (pixels == partner.pixels && label < partner.label)) {
        partner = {label, pixels};
    }
}

} // namespace

std::vector<ObjectOverlap> overlapsOf(const Components& before, const Components& now, const JobControl& control) {
    if (before.width != now.width || before.height != now.height) {
        throw Error(ErrorCode::invalidArgument, "overlaps of objects: a frame of " + std::to_string(now.width) + " x " +
                                                    std::to_string(now.height) + " px follows one of " +
                                                    std::to_string(before.width) + " x " +
                                                    std::to_string(before.height) + " px");
    }
    requireLabels(before);
    requireLabels(now);
    try {
        std::mutex mutex;
        std::vector<PairCount> counts;
        forEachRange(
            before.height, control,
            [&](std::size_t begin, std::size_t end) {
                const std::vector<PairCount> part = countRows(before, now, begin, end);
                const std::scoped_lock lock(mutex);
                counts.insert(counts.end(), part.begin(), part.end());
            },
            kRowsPerTask);
        return sortedOverlaps(std::move(counts));
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "overlaps of objects: no memory left");
    }
}

std::string_view nameOf(TrackEventKind kind) noexcept {
    switch (kind) {
    case TrackEventKind::birth:
        return "birth";
    case TrackEventKind::split:
        return "split";
    case TrackEventKind::merge:
        return "merge";
    case TrackEventKind::death:
        return "death";
    }
    return {};
}

FrameTracks ObjectTracker::add(Components components, const JobControl& control) {
    try {
        FrameTracks result;
        result.frame = frames_;
        result.tracks.assign(components.count, 0);
        std::vector<Partner> heirs(lastTracks_.size());
        std::vector<Partner> sources(components.count);
        if (last_) {
            for (const ObjectOverlap& overlap : overlapsOf(*last_, components, control)) {
                consider(heirs[overlap.before - 1], overlap.now, overlap.pixels);
                consider(sources[overlap.now - 1], overlap.before, overlap.pixels);
            }
        }
        for (std::size_t i = 0; i < heirs.size(); ++i) {
            if (const std::uint32_t heir = heirs[i].label; heir != 0 && sources[heir - 1].label == i + 1) {
                result.tracks[heir - 1] = lastTracks_[i];
            }
        }
        std::uint32_t tracks = tracks_;
        std::vector<TrackEvent> started;
        for (std::size_t i = 0; i < sources.size(); ++i) {
            if (result.tracks[i] != 0) {
                continue;
            }
            if (tracks == std::numeric_limits<std::uint32_t>::max()) {
                throw Error(ErrorCode::limitExceeded, "track objects: more than 4,294,967,295 tracks");
            }
            result.tracks[i] = ++tracks;
            const std::uint32_t source = sources[i].label;
            started.push_back({source == 0 ? TrackEventKind::birth : TrackEventKind::split, frames_, tracks,
                               source == 0 ? 0 : lastTracks_[source - 1]});
        }
        std::vector<TrackEvent> ended;
        for (std::size_t i = 0; i < heirs.size(); ++i) {
            const std::uint32_t heir = heirs[i].label;
            if (heir == 0) {
                ended.push_back({TrackEventKind::death, frames_, lastTracks_[i], 0});
            } else if (result.tracks[heir - 1] != lastTracks_[i]) {
                ended.push_back({TrackEventKind::merge, frames_, lastTracks_[i], result.tracks[heir - 1]});
            }
        }
        std::sort(ended.begin(), ended.end(),
                  [](const TrackEvent& a, const TrackEvent& b) { return a.track < b.track; });
        result.events = std::move(ended);
        result.events.insert(result.events.end(), started.begin(), started.end());
        lastTracks_ = result.tracks;
        last_ = std::move(components);
        tracks_ = tracks;
        ++frames_;
        return result;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "track objects: no memory left");
    }
}

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

void TrackHistory::add(const ComponentRecords& objects, const FrameTracks& frame) {
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

struct TrackFiles::Files {
    TableFeatures table = tableFeatures(Connectivity::four);
    std::optional<TextFile> objects;
    std::optional<TextFile> events;
    bool hasNames = false;
    char axis = '\0'; ///< of the columns of positions; 0: none
    bool hasDistance = false;

    /// Ends a line with the cells of the columns of positions.
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

void TrackFiles::add(const ComponentRecords& objects, const FrameTracks& frame, const JobControl& control,
                     const ObjectUnit& unit, const std::optional<AxisPosition>& at) {
    if (!files_->hasNames) {
        writeNames(at);
    }
    if (files_->objects) {
        TextFile& file = *files_->objects;
        for (std::size_t i = 0; i < frame.tracks.size(); ++i) {
            file << frame.frame << ',' << frame.tracks[i] << ',';
            writeFeatureCells(file, files_->table,
                              MeasuredObject(objects[i], static_cast<std::uint32_t>(i + 1), unit, {}), unit);
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
