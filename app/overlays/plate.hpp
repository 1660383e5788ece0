#pragma once

#include <QColor>
#include <QPainter>
#include <QPainterPath>
#include <QRectF>

namespace pollard::app {

/// Space between an overlay and the edge of the canvas, logical px.
inline constexpr double kOverlayMargin = 12;

/// Dark, nearly opaque ground that white marks and text can be read on, whatever the picture.
inline const QColor kPlateColour(12, 14, 17, 190);
inline const QColor kPlateInk(255, 255, 255);

/// Fills a plate with round corners.
void drawPlate(QPainter& painter, const QRectF& area, double radius = 6);

/// A line that is seen on every ground: @p colour with a dark halo around it.
/// @param width of the line, logical px
void strokeWithHalo(QPainter& painter, const QPainterPath& path, const QColor& colour, double width,
                    Qt::PenStyle style = Qt::SolidLine);

} // namespace pollard::app
