#include "components/outline_files.hpp"

#include "base/error.hpp"
#include "components/objects/object_classes.hpp"
#include "components/objects/object_files.hpp"
#include "components/outlines.hpp"
#include "geo/earth_polygons.hpp"
#include "geo/geojson_positions.hpp"
#include "geo/vector_layer.hpp"
#include "io/write/imagej_roi.hpp"
#include "io/write/stored_zip.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <string_view>
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

/// Rings of one object as a region of ImageJ: a traced region, or with holes or several parts a composite one.
/// @param slice of a volume: the region lies in it alone
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

/// With zeros in front, so that names sort as numbers.
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
        if (!slice) {
            file << R"("id":)" << label << ',';
        }
        file << R"("properties":{"label":)" << label;
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
    const auto write = [&](std::optional<std::uint32_t> slice, const Outlines& outlines,
                           std::span<const OutlineRing> rings) {
        control.throwIfStopped();
        if (++count > StoredZip::kMostFiles) {
            throw Error(ErrorCode::limitExceeded,
                        "write regions: the objects have more than 65535 regions in their slices, "
                        "and a set of ImageJ's regions holds no more");
        }
        zip.add(padded(rings.front().label, components.count) +
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
                       std::vector<VectorLayer::Value> values{std::int64_t{label}};
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
