#include "components/outline_files.hpp"

#include "base/error.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace pollard {

namespace {

void writeRing(TextFile& file, const Outlines& outlines, const OutlineRing& ring) {
    const auto points = outlines.pointsOf(ring);
    file << '[';
    for (const OutlinePoint& point : points) {
        file << '[' << point.x << ',' << point.y << "],";
    }
    // GeoJSON repeats the first point.
    file << '[' << points.front().x << ',' << points.front().y << "]]";
}

RoiBox boxOf(const Outlines& outlines, std::span<const OutlineRing> rings) {
    const OutlinePoint& any = outlines.pointsOf(rings.front()).front();
    RoiBox box{any.x, any.y, any.x, any.y};
    for (const OutlineRing& ring : rings) {
        for (const OutlinePoint& point : outlines.pointsOf(ring)) {
            box = {std::min(box.left, point.x), std::min(box.top, point.y), std::max(box.right, point.x),
                   std::max(box.bottom, point.y)};
        }
    }
    return box;
}

/// Path segments: 0 x y moves, 1 x y draws a line, 4 closes. Holes have the opposite orientation, so that every fill
/// rule excludes them.
RoiBytes composite(const RoiBox& box, const Outlines& outlines, std::span<const OutlineRing> rings) {
    std::size_t numbers = 0;
    for (const OutlineRing& ring : rings) {
        numbers += 3 * (ring.last - ring.first) + 1;
    }
    RoiBytes roi(RoiType::rectangle, box, 0, numbers);
    for (const OutlineRing& ring : rings) {
        float segment = 0;
        for (const OutlinePoint& point : outlines.pointsOf(ring)) {
            roi.real(segment);
            roi.real(static_cast<float>(point.x));
            roi.real(static_cast<float>(point.y));
            segment = 1;
        }
        roi.real(4);
    }
    return roi;
}

/// The corner that ImageJ's wand meets first is the second one: it begins on the right side of the first run.
RoiBytes tracedRoi(std::span<const OutlinePoint> ring) {
    std::vector<OutlinePoint> corners(ring.begin(), ring.end());
    std::rotate(corners.begin(), corners.begin() + 1, corners.end());
    return ringRoi(RoiType::traced, std::span<const OutlinePoint>(corners));
}

} // namespace

void writePolygons(TextFile& file, const Outlines& outlines, std::span<const OutlineRing> rings,
                   std::optional<std::uint32_t> slice) {
    const bool isOne = std::ranges::count(rings, false, &OutlineRing::hole) == 1;
    file << R"({"type":)" << (isOne ? R"("Polygon","coordinates":)" : R"("MultiPolygon","coordinates":[)");
    for (const OutlineRing& ring : rings) {
        file << (&ring == rings.data() ? "[" : ring.hole ? "," : "],[");
        writeRing(file, outlines, ring);
    }
    file << (isOne ? "]" : "]]");
    if (slice) {
        file << R"(,"plane":{"c":-1,"z":)" << *slice << R"(,"t":0})";
    }
    file << '}';
}

RoiBytes roiOf(const Outlines& outlines, std::span<const OutlineRing> rings, std::optional<std::uint32_t> slice) {
    const RoiBox box = boxOf(outlines, rings);
    if (std::max(box.right, box.bottom) > RoiBytes::kMostCoordinate) {
        throw Error(ErrorCode::limitExceeded, "write regions: object " + std::to_string(rings.front().label) +
                                                  " reaches beyond 32767 px, and ImageJ's regions cannot");
    }
    const auto points = outlines.pointsOf(rings.front());
    const bool isTraced = rings.size() == 1 && points.size() <= RoiBytes::kMostCorners;
    RoiBytes roi = isTraced ? tracedRoi(points) : composite(box, outlines, rings);
    if (slice) {
        roi.placeInSlice(*slice);
    }
    return roi;
}

} // namespace pollard
