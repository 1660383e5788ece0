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

/// Position of an image's pixel corners in the coordinate system of its GeoTIFF tags, and in longitude and latitude on
/// WGS 84. Thread-safe.
class MapCoordinates {
public:
    /// Whether the tags georeference the image. Cheap.
    [[nodiscard]] static bool areIn(const std::vector<CopiedTag>& tags);
    /// Coordinates of an image; null unless areIn(). @throws as the constructor
    [[nodiscard]] static std::shared_ptr<const MapCoordinates> of(const std::vector<CopiedTag>& tags,
                                                                  std::uint32_t width, std::uint32_t height);

    /// Takes about 10 to 100 ms.
    /// @param tags of an image of width x height px, with areIn()
    /// @throws Error(formatUnsupported) if the coordinate system is unknown, has no conversion to longitude and
    /// latitude, does not cover the image, or gives its pixels size zero
    MapCoordinates(const std::vector<CopiedTag>& tags, std::uint32_t width, std::uint32_t height);

    [[nodiscard]] const std::string& name() const noexcept { return earth_->name(); } ///< may be empty
    [[nodiscard]] bool isGeographic() const noexcept { return earth_->isGeographic(); }
    [[nodiscard]] const std::string& unit() const noexcept { return earth_->unit(); } ///< "metre", "US survey foot"

    /// Position in the units of the system.
    [[nodiscard]] MapPoint worldAt(MapPoint pixel) const noexcept;
    [[nodiscard]] double unitsPerPixel() const noexcept { return unitsPerPixel_; } ///< along the shorter side
    /// Shorter side of a pixel in the middle of the image, in degrees of latitude or the equivalent in longitude.
    [[nodiscard]] double degreesPerPixel() const noexcept { return degreesPerPixel_; }
    /// Whether the image is a mirror image of the earth, so that rings have the opposite orientation there.
    [[nodiscard]] bool isMirrored() const noexcept { return mirrored_; }

    /// Converts pixels to longitude and latitude; NaN where undefined. In a geographic system longitudes are continuous
    /// and may exceed [-180, 180].
    void toLonLat(std::span<MapPoint> pixels) const;
    /// Converts longitudes and latitudes to pixels, choosing the turn of the earth nearest to the image's middle; NaN
    /// where undefined.
    void toPixels(std::span<MapPoint> places) const;
    /// Whether all positions, as longitudes and latitudes, are in the image.
    [[nodiscard]] bool showsAll(std::span<const MapPoint> places) const;
    [[nodiscard]] MapPoint lonLatAt(MapPoint pixel) const;
    [[nodiscard]] MapPoint pixelAt(MapPoint lonLat) const;

private:
    void measure(std::span<const MapPoint> places);

    MapPoint size_;    ///< of the image, px
    GeoTransform map_; ///< of pixel corners
    double determinant_ = 0;
    MapPoint middle_; ///< of the image, in the units of the system
    std::unique_ptr<EarthProjection> earth_;
    double unitsPerPixel_ = 0;
    double degreesPerPixel_ = 0;
    bool mirrored_ = false;
};

} // namespace pollard
