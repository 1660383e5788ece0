#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_features.hpp"
#include "io/image_file.hpp"
#include "io/write/atomic_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace pollard {

class MapCoordinates;
class TextFile;

/// Corner in the pixel grid: (x, y) is the upper left corner of pixel (x, y).
struct OutlinePoint {
    std::uint32_t x = 0;
    std::uint32_t y = 0;

    bool operator==(const OutlinePoint&) const = default;
};

/// Closed curve along pixel edges, as its corners without repeating the first. Visits no point twice.
struct OutlineRing {
    std::uint32_t label = 0; ///< of the object
    std::uint32_t piece = 0; ///< label of its polygon, see Outlines
    bool hole = false;       ///< false: the outer border
    std::size_t first = 0;   ///< index of its first corner in Outlines::points
    std::size_t last = 0;    ///< one past its last corner
};

/// Outlines of objects as polygons without overlaps: a polygon ("piece") has one outer ring and any number of holes,
/// which touch each other and the outer ring at most in single points. An object of connectivity 8 has a polygon for
/// each 4-connected part; an object of connectivity 4 has one polygon,
/// unless Components::hasParts.
///
/// With y pointing down, outer rings are clockwise on the screen and have a positive area in these coordinates; holes
/// have the opposite orientation (RFC 7946, 3.1.6).
struct Outlines {
    std::vector<OutlinePoint> points;
    std::vector<OutlineRing> rings; ///< by label, then piece, then outer ring before holes

    [[nodiscard]] std::span<const OutlinePoint> pointsOf(const OutlineRing& ring) const noexcept {
        return std::span(points).subspan(ring.first, ring.last - ring.first);
    }
};

/// Traces the borders of all labelled objects.
/// @param components with label image
/// @throws Error(invalidArgument) without labels, Error(outOfMemory); Cancelled
[[nodiscard]] Outlines traceOutlines(const Components& components, const JobControl& control = {});

/// Traces the borders in rows of labels, with a polygon for each 4-connected part of an object. Labels of different
/// objects are not neighbours along rows and columns.
/// @param labels (rows, width), 0 = background
/// @throws std::bad_alloc; Cancelled
[[nodiscard]] Outlines traceOutlines(std::span<const std::uint32_t> labels, std::uint32_t width,
                                     const JobControl& control = {});

/// Element i is the index in Outlines::rings of the first ring of label i + 1; the last element is the number of rings.
[[nodiscard]] std::vector<std::size_t> firstRings(const Components& components, const Outlines& outlines);

/// Writes outlines as a GeoJSON feature collection with a feature per object: Polygon, or MultiPolygon if parts meet
/// only at corners. Positions are px along the edges of pixels, y pointing down; with a map they are longitude and
/// latitude, see earthPolygons(). Properties do not depend on the map. A volume has a feature for each slice of an
/// object, slice by slice, with the property `slice` (from 0) and the properties of the whole object.
/// @param components with labels and records
/// @param labels objects to write, of an image in this order
/// @param map of the image; null: px
/// @param unit of the properties
/// @param further properties, null where a column is not finite; a class is the property `classification` of QuPath,
/// {"name", "color": [red, green, blue]}
/// @throws Error(writeFailed), Error(outOfMemory), Error(formatUnsupported) for a corner outside the map; Cancelled
void writeObjectOutlines(TextFile& file, const Components& components, std::span<const std::uint32_t> labels,
                         const JobControl& control = {}, const MapCoordinates* map = nullptr,
                         const ObjectUnit& unit = {}, std::span<const ObjectColumn> further = {});

/// Writes outlines as regions for ImageJ's ROI manager: an uncompressed zip of .roi files. An object with one ring
/// becomes a traced region; an object with holes, or with parts that meet at corners, becomes a composite region. Names
/// are the labels with leading zeros. A volume has a region "<label>-<slice>.roi" for each slice of an object, with
/// slices from 1 as in ImageJ, placed in this slice of the stack.
/// @param components with labels
/// @param labels objects to write, of an image in this order
/// @throws Error(limitExceeded) for more than 65,535 regions or positions beyond 32,767 px, the limits of the formats;
/// Error(writeFailed), Error(outOfMemory); Cancelled
void writeObjectRois(const std::filesystem::path& path, const Components& components,
                     std::span<const std::uint32_t> labels, const JobControl& control = {});

/// Writes outlines of an image as the layer "objects" of a vector file, see VectorLayer, with a feature per object: a
/// MultiPolygon of its parts, with the properties of writeObjectOutlines() and the name of its class.
/// @param file not committed
/// @param path the name of the file
/// @param labels objects to write, in this order
/// @param tags of the image
/// @throws errors of VectorLayer and traceOutlines(); Cancelled
void writeVectorOutlines(AtomicFile& file, const std::filesystem::path& path, const Components& components,
                         std::span<const std::uint32_t> labels, const std::vector<CopiedTag>& tags,
                         const JobControl& control = {}, const ObjectUnit& unit = {},
                         std::span<const ObjectColumn> further = {});

} // namespace pollard
