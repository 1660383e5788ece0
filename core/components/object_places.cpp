#include "components/object_places.hpp"

#include "base/error.hpp"
#include "geo/map_coordinates.hpp"
#include "geo/sky_coordinates.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Mean column and row, pixel centres at 0, 1, 2 ...
MapPoint centroidOf(const Components& components, std::uint32_t label) {
    const ComponentRecord& object = components.objects[label - 1];
    return {object.centroidX(), object.centroidY()};
}

/// Longitudes continue beyond 180 degrees in pictures that cross it.
double within180(double longitude) { return std::remainder(longitude, 360.0); }

} // namespace

PicturePlaces placesOf(const ImageInfo& info, std::uint32_t width, std::uint32_t height) {
    PicturePlaces places;
    places.sky = SkyCoordinates::of(info.sky);
    try {
        places.map = MapCoordinates::of(info.carried, width, height);
    } catch (const Error&) { // a system without longitude and latitude
        places.map = nullptr;
    }
    return places;
}

std::vector<ObjectColumn> placeColumns(const Components& components, const PicturePlaces& places,
                                       std::optional<std::vector<double>> fluxes) {
    std::vector<ObjectColumn> columns;
    if (components.isVolume()) {
        return columns;
    }
    const auto add = [&](std::string name, auto valueOf) {
        columns.push_back({std::move(name), [&components, valueOf](std::uint32_t label) {
                               return valueOf(centroidOf(components, label));
                           }});
    };
    if (const auto& sky = places.sky) {
        add(sky->longitudeName() + "_deg", [sky](MapPoint at) { return sky->at(at.x, at.y).longitude; });
        add(sky->latitudeName() + "_deg", [sky](MapPoint at) { return sky->at(at.x, at.y).latitude; });
    }
    if (const auto& map = places.map) {
        constexpr double kCentre = 0.5; // of a pixel from its corner
        const auto corner = [](MapPoint at) { return MapPoint{at.x + kCentre, at.y + kCentre}; };
        if (!map->isGeographic()) {
            add("centroid_easting", [map, corner](MapPoint at) { return map->worldAt(corner(at)).x; });
            add("centroid_northing", [map, corner](MapPoint at) { return map->worldAt(corner(at)).y; });
        }
        add("lon", [map, corner](MapPoint at) { return within180(map->lonLatAt(corner(at)).x); });
        add("lat", [map, corner](MapPoint at) { return map->lonLatAt(corner(at)).y; });
    }
    if (fluxes) {
        const auto shared = std::make_shared<const std::vector<double>>(std::move(*fluxes));
        columns.push_back({"flux", [shared](std::uint32_t label) { return (*shared)[label - 1]; }});
    }
    return columns;
}

} // namespace pollard
