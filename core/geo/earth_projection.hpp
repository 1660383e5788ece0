#pragma once

#include "geo/map_point.hpp"
#include "geo/map_system.hpp"

#include <memory>
#include <span>
#include <string>

namespace pollard {

/// Conversion between a coordinate system and longitude and latitude on WGS 84, by PROJ without network. Uses the
/// operation that PROJ prefers at one position, so that both directions are inverse everywhere. Thread-safe;
/// calls are serialised.
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

    /// Converts each position; NaN where undefined. Longitudes are within 360 degrees of those in the tags.
    void toLonLat(std::span<MapPoint> places) const;
    void fromLonLat(std::span<MapPoint> places) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace pollard
