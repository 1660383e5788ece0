#include "docks/tree/plane_image.hpp"

#include "overlays/tree_overlays.hpp"
#include "theme/colours.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"

#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

namespace pollard::app {

namespace {

constexpr double kSelectedMark = 3; ///< px, minimum

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

QImage densityOf(const vm::AttributePlaneViewModel& plane, QSize size, double ratio) {
    const auto counted = plane.counted();
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    const DensityRamp ramp = densityRamp(QGuiApplication::palette());
    const AttributePlane& cells = counted->plane;
    std::vector<std::uint8_t> steps(cells.counts.size());
    std::ranges::transform(cells.counts, steps.begin(),
                           [&](std::uint32_t count) { return densityStep(count, counted->largest); });
    const auto columns = binsOfPixels(cells.x, counted->x, size.width());
    const auto rows = binsOfPixels(cells.y, counted->y, size.height());
    for (int y = 0; y < size.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(size.height() - 1 - y));
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
    if (const auto selected = plane.selectedCells()) {
        markCells(*counted, *selected, kSelectedMark * ratio, image);
    }
    return image;
}

} // namespace

void PlaneImage::paint(QPainter& painter, const PlaneArea& area, double ratio) {
    const auto counted = plane_.counted();
    const QRectF& plot = area.plot;
    if (const QSize size = (plot.size() * ratio).toSize().expandedTo({1, 1}); density_.size() != size) {
        density_ = densityOf(plane_, size, ratio);
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(plot, density_);
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
        return QPointF(plot.left() + of.x() * plot.width(), plot.top() - kMarginalGap - of.y() * kMarginal);
    });
    fill(outlineOf(counted->plane.y, counted->y, counted->rows), [&](QPointF of) {
        return QPointF(plot.right() + kMarginalGap + of.y() * kMarginal, plot.bottom() - of.x() * plot.height());
    });
    painter.setRenderHint(QPainter::Antialiasing);
}

namespace {

constexpr double kMark = 5.5; ///< px, radius
constexpr int kLine = 3;      ///< px on both sides of a border that its line may touch

/// The pixels of a rectangle, enlarged by @p more px, and the pixels of its glow beside the plot.
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
    painter.setClipRect(
        area.plot.adjusted(-1, -1, 1, 1).toAlignedRect()); // so that a partial repaint rounds as a whole one does
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
