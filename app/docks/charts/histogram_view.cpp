#include "docks/charts/histogram_view.hpp"

#include "theme/theme.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"

#include <QAreaSeries>
#include <QChart>
#include <QEvent>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kReach = 7;      ///< px around an edge within which a press grabs it
constexpr double kKeyStep = 0.01; ///< fraction of the levels shown

} // namespace

HistogramView::HistogramView(vm::HistogramViewModel& histogram, vm::DisplayViewModel& display, QWidget* parent)
    : Chart("histogram", {2, 6, 2, 0}, {0, 140}, parent), histogram_(histogram), display_(display),
      area_(new QAreaSeries(new QLineSeries(this))), levels_(new QValueAxis), values_(new QValueAxis),
      heights_(new QValueAxis), edges_(kReach) {
    setAccessibleName(tr("Histogram of grey levels"));
    setAccessibleDescription(tr("Left and right move the lower edge of the window, with Shift the upper one; the "
                                "numbers below hold the same values."));
    setToolTip(tr("Grey levels with the tone curve. Drag an edge of the window, or the range between the edges; "
                  "double-click sets it automatically."));
    addAxis(levels_, Qt::AlignBottom);
    addAxis(values_, Qt::AlignBottom);
    levels_->setVisible(false);
    addAxis(heights_, Qt::AlignLeft);
    addSeries(area_, levels_, heights_);
    heights_->setRange(0, 1.04);
    heights_->setVisible(false);
    values_->setTickCount(3);

    connect(&histogram_, &vm::HistogramViewModel::changed, this, &HistogramView::showBins);
    connect(&display_, &vm::DisplayViewModel::windowChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&display_, &vm::DisplayViewModel::toneCurveChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&display_, &vm::DisplayViewModel::levelDomainChanged, this, &HistogramView::showBins);
    dress();
    showBins();
}

void HistogramView::dressSeries(const QPalette& palette) {
    QColor fill = palette.color(QPalette::WindowText);
    fill.setAlphaF(0.55F);
    area_->setBrush(fill);
    area_->setPen(Qt::NoPen);
}

void HistogramView::showBins() {
    start_ = histogram_.isEmpty() ? 0 : histogram_.domainMinimum();
    end_ = histogram_.isEmpty() ? 255 : std::max(histogram_.domainMaximum(), start_ + 1);
    // Bars stay in levels; the numbers below them are values of the file.
    const bool whole = display_.valueStep() == std::floor(display_.valueStep());
    values_->setLabelFormat(whole ? QStringLiteral("%.0f") : QStringLiteral("%.4g"));
    values_->setRange(display_.valueOf(start_), display_.valueOf(end_));
    levels_->setRange(start_, end_);
    area_->upperSeries()->replace(histogram_.outline());
    values_->setLabelsVisible(!histogram_.isEmpty());
    viewport()->update();
}

IntervalHandles::Line HistogramView::line() const {
    const QRectF plot = chart()->plotArea();
    return {.left = plot.left(),
            .length = std::max(plot.width(), 1.0),
            .ends = {start_, end_},
            .value = {display_.windowLow(), display_.windowHigh()},
            .limits = {0, static_cast<double>(display_.maxLevel())},
            .step = 1,
            .movable = !histogram_.isEmpty(),
            .slidesWhenFull = true};
}

double HistogramView::pixelOf(double level) const { return line().pixelOf(level); }

QPolygonF HistogramView::toneCurve(const QRectF& plot) const {
    QPolygonF curve;
    const double low = display_.windowLow();
    const double high = display_.windowHigh();
    // Sampled evenly over the visible px, so that a window far wider than the chart is drawn as finely as a narrow one.
    const double left = pixelOf(low);
    const double right = pixelOf(high);
    const int steps = std::max(1, static_cast<int>(right - left));
    for (int i = 0; i <= steps; ++i) {
        const double x = left + (right - left) * i / steps;
        const double level = start_ + (x - plot.left()) / std::max(plot.width(), 1.0) * (end_ - start_);
        const double t = vm::applyCurve(display_.toneCurve(), display_.gamma(), (level - low) / (high - low));
        curve << QPointF(x, plot.bottom() - t * plot.height());
    }
    return curve;
}

void HistogramView::drawForeground(QPainter* painter, const QRectF&) {
    if (histogram_.isEmpty()) {
        return;
    }
    const QRectF plot = chart()->plotArea();
    paintShade(*painter, pixelOf(display_.windowLow()), pixelOf(display_.windowHigh()));
    painter->setRenderHint(QPainter::Antialiasing);
    // Window and tone curve as a function of the level.
    QColor ramp = palette().color(QPalette::Highlight);
    ramp.setAlphaF(0.6F);
    painter->setPen(QPen(ramp, 1.4));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(toneCurve(plot));
    IntervalHandles::paint(*painter, line(), plot, *this);
}

void HistogramView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        Chart::mousePressEvent(event);
        return;
    }
    edges_.press(line(), event->position().x());
}

void HistogramView::mouseMoveEvent(QMouseEvent* event) {
    if (edges_.dragged() == IntervalHandles::Part::none) {
        edges_.showCursor(*viewport(), line(), event->position().x());
        return;
    }
    const auto [low, high] = edges_.drag(line(), event->position().x());
    display_.setWindow(low, high);
}

void HistogramView::mouseReleaseEvent(QMouseEvent*) { edges_.release(); }

void HistogramView::mouseDoubleClickEvent(QMouseEvent*) {
    if (!histogram_.isEmpty()) {
        display_.autoWindow();
    }
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
    const auto [part, steps] = IntervalHandles::keyOf(*event);
    if (histogram_.isEmpty() || part == IntervalHandles::Part::none) {
        Chart::keyPressEvent(event);
        return;
    }
    const double step = std::max(1.0, std::round((end_ - start_) * kKeyStep)) * steps;
    if (part == IntervalHandles::Part::high) {
        display_.setWindowHigh(display_.windowHigh() + step);
    } else {
        display_.setWindowLow(display_.windowLow() + step);
    }
}

} // namespace pollard::app
