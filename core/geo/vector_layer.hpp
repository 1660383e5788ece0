#pragma once

#include "base/job_control.hpp"
#include "geo/map_coordinates.hpp"
#include "io/image_file.hpp"
#include "io/write/atomic_file.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace pollard {

/// Whether this build writes vector files.
[[nodiscard]] bool writesVectorFiles() noexcept;
/// Checks in advance that a vector file can have this name.
/// @throws Error(writeFailed) for the ending of another format and for a shapefile, which consists of several files;
/// Error(formatUnsupported) in a build without GDAL
void requireVectorName(const std::filesystem::path& path);

/// Writes a layer of multipolygons into a vector file, by GDAL. The name of the file selects the format: FlatGeobuf
/// (.fgb), CSV with a column WKT and without a coordinate system (.csv), else GeoPackage (OGC 12-128). Positions are in
/// the coordinate system of the image if its tags state one; else they are px, with y the negative row, because GDAL
/// and QGIS place the image itself like this. Features keep their order, except in FlatGeobuf, which sorts by position.
class VectorLayer {
public:
    enum class Type : std::uint8_t { integer, real, text };
    using Value = std::variant<std::monostate, std::int64_t, double, std::string>; ///< null, or of the field's type

    /// @param file not committed; must outlive this
    /// @param path the name of the file
    /// @param name of the layer
    /// @param tags of the image
    /// @throws Error(writeFailed); errors of requireVectorName()
    VectorLayer(AtomicFile& file, const std::filesystem::path& path, const std::string& name,
                const std::vector<CopiedTag>& tags);
    ~VectorLayer();
    VectorLayer(const VectorLayer&) = delete;
    VectorLayer& operator=(const VectorLayer&) = delete;

    /// Before the first feature. @throws Error(writeFailed)
    void addField(const std::string& name, Type type);
    /// @param parts in px
    /// @param values of the fields in their order; numbers that are not finite are null
    /// @throws Error(writeFailed)
    void addFeature(std::span<const MapPolygon> parts, std::span<const Value> values);
    /// Writes the layer into the file. @throws Error(writeFailed)
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Whether a name ends in .gpkg, .shp, .fgb or .csv, the vector files that GDAL reads.
[[nodiscard]] bool namesVectorFile(const std::filesystem::path& path);

/// The polygons of a layer of a vector file. Parts of multipolygons follow each other.
struct VectorPolygons {
    std::vector<MapPolygon> polygons; ///< at least one, with rings of three corners at least
    std::string system;               ///< coordinate system in WKT 2; empty: px of the image
};

/// Names of the layers of a vector file in their order. @throws as readVectorPolygons()
[[nodiscard]] std::vector<std::string> vectorLayers(const std::filesystem::path& path);

/// Reads a GeoPackage, a shapefile, FlatGeobuf or CSV with a column WKT, by GDAL. Skips features without a geometry,
/// converts arcs to polylines and ignores heights.
/// @param layer empty: the first layer of the file
/// @throws Error(formatUnsupported) for computed content, geometry other than polygons, and in a build without GDAL;
/// Error(fileNotFound, fileUnreadable, fileDamaged); Error(invalidArgument) for an unknown layer; Error(limitExceeded)
/// beyond 1 GiB, a million features or a million corners; Cancelled
[[nodiscard]] VectorPolygons readVectorPolygons(const std::filesystem::path& path, const std::string& layer = {},
                                                const JobControl& control = {});

/// Converts corners to px of an image by the operation that PROJ prefers. Moves corners within 1e-5 px of a pixel
/// corner there. In geographic systems, adds multiples of 360 degrees to come nearest to the middle of the image.
/// @param system of VectorPolygons; empty: nothing changes
/// @param tags of the image of width x height px
/// @throws Error(invalidArgument) if the image has no map coordinates, Error(formatUnsupported) if a corner has none
/// in its system
void toPixels(std::span<MapRing> rings, const std::string& system, const std::vector<CopiedTag>& tags,
              std::uint32_t width, std::uint32_t height);

} // namespace pollard
