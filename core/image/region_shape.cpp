#include "image/region_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pollard {
namespace {

bool insideBox(const RegionBox& box, RegionPoint place) {
    return place.x >= box.left && place.x < box.right && place.y >= box.top && place.y < box.bottom;
}

bool insideEllipse(const RegionBox& box, RegionPoint place) {
    if (!(box.width() > 0) || !(box.height() > 0)) {
        return false;
    }
    const double x = (place.x - (box.left + box.right) / 2) / (box.width() / 2);
    const double y = (place.y - (box.top + box.bottom) / 2) / (box.height() / 2);
    return x * x + y * y < 1;
}

/// Counts the edges that cross a ray to the right. An edge includes its upper end but not its lower one, so that the
/// ray crosses a corner once.
bool insidePolygon(std::span<const RegionPoint> points, RegionPoint place) {
    bool inside = false;
    for (std::size_t i = 0, j = points.size() - 1; i < points.size(); j = i++) {
        const RegionPoint a = points[i];
        const RegionPoint b = points[j];
        if ((a.y > place.y) != (b.y > place.y) && place.x < a.x + (place.y - a.y) * (b.x - a.x) / (b.y - a.y)) {
            inside = !inside;
        }
    }
    return inside;
}

} // namespace

std::optional<RegionBox> boundsOf(std::span<const RegionPoint> points) noexcept {
    if (points.empty()) {
        return std::nullopt;
    }
    RegionBox box{points[0].x, points[0].y, points[0].x, points[0].y};
    for (const RegionPoint& point : points) {
        box.left = std::min(box.left, point.x);
        box.right = std::max(box.right, point.x);
        box.top = std::min(box.top, point.y);
        box.bottom = std::max(box.bottom, point.y);
    }
    return box;
}

bool contains(const RegionShape& shape, RegionPoint place) noexcept {
    const auto box = boundsOf(shape.points);
    if (!box) {
        return false;
    }
    switch (shape.kind) {
    case RegionShape::Kind::rectangle:
        return insideBox(*box, place);
    case RegionShape::Kind::ellipse:
        return insideEllipse(*box, place);
    case RegionShape::Kind::polygon:
        return insidePolygon(shape.points, place);
    }
    return false;
}

double areaOf(const RegionShape& shape) noexcept {
    const auto box = boundsOf(shape.points);
    if (!box) {
        return 0;
    }
    if (shape.kind == RegionShape::Kind::rectangle) {
        return box->width() * box->height();
    }
    if (shape.kind == RegionShape::Kind::ellipse) {
        return std::numbers::pi / 4 * box->width() * box->height();
    }
    double twice = 0;
    for (std::size_t i = 0, j = shape.points.size() - 1; i < shape.points.size(); j = i++) {
        twice += shape.points[j].x * shape.points[i].y - shape.points[i].x * shape.points[j].y;
    }
    return std::abs(twice) / 2;
}

} // namespace pollard
