#include "vm/region/region_drawing.hpp"

#include "vm/picture/region_edit.hpp"

#include <utility>

namespace pollard::vm {

namespace {

using Kind = RegionShape::Kind;

Kind kindOf(RegionDrawing::Tool tool) {
    switch (tool) {
    case RegionDrawing::Tool::ellipse:
        return Kind::ellipse;
    case RegionDrawing::Tool::polygon:
        return Kind::polygon;
    case RegionDrawing::Tool::rectangle:
    case RegionDrawing::Tool::hand:
        break;
    }
    return Kind::rectangle;
}

RegionPoint cornerAt(const QPointF& place, QSize picture) {
    const QPointF inside = withinPicture(place, picture);
    return {inside.x(), inside.y()};
}

} // namespace

bool RegionDrawing::begin(const QPointF& place, QSize picture) {
    if (tool_ == Tool::hand || picture.isEmpty()) {
        return false;
    }
    const Kind kind = kindOf(tool_);
    if (kind == Kind::polygon) {
        const RegionPoint first = cornerAt(place, picture);
        draft_ = RegionShape{kind, {first, first}};
    } else {
        draft_ = shapeBetween(kind, place, place, false, picture);
        anchor_ = place;
    }
    return true;
}

bool RegionDrawing::move(const QPointF& place, bool square, QSize picture) {
    if (!draft_) {
        return false;
    }
    RegionShape next = *draft_;
    if (next.kind == Kind::polygon) {
        next.points.back() = cornerAt(place, picture);
    } else {
        next = shapeBetween(next.kind, anchor_, place, square, picture);
    }
    if (next == *draft_) {
        return false;
    }
    draft_ = std::move(next);
    return true;
}

bool RegionDrawing::addPoint(const QPointF& place, QSize picture) {
    if (!draft_ || draft_->kind != Kind::polygon) {
        return false;
    }
    const RegionPoint corner = cornerAt(place, picture);
    auto& points = draft_->points;
    points.back() = corner;
    if (points.size() < 2 || points[points.size() - 2] != corner) {
        points.push_back(corner);
    }
    return true;
}

bool RegionDrawing::removePoint() {
    if (!draft_ || draft_->kind != Kind::polygon || draft_->points.size() <= 2) {
        return cancel();
    }
    draft_->points.erase(draft_->points.end() - 2);
    return true;
}

std::optional<RegionShape> RegionDrawing::finish() {
    std::optional<RegionShape> shape = std::exchange(draft_, std::nullopt);
    if (shape && shape->kind == Kind::polygon) {
        shape->points.pop_back(); // the corner at the pointer
    }
    return shape && isShape(*shape) ? shape : std::nullopt;
}

bool RegionDrawing::cancel() { return std::exchange(draft_, std::nullopt).has_value(); }

} // namespace pollard::vm
