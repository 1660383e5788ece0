#include "components/object_places.hpp"

#include "base/error.hpp"
#include "geo/map_coordinates.hpp"
#include "geo/sky_coordinates.hpp"
#include "io/metadata/length_units.hpp"
#include "io/volumes/patient_axes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

namespace {

/// Mean column and row; pixel centres are at 0, 1, 2 ...
MapPoint centroidOf(const Components& components, std::uint32_t label) {
    const ComponentRecord& object = components.objects[label - 1];
    return {object.centroidX(), object.centroidY()};
}

/// Mean column, row and slice on the axes of a patient; the slice is 0 in images.
AxisDirection centroidIn(const VoxelMap& patient, const Components& components, std::uint32_t label) {
    const MapPoint plane = centroidOf(components, label);
    const double z = components.isVolume() ? static_cast<double>(components.depths[label - 1].sumZ) /
                                                 static_cast<double>(components.objects[label - 1].area)
                                           : 0;
    return voxelCentre(patient, plane.x, plane.y, z);
}

/// In millimetres if the unit of the file is a length, else in the unit of the file.
void setPatient(ImagePlaces& places, const ImageInfo& info) {
    places.patient = patientMap(info);
    const std::optional<double> unit = places.patient ? micrometresOf(info.place->unit) : std::nullopt;
    if (!unit) {
        return;
    }
    constexpr double kMillimetre = 1000; // in micrometres
    places.patientUnit = "mm";
    VoxelMap& map = *places.patient;
    for (std::array<double, 3>* const vector : {&map.steps[0], &map.steps[1], &map.steps[2], &map.origin}) {
        for (double& component : *vector) {
            component *= *unit / kMillimetre;
        }
    }
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kTitles{{{"flux", "Flux"},
                                                                                 {"patient_x_mm", "Right (mm)"},
                                                                                 {"patient_y_mm", "Anterior (mm)"},
                                                                                 {"patient_z_mm", "Superior (mm)"},
                                                                                 {"ra_deg", "RA (°)"},
                                                                                 {"dec_deg", "Dec (°)"},
                                                                                 {"centroid_easting", "Easting"},
                                                                                 {"centroid_northing", "Northing"},
                                                                                 {"lon", "Longitude (°)"},
                                                                                 {"lat", "Latitude (°)"}}};

/// Null for other columns.
const auto* titled(std::string_view column) {
    const auto* const found = std::ranges::find(kTitles, column, &decltype(kTitles)::value_type::first);
    return found == kTitles.end() ? nullptr : found;
}

/// Longitudes continue beyond 180 degrees in images that cross it.
double within180(double longitude) { return std::remainder(longitude, 360.0); }

} // namespace

ImagePlaces placesOf(const ImageInfo& info, std::uint32_t width, std::uint32_t height) {
    ImagePlaces places;
    places.sky = SkyCoordinates::of(info.sky);
    try {
        places.map = MapCoordinates::of(info.carried, width, height);
    } catch (const Error&) { // a system without longitude and latitude
        places.map = nullptr;
    }
    setPatient(places, info);
    return places;
}

std::vector<ObjectColumn> placeColumns(const Components& components, const ImagePlaces& places,
                                       std::optional<std::vector<double>> fluxes) {
    std::vector<ObjectColumn> columns;
    const auto add = [&](std::string name, auto valueOf) {
        columns.push_back({std::move(name), [&components, valueOf](std::uint32_t label) {
                               return valueOf(centroidOf(components, label));
                           }});
    };
    if (const auto& sky = components.isVolume() ? nullptr : places.sky) {
        add(sky->longitudeName() + "_deg", [sky](MapPoint at) { return sky->at(at.x, at.y).longitude; });
        add(sky->latitudeName() + "_deg", [sky](MapPoint at) { return sky->at(at.x, at.y).latitude; });
    }
    if (const auto& map = components.isVolume() ? nullptr : places.map) {
        constexpr double kCentre = 0.5; // of a pixel from its corner
        const auto corner = [](MapPoint at) { return MapPoint{at.x + kCentre, at.y + kCentre}; };
        if (!map->isGeographic()) {
            add("centroid_easting", [map, corner](MapPoint at) { return map->worldAt(corner(at)).x; });
            add("centroid_northing", [map, corner](MapPoint at) { return map->worldAt(corner(at)).y; });
        }
        add("lon", [map, corner](MapPoint at) { return within180(map->lonLatAt(corner(at)).x); });
        add("lat", [map, corner](MapPoint at) { return map->lonLatAt(corner(at)).y; });
    }
    if (places.patient) {
        const std::string unit = places.patientUnit.empty() ? std::string() : '_' + places.patientUnit;
        constexpr std::array kAxes{'x', 'y', 'z'};
        for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
            columns.push_back({std::string("patient_") + kAxes[axis] + unit,
                               [&components, patient = *places.patient, axis](std::uint32_t label) {
                                   return centroidIn(patient, components, label)[axis];
                               }});
        }
    }
    if (fluxes) {
        const auto shared = std::make_shared<const std::vector<double>>(std::move(*fluxes));
        columns.push_back({"flux", [shared](std::uint32_t label) { return (*shared)[label - 1]; }});
    }
    return columns;
}

std::string titleOf(const ObjectFeatureInfo& feature, LengthUnit unit) {
    const std::string name(feature.name);
    if (feature.unit == FeatureUnit::angle) {
        return name + " (rad)";
    }
    const Dimension dimension = dimensionOf(feature.unit);
    return dimension == Dimension::none ? name : name + " (" + unitSymbol(unit, dimension) + ")";
}

std::string placeTitle(std::string_view column) {
    const auto* const found = titled(column);
    return std::string(found != nullptr ? found->second : column);
}

bool isPlaceColumn(std::string_view column) {
    return titled(column) != nullptr || column.ends_with("_deg") || column.starts_with("patient_");
}

} // namespace pollard
