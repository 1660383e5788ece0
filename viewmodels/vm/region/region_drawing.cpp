// RegionViewModel: shapes being drawn.
#include "vm/region/region_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/picture/region_edit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::vm {

namespace {

RegionShape::Kind kindOf(RegionViewModel::Tool tool) {
    switch (tool) {
    case RegionViewModel::Tool::ellipse:
        return RegionShape::Kind::ellipse;
    case RegionViewModel::Tool::polygon:
        return RegionShape::Kind::polygon;
    case RegionViewModel::Tool::rectangle:
    case RegionViewModel::Tool::hand:
        break;
    }
    return RegionShape::Kind::rectangle;
}

RegionPoint corner(QPointF place) { return {place.x(), place.y()}; }

} // namespace

void RegionViewModel::setTool(Tool tool) { takeTool(tool, false); }

void RegionViewModel::drawOnce(Tool tool) { takeTool(tool, tool != Tool::hand); }

void RegionViewModel::takeTool(Tool tool, bool once) {
    if (tool == tool_ && once == once_) {
        return;
    }
    cancelDraft();
    tool_ = tool;
    once_ = once;
    emit toolChanged();
}

void RegionViewModel::beginDraft(const QPointF& image) {
    const QSize size = pictureSize();
    if (tool_ == Tool::hand || size.isEmpty()) {
        return;
    }
    const Kind kind = kindOf(tool_);
    if (kind == Kind::polygon) {
        const RegionPoint first = corner(withinPicture(image, size));
        draft_ = RegionShape{kind, {first, first}};
    } else {
        draft_ = shapeBetween(kind, image, image, false, size);
        draftAnchor_ = image;
    }
    if (!once_) {
        state_.selected = -1;
    }
    emit changed();
}

void RegionViewModel::moveDraft(const QPointF& image, bool square) {
    if (!draft_) {
        return;
    }
    const QSize size = pictureSize();
    RegionShape next = *draft_;
    if (next.kind == Kind::polygon) {
        next.points.back() = corner(withinPicture(image, size));
    } else {
        next = shapeBetween(next.kind, draftAnchor_, image, square, size);
    }
    if (next != *draft_) {
        draft_ = std::move(next);
        emit changed();
    }
}

void RegionViewModel::addDraftPoint(const QPointF& image) {
    if (!draft_ || draft_->kind != Kind::polygon) {
        return;
    }
    const RegionPoint place = corner(withinPicture(image, pictureSize()));
    const auto& fixed = draft_->points;
    draft_->points.back() = place;
    if (fixed.size() < 2 || fixed[fixed.size() - 2] != place) {
        draft_->points.push_back(place);
    }
    emit changed();
}

void RegionViewModel::removeDraftPoint() {
    if (!draft_ || draft_->kind != Kind::polygon || draft_->points.size() <= 2) {
        cancelDraft();
        return;
    }
    draft_->points.erase(draft_->points.end() - 2);
    emit changed();
}

bool RegionViewModel::finishDraft() {
    if (!draft_) {
        return false;
    }
    RegionShape shape = *std::exchange(draft_, std::nullopt);
    if (shape.kind == Kind::polygon) {
        shape.points.pop_back(); // the corner at the pointer
    }
    if (!isShape(shape)) {
        emit changed();
        return false;
    }
    if (once_) {
        setTool(Tool::hand);
        emit changed();
        emit drawnOnce(shape);
        return true;
    }
    State next = state_;
    next.shapes.push_back(std::move(shape));
    next.selected = static_cast<int>(next.shapes.size()) - 1;
    change(std::move(next));
    return true;
}

void RegionViewModel::cancelDraft() {
    if (draft_) {
        draft_.reset();
        emit changed();
    }
}

} // namespace pollard::vm
