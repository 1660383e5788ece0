#include "geo/earth_polygons.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "geo/map_coordinates.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
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

    /// Adds the end of an edge from the last corner, preceded by further corners if the edge is curved.
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

namespace {

constexpr double kSlack = 1e-9; // degrees; distance beyond the line that counts as on it
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
};

Range longitudesOf(const MapRing& ring) {
    Range range;
    for (const MapPoint& point : ring) {
        range.low = std::min(range.low, point.x);
        range.high = std::max(range.high, point.x);
    }
    return range;
}

bool holds(const MapRing& ring, MapPoint point) {
    bool inside = false;
    for (std::size_t i = 0, before = ring.size() - 1; i < ring.size(); before = i++) {
        const MapPoint& a = ring[before];
        const MapPoint& b = ring[i];
        if ((a.y > point.y) != (b.y > point.y) && point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y)) {
            inside = !inside;
        }
    }
    return inside;
}

/// The part of a polygon west of a meridian. Cuts rings into chains of corners west of the meridian; from the end of a
/// chain, the border of the part follows the meridian north to the start of another chain.
class WestPart {
public:
    WestPart(const MapPolygon& polygon, double line) : line_(line) {
        for (const MapRing& ring : polygon) {
            take(ring);
        }
    }

    /// Nothing if self-touching rings leave no consistent order along the line.
    [[nodiscard]] std::optional<std::vector<MapPolygon>> parts() {
        if (!join()) {
            return std::nullopt;
        }
        std::vector<MapPolygon> parts;
        std::vector<bool> done(chains_.size(), false);
        for (std::size_t first = 0; first < chains_.size(); ++first) {
            if (done[first]) {
                continue;
            }
            MapRing ring;
            for (std::size_t at = first; !done[at]; at = next_[at]) {
                done[at] = true;
                ring.insert(ring.end(), chains_[at].begin(), chains_[at].end());
            }
            parts.push_back({std::move(ring)});
        }
        for (MapRing& ring : whole_) {
            const MapPoint on{(ring[0].x + ring[1].x) / 2, (ring[0].y + ring[1].y) / 2};
            const auto around =
                std::ranges::find_if(parts, [&](const MapPolygon& part) { return holds(part.front(), on); });
            if (around != parts.end()) {
                around->push_back(std::move(ring));
            } else {
                parts.push_back({std::move(ring)}); // an outer ring that does not reach the line
            }
        }
        return parts;
    }

private:
    [[nodiscard]] bool isWest(const MapPoint& point) const { return point.x < line_; }

    [[nodiscard]] MapPoint crossing(const MapPoint& a, const MapPoint& b) const {
        return {line_, a.y + (b.y - a.y) * (line_ - a.x) / (b.x - a.x)};
    }

    void take(const MapRing& ring) {
        const std::size_t size = ring.size();
        std::size_t start = kNone; // start of an edge that enters from the east
        bool anyWest = false;
        for (std::size_t i = 0; i < size; ++i) {
            anyWest = anyWest || isWest(ring[i]);
            if (!isWest(ring[i]) && isWest(ring[(i + 1) % size])) {
                start = i;
            }
        }
        if (start == kNone) {
            if (anyWest) {
                whole_.push_back(ring);
            }
            return;
        }
        for (std::size_t step = 0; step < size; ++step) {
            const MapPoint& a = ring[(start + step) % size];
            const MapPoint& b = ring[(start + step + 1) % size];
            if (!isWest(a) && isWest(b)) {
                chains_.push_back({crossing(a, b), b});
            } else if (isWest(a)) {
                chains_.back().push_back(isWest(b) ? b : crossing(a, b));
            }
        }
    }

    /// Finds the successor of each chain. @return whether all have one
    [[nodiscard]] bool join() {
        struct End {
            double y = 0;
            bool comesIn = false;
            std::size_t chain = 0;
        };
        std::vector<End> ends;
        for (std::size_t i = 0; i < chains_.size(); ++i) {
            ends.push_back({chains_[i].front().y, true, i});
            ends.push_back({chains_[i].back().y, false, i});
        }
        std::ranges::stable_sort(
            ends, [](const End& a, const End& b) { return a.y != b.y ? a.y < b.y : a.comesIn < b.comesIn; });
        next_.assign(chains_.size(), kNone);
        std::vector<std::size_t> open;
        for (const End& end : ends) {
            if (!end.comesIn) {
                open.push_back(end.chain);
            } else if (open.empty()) {
                return false;
            } else {
                next_[open.back()] = end.chain;
                open.pop_back();
            }
        }
        return open.empty();
    }

    double line_;
    std::vector<MapRing> chains_;
    std::vector<MapRing> whole_; ///< rings entirely west of the line
    std::vector<std::size_t> next_;
};

/// Reflection in x that keeps the orientation of rings.
MapPolygon mirrored(MapPolygon polygon) {
    for (MapRing& ring : polygon) {
        for (MapPoint& point : ring) {
            point.x = -point.x;
        }
        std::ranges::reverse(ring);
    }
    return polygon;
}

std::optional<std::vector<MapPolygon>> eastParts(const MapPolygon& polygon, double line) {
    auto parts = WestPart(mirrored(polygon), -line).parts();
    if (parts) {
        for (MapPolygon& part : *parts) {
            part = mirrored(std::move(part));
        }
    }
    return parts;
}

void move(MapPolygon& polygon, double by, bool clamps) {
    for (MapRing& ring : polygon) {
        for (MapPoint& point : ring) {
            point.x += by;
            if (clamps) {
                point.x = std::clamp(point.x, -kTurn / 2, kTurn / 2);
            }
        }
    }
}

} // namespace

std::vector<MapPolygon> cutAtAntimeridian(MapPolygon polygon) {
    const Range range = longitudesOf(polygon.front());
    const double middle = (range.low + range.high) / 2;
    for (std::size_t i = 1; i < polygon.size(); ++i) { // moves holes to the turn of the outer ring
        const Range hole = longitudesOf(polygon[i]);
        const double off = middle - (hole.low + hole.high) / 2;
        for (MapPoint& point : polygon[i]) {
            point.x += kTurn * std::round(off / kTurn);
        }
    }
    const double first = std::floor((range.low + kSlack + kTurn / 2) / kTurn); // index of the turn
    const double last = std::ceil((range.high - kSlack + kTurn / 2) / kTurn) - 1;
    constexpr double kMostTurns = 4; // bound on the turns of a real image
    if (first >= last || last - first > kMostTurns) {
        move(polygon, -kTurn * std::max(first, last), true);
        return {std::move(polygon)};
    }
    std::vector<MapPolygon> found;
    std::vector<MapPolygon> rest{polygon};
    for (double turn = first; turn < last; ++turn) {
        const double line = kTurn * turn + kTurn / 2;
        std::vector<MapPolygon> east;
        for (const MapPolygon& part : rest) {
            const auto west = WestPart(part, line).parts();
            const auto other = eastParts(part, line);
            if (!west || !other) {
                move(polygon, -kTurn * std::floor((middle + kTurn / 2) / kTurn), false);
                return {std::move(polygon)};
            }
            for (MapPolygon piece : *west) {
                move(piece, -kTurn * turn, true);
                found.push_back(std::move(piece));
            }
            east.insert(east.end(), other->begin(), other->end());
        }
        rest = std::move(east);
    }
    for (MapPolygon& part : rest) {
        move(part, -kTurn * last, true);
        found.push_back(std::move(part));
    }
    return found;
}

namespace {

void writeNumber(TextFile& file, double degrees, int decimals) {
    const std::string number = fixedText(degrees, decimals);
    std::string_view text = number;
    if (text.find('.') != std::string_view::npos) {
        text.remove_suffix(text.size() - 1 - text.find_last_not_of('0'));
        text.remove_suffix(text.ends_with('.') ? 1 : 0);
    }
    file << (text == "-0" ? "0" : text);
}

void writePosition(TextFile& file, const MapPoint& place, int decimals) {
    file << '[';
    writeNumber(file, place.x, decimals);
    file << ',';
    writeNumber(file, place.y, decimals);
    file << ']';
}

void writePolygon(TextFile& file, const MapPolygon& polygon, int decimals) {
    file << '[';
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        file << (i == 0 ? "[" : ",[");
        for (const MapPoint& place : polygon[i]) {
            writePosition(file, place, decimals);
            file << ',';
        }
        writePosition(file, polygon[i].front(), decimals); // GeoJSON repeats the first
        file << ']';
    }
    file << ']';
}

} // namespace

std::string_view nameOf(GeoJsonIn positions) noexcept {
    constexpr std::array<std::string_view, kGeoJsonIn.size()> kNames{"pixels", "degrees"};
    return kNames[static_cast<std::size_t>(positions)];
}

std::string_view positionsMark(const MapCoordinates* map) noexcept {
    return map == nullptr ? std::string_view() : R"("pollard_coordinates":"longitude/latitude",)";
}

int lonLatDecimals(const MapCoordinates& map) noexcept {
    constexpr double kPart = 1e-6; // px
    constexpr int kLeast = 9;
    constexpr int kMost = 14;
    const double decimals = std::ceil(-std::log10(map.degreesPerPixel() * kPart));
    return static_cast<int>(std::clamp<double>(decimals, kLeast, kMost));
}

double rounded(double degrees, int decimals) noexcept {
    const double scale = std::pow(10, decimals);
    return std::round(degrees * scale) / scale;
}

void writeGeometry(TextFile& file, const std::vector<MapPolygon>& polygons, int decimals) {
    file << (polygons.size() == 1 ? R"({"type":"Polygon","coordinates":)"
                                  : R"({"type":"MultiPolygon","coordinates":[)");
    for (std::size_t i = 0; i < polygons.size(); ++i) {
        file << (i == 0 ? "" : ",");
        writePolygon(file, polygons[i], decimals);
    }
    file << (polygons.size() == 1 ? "}" : "]}");
}

} // namespace pollard
