#pragma once

#include "geo/map_point.hpp"
#include "geo/map_system.hpp"

#include <memory>
#include <span>
#include <string>

namespace pollard {

/// The way between a coordinate system and longitude and latitude on WGS 84, by PROJ: without its network, and with the
/// one operation that PROJ prefers at a given place, so that both directions are inverse to each other everywhere.
/// Any thread may call it; calls take turns.
class EarthProjection {
public:
    /// @param places in the numbers of the picture's tags; the first one that has a longitude and latitude decides
    /// which
    ///        operation is taken
    /// @throws Error(formatUnsupported) for a system that PROJ does not know or without a way to WGS 84, where none of
    ///         the places has a longitude and latitude, and in a build without PROJ
    EarthProjection(const MapSystem& system, std::span<const MapPoint> places);
    ~EarthProjection();
    EarthProjection(const EarthProjection&) = delete;
    EarthProjection& operator=(const EarthProjection&) = delete;

    [[nodiscard]] const std::string& name() const noexcept; ///< "WGS 84 / UTM zone 32N"
    [[nodiscard]] bool isGeographic() const noexcept;
    [[nodiscard]] const std::string& unit() const noexcept; ///< of the numbers in the tags: "metre", "degree"
    [[nodiscard]] double degrees() const noexcept;          ///< of such a unit, if the system is geographic

    /// Each place in turn; NaN where there is none. Longitudes lie within 360 degrees of those in the tags.
    void toLonLat(std::span<MapPoint> places) const;
    void fromLonLat(std::span<MapPoint> places) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace pollard
