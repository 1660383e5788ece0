#include "geo/ground_size.hpp"

#ifdef POLLARD_WITH_PROJ

#include "base/error.hpp"
#include "geo/map_coordinates.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_keys.hpp"
#include "io/metadata/geo_tags.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <geodesic.h>
#include <string>
#include <vector>

namespace pollard {

namespace {

/// A pixel on the ellipsoid, in m.
struct GroundPixel {
    double width = 0;
    double height = 0;
    double area = 0;
};

class Ground {
public:
    explicit Ground(const MapCoordinates& map) : map_(map) {
        constexpr double kRadius = 6378137; // WGS 84
        constexpr double kFlattening = 1 / 298.257223563;
        geod_init(&earth_, kRadius, kFlattening);
    }

    /// The pixel around a position; area 0 where the map has no longitude and latitude.
    [[nodiscard]] GroundPixel at(double x, double y) const {
        constexpr double kHalf = 0.5;
        std::array<MapPoint, 4> corners{
            {{x - kHalf, y - kHalf}, {x + kHalf, y - kHalf}, {x + kHalf, y + kHalf}, {x - kHalf, y + kHalf}}};
        map_.toLonLat(corners);
        std::array<double, 4> latitudes{};
        std::array<double, 4> longitudes{};
        for (std::size_t i = 0; i < corners.size(); ++i) {
            if (!std::isfinite(corners[i].x) || !std::isfinite(corners[i].y)) {
                return {};
            }
            longitudes[i] = corners[i].x;
            latitudes[i] = corners[i].y;
        }
        const auto distance = [&](std::size_t from, std::size_t to) {
            double metres = 0;
            geod_inverse(&earth_, latitudes[from], longitudes[from], latitudes[to], longitudes[to], &metres, nullptr,
                         nullptr);
            return metres;
        };
        GroundPixel pixel{(distance(0, 1) + distance(3, 2)) / 2, (distance(0, 3) + distance(1, 2)) / 2, 0};
        geod_polygonarea(&earth_, latitudes.data(), longitudes.data(), static_cast<int>(corners.size()), &pixel.area,
                         nullptr);
        pixel.area = std::abs(pixel.area);
        return pixel;
    }

private:
    const MapCoordinates& map_;
    geod_geodesic earth_{};
};

/// Zones of transverse Mercator projections, whose scale is within a thousandth of 1 where they are used.
bool isZone(const std::vector<CopiedTag>& tags) {
    const std::uint16_t code = GeoKeys(tags).number(kProjectedCrsKey).value_or(0);
    const auto within = [code](int first, int last) { return code >= first && code <= last; };
    return within(32601, 32660) || within(32701, 32760) || within(25828, 25838) || within(26901, 26923);
}

void describe(const GroundPixel& least, const GroundPixel& most, const GroundPixel& middle, ImageInfo& info) {
    constexpr double kSame = 0.01;   // of areas
    constexpr double kSquare = 0.02; // Web Mercator has squares on the sphere
    PixelSize& size = *info.pixelSize;
    const bool isAngle = size.unit != "m";
    const bool varies = most.area > least.area * (1 + kSame);
    const double stated = size.x * size.y;
    const auto isSame = [&](const GroundPixel& pixel) { return std::abs(pixel.area / stated - 1) <= kSame; };
    if (isAngle ? varies : isSame(least) && isSame(most)) {
        return;
    }
    size.source = kGroundSize;
    size.unit = "m";
    if (varies) {
        const auto square = [](double area) { return factNumber(std::round(area * 100) / 100) + " m²"; };
        size.whyNoUnit = "the area of a pixel on the ground varies from " + square(least.area) + " to " +
                         square(most.area) +
                         " over the picture: reproject it to an equal-area system, or read a region";
        info.notes.push_back("map units are not lengths on the ground: " + size.whyNoUnit);
        return;
    }
    const double shape = middle.width / middle.height;
    const double ratio = std::abs(shape - 1) < kSquare ? 1 : shape;
    size.x = std::sqrt(middle.area * ratio);
    size.y = middle.area / size.x;
    if (isAngle) {
        return;
    }
    info.notes.push_back("map units are not lengths on the ground: a pixel measures " + factNumber(size.x) + " x " +
                         factNumber(size.y) + " m there");
}

} // namespace

void findGroundSize(ImageInfo& info, std::uint32_t width, std::uint32_t height) {
    const bool isOfMap = info.pixelSize && info.pixelSize->source == "GeoTIFF" &&
                         (info.pixelSize->unit == "m" || info.pixelSize->unit == "°");
    if (!isOfMap || !MapCoordinates::areIn(info.carried) || isZone(info.carried)) {
        return;
    }
    try {
        const MapCoordinates map(info.carried, width, height);
        const Ground ground(map);
        constexpr int kSteps = 8;
        GroundPixel least;
        GroundPixel most;
        for (int i = 0; i <= kSteps; ++i) {
            for (int j = 0; j <= kSteps; ++j) {
                const GroundPixel pixel =
                    ground.at(0.5 + (width - 1.0) * i / kSteps, 0.5 + (height - 1.0) * j / kSteps);
                if (pixel.area > 0) {
                    least = least.area > 0 && least.area <= pixel.area ? least : pixel;
                    most = pixel.area > most.area ? pixel : most;
                }
            }
        }
        if (const GroundPixel middle = ground.at(width / 2.0, height / 2.0); middle.area > 0 && least.area > 0) {
            describe(least, most, middle, info);
        }
    } catch (const Error&) { // a system that PROJ does not know: its unit is taken as it is
    }
}

} // namespace pollard

#else

namespace pollard {

void findGroundSize(ImageInfo& /*info*/, std::uint32_t /*width*/, std::uint32_t /*height*/) {}

} // namespace pollard

#endif
