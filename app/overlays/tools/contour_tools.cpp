#include "overlays/tools/contour_tools.hpp"

#include "overlays/contour_overlay.hpp"
#include "vm/contour/contour_view_model.hpp"

#include <QLineF>

#include <utility>

namespace pollard::app {
namespace {

constexpr double kReach = 7; ///< logical px around a node within which a press grabs it

QPointF placeOf(const ContourNode& node) { return {static_cast<double>(node.x), static_cast<double>(node.y)}; }

} // namespace

ContourTool::ContourTool(vm::ContourViewModel& contours, std::function<OverlayScene()> scene)
    : contours_(contours), scene_(std::move(scene)) {}

std::optional<ContourTool::Grip> ContourTool::gripAt(QPointF position) const {
    if (!contours_.isActive() || !contours_.playback().canDrag()) {
        return std::nullopt;
    }
    const OverlayScene scene = scene_();
    std::optional<Grip> nearest;
    double best = kReach;
    const auto look = [&](int contour) {
        const Contour& nodes = contours_.runs().allNodes()[static_cast<std::size_t>(contour)];
        if (!areNodesApart(nodes, scene)) {
            return;
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const QPointF place = scene.toSurface(placeOf(nodes[i]));
            if (const double distance = QLineF(place, position).length(); distance <= best) {
                best = distance;
                nearest = Grip{contour, static_cast<int>(i), place};
            }
        }
    };
    look(contours_.runs().contour());
    for (int contour = 0; contour < contours_.runs().contourCount() && !nearest; ++contour) {
        look(contour);
    }
    return nearest;
}

bool ContourTool::press(const QMouseEvent& event) {
    const auto grip = gripAt(event.position());
    if (!grip) {
        return false;
    }
    contours_.runs().setContour(grip->contour);
    grip_ = grip->place - event.position();
    contours_.beginDrag(grip->node);
    return true;
}

void ContourTool::drag(const QMouseEvent& event) { contours_.dragTo(scene_().toImage(event.position() + grip_)); }

void ContourTool::release(const QMouseEvent&) { contours_.endDrag(); }

std::optional<QCursor> ContourTool::cursorAt(QPointF position) const {
    return contours_.runs().drag() || gripAt(position) ? std::optional(QCursor(Qt::SizeAllCursor)) : std::nullopt;
}

bool ContourTool::wantsKey(const QKeyEvent& event) const {
    return contours_.runs().drag() && event.key() == Qt::Key_Escape;
}

void ContourTool::key(const QKeyEvent&) { contours_.runs().cancelDrag(); }

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
