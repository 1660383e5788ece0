#pragma once

#include "overlays/overlay.hpp"

#include <QKeyEvent>
#include <QPainter>
#include <QPointF>

#include <optional>

namespace pollard::app {

// The crosshair that the arrow keys move over the image in place of the pointer.

/// Half the length of its lines, logical px.
inline constexpr double kKeyPointReach = 9;

/// Direction of an arrow key, with Shift ten times as long; null for other keys.
[[nodiscard]] QPointF arrowOf(const QKeyEvent& event);

/// The crosshair after an arrow key, px of the image. The first key puts it into the middle of the visible part.
/// @param from before; empty: it is not seen @param by result of arrowOf()
[[nodiscard]] QPointF movedKeyPoint(const std::optional<QPointF>& from, const QPointF& by, const OverlayScene& scene);

/// @param image its place, px of the image
void paintKeyPoint(QPainter& painter, const OverlayScene& scene, const QPointF& image);

} // namespace pollard::app
