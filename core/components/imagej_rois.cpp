#include "components/objects/object_files.hpp"

#include "base/error.hpp"
#include "io/write/imagej_roi.hpp"
#include "io/write/stored_zip.hpp"

#include <string>

namespace pollard {

namespace {

/// Path segments: 0 x y moves, 1 x y draws a line, 4 closes. Holes have the opposite orientation, so that every fill
/// rule excludes them.
RoiBytes composite(const ComponentRecord& object, const Outlines& outlines, std::span<const OutlineRing> rings) {
    std::size_t numbers = 0;
    for (const OutlineRing& ring : rings) {
        numbers += 3 * (ring.last - ring.first) + 1;
    }
    RoiBytes roi(RoiType::rectangle, {object.left, object.top, object.right + 1, object.bottom + 1}, 0, numbers);
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

} // namespace

void writeObjectRois(const std::filesystem::path& path, const Components& components, const Outlines& outlines,
                     std::span<const std::uint32_t> labels, const JobControl& control) {
    if (labels.size() > StoredZip::kMostFiles) {
        throw Error(ErrorCode::limitExceeded, "write regions: " + std::to_string(labels.size()) +
                                                  " objects, and a set of ImageJ's regions holds at most 65535");
    }
    const std::vector<std::size_t> firstRing = firstRings(components, outlines);
    const std::size_t digits = std::to_string(components.count).size();
    StoredZip zip(path, "write regions");
    for (const std::uint32_t label : labels) {
        control.throwIfStopped();
        const ComponentRecord& object = components.objects[label - 1];
        if (object.right >= RoiBytes::kMostCoordinate || object.bottom >= RoiBytes::kMostCoordinate) {
            throw Error(ErrorCode::limitExceeded, "write regions: object " + std::to_string(label) +
                                                      " reaches beyond 32767 px, and ImageJ's regions cannot");
        }
        const auto rings =
            std::span(outlines.rings).subspan(firstRing[label - 1], firstRing[label] - firstRing[label - 1]);
        const auto points = outlines.pointsOf(rings.front());
        const bool simple = rings.size() == 1 && points.size() <= RoiBytes::kMostCorners;
        const RoiBytes roi = simple ? ringRoi(RoiType::traced, points) : composite(object, outlines, rings);
        std::string name = std::to_string(label);
        name.insert(0, digits - name.size(), '0');
        zip.add(name + ".roi", roi.bytes());
    }
    zip.commit();
}

} // namespace pollard
