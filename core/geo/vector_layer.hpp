#pragma once

#include "geo/map_point.hpp"
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
/// @throws Error(writeFailed) for the ending of another format, and for a shapefile, which is several files; in a build
/// without GDAL Error(formatUnsupported)
void requireVectorName(const std::filesystem::path& path);

/// Writes a layer of multipolygons into a vector file, by GDAL. The format is that of the name of the file: FlatGeobuf
/// (.fgb), CSV with a column WKT (.csv), which states no coordinate system, else a GeoPackage (OGC 12-128). Positions
/// are those of the coordinate system of the image if its tags place it. Else they are px in no coordinate system,
/// and y is the negative row, as GDAL and QGIS place the image itself. Features keep their order, which FlatGeobuf
/// replaces by one of places.
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
    /// Gives the file its bytes. @throws Error(writeFailed)
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace pollard
