#pragma once

#include "io/image_file.hpp"

#include <string>
#include <vector>

namespace pollard {

/// Coordinate system named or described by an image's geo keys.
struct MapSystem {
    std::string name;       ///< from the citations, one line; may be empty
    std::string definition; ///< "EPSG:32632", or a geographic system in WKT 1
    /// If not empty, this is the projection in WKT 1, from PROJECTION to UNIT, and `definition` its geographic system.
    std::string projection;
    double unit = 0; ///< metres or radians per unit of the tags; 0: unit of the system
};

/// Interprets the keys of OGC GeoTIFF 1.1: EPSG codes; geographic systems with a user-defined ellipsoid; user-defined
/// projections: (universal) transverse Mercator, Mercator, Lambert conformal conic with one or two parallels, Lambert
/// azimuthal equal-area, Albers, polar stereographic, sinusoidal, cylindrical (equal-area); systems in the text of
/// ESRI.
/// @throws Error(formatUnsupported) for others, with their name from the keys
[[nodiscard]] MapSystem mapSystemOf(const std::vector<CopiedTag>& tags);

} // namespace pollard
