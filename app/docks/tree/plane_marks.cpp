#include "docks/tree/plane_marks.hpp"

#include "vm/tree/attribute_plane_view_model.hpp"

#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <iterator>

namespace pollard::app {

namespace {

constexpr double kMark = 5.5; ///< px, radius
constexpr int kLine = 3;      ///< px on both sides of a border that its line may touch

/// The px of a rectangle, enlarged by @p more px, and of its glow beside the plot.
QRegion touchedBy(const QRectF& rectangle, const QRectF& plot, int more) {
    const QRect rect = rectangle.toAlignedRect().adjusted(-more, -more, more, more);
    const QRect area = plot.toAlignedRect();
    constexpr int kHigh = kMarginal + kMarginalGap + kLine;
    return QRegion(rect) + QRect(rect.left(), area.top() - kHigh, rect.width(), kHigh) +
           QRect(area.right(), rect.top(), kHigh, rect.height());
}

void paintGlow(QPainter& painter, const QRectF& plot, const QRectF& rectangle) {
    QColor glow = QGuiApplication::palette().color(QPalette::Highlight);
    glow.setAlphaF(0.28F);
    painter.fillRect(QRectF(rectangle.left(), plot.top() - kMarginalGap - kMarginal, rectangle.width(), kMarginal),
                     glow);
    painter.fillRect(QRectF(plot.right() + kMarginalGap, rectangle.top(), kMarginal, rectangle.height()), glow);
}

void paintMark(QPainter& painter, QPointF centre) {
    const QPalette palette = QGuiApplication::palette();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.color(QPalette::Base), 4));
    painter.drawEllipse(centre, kMark, kMark);
    painter.setPen(QPen(palette.color(QPalette::WindowText), 1.8));
    painter.drawEllipse(centre, kMark, kMark);
    painter.setBrush(palette.color(QPalette::WindowText));
    painter.drawEllipse(centre, 1, 1);
}

void paintLasso(QPainter& painter, const PlaneArea& area, const QPolygonF& enclosed) {
    QPolygonF outline;
    outline.reserve(enclosed.size());
    std::ranges::transform(enclosed, std::back_inserter(outline), [&](QPointF place) { return area.pixelOf(place); });
    const QPalette palette = QGuiApplication::palette();
    QColor fill = palette.color(QPalette::WindowText);
    painter.setPen(QPen(fill, 1.4, Qt::DashLine));
    fill.setAlphaF(0.1F);
    painter.setBrush(fill);
    painter.drawPolygon(outline, Qt::OddEvenFill);
}

} // namespace

QRegion PlaneMarks::changedByRectangle(const PlaneArea& area) const {
    const QRectF after = area.pixelsOf(plane_.rectanglePlaces());
    if (rectangle_.isNull() || after.isNull()) {
        return touchedBy(area.plot, area.plot, kLine); // the shade around it appears or disappears
    }
    // Avoids painting a large chart if the border moves by a few px.
    const auto touched = [&](const QRectF& rectangle, int more) { return touchedBy(rectangle, area.plot, more); };
    return touched(rectangle_, kLine) + touched(after, kLine) - (touched(rectangle_, -kLine) & touched(after, -kLine));
}

QRegion PlaneMarks::changedByMark(const PlaneArea& area) const {
    const auto around = [&area](std::optional<QPointF> place) {
        constexpr double kRadius = kMark + kLine;
        return place ? QRectF(area.pixelOf(*place) - QPointF(kRadius, kRadius), QSizeF(2 * kRadius, 2 * kRadius))
                     : QRectF();
    };
    return QRegion(around(mark_).toAlignedRect()) + around(plane_.markedPlace()).toAlignedRect();
}

void PlaneMarks::paint(QPainter& painter, const PlaneArea& area, const QPolygonF& enclosed, bool focus) {
    rectangle_ = area.pixelsOf(plane_.rectanglePlaces());
    mark_ = plane_.markedPlace();
    if (!plane_.counted()) {
        return;
    }
    paintGlow(painter, area.plot, rectangle_);
    painter.setClipRect(area.plot.adjusted(-1, -1, 1, 1).toAlignedRect()); // rounds parts like the whole
    if (!rectangle_.isNull()) {
        paintRectangle(painter, area.plot, focus);
    }
    if (enclosed.size() > 1) {
        paintLasso(painter, area, enclosed);
    }
    if (mark_) {
        paintMark(painter, area.pixelOf(*mark_));
    }
}

void PlaneMarks::paintRectangle(QPainter& painter, const QRectF& plot, bool focus) const {
    const QPalette palette = QGuiApplication::palette();
    QColor shade = palette.color(QPalette::Base);
    shade.setAlphaF(0.62F);
    QPainterPath dimmed;
    dimmed.addRect(rectangle_);
    if (!plane_.isInverse()) {
        dimmed.addRect(plot); // outside of the rectangle, by the even-odd rule
    }
    painter.fillPath(dimmed, shade);
    const QColor line = palette.color(QPalette::WindowText);
    painter.setPen(QPen(line, focus ? 1.8 : 1.2, plane_.isInverse() ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rectangle_);
}

} // namespace pollard::app
