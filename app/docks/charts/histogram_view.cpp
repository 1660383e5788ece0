#include "docks/charts/histogram_view.hpp"

#include "theme/theme.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"

#include <QAreaSeries>
#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QGuiApplication>
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
    : QChartView(parent), histogram_(histogram), display_(display), outline_(new QLineSeries(this)),
      area_(new QAreaSeries(outline_)), levels_(new QValueAxis), values_(new QValueAxis), heights_(new QValueAxis) {
    setObjectName(QStringLiteral("histogram"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumHeight(140);
    setAcceptDrops(false); // the window accepts files
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Histogram of grey levels"));
    setAccessibleDescription(tr("Left and right move the lower edge of the window, with Shift the upper one; the "
                                "numbers below hold the same values."));
    setToolTip(tr("Grey levels with the tone curve. Drag an edge of the window, or the range between the edges; "
                  "double-click sets it automatically."));

    QChart* chart = this->chart();
    chart->legend()->hide();
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setMargins(QMargins(2, 6, 2, 0));
    chart->setBackgroundRoundness(0);
    chart->addSeries(area_);
    chart->addAxis(levels_, Qt::AlignBottom);
    chart->addAxis(values_, Qt::AlignBottom);
    levels_->setVisible(false);
    chart->addAxis(heights_, Qt::AlignLeft);
    area_->attachAxis(levels_);
    area_->attachAxis(heights_);
    heights_->setRange(0, 1.04);
    heights_->setVisible(false);
    values_->setTickCount(3);
    values_->setGridLineVisible(false);

    connect(&histogram_, &vm::HistogramViewModel::changed, this, &HistogramView::showBins);
    connect(&display_, &vm::DisplayViewModel::windowChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&display_, &vm::DisplayViewModel::toneCurveChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&display_, &vm::DisplayViewModel::levelDomainChanged, this, &HistogramView::showBins);
    dress();
    showBins();
}

void HistogramView::dress() {
    const QPalette palette = QGuiApplication::palette();
    QColor fill = palette.color(QPalette::WindowText);
    fill.setAlphaF(0.55F);
    chart()->setBackgroundBrush(palette.color(QPalette::Window));
    setBackgroundBrush(palette.color(QPalette::Window));
    area_->setBrush(fill);
    area_->setPen(Qt::NoPen);
    values_->setLinePen(QPen(hairline(palette), 1));
    values_->setLabelsColor(secondaryText(palette));
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    values_->setLabelsFont(small);
}

void HistogramView::showBins() {
    start_ = histogram_.isEmpty() ? 0 : histogram_.domainMinimum();
    end_ = histogram_.isEmpty() ? 255 : std::max(histogram_.domainMaximum(), start_ + 1);
    // Bars stay in levels; the numbers below them are values of the file.
    const bool whole = display_.valueStep() == std::floor(display_.valueStep());
    values_->setLabelFormat(whole ? QStringLiteral("%.0f") : QStringLiteral("%.4g"));
    values_->setRange(display_.valueOf(start_), display_.valueOf(end_));
    levels_->setRange(start_, end_);
    outline_->replace(histogram_.outline());
    values_->setLabelsVisible(!histogram_.isEmpty());
    viewport()->update();
}

double HistogramView::pixelOf(double level) const {
    const QRectF plot = chart()->plotArea();
    return plot.left() + std::clamp((level - start_) / (end_ - start_), 0.0, 1.0) * plot.width();
}

double HistogramView::levelAt(double pixel) const {
    const QRectF plot = chart()->plotArea();
    const double t = std::clamp((pixel - plot.left()) / std::max(plot.width(), 1.0), 0.0, 1.0);
    return std::round(start_ + t * (end_ - start_));
}

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
    const double low = pixelOf(display_.windowLow());
    const double high = pixelOf(display_.windowHigh());
    QColor shade = palette().color(QPalette::Window);
    shade.setAlphaF(0.66F);
    painter->fillRect(QRectF(plot.topLeft(), QPointF(low, plot.bottom())), shade);
    painter->fillRect(QRectF(QPointF(high, plot.top()), plot.bottomRight()), shade);

    const QColor accent = palette().color(QPalette::Highlight);
    painter->setRenderHint(QPainter::Antialiasing);
    // Window and tone curve as a function of the level.
    QColor ramp = accent;
    ramp.setAlphaF(0.6F);
    painter->setPen(QPen(ramp, 1.4));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(toneCurve(plot));
    for (const double x : {low, high}) {
        painter->setPen(QPen(accent, hasFocus() ? 2.4 : 1.6));
        painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter->setPen(Qt::NoPen);
        painter->setBrush(accent);
        painter->drawRoundedRect(QRectF(x - 4, plot.center().y() - 9, 8, 18), 3, 3);
        painter->setPen(QPen(palette().color(QPalette::HighlightedText), 1));
        painter->drawLine(QPointF(x, plot.center().y() - 4), QPointF(x, plot.center().y() + 4));
    }
}

HistogramView::Drag HistogramView::partAt(double pixel) const {
    if (histogram_.isEmpty()) {
        return Drag::none;
    }
    const double toLow = pixel - pixelOf(display_.windowLow());
    const double toHigh = pixel - pixelOf(display_.windowHigh());
    if (std::min(std::abs(toLow), std::abs(toHigh)) <= kReach) {
        // Edges at one position: the side of the pointer decides.
        return std::abs(toLow) < std::abs(toHigh) || (toLow == toHigh && toLow < 0) ? Drag::low : Drag::high;
    }
    if (toLow > 0 && toHigh < 0) {
        return Drag::both;
    }
    return toLow < 0 ? Drag::low : Drag::high;
}

void HistogramView::moveBoth(double low) {
    const double width = display_.windowHigh() - display_.windowLow();
    const double start = std::clamp(low, 0.0, display_.maxLevel() - width);
    display_.setWindow(start, start + width);
}

void HistogramView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        QChartView::mousePressEvent(event);
        return;
    }
    drag_ = partAt(event->position().x());
    grip_ = levelAt(event->position().x()) - display_.windowLow();
}

void HistogramView::mouseMoveEvent(QMouseEvent* event) {
    const double level = levelAt(event->position().x());
    switch (drag_) {
    case Drag::low:
        display_.setWindowLow(std::min(level, display_.windowHigh() - 1));
        break;
    case Drag::high:
        display_.setWindowHigh(std::max(level, display_.windowLow() + 1));
        break;
    case Drag::both:
        moveBoth(level - grip_);
        break;
    case Drag::none:
        switch (partAt(event->position().x())) {
        case Drag::none:
            viewport()->unsetCursor();
            break;
        case Drag::both:
            viewport()->setCursor(Qt::OpenHandCursor);
            break;
        case Drag::low:
        case Drag::high:
            viewport()->setCursor(Qt::SplitHCursor);
            break;
        }
        break;
    }
}

void HistogramView::mouseReleaseEvent(QMouseEvent*) { drag_ = Drag::none; }

void HistogramView::mouseDoubleClickEvent(QMouseEvent*) {
    if (!histogram_.isEmpty()) {
        display_.autoWindow();
    }
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
    const bool left = event->key() == Qt::Key_Left;
    if (histogram_.isEmpty() || (!left && event->key() != Qt::Key_Right)) {
        QChartView::keyPressEvent(event);
        return;
    }
    const double step = std::max(1.0, std::round((end_ - start_) * kKeyStep)) * (left ? -1 : 1);
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        display_.setWindowHigh(std::max(display_.windowHigh() + step, display_.windowLow() + 1));
    } else {
        display_.setWindowLow(std::min(display_.windowLow() + step, display_.windowHigh() - 1));
    }
}

void HistogramView::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        dress();
    }
}

} // namespace pollard::app
