#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_features.hpp"
#include "io/image_file.hpp"
#include "io/write/atomic_file.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace pollard {

class MapCoordinates;
class TextFile;

/// Writes outlines as a GeoJSON feature collection with a feature per object: Polygon, or MultiPolygon if parts meet
/// only at corners. Positions are px along the edges of pixels, y pointing down, or with a map longitude and latitude,
/// see earthPolygons(); properties do not depend on the map. A volume has a feature for each slice of an object, slice
/// by slice, with the property `slice` (from 0) and the properties of the whole object.
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

/// Writes outlines as regions for ImageJ's ROI manager: an uncompressed zip of .roi files. An object with one ring is a
/// traced region, others (with holes, or parts that meet at corners) are composite. Names are the labels with leading
/// zeros; of a volume "<label>-<slice>.roi" for each slice of an object, with slices from 1 as in ImageJ, each placed
/// in its slice of the stack.
/// @param components with labels
/// @param labels objects to write, of an image in this order
/// @throws Error(limitExceeded) for more than 65,535 regions or positions beyond 32,767 px, the limits of the formats;
/// Error(writeFailed), Error(outOfMemory); Cancelled
void writeObjectRois(const std::filesystem::path& path, const Components& components,
                     std::span<const std::uint32_t> labels, const JobControl& control = {});

/// Writes outlines of an image as the layer "objects" of a vector file, see VectorLayer, with a feature per object: a
/// MultiPolygon of its parts, with the properties of writeObjectOutlines(), classes by their names.
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
