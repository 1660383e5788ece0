#include "formats/dicom/dicom_geometry.hpp"

#include "io/metadata/fact_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

/// Frames in the order of their places; nothing if places are unknown.
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
    for (std::size_t i = 0; i < sorted.size(); ++i) { // as many times at each place
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

} // namespace pollard
