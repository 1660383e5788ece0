#pragma once

#include "io/image_file.hpp"

#include <string>
#include <vector>

namespace pollard {

/// The coordinate system that the geo keys of a picture name or describe.
struct MapSystem {
    std::string name;       ///< from the citations, one line; may be empty
    std::string definition; ///< "EPSG:32632", or a geographic system as WKT 1
    /// If not empty, `definition` is the geographic system below a projected one, and this the projection: WKT 1 from
    /// PROJECTION to UNIT.
    std::string projection;
    double unit = 0; ///< metres or radians of a unit of the numbers in the tags; 0: that of the system
};

/// Reads the keys of OGC GeoTIFF 1.1: codes of the EPSG registry; geographic systems with an ellipsoid of their own;
/// projections with parameters of their own: (universal) transverse Mercator, Mercator, Lambert's conformal conic with
/// one or two parallels and azimuthal equal-area, Albers, polar stereographic, sinusoidal.
/// @throws Error(formatUnsupported) for others, with the name that the keys give them
[[nodiscard]] MapSystem mapSystemOf(const std::vector<CarriedTag>& tags);

} // namespace pollard
