#include "docks/charts/histogram_view.hpp"

#include "theme/theme.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"

#include <QAreaSeries>
#include <QChart>
#include <QLineSeries>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pollard::app {

HistogramChart::HistogramChart(const char* name, QSize least, float strength, vm::HistogramViewModel& histogram,
                               vm::DisplayViewModel& display, QWidget* parent)
    : LevelChart(name, least, parent), histogram_(histogram), display_(display),
      area_(new QAreaSeries(new QLineSeries(this))), strength_(strength) {
    plot(area_);
    connect(&histogram_, &vm::HistogramViewModel::changed, this, &HistogramChart::showBins);
    connect(&display_, &vm::DisplayViewModel::levelDomainChanged, this, &HistogramChart::showBins);
    dress();
    showBins();
}

bool HistogramChart::isEmpty() const { return histogram_.isEmpty(); }

int HistogramChart::maxLevel() const { return display_.maxLevel(); }

void HistogramChart::dressSeries(const QPalette& palette) {
    QColor fill = palette.color(QPalette::WindowText);
    fill.setAlphaF(strength_);
    area_->setBrush(fill);
    area_->setPen(Qt::NoPen);
}

void HistogramChart::showBins() {
    const double start = histogram_.isEmpty() ? 0 : histogram_.domainMinimum();
    const double end = histogram_.isEmpty() ? 255 : std::max(histogram_.domainMaximum(), start + 1);
    // Bars stay in levels; the numbers below them are values of the file.
    setEnds({start, end}, {display_.valueOf(start), display_.valueOf(end)},
            display_.valueStep() == std::floor(display_.valueStep()), !histogram_.isEmpty(), display_.valueUnit());
    area_->upperSeries()->replace(histogram_.outline());
    viewport()->update();
}

HistogramView::HistogramView(vm::HistogramViewModel& histogram, vm::DisplayViewModel& display, QWidget* parent)
    : HistogramChart("histogram", {0, 140}, 0.55F, histogram, display, parent) {
    setAccessibleName(tr("Histogram of grey levels"));
    setAccessibleDescription(tr("Left and right move the lower edge of the window, with Shift the upper one; the "
                                "numbers below hold the same values."));
    setToolTip(tr("Grey levels with the tone curve. Drag an edge of the window, or the range between the edges; "
                  "double-click sets it automatically."));
    connect(&display, &vm::DisplayViewModel::windowChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&display, &vm::DisplayViewModel::toneCurveChanged, viewport(), qOverload<>(&QWidget::update));
}

bool HistogramView::hasWindow() const { return !isEmpty(); }

vm::LevelWindow HistogramView::window() const { return {display().windowLow(), display().windowHigh()}; }

void HistogramView::setWindow(const vm::LevelWindow& window) { display().setWindow(window.low, window.high); }

void HistogramView::autoWindow() { display().autoWindow(); }

QPolygonF HistogramView::toneCurve(const QRectF& plot) const {
    QPolygonF curve;
    const double low = display().windowLow();
    const double high = display().windowHigh();
    // Sampled evenly over the visible px, so that a window far wider than the chart is drawn as finely as a narrow one.
    const double left = pixelOf(low);
    const double right = pixelOf(high);
    const int steps = std::max(1, static_cast<int>(right - left));
    for (int i = 0; i <= steps; ++i) {
        const double x = left + (right - left) * i / steps;
        const double level = ends().low + (x - plot.left()) / std::max(plot.width(), 1.0) * (ends().high - ends().low);
        const double t = vm::applyCurve(display().toneCurve(), display().gamma(), (level - low) / (high - low));
        curve << QPointF(x, plot.bottom() - t * plot.height());
    }
    return curve;
}

void HistogramView::drawCurve(QPainter& painter) {
    QColor ramp = palette().color(QPalette::Highlight);
    ramp.setAlphaF(0.6F);
    painter.setPen(QPen(ramp, 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(toneCurve(chart()->plotArea()));
}

} // namespace pollard::app
