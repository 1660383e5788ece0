#include "overlays/tools/image_tools.hpp"

#include "vm/filter/picks_model.hpp"
#include "vm/session/pixel_size_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"

#include <utility>

namespace pollard::app {

bool ChainTool::wantsKey(const QKeyEvent& event) const {
    if (!chain_.isHeld() || (event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) {
        return false;
    }
    switch (event.key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Escape:
        return true;
    default:
        return false;
    }
}

void ChainTool::key(const QKeyEvent& event) {
    switch (event.key()) {
    case Qt::Key_Up:
        chain_.toParent();
        break;
    case Qt::Key_Down:
        chain_.toChild();
        break;
    case Qt::Key_Left:
        chain_.toSibling(-1);
        break;
    case Qt::Key_Right:
        chain_.toSibling(1);
        break;
    default:
        chain_.letGo();
        break;
    }
}

using PickEffect = vm::PicksModel::PickEffect;

PickTool::PickTool(vm::PicksModel& picks, std::function<OverlayScene()> scene,
                   std::function<const vm::ShownSlice&()> shown)
    : picks_(picks), scene_(std::move(scene)), shown_(std::move(shown)) {}

bool PickTool::press(const QMouseEvent& event) {
    if (!picks_.isPicking()) {
        return false;
    }
    const bool keep = event.modifiers().testFlag(Qt::ShiftModifier);
    picks_.pickAt(scene_().toImage(event.position()), keep ? PickEffect::kept : PickEffect::removed, shown_());
    return true;
}

std::optional<QCursor> PickTool::cursorAt(QPointF) const {
    return picks_.isPicking() ? std::optional(QCursor(Qt::PointingHandCursor)) : std::nullopt;
}

bool PickTool::wantsKey(const QKeyEvent& event) const { return picks_.isPicking() && event.key() == Qt::Key_Escape; }

void PickTool::key(const QKeyEvent&) { picks_.setPicking(false); }

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
    if (size_.line()) { // otherwise Escape has cancelled the line
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
