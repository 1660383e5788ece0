#include "overlays/tools/scale_line_tool.hpp"

#include "vm/session/pixel_size_view_model.hpp"

#include <utility>

namespace pollard::app {

ScaleLineTool::ScaleLineTool(vm::PixelSizeViewModel& size, std::function<OverlayScene()> scene)
    : size_(size), scene_(std::move(scene)) {}

bool ScaleLineTool::press(const QMouseEvent& event) {
    if (!size_.isMeasuring()) {
        return false;
    }
    size_.beginLine(scene_().toImage(event.position()));
    return true;
}

void ScaleLineTool::drag(const QMouseEvent& event) {
    size_.moveLine(scene_().toImage(event.position()), event.modifiers().testFlag(Qt::ShiftModifier));
}

void ScaleLineTool::release(const QMouseEvent&) {
    if (size_.line()) { // else it was cancelled with Escape
        size_.finishLine();
    }
}

std::optional<QCursor> ScaleLineTool::cursorAt(QPointF) const {
    return size_.isMeasuring() ? std::optional(QCursor(Qt::CrossCursor)) : std::nullopt;
}

bool ScaleLineTool::wantsKey(const QKeyEvent& event) const {
    return size_.isMeasuring() &&
           (event.key() == Qt::Key_Escape || event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter);
}

void ScaleLineTool::key(const QKeyEvent& event) {
    if (event.key() != Qt::Key_Escape) {
        size_.finishLine();
    } else if (size_.line()) {
        size_.forgetLine();
    } else {
        size_.setMeasuring(false);
    }
}

} // namespace pollard::app
