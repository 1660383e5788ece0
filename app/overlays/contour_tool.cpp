#include "overlays/contour_tool.hpp"

#include "contour_view_model.hpp"
#include "overlays/contour_overlay.hpp"

#include <QLineF>

#include <utility>

namespace pollard::app {
namespace {

constexpr double kReach = 7; ///< logical px around a node that take hold of it

QPointF placeOf(const ContourNode& node) { return {static_cast<double>(node.x), static_cast<double>(node.y)}; }

} // namespace

ContourTool::ContourTool(vm::ContourViewModel& contours, std::function<OverlayScene()> scene)
    : contours_(contours), scene_(std::move(scene)) {}

std::optional<int> ContourTool::nodeAt(QPointF position) const {
    const OverlayScene scene = scene_();
    const Contour& nodes = contours_.nodes();
    if (!contours_.isActive() || !contours_.canDrag() || !areNodesApart(nodes, scene)) {
        return std::nullopt;
    }
    std::optional<int> nearest;
    double best = kReach;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double distance = QLineF(scene.toSurface(placeOf(nodes[i])), position).length();
        if (distance <= best) {
            best = distance;
            nearest = static_cast<int>(i);
        }
    }
    return nearest;
}

bool ContourTool::press(const QMouseEvent& event) {
    const auto node = nodeAt(event.position());
    if (!node) {
        return false;
    }
    grip_ = scene_().toSurface(placeOf(contours_.nodes()[static_cast<std::size_t>(*node)])) - event.position();
    contours_.beginDrag(*node);
    return true;
}

void ContourTool::drag(const QMouseEvent& event) { contours_.dragTo(scene_().toImage(event.position() + grip_)); }

void ContourTool::release(const QMouseEvent&) { contours_.endDrag(); }

std::optional<QCursor> ContourTool::cursorAt(QPointF position) const {
    return contours_.draggedNode() || nodeAt(position) ? std::optional(QCursor(Qt::SizeAllCursor)) : std::nullopt;
}

bool ContourTool::wantsKey(const QKeyEvent& event) const {
    return contours_.draggedNode() && event.key() == Qt::Key_Escape;
}

bool ContourTool::key(const QKeyEvent& event) {
    if (!wantsKey(event)) {
        return false;
    }
    contours_.cancelDrag();
    return true;
}

} // namespace pollard::app
