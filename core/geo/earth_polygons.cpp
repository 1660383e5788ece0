#include "geo/earth_polygons.hpp"

#include "base/error.hpp"
#include "geo/antimeridian.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace pollard {

namespace {

constexpr double kTolerance = 0.1; ///< px
constexpr double kShort = 8;       ///< px; shorter edges count as straight on the earth
constexpr double kWide = 10;       ///< degrees; with larger pixels no edge is short
constexpr int kDeepest = 24;       ///< largest number of halvings of an edge
constexpr double kTurn = 360;

/// Twice the area, positive if the ring is anticlockwise in x to the right, y up.
double doubleArea(const MapRing& ring) {
    double sum = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const MapPoint& a = ring[i];
        const MapPoint& b = ring[(i + 1) % ring.size()];
        sum += (a.x - ring[0].x) * (b.y - ring[0].y) - (b.x - ring[0].x) * (a.y - ring[0].y);
    }
    return sum;
}

/// Position of an additional corner of an edge: its middle, rounded to a pixel corner if the edge runs along pixels.
MapPoint amid(const MapPoint& a, const MapPoint& b) {
    const MapPoint middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    const bool whole = a.x == std::floor(a.x) && a.y == std::floor(a.y) && b.x == std::floor(b.x) &&
                       b.y == std::floor(b.y) && (a.x == b.x || a.y == b.y);
    return whole ? MapPoint{std::floor(middle.x), std::floor(middle.y)} : middle;
}

class RingTracer {
public:
    explicit RingTracer(const MapCoordinates& map)
        : map_(map), shortEdge_(map.degreesPerPixel() * kShort < kWide ? kShort : 1) {}

    [[nodiscard]] MapRing trace(const MapRing& pixels) {
        MapRing corners = pixels;
        map_.toLonLat(corners);
        ring_.clear();
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            requirePlace(corners[i], pixels[i]);
            if (i == 0) {
                ring_.push_back(corners[0]);
            } else {
                addEdge(pixels[i - 1], pixels[i], corners[i], 0);
            }
        }
        addEdge(pixels.back(), pixels.front(), corners.front(), 0);
        closeRing();
        return std::move(ring_);
    }

private:
    void requirePlace(const MapPoint& place, const MapPoint& pixel) const {
        if (!std::isfinite(place.x) || !std::isfinite(place.y)) {
            throw Error(ErrorCode::formatUnsupported,
                        "the corner at " + std::to_string(static_cast<std::int64_t>(pixel.x)) + ", " +
                            std::to_string(static_cast<std::int64_t>(pixel.y)) + " px has no longitude and latitude");
        }
    }

    /// Keeps longitudes continuous: projections return them within one turn.
    [[nodiscard]] MapPoint continued(MapPoint place, const MapPoint& from) const {
        if (!map_.isGeographic() && std::abs(place.x - from.x) > kTurn / 2) {
            place.x -= kTurn * std::round((place.x - from.x) / kTurn);
        }
        return place;
    }

    /// Adds the end of an edge from the last corner, preceded by further corners where the edge is curved.
    void addEdge(const MapPoint& a, const MapPoint& b, const MapPoint& end, int depth) {
        const MapPoint start = ring_.back();
        if (std::max(std::abs(b.x - a.x), std::abs(b.y - a.y)) > shortEdge_ && depth < kDeepest) {
            const MapPoint middle = amid(a, b);
            const MapPoint raw = map_.lonLatAt(middle);
            requirePlace(raw, middle);
            const MapPoint place = continued(raw, start);
            const MapPoint last = continued(end, place);
            const double share = std::hypot(middle.x - a.x, middle.y - a.y) / std::hypot(b.x - a.x, b.y - a.y);
            const MapPoint straight =
                map_.pixelAt({start.x + share * (last.x - start.x), start.y + share * (last.y - start.y)});
            if (!(std::hypot(straight.x - middle.x, straight.y - middle.y) <= kTolerance) && middle != a &&
                middle != b) {
                addEdge(a, middle, place, depth + 1);
                addEdge(middle, b, last, depth + 1);
            } else {
                ring_.push_back(last);
            }
            return;
        }
        ring_.push_back(continued(end, start));
    }

    /// Removes the repeated first corner. If it is a turn away, the ring goes around a pole.
    void closeRing() {
        const MapPoint last = ring_.back();
        if (std::abs(last.x - ring_.front().x) < kTurn / 2) {
            ring_.pop_back();
            return;
        }
        double sum = 0;
        for (const MapPoint& place : ring_) {
            sum += place.y;
        }
        const double pole = sum > 0 ? 90 : -90;
        ring_.push_back({last.x, pole});
        ring_.push_back({ring_.front().x, pole});
    }

    const MapCoordinates& map_;
    double shortEdge_;
    MapRing ring_;
};

} // namespace

std::vector<MapPolygon> earthPolygons(const MapCoordinates& map, const MapPolygon& polygon) {
    RingTracer tracer(map);
    MapPolygon rings;
    for (const MapRing& ring : polygon) {
        if (ring.empty() || (!rings.empty() && ring.size() < 3)) {
            continue; // too short for a hole
        }
        MapRing traced = tracer.trace(ring);
        const bool anticlockwise = (doubleArea(ring) > 0) == map.isMirrored();
        if (anticlockwise != rings.empty()) {               // the first is the outer ring
            std::reverse(traced.begin() + 1, traced.end()); // keeps the first corner
        }
        for (MapPoint& place : traced) { // if pixel centres are at the poles, corners are beyond
            place.y = std::clamp(place.y, -90.0, 90.0);
        }
        rings.push_back(std::move(traced));
    }
    return rings.empty() ? std::vector<MapPolygon>{} : cutAtAntimeridian(std::move(rings));
}

} // namespace pollard
