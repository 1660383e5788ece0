#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/outlines.hpp"

namespace pollard::cli {

class TextFile;

/// Writes a line an object: label, area, box, centroid, raw sums, axes and orientation of the ellipse of equal second
/// moments, grey levels, perimeter and holes, after a line of names.
/// @throws Error(writeFailed), Cancelled
void writeComponentTable(TextFile& file, const Components& components, const JobControl& control);

/// Writes the outlines as a GeoJSON feature collection, one feature an object: Polygon, or MultiPolygon where parts
/// meet at corners only. Coordinates are px along the edges of pixels, y pointing down.
/// @throws Error(writeFailed), Cancelled
void writeComponentOutlines(TextFile& file, const Components& components, const Outlines& outlines,
                            const JobControl& control);

} // namespace pollard::cli
