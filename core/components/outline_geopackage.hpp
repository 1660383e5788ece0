#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_files.hpp"
#include "components/outlines.hpp"
#include "io/image_file.hpp"
#include "io/write/atomic_file.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Writes outlines as the layer "objects" of a GeoPackage (OGC 12-128) with a feature per object: a MultiPolygon of its
/// parts, with the properties of writeObjectOutlines(), classes by their names. Positions are those of the coordinate
/// system of the picture if its tags place it, else px with y pointing down, in no coordinate system.
/// @param file not committed
/// @param labels objects to write, in this order
/// @param tags of the picture
/// @param unit of properties
/// @throws Error(writeFailed), and in a build without GDAL Error(formatUnsupported); Cancelled
void writeGeoPackage(AtomicFile& file, const Components& components, const Outlines& outlines,
                     std::span<const std::uint32_t> labels, const std::vector<CarriedTag>& tags,
                     const JobControl& control = {}, const ObjectUnit& unit = {},
                     std::span<const ObjectColumn> further = {});

} // namespace pollard
