#include "geo/antimeridian.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

namespace pollard {

namespace {

constexpr double kTurn = 360;
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

/// Part of a polygon west of a meridian. Rings are cut into the chains west of it; from the end of a chain, the border
/// of the part follows the meridian north to the start of another one.
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

} // namespace pollard
