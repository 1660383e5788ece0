#include "formats/dicom/dicom_series.hpp"

#include "base/text.hpp"
#include "formats/dicom/dicom_header.hpp"
#include "io/image_file.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace pollard {

std::optional<AxisDirection> normalOf(const DicomHeader& header) {
    if (!header.directions) {
        return std::nullopt;
    }
    const auto& [x, y] = *header.directions;
    AxisDirection normal{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    constexpr double kShortest = 0.5; // of two unit vectors at right angles it is 1
    const double length = lengthOf(normal);
    if (!(length > kShortest) || !std::isfinite(length)) {
        return std::nullopt;
    }
    for (double& component : normal) {
        component /= length;
    }
    return normal;
}

double placeAlong(const AxisDirection& normal, const AxisDirection& position) noexcept {
    return normal[0] * position[0] + normal[1] * position[1] + normal[2] * position[2];
}

bool isSamePlace(double one, double other) noexcept {
    constexpr double kRounding = 1e-4;
    return std::abs(one - other) < kRounding;
}

SliceDistance distanceOf(std::span<const double> places) {
    std::vector<double> distances;
    for (std::size_t i = 1; i < places.size(); ++i) {
        distances.push_back(places[i] - places[i - 1]);
    }
    std::vector<double> sorted = distances;
    std::ranges::sort(sorted);
    SliceDistance result{sorted[sorted.size() / 2], {}};
    constexpr double kTolerance = 0.01;
    const double median = result.distance;
    const auto isWhole = [&](double distance) {
        const double slices = distance / median;
        return std::abs(slices - std::round(slices)) <= kTolerance * slices;
    };
    if (std::ranges::all_of(sorted, [&](double d) { return std::abs(d - median) <= kTolerance * median; })) {
        return result;
    }
    if (std::ranges::all_of(sorted, isWhole)) {
        const double missing = std::accumulate(sorted.begin(), sorted.end(), 0.0, [&](double sum, double distance) {
            return sum + std::round(distance / median) - 1;
        });
        const auto widest = std::ranges::max_element(distances) - distances.begin();
        result.note = factNumber(missing) + (missing == 1 ? " slice is" : " slices are") +
                      " missing (the widest gap follows slice " + std::to_string(widest) +
                      "): the others are taken as neighbours";
    } else {
        result.note = "distances of slices are not equal, " + factNumber(sorted.front()) + " to " +
                      factNumber(sorted.back()) + " mm: taken as " + factNumber(median) + " mm";
    }
    return result;
}

namespace {

/// Frames sorted by position; nothing if positions are unknown.
std::optional<FrameStack> stackByPlaces(const DicomHeader& header) {
    const auto normal = normalOf(header);
    const bool arePlaced =
        normal && !header.isTurning && header.framePlanes.size() == header.frames &&
        std::ranges::all_of(header.framePlanes, [](const DicomPlane& p) { return p.position.has_value(); });
    if (!arePlaced) {
        return std::nullopt;
    }
    std::vector<double> places;
    for (const DicomPlane& plane : header.framePlanes) {
        places.push_back(placeAlong(*normal, *plane.position));
    }
    FrameStack stack;
    std::vector<std::uint32_t> sorted(places.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::ranges::stable_sort(sorted, {}, [&](std::uint32_t frame) { return places[frame]; });
    std::vector<double> distinct;
    for (const std::uint32_t frame : sorted) {
        if (distinct.empty() || !isSamePlace(distinct.back(), places[frame])) {
            distinct.push_back(places[frame]);
        }
    }
    const std::uint64_t slices = distinct.size();
    const std::uint64_t times = header.frames / slices;
    for (std::size_t i = 0; i < sorted.size(); ++i) { // each place must have the same number of times
        if (times * slices != header.frames || !isSamePlace(places[sorted[i]], distinct[i / times])) {
            return FrameStack{{}, {{'p', header.frames}}, {}};
        }
    }
    for (std::uint64_t time = 0; time < times; ++time) {
        for (std::uint64_t slice = 0; slice < slices; ++slice) {
            stack.order.push_back(sorted[slice * times + time]);
        }
    }
    // Frames at one place need not be sorted by their number if their places differ by rounding.
    for (std::uint64_t slice = 0; slice < slices; ++slice) {
        std::vector<std::uint32_t> frames;
        for (std::uint64_t time = 0; time < times; ++time) {
            frames.push_back(stack.order[time * slices + slice]);
        }
        std::ranges::sort(frames);
        for (std::uint64_t time = 0; time < times; ++time) {
            stack.order[time * slices + slice] = frames[time];
        }
    }
    if (std::ranges::is_sorted(stack.order)) {
        stack.order.clear();
    }
    stack.axes = {{'z', slices}, {'t', times}};
    if (slices > 1) {
        stack.distance = distanceOf(distinct);
        stack.step = stepOf(*header.framePlanes[sorted.front()].position, *header.framePlanes[sorted.back()].position,
                            stack.distance.distance, distinct.back() - distinct.front());
    }
    return stack;
}

} // namespace

FrameStack stackOf(const DicomHeader& header) {
    if (header.frames == 1) {
        return {};
    }
    if (header.isTiled || header.isTurning) {
        return {{}, {{'p', header.frames}}, {}};
    }
    if (auto stack = stackByPlaces(header)) {
        return std::move(*stack);
    }
    return {{}, {{header.isCine ? 't' : 'z', header.frames}}, {}};
}

AxisDirection stepOf(const AxisDirection& first, const AxisDirection& last, double distance, double span) {
    AxisDirection step{};
    for (std::size_t i = 0; i < step.size(); ++i) {
        step[i] = (last[i] - first[i]) * (distance / span);
    }
    return step;
}

std::optional<VoxelPlace> placeOf(const DicomHeader& header, const std::optional<AxisDirection>& position,
                                  const std::optional<AxisDirection>& step) {
    const std::optional<AxisDirection> normal = normalOf(header);
    if (!normal || !position || !header.spacing || header.isTurning || header.isTiled) {
        return std::nullopt;
    }
    VoxelPlace place;
    const std::array sides{header.spacing->first, header.spacing->second, header.distance > 0 ? header.distance : 1};
    place.map.steps = {(*header.directions)[0], (*header.directions)[1], *normal};
    for (std::size_t axis = 0; axis < sides.size(); ++axis) {
        for (double& component : place.map.steps[axis]) {
            component *= sides[axis];
        }
    }
    place.map.steps[2] = step.value_or(place.map.steps[2]);
    place.map.origin = *position;
    turnSpace(place.map, "LPS");
    place.unit = "mm";
    place.space = "left-posterior-superior";
    return place;
}

std::vector<std::pair<std::string, std::string>> axisFacts(const DicomHeader& header,
                                                           const std::optional<AxisDirection>& position,
                                                           const std::optional<AxisDirection>& normal) {
    std::vector<std::pair<std::string, std::string>> facts;
    if (header.directions && !header.isTurning) {
        std::vector<AxisDirection> directions(header.directions->begin(), header.directions->end());
        if (normal) {
            directions.push_back(*normal);
        }
        if (const std::string text = directionsText(directions, kLps); !text.empty()) {
            facts.emplace_back("Axis directions", text);
        }
    }
    if (position) {
        const AxisDirection& at = *position;
        facts.emplace_back("Origin", factNumber(at[0]) + " " + factNumber(at[1]) + " " + factNumber(at[2]));
    }
    return facts;
}

namespace {

namespace fs = std::filesystem;

/// A file of a series.
struct Slice {
    fs::path path;
    DicomHeader header;
    double place = 0; ///< along the normal
};

/// A key that is equal for files that can be slices of one volume: same series, size and type, parallel planes.
std::string keyOf(const DicomHeader& header, const fs::path& path) {
    std::string key = header.series + '\n' + header.photometric;
    for (const std::uint64_t number :
         {header.columns, header.rows, header.samples, static_cast<std::uint64_t>(header.bitsAllocated),
          std::uint64_t{header.isSigned}, std::uint64_t{header.pixels}}) {
        key += '\n' + std::to_string(number);
    }
    if (header.directions) {
        constexpr double kSteps = 1000;
        for (const AxisDirection& direction : *header.directions) {
            for (const double component : direction) {
                key += '\n' + std::to_string(std::lround(component * kSteps));
            }
        }
    }
    return header.frames > 1 ? key + '\n' + path.string() : key;
}

/// The header of an image; nothing for other files.
std::optional<DicomHeader> imageIn(const fs::path& path) {
    const SourceFile source = openSource(path);
    if (!isDicom(source)) {
        return std::nullopt;
    }
    DicomHeader header = readDicomHeader(source);
    return header.pixels != 0 ? std::optional(std::move(header)) : std::nullopt;
}

bool isPlaced(const Slice& slice) { return slice.header.plane.position && normalOf(slice.header); }

std::string nameOf(const DicomHeader& header) {
    const std::string number = header.seriesNumber.empty() ? "without a number" : factText(header.seriesNumber, 12);
    return "series " + number + (header.modality.empty() ? "" : " (" + factText(header.modality, 16) + ")");
}

std::string counted(std::size_t count, const char* one, const char* several) {
    return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

/// Sorts slices by place, and slices at one place by time and number.
void sortSlices(std::vector<Slice>& slices, bool placed) {
    for (Slice& slice : slices) {
        slice.place = placed ? placeAlong(*normalOf(slices.front().header), *slice.header.plane.position) : 0;
    }
    const auto rank = [](const Slice& slice) {
        return std::tuple(slice.header.temporal, slice.header.acquisition, slice.header.instance);
    };
    std::ranges::sort(slices, [&](const Slice& a, const Slice& b) {
        return std::tuple(a.place, rank(a), a.path) < std::tuple(b.place, rank(b), b.path);
    });
    if (!placed) {
        return;
    }
    // Places that differ only by rounding are equal.
    for (auto begin = slices.begin(); begin != slices.end();) {
        const auto end =
            std::find_if(begin, slices.end(), [&](const Slice& s) { return !isSamePlace(s.place, begin->place); });
        std::sort(begin, end, [&](const Slice& a, const Slice& b) {
            return std::tuple(rank(a), a.path) < std::tuple(rank(b), b.path);
        });
        begin = end;
    }
}

/// The volume of the slices of one series.
SliceFiles volumeOf(std::vector<Slice> slices) {
    SliceFiles volume;
    volume.isSeries = slices.size() > 1;
    const bool placed = slices.size() > 1 && std::ranges::all_of(slices, isPlaced);
    sortSlices(slices, placed);
    if (placed) {
        std::vector<Slice> distinct;
        for (Slice& slice : slices) {
            if (distinct.empty() || !isSamePlace(distinct.back().place, slice.place)) {
                distinct.push_back(std::move(slice));
            }
        }
        if (distinct.size() < slices.size()) {
            volume.notes.push_back(counted(slices.size(), "image lies", "images lie") + " at " +
                                   counted(distinct.size(), "place", "places") + ": the first of each is taken");
        }
        slices = std::move(distinct);
    } else if (slices.size() > 1) {
        volume.notes.emplace_back("the places of the slices are not stated: taken in the order of their numbers");
    }
    if (placed && slices.size() > 1) {
        std::vector<double> places;
        for (const Slice& slice : slices) {
            places.push_back(slice.place);
        }
        SliceDistance distance = distanceOf(places);
        volume.distance = distance.distance;
        if (!distance.note.empty()) {
            volume.notes.push_back(std::move(distance.note));
        }
        const AxisDirection& first = *slices.front().header.plane.position;
        const AxisDirection& last = *slices.back().header.plane.position;
        const double whole = lengthOf({last[0] - first[0], last[1] - first[1], last[2] - first[2]});
        constexpr double kUpright = 1.0001;
        if (whole > kUpright * (places.back() - places.front())) {
            volume.notes.emplace_back("the slices are shifted against each other (a tilted gantry): taken as upright");
        }
        volume.step = stepOf(first, last, volume.distance, places.back() - places.front());
        volume.facts =
            axisFacts(slices.front().header, slices.front().header.plane.position, normalOf(slices.front().header));
    }
    for (Slice& slice : slices) {
        volume.files.push_back(std::move(slice.path));
    }
    return volume;
}

} // namespace

std::optional<SliceFiles> arrangedDicomSlices(std::span<const fs::path> files) {
    std::map<std::string, std::vector<Slice>> series;
    std::size_t others = 0;
    for (const fs::path& path : files) {
        if (auto header = imageIn(path)) {
            std::vector<Slice>& slices = series[keyOf(*header, path)];
            slices.push_back({path, std::move(*header)});
        } else {
            ++others;
        }
    }
    if (series.empty()) {
        throw readError(ErrorCode::formatUnsupported, files.front(), "the DICOM file has no image");
    }
    const auto sizeOf = [](const std::vector<Slice>& slices) {
        return slices.size() > 1 ? slices.size() : slices.front().header.frames;
    };
    const auto largest = std::ranges::max_element(series, {}, [&](const auto& entry) { return sizeOf(entry.second); });
    std::string note;
    if (series.size() > 1) {
        note = counted(series.size(), "series", "series") + " in these files: taken is " +
               nameOf(largest->second.front().header) + " with " + counted(sizeOf(largest->second), "slice", "slices") +
               "; name a file of another one to read that";
    }
    SliceFiles volume = volumeOf(std::move(largest->second));
    if (!note.empty()) {
        volume.notes.insert(volume.notes.begin(), note);
    }
    if (others > 0) {
        volume.notes.push_back(counted(others, "file is no DICOM image and is", "files are no DICOM images and are") +
                               " left out");
    }
    return volume;
}

std::optional<SliceFiles> dicomSeriesOf(const SourceFile& source) {
    const DicomHeader header = readDicomHeader(source);
    if (header.frames > 1 || header.pixels == 0) {
        return std::nullopt;
    }
    const std::string key = keyOf(header, source.path);
    const fs::path folder = source.path.has_parent_path() ? source.path.parent_path() : fs::path(".");
    std::vector<Slice> slices;
    std::error_code problem;
    for (fs::directory_iterator each(folder, problem), end; !problem && each != end; each.increment(problem)) {
        std::error_code gone;
        if (!each->is_regular_file(gone) || each->file_size(gone) == 0) {
            continue;
        }
        try {
            if (auto other = imageIn(each->path()); other && keyOf(*other, each->path()) == key) {
                slices.push_back({each->path(), std::move(*other)});
            }
        } catch (const Error&) { // no slice of this series as far as can be told
        }
    }
    return slices.size() > 1 ? std::optional(volumeOf(std::move(slices))) : std::nullopt;
}

std::vector<DicomSeries> dicomSeriesAmong(std::span<const fs::path> files, const JobControl& control) {
    using Key = std::tuple<fs::path, std::int64_t, std::string>; // folder, number, keyOf()
    std::map<Key, DicomSeries> found;
    for (std::size_t i = 0; i < files.size(); ++i) {
        control.throwIfStopped();
        control.report(static_cast<double>(i) / static_cast<double>(files.size()), "looking for series");
        try {
            const auto header = imageIn(files[i]);
            if (!header) {
                continue;
            }
            const std::int64_t number = integerOf(trimmed(header->seriesNumber)).value_or(0);
            DicomSeries& series = found[{files[i].parent_path(), number, keyOf(*header, files[i])}];
            if (series.files++ == 0) {
                series.file = files[i];
                series.name = nameOf(*header);
                series.description = factText(header->description, 64);
                series.width = header->columns;
                series.height = header->rows;
            }
            series.slices += header->frames;
            std::error_code gone;
            const std::uintmax_t bytes = fs::file_size(files[i], gone);
            series.bytes += gone ? 0 : bytes;
        } catch (const Error&) { // no image as far as can be told
        }
    }
    std::vector<DicomSeries> all;
    for (auto& [key, series] : found) {
        all.push_back(std::move(series));
    }
    return all;
}

} // namespace pollard
