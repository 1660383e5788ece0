#include "components/objects/object_tracks.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kRowsPerTask = 64;

/// A pixel's labels in both frames packed into one integer, which sorts like the pair.
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

TrackedFrame ObjectTracker::add(Components components, const JobControl& control) {
    try {
        TrackedFrame result;
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

} // namespace pollard
