#pragma once

#include <QColor>
#include <QPainter>
#include <QPainterPath>
#include <QRectF>

namespace pollard::app {

/// Margin between an overlay and the edge of the canvas, logical px.
inline constexpr double kOverlayMargin = 12;

/// Dark, nearly opaque background for white marks and text over any image.
inline const QColor kPlateColour(12, 14, 17, 190);
inline const QColor kPlateInk(255, 255, 255);

/// Fills a plate with rounded corners.
void drawPlate(QPainter& painter, const QRectF& area, double radius = 6);

/// A line visible on every background: @p colour with a dark halo.
/// @param width of the line, logical px
void strokeWithHalo(QPainter& painter, const QPainterPath& path, const QColor& colour, double width,
                    Qt::PenStyle style = Qt::SolidLine);

} // namespace pollard::app
