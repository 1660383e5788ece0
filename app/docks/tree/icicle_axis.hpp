#pragma once

#include <QRectF>

class QPainter;
class QWidget;

namespace pollard::vm {
class IcicleViewModel;
}

namespace pollard::app {

/// Width of the level axis beside a plot, px.
[[nodiscard]] int levelAxisWidth(const QWidget& widget);

/// Paints levels, or depths, to the left of a plot, with their title at the edge of the widget.
/// @param top,bottom heights (IcicleLayout) at the upper and the lower side of the plot
void paintLevelAxis(QPainter& painter, const QWidget& widget, const QRectF& plot, const vm::IcicleViewModel& icicle,
                    double top, double bottom);

} // namespace pollard::app
