#include "overlays/tools/forbidden_tool.hpp"

#include "vm/contour/contour_view_model.hpp"

#include <utility>

namespace pollard::app {

ForbiddenTool::ForbiddenTool(vm::ContourViewModel& contours, std::function<OverlayScene()> scene)
    : contours_(contours), scene_(std::move(scene)) {}

bool ForbiddenTool::isChosen() const { return contours_.isActive() && contours_.settings().forbidden().isPainting(); }

bool ForbiddenTool::press(const QMouseEvent& event) {
    if (!isChosen()) {
        return false;
    }
    vm::ForbiddenArea& area = contours_.settings().forbidden();
    area.beginStroke(scene_().toImage(event.position()),
                     area.isErasing() != event.modifiers().testFlag(Qt::ShiftModifier));
    return true;
}

void ForbiddenTool::drag(const QMouseEvent& event) {
    contours_.settings().forbidden().strokeTo(scene_().toImage(event.position()));
}

void ForbiddenTool::release(const QMouseEvent&) { contours_.settings().forbidden().endStroke(); }

std::optional<QCursor> ForbiddenTool::cursorAt(QPointF) const {
    return isChosen() ? std::optional(QCursor(Qt::CrossCursor)) : std::nullopt;
}

bool ForbiddenTool::wantsKey(const QKeyEvent& event) const { return isChosen() && event.key() == Qt::Key_Escape; }

void ForbiddenTool::key(const QKeyEvent&) {
    vm::ForbiddenArea& area = contours_.settings().forbidden();
    if (area.isStroking()) {
        area.cancelStroke();
    } else {
        area.setPainting(false);
    }
}

} // namespace pollard::app
