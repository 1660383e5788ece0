#include "docks/tree/plane_image.hpp"

#include "overlays/tree_overlays.hpp"
#include "theme/density_ramp.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"

#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
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

} // namespace pollard::app
