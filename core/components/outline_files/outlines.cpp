#include "components/outline_files/outlines.hpp"

#include "base/error.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_files.hpp"
#include "geo/earth_polygons.hpp"
#include "geo/vector_layer.hpp"
#include "image/mask.hpp"
#include "io/write/imagej_roi.hpp"
#include "io/write/text_file.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Label image, with background all around.
class LabelMap {
public:
    LabelMap(std::span<const std::uint32_t> labels, std::uint32_t width)
        : labels_(labels.data()), width_(width), height_(static_cast<std::uint32_t>(labels.size() / width)) {}

    [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
    [[nodiscard]] std::uint32_t height() const noexcept { return height_; }
    /// Coordinates may be -1: they wrap around to positions outside the image.
    [[nodiscard]] std::uint32_t at(std::uint32_t x, std::uint32_t y) const noexcept {
        return x < width_ && y < height_ ? labels_[std::size_t{y} * width_ + x] : 0;
    }

private:
    const std::uint32_t* labels_;
    std::uint32_t width_;
    std::uint32_t height_;
};

/// Directions in the order of right turns, y pointing down: right, down, left, up. Each has offsets from the corner (x,
/// y) to the pixels ahead on the right and on the left.
struct Heading {
    std::uint32_t dx, dy;
    std::uint32_t rightX, rightY;
    std::uint32_t leftX, leftY;
};
constexpr std::uint32_t kMinus = 0xffff'ffffU; // -1
constexpr std::array<Heading, 4> kHeadings{{
    {1, 0, 0, 0, 0, kMinus},
    {0, 1, kMinus, 0, 0, 0},
    {kMinus, 0, kMinus, kMinus, kMinus, 0},
    {0, kMinus, 0, kMinus, kMinus, kMinus},
}};
constexpr std::size_t kRight = 0;

constexpr std::uint32_t kRowsBetweenStops = 64;

/// Twice the area inside a ring, positive if clockwise on the screen.
std::int64_t doubleArea(std::span<const OutlinePoint> ring) {
    // Every other edge is vertical and adds nothing to the integral of -y dx.
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const OutlinePoint& a = ring[i];
        const OutlinePoint& b = ring[(i + 1) % ring.size()];
        sum += (std::int64_t{a.x} - std::int64_t{b.x}) * (std::int64_t{a.y} + std::int64_t{b.y});
    }
    return sum;
}

class Tracer {
public:
    Tracer(const LabelMap& map, Outlines& outlines)
        : map_(map), seen_(map.width(), map.height(), false), outlines_(outlines) {}

    /// Whether the pixel has an upper border that has not been traced yet.
    [[nodiscard]] bool isNew(std::uint32_t x, std::uint32_t y) const noexcept {
        const std::uint32_t label = map_.at(x, y);
        return label != 0 && map_.at(x, y - 1) != label && !seen_.test(x, y);
    }

    /// Traces the ring of the piece that contains the pixel, from its upper side, with the piece on the right. At a
    /// corner where two pixels of the object meet diagonally, the walk stays with its pixel, so that pieces are
    /// 4-connected.
    void follow(std::uint32_t x, std::uint32_t y, std::uint32_t piece) {
        const std::uint32_t label = map_.at(x, y);
        walk_.clear();
        pinches_.clear();
        const OutlinePoint start{x, y};
        OutlinePoint at = start;
        std::size_t heading = kRight;
        do {
            const Heading& h = kHeadings[heading];
            if (heading == kRight) {
                seen_.set(at.x, at.y, true);
            }
            at = {at.x + h.dx, at.y + h.dy};
            const bool right = map_.at(at.x + h.rightX, at.y + h.rightY) == label;
            const bool left = map_.at(at.x + h.leftX, at.y + h.leftY) == label;
            if (right && !left) {
                continue;
            }
            const bool pinched = !right && left;
            heading = right ? (heading + 3) % 4 : (heading + 1) % 4;
            if (pinched) {
                split(at, label, piece);
            }
            walk_.push_back(at);
        } while (!(at == start && heading == kRight));
        emit(walk_, label, piece);
    }

private:
    /// At a corner where the piece touches itself, the walk passes twice; the part in between is a separate ring.
    void split(const OutlinePoint& at, std::uint32_t label, std::uint32_t piece) {
        const std::uint64_t key = std::uint64_t{at.y} << 32U | at.x;
        const auto [found, first] = pinches_.try_emplace(key, walk_.size());
        if (first || found->second >= walk_.size() || walk_[found->second] != at) {
            found->second = walk_.size();
            return;
        }
        const std::size_t begin = found->second;
        emit(std::span<const OutlinePoint>(walk_).subspan(begin), label, piece);
        walk_.resize(begin);
    }

    void emit(std::span<const OutlinePoint> corners, std::uint32_t label, std::uint32_t piece) {
        OutlineRing ring;
        ring.label = label;
        ring.piece = piece;
        ring.hole = doubleArea(corners) < 0;
        ring.first = outlines_.points.size();
        outlines_.points.insert(outlines_.points.end(), corners.begin(), corners.end());
        ring.last = outlines_.points.size();
        outlines_.rings.push_back(ring);
    }

    LabelMap map_;
    Mask seen_; ///< pixels whose upper side is traced
    Outlines& outlines_;
    std::vector<OutlinePoint> walk_; ///< corners since the start
    /// Index in walk_ of corners where the walk may touch itself.
    std::unordered_map<std::uint64_t, std::size_t> pinches_;
};

/// Labels the 4-connected pieces, which become the polygons.
Components piecesOf(const LabelMap& map, const JobControl& control) {
    Mask mask(map.width(), map.height(), false);
    tbb::parallel_for(std::uint32_t{0}, map.height(), [&](std::uint32_t y) {
        for (std::uint32_t x = 0; x < map.width(); ++x) {
            if (map.at(x, y) != 0) {
                mask.set(x, y, true);
            }
        }
    });
    ComponentsSpec spec;
    spec.connectivity = Connectivity::four;
    spec.features = false;
    return labelComponents(mask, nullptr, spec, control);
}

/// @param pieces per pixel the number of its polygon, from 1 on
Outlines traced(const LabelMap& map, std::span<const std::uint32_t> pieces, const JobControl& control) {
    Outlines outlines;
    Tracer tracer(map, outlines);
    for (std::uint32_t y = 0; y < map.height(); ++y) {
        if (y % kRowsBetweenStops == 0) {
            control.throwIfStopped();
        }
        for (std::uint32_t x = 0; x < map.width(); ++x) {
            if (tracer.isNew(x, y)) {
                tracer.follow(x, y, pieces[std::size_t{y} * map.width() + x] - 1);
            }
        }
    }
    std::ranges::sort(outlines.rings, {}, [](const OutlineRing& ring) {
        return std::tuple(ring.label, ring.piece, ring.hole, ring.first);
    });
    return outlines;
}

} // namespace

Outlines traceOutlines(const Components& components, const JobControl& control) {
    if (components.labels.size() != std::size_t{components.width} * components.height) {
        throw Error(ErrorCode::invalidArgument, "outlines: the components have no label image");
    }
    const std::span<const std::uint32_t> labels = components.labels.span();
    try {
        return components.connectivity == Connectivity::eight || components.hasParts
                   ? traceOutlines(labels, components.width, control)
                   : traced(LabelMap(labels, components.width), labels, control);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory,
                    "outlines: no memory for those of " + std::to_string(components.count) + " objects");
    }
}

Outlines traceOutlines(std::span<const std::uint32_t> labels, std::uint32_t width, const JobControl& control) {
    const LabelMap map(labels, width);
    return traced(map, piecesOf(map, control).labels.span(), control);
}

std::vector<std::size_t> firstRings(const Components& components, const Outlines& outlines) {
    std::vector<std::size_t> first(std::size_t{components.count} + 1, 0);
    for (const OutlineRing& ring : outlines.rings) {
        ++first[ring.label]; // counts towards all later objects
    }
    for (std::size_t i = 1; i < first.size(); ++i) {
        first[i] += first[i - 1];
    }
    return first;
}

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

/// Writes rings of one object as a GeoJSON Polygon or MultiPolygon, in px.
/// @param slice of a volume: the member "plane" that QuPath reads
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

/// Converts the rings of one object to a region of ImageJ: traced, or composite if it has holes or several parts.
/// @param slice of a volume, to which the region is limited
/// @throws Error(limitExceeded) for coordinates that regions cannot have
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

/// An outer ring and its holes for each part of an object.
std::vector<MapPolygon> partsOf(const Outlines& outlines, std::span<const OutlineRing> rings) {
    std::vector<MapPolygon> parts;
    for (const OutlineRing& ring : rings) {
        if (!ring.hole) {
            parts.emplace_back();
        }
        MapRing& corners = parts.back().emplace_back();
        for (const OutlinePoint& point : outlines.pointsOf(ring)) {
            corners.push_back({static_cast<double>(point.x), static_cast<double>(point.y)});
        }
    }
    return parts;
}

/// Converts the rings of one object to longitude and latitude.
std::vector<MapPolygon> polygonsOnEarth(const MapCoordinates& map, const Outlines& outlines,
                                        std::span<const OutlineRing> rings) {
    std::vector<MapPolygon> found;
    for (const MapPolygon& part : partsOf(outlines, rings)) {
        std::ranges::move(earthPolygons(map, part), std::back_inserter(found));
    }
    return found;
}

VectorLayer::Value vectorValueOf(const ObjectColumn& column, std::uint32_t label) {
    if (!column.classes) {
        return column.valueOf(label);
    }
    const ObjectClass* own = column.classes->classOf(label);
    return own != nullptr ? VectorLayer::Value(own->name) : VectorLayer::Value();
}

/// Calls take(slice, outlines, rings) with the rings of each listed object: in an image in the order of the list, in a
/// volume for each slice of the object, slice by slice.
template <class Take> void forEachOutline(const Components& components, std::span<const std::uint32_t> labels,
                                          const JobControl& control, const Take& take) {
    if (!components.isVolume()) {
        const Outlines outlines = traceOutlines(components, control);
        const std::vector<std::size_t> firstRing = firstRings(components, outlines);
        for (const std::uint32_t label : labels) {
            take(std::nullopt, outlines,
                 std::span(outlines.rings).subspan(firstRing[label - 1], firstRing[label] - firstRing[label - 1]));
        }
        return;
    }
    std::vector<bool> isListed(std::size_t{components.count} + 1, false);
    for (const std::uint32_t label : labels) {
        isListed[label] = true;
    }
    const Extent extent = components.extent();
    for (std::uint32_t slice = 0; slice < extent.slices; ++slice) {
        control.report(static_cast<double>(slice) / extent.slices, "outlines");
        const Outlines outlines =
            traceOutlines(components.labels.span().subspan(slice * extent.slicePixels(), extent.slicePixels()),
                          extent.width, control);
        const std::span<const OutlineRing> rings(outlines.rings);
        for (std::size_t first = 0, last = 0; first < rings.size(); first = last) {
            while (last < rings.size() && rings[last].label == rings[first].label) {
                ++last;
            }
            if (isListed[rings[first].label]) {
                take(std::optional(slice), outlines, rings.subspan(first, last - first));
            }
        }
    }
}

[[noreturn]] void throwNoMemory(const Components& components) {
    throw Error(ErrorCode::outOfMemory,
                "outlines: no memory for those of " + std::to_string(components.count) + " objects");
}

/// Adds leading zeros, so that names sort like numbers.
std::string padded(std::uint32_t number, std::uint32_t most) {
    std::string text = std::to_string(number);
    return text.insert(0, std::to_string(most).size() - text.size(), '0');
}

} // namespace

void writeObjectOutlines(TextFile& file, const Components& components, std::span<const std::uint32_t> labels,
                         const JobControl& control, const MapCoordinates* map, const ObjectUnit& unit,
                         std::span<const ObjectColumn> further) {
    const MeasuredObjects objects(components, nullptr, unit);
    const int decimals = map == nullptr ? 0 : lonLatDecimals(*map);
    file << R"({"type":"FeatureCollection",)" << positionsMark(map) << R"("features":[)";
    std::string_view separator;
    const auto write = [&](std::optional<std::uint32_t> slice, const Outlines& outlines,
                           std::span<const OutlineRing> rings) {
        const std::uint32_t label = rings.front().label;
        file << separator;
        separator = ",";
        file.endLine(control);
        file << R"({"type":"Feature",)";
        const std::uint32_t number = components.numberOf(label);
        if (!slice) {
            file << R"("id":)" << number << ',';
        }
        file << R"("properties":{"label":)" << number;
        if (slice) {
            file << R"(,"slice":)" << *slice;
        }
        writeProperties(file, objects, label);
        writeProperties(file, further, label);
        file << R"(},"geometry":)";
        if (map != nullptr) {
            writeGeometry(file, polygonsOnEarth(*map, outlines, rings), decimals);
        } else {
            writePolygons(file, outlines, rings, slice);
        }
        file << '}';
    };
    try {
        forEachOutline(components, labels, control, write);
    } catch (const std::bad_alloc&) {
        throwNoMemory(components);
    }
    file.endLine(control);
    file << "]}";
    file.endLine(control);
}

void writeObjectRois(const std::filesystem::path& path, const Components& components,
                     std::span<const std::uint32_t> labels, const JobControl& control) {
    if (!components.isVolume() && labels.size() > StoredZip::kMostFiles) {
        throw Error(ErrorCode::limitExceeded, "write regions: " + std::to_string(labels.size()) +
                                                  " objects, and a set of ImageJ's regions holds at most 65535");
    }
    StoredZip zip(path, "write regions");
    std::size_t count = 0;
    const std::uint32_t largest = components.largestNumber();
    const auto write = [&](std::optional<std::uint32_t> slice, const Outlines& outlines,
                           std::span<const OutlineRing> rings) {
        control.throwIfStopped();
        if (++count > StoredZip::kMostFiles) {
            throw Error(ErrorCode::limitExceeded,
                        "write regions: the objects have more than 65535 regions in their slices, "
                        "and a set of ImageJ's regions holds no more");
        }
        zip.add(padded(components.numberOf(rings.front().label), largest) +
                    (slice ? '-' + padded(*slice + 1, components.slices) : std::string()) + ".roi",
                roiOf(outlines, rings, slice).bytes());
    };
    try {
        forEachOutline(components, labels, control, write);
    } catch (const std::bad_alloc&) {
        throwNoMemory(components);
    }
    zip.commit();
}

void writeVectorOutlines(AtomicFile& file, const std::filesystem::path& path, const Components& components,
                         std::span<const std::uint32_t> labels, const std::vector<CopiedTag>& tags,
                         const JobControl& control, const ObjectUnit& unit, std::span<const ObjectColumn> further) {
    VectorLayer layer(file, path, "objects", tags);
    layer.addField("label", VectorLayer::Type::integer);
    const MeasuredObjects objects(components, nullptr, unit);
    for (const ObjectFeature property : outlineFeatures(components)) {
        layer.addField(columnOf(objectFeatureInfo(property), unit.unit), VectorLayer::Type::real);
    }
    for (const ObjectColumn& column : further) {
        layer.addField(column.name, column.classes ? VectorLayer::Type::text : VectorLayer::Type::real);
    }
    forEachOutline(components, labels, control,
                   [&](std::optional<std::uint32_t>, const Outlines& outlines, std::span<const OutlineRing> rings) {
                       control.throwIfStopped();
                       const std::uint32_t label = rings.front().label;
                       std::vector<VectorLayer::Value> values{std::int64_t{components.numberOf(label)}};
                       for (const ObjectFeature property : outlineFeatures(components)) {
                           values.emplace_back(
                               tableValue(objects.value(label, property), objectFeatureInfo(property), unit.unit));
                       }
                       for (const ObjectColumn& column : further) {
                           values.push_back(vectorValueOf(column, label));
                       }
                       layer.addFeature(partsOf(outlines, rings), values);
                   });
    layer.finish();
}

} // namespace pollard
