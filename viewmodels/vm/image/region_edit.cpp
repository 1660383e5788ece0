#include "vm/image/region_edit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace pollard::vm {

namespace {

using Kind = RegionShape::Kind;

QPointF onPixels(QPointF place) { return {std::round(place.x()), std::round(place.y())}; }

RegionPoint corner(QPointF place) { return {place.x(), place.y()}; }
QPointF point(RegionPoint place) { return {place.x, place.y}; }

RegionShape boxed(Kind kind, const QRectF& box) {
    return {kind, {{box.left(), box.top()}, {box.left() + box.width(), box.top() + box.height()}}};
}

/// Interval [start, start + length] moved by the least amount into [0, whole]; cut if it is longer.
std::pair<double, double> keptWithin(double start, double length, double whole) {
    length = std::min(length, whole);
    return {std::clamp(start, 0.0, whole - length), length};
}

} // namespace

QRectF boxOf(const RegionShape& shape) noexcept {
    const auto box = boundsOf(shape.points);
    return box ? QRectF(box->left, box->top, box->width(), box->height()) : QRectF();
}

QPointF withinImage(QPointF place, QSize image) noexcept {
    const auto fine = [](double value) { return std::round(value * 100) / 100; };
    return {fine(std::clamp<double>(place.x(), 0, image.width())),
            fine(std::clamp<double>(place.y(), 0, image.height()))};
}

RegionShape shapeBetween(Kind kind, QPointF from, QPointF to, bool square, QSize image) {
    from = onPixels(withinImage(from, image));
    to = onPixels(withinImage(to, image));
    if (square) {
        const double side = std::min(std::abs(to.x() - from.x()), std::abs(to.y() - from.y()));
        to = from + QPointF(std::copysign(side, to.x() - from.x()), std::copysign(side, to.y() - from.y()));
    }
    return boxed(kind, QRectF(from, to).normalized());
}

RegionShape moved(const RegionShape& shape, QPointF by, QSize image) {
    if (shape.kind != Kind::polygon) {
        by = onPixels(by);
    }
    const QRectF box = boxOf(shape);
    const double left = keptWithin(box.left() + by.x(), box.width(), image.width()).first;
    const double top = keptWithin(box.top() + by.y(), box.height(), image.height()).first;
    RegionShape result = shape;
    for (RegionPoint& place : result.points) {
        place.x += left - box.left();
        place.y += top - box.top();
    }
    return result;
}

RegionShape fittedTo(const RegionShape& shape, QRectF box, QSize image) {
    if (shape.kind != Kind::polygon) {
        box = QRectF(onPixels(box.topLeft()), QSizeF(std::round(box.width()), std::round(box.height())));
    }
    const auto [left, width] = keptWithin(box.left(), std::max(box.width(), 1.0), image.width());
    const auto [top, height] = keptWithin(box.top(), std::max(box.height(), 1.0), image.height());
    if (shape.kind != Kind::polygon) {
        return boxed(shape.kind, {left, top, width, height});
    }
    const QRectF old = boxOf(shape);
    RegionShape result = shape;
    for (RegionPoint& place : result.points) {
        place.x = old.width() > 0 ? left + (place.x - old.left()) * (width / old.width()) : left;
        place.y = old.height() > 0 ? top + (place.y - old.top()) * (height / old.height()) : top;
    }
    return result;
}

std::vector<QPointF> handlesOf(const RegionShape& shape) {
    std::vector<QPointF> handles;
    if (shape.kind == Kind::polygon) {
        for (const RegionPoint& place : shape.points) {
            handles.push_back(point(place));
        }
        return handles;
    }
    const QRectF box = boxOf(shape);
    const QPointF middle = box.center();
    return {box.topLeft(),     {middle.x(), box.top()},    box.topRight(),   {box.right(), middle.y()},
            box.bottomRight(), {middle.x(), box.bottom()}, box.bottomLeft(), {box.left(), middle.y()}};
}

RegionShape withHandleAt(const RegionShape& shape, std::size_t handle, QPointF place, bool square, QSize image) {
    RegionShape result = shape;
    if (shape.kind == Kind::polygon) {
        if (handle < result.points.size()) {
            result.points[handle] = corner(withinImage(place, image));
        }
        return result;
    }
    const QRectF box = boxOf(shape);
    place = onPixels(withinImage(place, image));
    if (handle % 2 == 0) { // a corner: the opposite one is fixed
        const std::array corners{box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()};
        const QPointF fixed = corners.at((handle / 2 + 2) % corners.size());
        return shapeBetween(shape.kind, fixed, place, square, image);
    }
    QPointF from = box.topLeft();
    QPointF to = box.bottomRight();
    switch (handle) {
    case 1:
        from.setY(place.y());
        break;
    case 3:
        to.setX(place.x());
        break;
    case 5:
        to.setY(place.y());
        break;
    default:
        from.setX(place.x());
        break;
    }
    return shapeBetween(shape.kind, from, to, false, image);
}

bool isShape(const RegionShape& shape) noexcept {
    if (shape.kind == Kind::polygon) {
        return shape.points.size() >= 3 && areaOf(shape) > 0;
    }
    const QRectF box = boxOf(shape);
    return box.width() >= 1 && box.height() >= 1;
}

RegionShape mapped(const RegionShape& shape, QPointF offset, double scale) {
    RegionShape result = shape;
    for (RegionPoint& place : result.points) {
        place = {(place.x - offset.x()) * scale, (place.y - offset.y()) * scale};
    }
    return result;
}

ImagePlace placeOf(const OpenRequest& request, const ImageInfo& info) {
    double level = 1; // px of the full resolution per px of the level
    if (request.level > 0 && static_cast<std::size_t>(request.level) < info.levels.size()) {
        const auto& own = info.levels[static_cast<std::size_t>(request.level)];
        level = own.width > 0 ? static_cast<double>(info.levels.front().width) / own.width : 1;
    }
    ImagePlace place;
    place.scale = 1 / (level * std::max(request.shrink, 1));
    if (request.region) {
        place.offset = QPointF(request.region->x, request.region->y) * level;
    }
    return place;
}

PixelRegion pixelsOfFile(const PixelRegion& area, const OpenRequest& image, const ImageInfo& info) {
    const auto factor = static_cast<std::uint32_t>(std::max(image.shrink, 1));
    const auto level = static_cast<std::size_t>(image.level);
    const PixelRegion page = level < info.levels.size()
                                 ? PixelRegion{0, 0, info.levels[level].width, info.levels[level].height}
                                 : PixelRegion{0, 0, info.width, info.height};
    const PixelRegion whole = image.region.value_or(page);
    const std::uint32_t x = area.x * factor;
    const std::uint32_t y = area.y * factor;
    // The last block may be smaller.
    return {whole.x + x, whole.y + y, std::min(area.width * factor, whole.width - x),
            std::min(area.height * factor, whole.height - y)};
}

RegionShape mapped(const RegionShape& shape, const ImagePlace& from, const ImagePlace& to) {
    return mapped(shape, (to.offset - from.offset) * from.scale, to.scale / from.scale);
}

} // namespace pollard::vm
