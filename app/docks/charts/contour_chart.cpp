#include "docks/charts/contour_chart.hpp"

#include "docks/charts/chart_ticks.hpp"
#include "theme/theme.hpp"
#include "vm/contour/contour_view_model.hpp"

#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMouseEvent>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pollard::app {

using Contours = vm::ContourViewModel;

namespace {

constexpr int kMostPoints = 400; ///< per curve
constexpr int kPause = 60;       ///< ms between two updates of the curves
constexpr int kFewTicks = 3;

struct Range {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();

    void hold(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    /// Adds a margin; the range is never empty.
    void widen() {
        const double room = std::max((high - low) * 0.06, std::max(std::abs(high) * 1e-6, 0.5));
        low -= room;
        high += room;
    }
};

} // namespace

ContourChart::ContourChart(Contours& contours, QWidget* parent)
    : QChartView(parent), contours_(contours), energy_(new QLineSeries), area_(new QLineSeries),
      states_(new QValueAxis), energies_(new QCategoryAxis), areas_(new QCategoryAxis) {
    setObjectName(QStringLiteral("contourChart"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 90);
    setAcceptDrops(false); // the window accepts files
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Energy and area over the states"));
    setToolTip(tr("Energy (left) and area (right, px) of every state. Click or drag to show another state."));

    QChart* chart = this->chart();
    chart->legend()->hide();
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setMargins(QMargins(0, 18, 0, 0)); // space for the names of the curves
    chart->setBackgroundRoundness(0);
    chart->addSeries(area_);
    chart->addSeries(energy_);
    chart->addAxis(states_, Qt::AlignBottom);
    chart->addAxis(energies_, Qt::AlignLeft);
    chart->addAxis(areas_, Qt::AlignRight);
    energy_->attachAxis(states_);
    energy_->attachAxis(energies_);
    area_->attachAxis(states_);
    area_->attachAxis(areas_);
    states_->setLabelFormat(QStringLiteral("%.0f"));
    states_->setTickCount(kFewTicks);
    states_->setGridLineVisible(false);
    for (QCategoryAxis* axis : {energies_, areas_}) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
        axis->setGridLineVisible(false);
    }
    later_.setSingleShot(true);
    later_.setInterval(kPause);
    connect(&later_, &QTimer::timeout, this, &ContourChart::showCurves);
    for (const auto signal : {&Contours::statesChanged, &Contours::runsChanged}) {
        connect(&contours_, signal, this, [this] {
            if (!later_.isActive()) {
                later_.start();
            }
        });
    }
    connect(&contours_, &Contours::shownChanged, viewport(), qOverload<>(&QWidget::update));
    dress();
    showCurves();
}

void ContourChart::dress() {
    const QPalette palette = QGuiApplication::palette();
    const QColor ground = palette.color(QPalette::Window);
    chart()->setBackgroundBrush(ground);
    setBackgroundBrush(ground);
    energy_->setPen(QPen(palette.color(QPalette::Highlight), 2));
    area_->setPen(QPen(secondaryText(palette), 1.4));
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(states_), static_cast<QAbstractAxis*>(energies_),
                                static_cast<QAbstractAxis*>(areas_)}) {
        axis->setLinePen(QPen(hairline(palette), 1));
        axis->setLabelsColor(secondaryText(palette));
        axis->setLabelsFont(small);
    }
    energies_->setLabelsColor(palette.color(QPalette::Highlight));
}

void ContourChart::showCurves() {
    const vm::ContourRun* run = contours_.currentRun();
    const int count = contours_.stateCount();
    QList<QPointF> energy;
    QList<QPointF> area;
    if (run != nullptr) {
        Range energies;
        Range areas;
        const int stride = std::max(1, (count + kMostPoints - 1) / kMostPoints);
        const auto add = [&](int number) {
            const vm::ContourRecord::Figures told = run->record.figures(number, run->contour);
            energy << QPointF(number, told.energy);
            area << QPointF(number, static_cast<double>(told.inside.pixels));
            energies.hold(told.energy);
            areas.hold(static_cast<double>(told.inside.pixels));
        };
        for (int number = 0; number < count - 1; number += stride) {
            add(number);
        }
        add(count - 1);
        energies.widen();
        areas.widen();
        states_->setRange(0, std::max(1, count - 1));
        showTicks(*energies_, energies.low, energies.high, kFewTicks);
        showTicks(*areas_, areas.low, areas.high, kFewTicks);
    }
    energy_->replace(energy);
    area_->replace(area);
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(states_), static_cast<QAbstractAxis*>(energies_),
                                static_cast<QAbstractAxis*>(areas_)}) {
        axis->setVisible(run != nullptr);
    }
    viewport()->update();
}

void ContourChart::showTicks(QCategoryAxis& axis, double low, double high, int most) {
    for (const QString& label : axis.categoriesLabels()) {
        axis.remove(label);
    }
    axis.setStartValue(low);
    for (const ChartTick& tick : ticksBetween(low, high, false, most)) {
        axis.append(tick.label, tick.value);
    }
    axis.setRange(low, high);
}

double ContourChart::pixelOf(int state) const {
    const QRectF plot = chart()->plotArea();
    return plot.left() + plot.width() * state / std::max(1, contours_.stateCount() - 1);
}

void ContourChart::drawForeground(QPainter* painter, const QRectF&) {
    const QRectF plot = chart()->plotArea();
    if (contours_.current() < 0) {
        return;
    }
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    painter->setFont(small);
    const QRectF head(4, 1, viewport()->width() - 8.0, 16);
    painter->setPen(palette().color(QPalette::Highlight));
    painter->drawText(head, Qt::AlignLeft | Qt::AlignVCenter, tr("Energy"));
    painter->setPen(secondaryText(palette()));
    painter->drawText(head, Qt::AlignRight | Qt::AlignVCenter, tr("Area, px"));
    painter->drawText(head, Qt::AlignCenter, tr("over the states"));
    const double x = std::min(pixelOf(contours_.shown()), plot.right());
    painter->setPen(QPen(palette().color(QPalette::WindowText), hasFocus() ? 2 : 1));
    painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
}

void ContourChart::scrubTo(double pixel) {
    const QRectF plot = chart()->plotArea();
    const double part = std::clamp((pixel - plot.left()) / std::max(plot.width(), 1.0), 0.0, 1.0);
    contours_.scrub(static_cast<int>(std::lround(part * (contours_.stateCount() - 1))));
}

void ContourChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && contours_.current() >= 0) {
        dragging_ = true;
        scrubTo(event->position().x());
    }
}

void ContourChart::mouseMoveEvent(QMouseEvent* event) {
    if (dragging_) {
        scrubTo(event->position().x());
    }
}

void ContourChart::mouseReleaseEvent(QMouseEvent*) { dragging_ = false; }

void ContourChart::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void ContourChart::keyPressEvent(QKeyEvent* event) { event->ignore(); } // handled by the panel

void ContourChart::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        dress();
    }
}

} // namespace pollard::app
