#include "overlays/tools/pick_tool.hpp"

#include "vm/filter/picks_model.hpp"

#include <utility>

namespace pollard::app {

using Fate = vm::PicksModel::Fate;

PickTool::PickTool(vm::PicksModel& picks, std::function<OverlayScene()> scene)
    : picks_(picks), scene_(std::move(scene)) {}

bool PickTool::press(const QMouseEvent& event) {
    if (!picks_.isPicking()) {
        return false;
    }
    const bool keep = event.modifiers().testFlag(Qt::ShiftModifier);
    picks_.pickAt(scene_().toImage(event.position()), keep ? Fate::kept : Fate::removed);
    return true;
}

std::optional<QCursor> PickTool::cursorAt(QPointF) const {
    return picks_.isPicking() ? std::optional(QCursor(Qt::PointingHandCursor)) : std::nullopt;
}

bool PickTool::wantsKey(const QKeyEvent& event) const { return picks_.isPicking() && event.key() == Qt::Key_Escape; }

void PickTool::key(const QKeyEvent&) { picks_.setPicking(false); }

} // namespace pollard::app
