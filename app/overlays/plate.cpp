#include "overlays/plate.hpp"

#include <QPen>

namespace pollard::app {
namespace {

const QColor kHalo(0, 0, 0, 150);
constexpr double kHaloWidth = 2; ///< logical px, sum of both sides

} // namespace

void drawPlate(QPainter& painter, const QRectF& area, double radius) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(kPlateColour);
    painter.drawRoundedRect(area, radius, radius);
}

void strokeWithHalo(QPainter& painter, const QPainterPath& path, const QColor& colour, double width,
                    Qt::PenStyle style) {
    QPen pen(kHalo, width + kHaloWidth);
    pen.setJoinStyle(Qt::RoundJoin);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen);
    painter.drawPath(path);
    pen.setColor(colour);
    pen.setWidthF(width);
    pen.setStyle(style);
    painter.setPen(pen);
    painter.drawPath(path);
}

} // namespace pollard::app
