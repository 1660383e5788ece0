#pragma once

#include "geo/earth_projection.hpp"
#include "geo/map_point.hpp"
#include "io/image_file.hpp"
#include "io/metadata/geo_keys.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// Where the corners of a picture's pixels lie in the coordinate system of its GeoTIFF tags, and in longitude and
/// latitude on WGS 84. Any thread may call it.
class MapCoordinates {
public:
    /// Whether tags give the picture a place on a map. Cheap.
    [[nodiscard]] static bool areIn(const std::vector<CarriedTag>& tags);
    /// Null unless areIn(). @throws as the constructor
    [[nodiscard]] static std::shared_ptr<const MapCoordinates> of(const std::vector<CarriedTag>& tags,
                                                                  std::uint32_t width, std::uint32_t height);

    /// Takes some 10 to 100 ms.
    /// @param tags of a picture of width x height px, for which areIn() holds
    /// @throws Error(formatUnsupported), one line, if the coordinate system is not known or has no way to longitude and
    ///         latitude, does not cover the picture, or gives its pixels a size of zero
    MapCoordinates(const std::vector<CarriedTag>& tags, std::uint32_t width, std::uint32_t height);

    [[nodiscard]] const std::string& name() const noexcept { return earth_->name(); } ///< may be empty
    [[nodiscard]] bool isGeographic() const noexcept { return earth_->isGeographic(); }
    [[nodiscard]] const std::string& unit() const noexcept { return earth_->unit(); } ///< "metre", "US survey foot"

    /// In the system's own numbers.
    [[nodiscard]] MapPoint worldAt(MapPoint pixel) const noexcept;
    [[nodiscard]] double unitsPerPixel() const noexcept { return unitsPerPixel_; } ///< along the shorter side
    /// Degrees of latitude, or as long ones of longitude, along the shorter side of a pixel amid the picture.
    [[nodiscard]] double degreesPerPixel() const noexcept { return degreesPerPixel_; }
    /// Whether the picture shows the earth as in a mirror: seen from above, a ring then turns the other way on the
    /// earth.
    [[nodiscard]] bool isMirrored() const noexcept { return mirrored_; }

    /// Longitude and latitude of each place in turn; NaN where there are none. In a geographic system longitudes are
    /// continuous and may leave [-180, 180].
    void toLonLat(std::span<MapPoint> pixels) const;
    /// Pixels of longitudes and latitudes, of several turns of the earth the one that is nearest to the picture's
    /// middle; NaN where there are none.
    void toPixels(std::span<MapPoint> places) const;
    /// Whether all places, taken for longitudes and latitudes, lie in the picture.
    [[nodiscard]] bool showsAll(std::span<const MapPoint> places) const;
    [[nodiscard]] MapPoint lonLatAt(MapPoint pixel) const;
    [[nodiscard]] MapPoint pixelAt(MapPoint lonLat) const;

private:
    void measure(std::span<const MapPoint> places);

    MapPoint size_;    ///< of the picture, px
    GeoTransform map_; ///< of corners of pixels
    double determinant_ = 0;
    MapPoint middle_; ///< of the picture, in the system's numbers
    std::unique_ptr<EarthProjection> earth_;
    double unitsPerPixel_ = 0;
    double degreesPerPixel_ = 0;
    bool mirrored_ = false;
};

} // namespace pollard
