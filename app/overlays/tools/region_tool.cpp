#include "overlays/tools/region_tool.hpp"

#include "overlays/tools/key_point.hpp"
#include "vm/image/region_edit.hpp"
#include "vm/region/region_view_model.hpp"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::app {
namespace {

using Region = vm::RegionViewModel;

constexpr double kReach = 7; ///< logical px around a handle within which a press grabs it

} // namespace

RegionTool::RegionTool(Region& region, SceneFunction scene, QObject* parent)
    : QObject(parent), region_(region), scene_(std::move(scene)) {
    connect(&region_, &Region::toolChanged, this, [this] { setKeyPoint(std::nullopt); });
}

bool RegionTool::isActive() const { return region_.tool() != Region::Tool::hand && !region_.imageSize().isEmpty(); }

std::optional<std::size_t> RegionTool::handleAt(QPointF position) const {
    const RegionShape* shape = region_.selectedShape();
    if (shape == nullptr || region_.isDrawingOnce()) {
        return std::nullopt;
    }
    const OverlayScene scene = scene_();
    const std::vector<QPointF> handles = vm::handlesOf(*shape);
    std::optional<std::size_t> nearest;
    double best = kReach;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const QPointF away = scene.toSurface(handles[i]) - position;
        // Corners are preferred to midpoints at equal distance.
        const double distance = std::max(std::abs(away.x()), std::abs(away.y())) + (i % 2 == 1 ? 0.5 : 0);
        if (distance <= best) {
            best = distance;
            nearest = i;
        }
    }
    return nearest;
}

int RegionTool::shapeAt(QPointF image) const { return region_.isDrawingOnce() ? -1 : region_.shapeAt(image); }

bool RegionTool::nearFirstCorner(QPointF position) const {
    const auto& draft = region_.draft();
    if (!draft || draft->kind != RegionShape::Kind::polygon || draft->points.size() < 4) {
        return false;
    }
    const QPointF first(draft->points.front().x, draft->points.front().y);
    return QLineF(scene_().toSurface(first), position).length() <= kReach;
}

bool RegionTool::press(const QMouseEvent& event) {
    if (!isActive()) {
        return false;
    }
    setKeyPoint(std::nullopt);
    const QPointF position = event.position();
    pressed_ = scene_().toImage(position);
    drag_ = Drag::none;
    if (region_.isDrawing()) { // only polygons remain open between clicks
        if (nearFirstCorner(position)) {
            region_.finishDraft();
        } else {
            region_.addDraftPoint(pressed_);
        }
        return true;
    }
    if (const auto handle = handleAt(position)) {
        handle_ = *handle;
        base_ = *region_.selectedShape();
        region_.beginEdit();
        drag_ = Drag::handle;
        return true;
    }
    const int hit = shapeAt(pressed_);
    if (hit >= 0 && !event.modifiers().testFlag(Qt::AltModifier)) {
        region_.select(hit);
        base_ = *region_.selectedShape();
        region_.beginEdit();
        drag_ = Drag::shape;
        return true;
    }
    region_.beginDraft(pressed_);
    if (region_.isDrawing() && region_.draft()->kind != RegionShape::Kind::polygon) {
        drag_ = Drag::draft;
    } else {
        region_.addDraftPoint(pressed_);
    }
    return true;
}

void RegionTool::drag(const QMouseEvent& event) {
    const QPointF image = scene_().toImage(event.position());
    const bool square = event.modifiers().testFlag(Qt::ShiftModifier);
    switch (drag_) {
    case Drag::draft:
        region_.moveDraft(image, square);
        break;
    case Drag::shape:
        region_.setSelectedShape(vm::moved(*base_, image - pressed_, region_.imageSize()));
        break;
    case Drag::handle:
        region_.setSelectedShape(vm::withHandleAt(*base_, handle_, image, square, region_.imageSize()));
        break;
    case Drag::none:
        region_.moveDraft(image);
        break;
    }
}

void RegionTool::release(const QMouseEvent&) {
    switch (std::exchange(drag_, Drag::none)) {
    case Drag::draft:
        region_.finishDraft(); // a click without a drag draws nothing
        break;
    case Drag::shape:
    case Drag::handle:
        region_.endEdit();
        break;
    case Drag::none:
        break;
    }
}

bool RegionTool::doubleClick(const QMouseEvent& event) {
    if (!isActive()) {
        return false;
    }
    if (region_.isDrawing()) {
        region_.finishDraft(); // the first click has set the last corner
        return true;
    }
    return press(event);
}

void RegionTool::hover(QPointF position) {
    if (isActive() && region_.isDrawing()) {
        region_.moveDraft(scene_().toImage(position));
    }
}

std::optional<QCursor> RegionTool::cursorAt(QPointF position) const {
    if (!isActive()) {
        return std::nullopt;
    }
    if (!region_.isDrawing()) {
        if (const auto handle = handleAt(position)) {
            if (region_.selectedShape()->kind == RegionShape::Kind::polygon) {
                return QCursor(Qt::SizeAllCursor);
            }
            constexpr Qt::CursorShape kShapes[] = {Qt::SizeFDiagCursor, Qt::SizeVerCursor, Qt::SizeBDiagCursor,
                                                   Qt::SizeHorCursor};
            return QCursor(kShapes[*handle % 4]);
        }
        if (shapeAt(scene_().toImage(position)) >= 0) {
            return QCursor(Qt::SizeAllCursor);
        }
    }
    return QCursor(nearFirstCorner(position) ? Qt::PointingHandCursor : Qt::CrossCursor);
}

bool RegionTool::wantsKey(const QKeyEvent& event) const {
    if (!isActive()) {
        return false;
    }
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        // Without a shape to move, arrows still move the crosshair, and with Alt the image.
        return !event.modifiers().testFlag(Qt::AltModifier);
    case Qt::Key_Space:
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Backspace:
        return region_.isDrawing() && event.modifiers().testFlag(Qt::ControlModifier) == false;
    case Qt::Key_Escape:
        return region_.isDrawing() || drag_ != Drag::none || region_.selected() >= 0 || keyPoint_ ||
               region_.isDrawingOnce();
    default:
        return false;
    }
}

void RegionTool::key(const QKeyEvent& event) {
    switch (event.key()) {
    case Qt::Key_Space:
        click(keyPoint_.value_or(scene_().visiblePart().center()));
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        region_.finishDraft();
        setKeyPoint(std::nullopt);
        break;
    case Qt::Key_Backspace:
        region_.removeDraftPoint();
        break;
    case Qt::Key_Escape:
        if (drag_ == Drag::shape || drag_ == Drag::handle) {
            region_.cancelEdit();
            drag_ = Drag::none;
        } else if (region_.isDrawing()) {
            region_.cancelDraft();
            drag_ = Drag::none;
        } else if (keyPoint_) {
            setKeyPoint(std::nullopt);
        } else if (region_.isDrawingOnce()) {
            region_.setTool(Region::Tool::hand);
        } else {
            region_.select(-1);
        }
        break;
    default:
        moveByKey(event);
        break;
    }
}

void RegionTool::click(QPointF image) {
    if (!region_.isDrawing()) {
        region_.beginDraft(image);
        region_.addDraftPoint(image);
        setKeyPoint(image);
    } else if (region_.draft()->kind == RegionShape::Kind::polygon) {
        region_.addDraftPoint(image);
        setKeyPoint(image);
    } else {
        region_.moveDraft(image);
        region_.finishDraft();
        setKeyPoint(std::nullopt);
    }
}

void RegionTool::moveByKey(const QKeyEvent& event) {
    const QPointF by = arrowOf(event);
    const bool shape = region_.selected() >= 0 && !region_.isDrawing() && !region_.isDrawingOnce() && !keyPoint_;
    if (shape && event.modifiers().testFlag(Qt::ControlModifier)) {
        const QRectF box = vm::boxOf(*region_.selectedShape());
        region_.setSelectedBox({box.topLeft(), box.size() + QSizeF(by.x(), by.y())});
    } else if (shape) {
        region_.moveSelected(by);
    } else {
        setKeyPoint(movedKeyPoint(keyPoint_, by, scene_()));
        region_.moveDraft(*keyPoint_);
    }
}

void RegionTool::setKeyPoint(std::optional<QPointF> image) {
    if (image != keyPoint_) {
        keyPoint_ = image;
        emit keyPointMoved();
    }
}

} // namespace pollard::app
