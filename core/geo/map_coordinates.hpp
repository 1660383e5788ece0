#pragma once

#include "geo/map_system.hpp"
#include "io/image_file.hpp"
#include "io/metadata/geo_tags.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// A position in the image (px, x to the right, y down, integers at pixel corners), in a coordinate system of the map
/// (x to the east, y to the north) or on the earth (x the longitude, y the latitude, in degrees).
struct MapPoint {
    double x = 0;
    double y = 0;

    bool operator==(const MapPoint&) const = default;
};

/// Corners of a closed curve, without repeating the first.
using MapRing = std::vector<MapPoint>;
/// An outer ring, then its holes.
using MapPolygon = std::vector<MapRing>;

/// Conversion between a coordinate system and longitude and latitude on WGS 84, by PROJ without network. Uses the
/// operation that PROJ prefers at one position everywhere, so that both directions are inverse. Thread-safe; calls are
/// serialised.
class EarthProjection {
public:
    /// @param places in the units of the image's tags; the first one with a longitude and latitude determines the
    /// operation
    /// @throws Error(formatUnsupported) for a system unknown to PROJ or without an operation to WGS 84, if no position
    /// has a longitude and latitude, and in a build without PROJ
    EarthProjection(const MapSystem& system, std::span<const MapPoint> places);
    ~EarthProjection();
    EarthProjection(const EarthProjection&) = delete;
    EarthProjection& operator=(const EarthProjection&) = delete;

    [[nodiscard]] const std::string& name() const noexcept; ///< "WGS 84 / UTM zone 32N"
    [[nodiscard]] bool isGeographic() const noexcept;
    [[nodiscard]] const std::string& unit() const noexcept; ///< unit of the tags: "metre", "degree"
    [[nodiscard]] double degrees() const noexcept;          ///< size of the unit, if the system is geographic

    /// Converts each position; NaN if undefined. Longitudes are within 360 degrees of the longitudes in the tags.
    void toLonLat(std::span<MapPoint> places) const;
    void fromLonLat(std::span<MapPoint> places) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

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

    /// Converts pixels to longitude and latitude; NaN if undefined. In a geographic system longitudes are continuous
    /// and may exceed [-180, 180].
    void toLonLat(std::span<MapPoint> pixels) const;
    /// Converts longitudes and latitudes to pixels, and adds multiples of 360 degrees to come nearest to the middle of
    /// the image; NaN if undefined.
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

/// PixelSize::source of a size on the ground.
inline constexpr const char* kGroundSize = "GeoTIFF, on the ground";

/// Replaces the pixel size of a projected coordinate system by the size on the ground, measured by geodesics on the
/// ellipsoid (PROJ), if the areas differ by more than a hundredth, as in Web Mercator; adds a note. Sets
/// PixelSize::whyNoUnit if the area varies by more over the image. Pixels in degrees get a size in m if the area varies
/// by less. Takes about 10 to 100 ms, except for zones of UTM and other systems with a scale near 1.
/// @param info of the page read; its tags and pixel size refer to an image of width x height px
void findGroundSize(ImageInfo& info, std::uint32_t width, std::uint32_t height);

} // namespace pollard
