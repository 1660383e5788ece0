// Regions of ImageJ. The format is that of ij.io.RoiEncoder: a header of 64 bytes, coordinates behind it, all numbers
// with the highest byte first.
#include "components/object_files.hpp"

#include "base/error.hpp"
#include "io/stored_zip.hpp"

#include <bit>
#include <limits>
#include <string>

namespace pollard {

namespace {

constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kVersion = 227;
constexpr std::size_t kRectangle = 1; ///< the type of composite regions, too
constexpr std::size_t kTraced = 8;
constexpr std::size_t kMostCorners = 65535; ///< of a traced region
constexpr std::uint32_t kMostCoordinate = 32767;

/// Numbers with the highest byte first.
class RoiBytes {
public:
    void u16(std::size_t value) { number(value, 2); }
    void u32(std::size_t value) { number(value, 4); }
    void real(float value) { u32(std::bit_cast<std::uint32_t>(value)); }
    void zerosTo(std::size_t size) { bytes_.resize(size); }
    [[nodiscard]] const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

private:
    void number(std::size_t value, int bytes) {
        for (int i = bytes - 1; i >= 0; --i) {
            bytes_.push_back(static_cast<std::byte>(value >> (8 * i) & 0xffU));
        }
    }
    std::vector<std::byte> bytes_;
};

/// @param composite numbers of a composite region behind the header; 0 for a traced one
RoiBytes header(const ComponentRecord& object, std::size_t type, std::size_t corners, std::size_t composite) {
    RoiBytes roi;
    roi.u32(0x496f7574); // "Iout"
    roi.u16(kVersion);
    roi.u16(type << 8U);
    for (const std::uint32_t side : {object.top, object.left, object.bottom + 1, object.right + 1}) {
        roi.u16(side);
    }
    roi.u16(corners);
    roi.zerosTo(36);
    roi.u32(composite);
    roi.zerosTo(kHeaderBytes);
    return roi;
}

RoiBytes traced(const ComponentRecord& object, std::span<const OutlinePoint> points) {
    RoiBytes roi = header(object, kTraced, points.size(), 0);
    for (const OutlinePoint& point : points) {
        roi.u16(point.x - object.left);
    }
    for (const OutlinePoint& point : points) {
        roi.u16(point.y - object.top);
    }
    return roi;
}

/// Path segments: 0 x y moves, 1 x y draws a line, 4 closes. Holes turn the other way round, so that every rule leaves
/// them out.
RoiBytes composite(const ComponentRecord& object, const Outlines& outlines, std::span<const OutlineRing> rings) {
    std::size_t numbers = 0;
    for (const OutlineRing& ring : rings) {
        numbers += 3 * (ring.last - ring.first) + 1;
    }
    RoiBytes roi = header(object, kRectangle, 0, numbers);
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
        if (object.right >= kMostCoordinate || object.bottom >= kMostCoordinate) {
            throw Error(ErrorCode::limitExceeded, "write regions: object " + std::to_string(label) +
                                                      " reaches beyond 32767 px, and ImageJ's regions cannot");
        }
        const auto rings =
            std::span(outlines.rings).subspan(firstRing[label - 1], firstRing[label] - firstRing[label - 1]);
        const auto points = outlines.pointsOf(rings.front());
        const bool simple = rings.size() == 1 && points.size() <= kMostCorners;
        const RoiBytes roi = simple ? traced(object, points) : composite(object, outlines, rings);
        std::string name = std::to_string(label);
        name.insert(0, digits - name.size(), '0');
        zip.add(name + ".roi", roi.bytes());
    }
    zip.commit();
}

} // namespace pollard
