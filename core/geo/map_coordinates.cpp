#include "geo/map_coordinates.hpp"

#include "base/error.hpp"
#include "geo/vector_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace pollard {

namespace {

double turned(double longitude, double near) { return longitude + 360 * std::round((near - longitude) / 360); }

} // namespace

bool MapCoordinates::areIn(const std::vector<CopiedTag>& tags) {
    constexpr std::uint16_t kShort = 3;
    return geoTransform(tags).has_value() && !geoValues<std::uint16_t>(tags, kGeoKeyDirectoryTag, kShort).empty();
}

std::shared_ptr<const MapCoordinates> MapCoordinates::of(const std::vector<CopiedTag>& tags, std::uint32_t width,
                                                         std::uint32_t height) {
    return areIn(tags) ? std::make_shared<const MapCoordinates>(tags, width, height) : nullptr;
}

MapCoordinates::MapCoordinates(const std::vector<CopiedTag>& tags, std::uint32_t width, std::uint32_t height)
    : size_{static_cast<double>(width), static_cast<double>(height)}, map_(cornerTransform(tags)),
      determinant_(map_.x[1] * map_.y[2] - map_.x[2] * map_.y[1]) {
    unitsPerPixel_ = std::min(std::hypot(map_.x[1], map_.y[1]), std::hypot(map_.x[2], map_.y[2]));
    middle_ = worldAt({width / 2.0, height / 2.0});
    const bool usable = std::isnormal(determinant_) && std::isnormal(unitsPerPixel_) && std::isfinite(middle_.x) &&
                        std::isfinite(middle_.y);
    if (!usable) {
        throw Error(ErrorCode::formatUnsupported, "the tags of the picture give its pixels no size on the map");
    }
    const MapSystem system = mapSystemOf(tags);
    // The middle may be a pole, whose longitude is undefined.
    const std::array<MapPoint, 3> pixels{
        {{width * 0.4, height * 0.45}, {width / 2.0, height / 2.0}, {width * 0.1, height * 0.1}}};
    std::array<MapPoint, 3> places{};
    std::ranges::transform(pixels, places.begin(), [this](MapPoint pixel) { return worldAt(pixel); });
    earth_ = std::make_unique<EarthProjection>(system, places);
    measure(pixels);
}

void MapCoordinates::measure(std::span<const MapPoint> places) {
    for (const MapPoint& place : places) {
        constexpr double kStep = 0.25; // px
        std::array<MapPoint, 3> at{{place, {place.x + kStep, place.y}, {place.x, place.y + kStep}}};
        toLonLat(at);
        const double scale = std::cos(at[0].y * std::numbers::pi / 180);
        const auto along = [&](const MapPoint& to) {
            return MapPoint{(turned(to.x, at[0].x) - at[0].x) * scale / kStep, (to.y - at[0].y) / kStep};
        };
        const MapPoint right = along(at[1]);
        const MapPoint down = along(at[2]);
        const double area = right.x * down.y - right.y * down.x;
        degreesPerPixel_ = std::min(std::hypot(right.x, right.y), std::hypot(down.x, down.y));
        mirrored_ = area > 0;
        if (std::isfinite(area) && area != 0 && degreesPerPixel_ > 0) {
            return;
        }
    }
    throw Error(ErrorCode::formatUnsupported, "the pixels of the picture have no size in longitude and latitude");
}

MapPoint MapCoordinates::worldAt(MapPoint pixel) const noexcept {
    return {map_.x[0] + map_.x[1] * pixel.x + map_.x[2] * pixel.y,
            map_.y[0] + map_.y[1] * pixel.x + map_.y[2] * pixel.y};
}

void MapCoordinates::toLonLat(std::span<MapPoint> pixels) const {
    for (MapPoint& pixel : pixels) {
        pixel = worldAt(pixel);
    }
    earth_->toLonLat(pixels);
}

void MapCoordinates::toPixels(std::span<MapPoint> places) const {
    earth_->fromLonLat(places);
    const double turn = isGeographic() ? 360 / earth_->degrees() : 0;
    for (MapPoint& place : places) {
        const double off = place.x - middle_.x;
        constexpr double kSlack = 1e-12; // keeps both ends of an image of the whole earth in place
        if (turn > 0 && std::abs(off) > turn / 2 * (1 + kSlack)) {
            place.x -= turn * std::round(off / turn);
        }
        const double x = place.x - map_.x[0];
        const double y = place.y - map_.y[0];
        place = {(x * map_.y[2] - y * map_.x[2]) / determinant_, (y * map_.x[1] - x * map_.y[1]) / determinant_};
    }
}

bool MapCoordinates::showsAll(std::span<const MapPoint> places) const {
    return std::ranges::all_of(places, [this](const MapPoint& place) {
        if (!(std::abs(place.x) <= 180 && std::abs(place.y) <= 90)) {
            return false;
        }
        const MapPoint pixel = pixelAt(place);
        return pixel.x >= 0 && pixel.y >= 0 && pixel.x <= size_.x && pixel.y <= size_.y;
    });
}

MapPoint MapCoordinates::lonLatAt(MapPoint pixel) const {
    toLonLat({&pixel, 1});
    return pixel;
}

MapPoint MapCoordinates::pixelAt(MapPoint lonLat) const {
    toPixels({&lonLat, 1});
    return lonLat;
}

} // namespace pollard
