#include "options/geojson_option.hpp"

#include "options/option_values.hpp"

#include "base/error.hpp"
#include "geo/map_coordinates.hpp"

#include <algorithm>

namespace pollard::cli {

namespace {

std::shared_ptr<const MapCoordinates> readMap(const LoadedImage& loaded) {
    return MapCoordinates::of(loaded.info.carried, loaded.image->width(), loaded.image->height());
}

} // namespace

void GeoJsonOption::declare(CLI::App& command) {
    addChoice(command, "--geojson-in", positions_,
              "Positions in GeoJSON: longitude and latitude in\ndegrees, or px with y pointing down; without it "
              "degrees\nfor an image with map coordinates (GeoTIFF), else px",
              {"degrees", "pixels"});
}

std::shared_ptr<const MapCoordinates> GeoJsonOption::mapOf(const LoadedImage& loaded, const std::string& image,
                                                           const Context& context) const {
    if (positions_ == nameOf(GeoJsonIn::pixels)) {
        return nullptr;
    }
    if (positions_ == nameOf(GeoJsonIn::degrees)) {
        return neededMapOf(loaded, image);
    }
    try {
        return readMap(loaded);
    } catch (const Error& error) {
        printNote(context, image + ": GeoJSON is in pixels: " + error.what());
        return nullptr;
    }
}

void GeoJsonOption::noteAmbiguous(const FileRings& filed, const LoadedImage& loaded, const std::string& file,
                                  const Context& context) const {
    if (filed.positions == GeoJsonIn::degrees || !positions_.empty()) {
        return;
    }
    try {
        const auto map = readMap(loaded);
        if (map && std::ranges::all_of(filed.rings, [&](const MapRing& ring) { return map->showsAll(ring); })) {
            printNote(context, file + ": its positions are taken for pixels; --geojson-in degrees reads longitudes and "
                                      "latitudes");
        }
    } catch (const Error&) {
        return; // without degrees there is no ambiguity
    }
}

GeoJsonIn GeoJsonOption::unmarked() const noexcept {
    return positions_ == nameOf(GeoJsonIn::degrees) ? GeoJsonIn::degrees : GeoJsonIn::pixels;
}

std::shared_ptr<const MapCoordinates> neededMapOf(const LoadedImage& loaded, const std::string& image) {
    try {
        if (auto map = readMap(loaded)) {
            return map;
        }
    } catch (const Error& error) {
        throw Error(error.code(), "GeoJSON in degrees: " + image + ": " + error.what());
    }
    throw Error(ErrorCode::invalidArgument, "GeoJSON in degrees: " + image + ": the image has no map coordinates");
}

} // namespace pollard::cli
