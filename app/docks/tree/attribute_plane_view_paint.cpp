// Painting of the attribute plane.
#include "docks/tree/attribute_plane_view.hpp"

#include "overlays/selection_overlay.hpp"
#include "theme/density_ramp.hpp"
#include "theme/theme.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"

#include <QChart>
#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace pollard::app {

using Plane = vm::AttributePlaneViewModel;

namespace {

constexpr double kSelectedMark = 3; ///< px, minimum
constexpr double kMark = 5.5;       ///< px, radius
constexpr int kLine = 3;            ///< px on both sides of a border that its line may touch

/// First and last bin for each px of an axis: the bins with their middle in the px, so that none is lost if bins are
/// narrower than px, or the bin that contains the px.
std::vector<std::array<std::size_t, 2>> binsOfPixels(const Bins& bins, const PlaneAxis& axis, int pixels) {
    std::vector<std::array<std::size_t, 2>> found;
    found.reserve(static_cast<std::size_t>(pixels));
    std::vector<double> edges(bins.edges.size());
    std::ranges::transform(bins.edges, edges.begin(), [&](double edge) { return axis.values.placeOf(edge) * pixels; });
    std::size_t bin = 0;
    std::size_t next = 0; // first bin whose middle is not reached
    for (int i = 0; i < pixels; ++i) {
        while (bin + 1 < bins.count() && i + 0.5 >= edges[bin + 1]) {
            ++bin;
        }
        const std::size_t first = next;
        while (next < bins.count() && (edges[next] + edges[next + 1]) / 2 < i + 1) {
            ++next;
        }
        found.push_back(next > first ? std::array{first, next - 1} : std::array{bin, bin});
    }
    return found;
}

/// Fills cells with the selection colour, at least kSelectedMark px wide and high, so that single cells are visible.
void markCells(const vm::AttributePlaneViewModel::Counted& counted, const std::vector<std::uint8_t>& cells,
               double least, QImage& image) {
    QPainter painter(&image);
    const auto span = [least](const Bins& bins, const PlaneAxis& axis, std::size_t bin, int pixels) {
        const double low = axis.values.placeOf(bins.edges[bin]) * pixels;
        const double high = axis.values.placeOf(bins.edges[bin + 1]) * pixels;
        const double more = std::max(0.0, least - (high - low)) / 2;
        return std::pair(low - more, high + more);
    };
    const std::size_t columns = counted.plane.x.count();
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (cells[cell] != 0) {
            const auto [left, right] = span(counted.plane.x, counted.x, cell % columns, image.width());
            const auto [bottom, top] = span(counted.plane.y, counted.y, cell / columns, image.height());
            painter.fillRect(QRectF(left, image.height() - top, right - left, top - bottom),
                             QColor::fromRgba(selectionColour()));
        }
    }
}

/// Outline of a histogram: (position, height 0..1), logarithmic heights.
std::vector<QPointF> outlineOf(const Bins& bins, const PlaneAxis& axis, const std::vector<std::uint64_t>& counts) {
    const double full = std::log1p(static_cast<double>(std::max<std::uint64_t>(1, std::ranges::max(counts))));
    std::vector<QPointF> outline{{0, 0}};
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double height = std::log1p(static_cast<double>(counts[i])) / full;
        outline.emplace_back(axis.values.placeOf(bins.edges[i]), height);
        outline.emplace_back(axis.values.placeOf(bins.edges[i + 1]), height);
    }
    outline.emplace_back(1, 0);
    return outline;
}

} // namespace

QString AttributePlaneView::emptyText() const {
    switch (plane_.state()) {
    case Plane::State::empty:
        return tr("Open an image to see its components by two attributes.");
    case Plane::State::computing:
        return tr("Measuring …");
    case Plane::State::failed:
        return plane_.problem();
    case Plane::State::ready:
        break;
    }
    return {};
}

void AttributePlaneView::updateMarks() {
    onlyMarks_ = true;
    viewport()->update();
}

void AttributePlaneView::updateRectangle() {
    const QRectF before = paintedRectangle_;
    const QRectF after = rectanglePixels();
    if (before.isNull() || after.isNull()) {
        updateMarks(); // the shade around it appears or disappears
        return;
    }
    // Avoids painting a large chart if the border moves by a few px.
    onlyMarks_ = true;
    viewport()->update(touchedBy(before, kLine) + touchedBy(after, kLine) -
                       (touchedBy(before, -kLine) & touchedBy(after, -kLine)));
}

QRegion AttributePlaneView::touchedBy(const QRectF& rectangle, int more) const {
    const QRect rect = rectangle.toAlignedRect().adjusted(-more, -more, more, more);
    const QRect area = chart()->plotArea().toAlignedRect();
    constexpr int kHigh = kMarginal + kGap + kLine;
    return QRegion(rect) + QRect(rect.left(), area.top() - kHigh, rect.width(), kHigh) +
           QRect(area.right(), rect.top(), kHigh, rect.height());
}

void AttributePlaneView::updateMark() {
    const auto around = [this](std::optional<QPointF> place) {
        constexpr double kRadius = kMark + kLine;
        return place ? QRectF(pixelOf(*place) - QPointF(kRadius, kRadius), QSizeF(2 * kRadius, 2 * kRadius)) : QRectF();
    };
    onlyMarks_ = true;
    viewport()->update(QRegion(around(paintedMark_).toAlignedRect()) + around(plane_.markedPlace()).toAlignedRect());
}

void AttributePlaneView::forgetDensity() {
    density_ = {};
    ground_ = {};
}

void AttributePlaneView::makeGround() {
    ground_ = QPixmap(viewport()->size() * devicePixelRatioF());
    ground_.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&ground_);
    painter.setRenderHints(renderHints());
    render(&painter, viewport()->rect(), viewport()->rect());
}

void AttributePlaneView::paintEvent(QPaintEvent* event) {
    // Painting the chart takes milliseconds; a dragged rectangle reuses the cached one.
    if (std::exchange(onlyMarks_, false) && plane_.counted()) {
        if (ground_.isNull()) {
            makeGround();
        }
        QPainter painter(viewport());
        painter.drawPixmap(0, 0, ground_);
    } else {
        QChartView::paintEvent(event);
    }
    paintedRectangle_ = rectanglePixels();
    paintedMark_ = plane_.markedPlace();
    if (!plane_.counted()) {
        return;
    }
    QPainter painter(viewport());
    painter.setRenderHints(renderHints());
    paintGlow(painter);
    painter.setClipRect(chart()->plotArea().adjusted(-1, -1, 1, 1).toAlignedRect()); // rounds parts like the whole
    paintRectangle(painter);
    paintLasso(painter);
    paintMark(painter);
}

void AttributePlaneView::drawForeground(QPainter* painter, const QRectF&) {
    if (!plane_.counted()) {
        painter->setPen(secondaryText(QGuiApplication::palette()));
        painter->drawText(QRectF(viewport()->rect()).adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                          emptyText());
        return;
    }
    paintDensity(*painter);
    paintMarginals(*painter);
}

void AttributePlaneView::makeDensity() {
    const auto counted = plane_.counted();
    const QSize size = (chart()->plotArea().size() * devicePixelRatioF()).toSize().expandedTo({1, 1});
    density_ = QImage(size, QImage::Format_ARGB32_Premultiplied);
    const DensityRamp ramp = densityRamp(QGuiApplication::palette());
    const AttributePlane& cells = counted->plane;
    std::vector<std::uint8_t> steps(cells.counts.size());
    std::ranges::transform(cells.counts, steps.begin(),
                           [&](std::uint32_t count) { return densityStep(count, counted->largest); });
    const auto columns = binsOfPixels(cells.x, counted->x, size.width());
    const auto rows = binsOfPixels(cells.y, counted->y, size.height());
    for (int y = 0; y < size.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(density_.scanLine(size.height() - 1 - y));
        for (std::size_t x = 0; x < columns.size(); ++x) {
            std::uint8_t most = 0;
            for (std::size_t row = rows[static_cast<std::size_t>(y)][0]; row <= rows[static_cast<std::size_t>(y)][1];
                 ++row) {
                for (std::size_t column = columns[x][0]; column <= columns[x][1]; ++column) {
                    most = std::max(most, steps[row * cells.x.count() + column]);
                }
            }
            line[x] = ramp[most];
        }
    }
    if (const auto selected = plane_.selectedCells()) {
        markCells(*counted, *selected, kSelectedMark * devicePixelRatioF(), density_);
    }
}

void AttributePlaneView::paintDensity(QPainter& painter) {
    if (density_.isNull()) {
        makeDensity();
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(chart()->plotArea(), density_);
}

void AttributePlaneView::paintMarginals(QPainter& painter) const {
    const auto counted = plane_.counted();
    const QRectF area = chart()->plotArea();
    const auto fill = [&](const std::vector<QPointF>& outline, const auto& toPixel) {
        QPolygonF shape;
        shape.reserve(static_cast<qsizetype>(outline.size()));
        std::ranges::transform(outline, std::back_inserter(shape), toPixel);
        painter.drawPolygon(shape);
    };
    QColor ink = QGuiApplication::palette().color(QPalette::WindowText);
    ink.setAlphaF(0.4F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.setRenderHint(QPainter::Antialiasing, false);
    fill(outlineOf(counted->plane.x, counted->x, counted->columns), [&](QPointF of) {
        return QPointF(area.left() + of.x() * area.width(), area.top() - kGap - of.y() * kMarginal);
    });
    fill(outlineOf(counted->plane.y, counted->y, counted->rows), [&](QPointF of) {
        return QPointF(area.right() + kGap + of.y() * kMarginal, area.bottom() - of.x() * area.height());
    });
    painter.setRenderHint(QPainter::Antialiasing);
}

void AttributePlaneView::paintGlow(QPainter& painter) const {
    const QRectF chosen = rectanglePixels();
    if (chosen.isNull()) {
        return;
    }
    const QRectF area = chart()->plotArea();
    QColor glow = QGuiApplication::palette().color(QPalette::Highlight);
    glow.setAlphaF(0.28F);
    painter.fillRect(QRectF(chosen.left(), area.top() - kGap - kMarginal, chosen.width(), kMarginal), glow);
    painter.fillRect(QRectF(area.right() + kGap, chosen.top(), kMarginal, chosen.height()), glow);
}

void AttributePlaneView::paintRectangle(QPainter& painter) const {
    const QRectF inside = rectanglePixels();
    if (inside.isNull()) {
        return;
    }
    const QPalette palette = QGuiApplication::palette();
    QColor shade = palette.color(QPalette::Base);
    shade.setAlphaF(0.62F);
    QPainterPath dimmed;
    dimmed.addRect(inside);
    if (!plane_.isInverse()) {
        dimmed.addRect(chart()->plotArea()); // outside of the rectangle, by the even-odd rule
    }
    painter.fillPath(dimmed, shade);
    const QColor line = palette.color(QPalette::WindowText);
    painter.setPen(QPen(line, hasFocus() ? 1.8 : 1.2, plane_.isInverse() ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(inside);
}

void AttributePlaneView::paintMark(QPainter& painter) const {
    const auto place = plane_.markedPlace();
    if (!place) {
        return;
    }
    const QPointF centre = pixelOf(*place);
    const QPalette palette = QGuiApplication::palette();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.color(QPalette::Base), 4));
    painter.drawEllipse(centre, kMark, kMark);
    painter.setPen(QPen(palette.color(QPalette::WindowText), 1.8));
    painter.drawEllipse(centre, kMark, kMark);
    painter.setBrush(palette.color(QPalette::WindowText));
    painter.drawEllipse(centre, 1, 1);
}

void AttributePlaneView::paintLasso(QPainter& painter) const {
    if (enclosed_.size() < 2) {
        return;
    }
    QPolygonF outline;
    outline.reserve(enclosed_.size());
    std::ranges::transform(enclosed_, std::back_inserter(outline), [this](QPointF place) { return pixelOf(place); });
    const QPalette palette = QGuiApplication::palette();
    QColor fill = palette.color(QPalette::WindowText);
    painter.setPen(QPen(fill, 1.4, Qt::DashLine));
    fill.setAlphaF(0.1F);
    painter.setBrush(fill);
    painter.drawPolygon(outline, Qt::OddEvenFill);
}

} // namespace pollard::app
