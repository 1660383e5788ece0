#include "overlays/contour_overlay.hpp"

#include "contour_view_model.hpp"

#include <QLineF>
#include <QList>
#include <QTransform>

#include <cmath>

namespace pollard::app {
namespace {

constexpr double kLine = 2;
constexpr double kThinLine = 1;
constexpr double kHandle = 6;  ///< side of a node
constexpr double kApart = 12;  ///< between nodes that are drawn, on average, logical px
constexpr double kMargin = 10; ///< around the contour, for line and handles
const QColor kContourColour(255, 122, 48);
const QColor kTint(255, 122, 48, 34);
const QColor kRefusedColour(255, 48, 64);
const QColor kComparedColour(255, 255, 255);
const QColor kHaloColour(24, 24, 24);

QTransform surfaceOf(const OverlayScene& scene) {
    return QTransform(scene.scale, 0, 0, scene.scale, scene.origin.x(), scene.origin.y());
}

/// A line that is seen on every ground. Edge by edge: a stroke along a path of a thousand nodes takes many times as
/// long.
void paintLine(QPainter& painter, const OverlayScene& scene, const Contour& contour, const QColor& colour,
               double width) {
    QList<QLineF> edges;
    edges.reserve(static_cast<qsizetype>(contour.size()));
    for (std::size_t i = 0; i < contour.size(); ++i) {
        const ContourNode a = contour[i];
        const ContourNode b = contour[i + 1 < contour.size() ? i + 1 : 0];
        edges << QLineF(scene.toSurface(QPointF(a.x, a.y)), scene.toSurface(QPointF(b.x, b.y)));
    }
    painter.setPen(QPen(kHaloColour, width + 2, Qt::SolidLine, Qt::SquareCap));
    painter.drawLines(edges);
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap));
    painter.drawLines(edges);
}

void paintNode(QPainter& painter, QPointF middle, double side, const QColor& colour) {
    painter.setPen(QPen(QColor(0, 0, 0, 200), 1));
    painter.setBrush(colour);
    painter.drawRect(QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side));
}

QRegion areaOf(const Contour& contour, const OverlayScene& scene) {
    return surfaceOf(scene)
        .map(pathOf(contour))
        .boundingRect()
        .adjusted(-kMargin, -kMargin, kMargin, kMargin)
        .intersected(QRectF(QPointF(0, 0), scene.size))
        .toAlignedRect();
}

} // namespace

bool areNodesApart(const Contour& contour, const OverlayScene& scene) {
    double around = 0;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        const ContourNode a = contour[i];
        const ContourNode b = contour[i + 1 < contour.size() ? i + 1 : 0];
        around += std::hypot(a.x - b.x, a.y - b.y);
    }
    return around * scene.scale >= kApart * static_cast<double>(contour.size());
}

QPainterPath pathOf(const Contour& contour) {
    QPainterPath path;
    for (std::size_t i = 0; i < contour.size(); ++i) {
        const QPointF place(contour[i].x, contour[i].y);
        if (i == 0) {
            path.moveTo(place);
        } else {
            path.lineTo(place);
        }
    }
    path.closeSubpath();
    return path;
}

void paintContour(QPainter& painter, const OverlayScene& scene, const Contour& contour, bool tinted) {
    if (tinted) {
        painter.setRenderHint(QPainter::Antialiasing, false); // its border lies under the line
        painter.fillPath(surfaceOf(scene).map(pathOf(contour)), kTint);
        painter.setRenderHint(QPainter::Antialiasing);
    }
    paintLine(painter, scene, contour, kContourColour, kLine);
    if (areNodesApart(contour, scene)) {
        for (const ContourNode node : contour) {
            paintNode(painter, scene.toSurface(QPointF(node.x, node.y)), kHandle, kContourColour);
        }
    }
}

QRegion ContourOverlay::area(const OverlayScene& scene) const {
    QRegion area;
    if (!contours_.isActive() || contours_.current() < 0 || scene.picture.isEmpty()) {
        return area;
    }
    area += areaOf(contours_.nodes(), scene);
    for (const Contour& contour : contours_.comparedContours()) {
        area += areaOf(contour, scene);
    }
    return area;
}

void ContourOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (hidden_ || area(scene).isEmpty()) {
        return;
    }
    for (const Contour& contour : contours_.comparedContours()) {
        paintLine(painter, scene, contour, kComparedColour, kThinLine);
    }
    const Contour& contour = contours_.nodes();
    paintContour(painter, scene, contour, contours_.isTinted());
    if (const auto dragged = contours_.draggedNode()) {
        const ContourNode node = contour[static_cast<std::size_t>(*dragged)];
        if (!contours_.isDragAllowed()) {
            paintLine(painter, scene, contour, kRefusedColour, kLine);
        }
        paintNode(painter, scene.toSurface(QPointF(node.x, node.y)), kHandle + 3,
                  contours_.isDragAllowed() ? QColor(Qt::white) : kRefusedColour);
    }
}

} // namespace pollard::app
