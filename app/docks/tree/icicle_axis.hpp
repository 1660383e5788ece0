#pragma once

#include <QRectF>

class QPainter;
class QWidget;

namespace pollard::vm {
class IcicleViewModel;
}

namespace pollard::app {

/// Room that the axis of levels needs beside a plot, px.
[[nodiscard]] int levelAxisWidth(const QWidget& widget);

/// Paints levels, or depths, at the left side of a plot, with their title at the widget's side.
/// @param top,bottom heights (IcicleLayout) at the upper and the lower side of the plot
void paintLevelAxis(QPainter& painter, const QWidget& widget, const QRectF& plot, const vm::IcicleViewModel& icicle,
                    double top, double bottom);

} // namespace pollard::app
