#include "docks/charts/contour_chart.hpp"

#include "theme/theme.hpp"
#include "vm/contour/contour_series.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/world_scale.hpp"

#include <QCategoryAxis>
#include <QChart>
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
constexpr int kStateTicks = 3;

struct ValueRange {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();

    [[nodiscard]] ValueRange times(double factor) const { return {low * factor, high * factor}; }
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
    : Chart("contourChart", {0, kHead, 0, 0}, {160, 90}, parent), contours_(contours), energy_(new QLineSeries),
      area_(new QLineSeries), states_(new QValueAxis), energies_(new QCategoryAxis), areas_(new QCategoryAxis) {
    setAccessibleName(tr("Energy and area over the states"));
    setToolTip(tr("Energy (left) and area (right) of every state. Click or drag to show another state."));
    addAxis(states_, Qt::AlignBottom);
    addAxis(energies_, Qt::AlignLeft);
    addAxis(areas_, Qt::AlignRight);
    addSeries(area_, states_, areas_);
    addSeries(energy_, states_, energies_);
    states_->setLabelFormat(QStringLiteral("%.0f"));
    states_->setTickCount(kStateTicks);
    later_.setSingleShot(true);
    later_.setInterval(kPause);
    connect(&later_, &QTimer::timeout, this, &ContourChart::showCurves);
    for (const auto signal : {&vm::ContourRuns::statesChanged, &vm::ContourRuns::changed}) {
        connect(&contours_.runs(), signal, this, [this] {
            if (!later_.isActive()) {
                later_.start();
            }
        });
    }
    connect(&contours_.document().pixelSizes(), &vm::DocumentPixelSizes::changed, &later_, qOverload<>(&QTimer::start));
    connect(&contours_.runs(), &vm::ContourRuns::shownChanged, viewport(), qOverload<>(&QWidget::update));
    dress();
    showCurves();
}

void ContourChart::dressSeries(const QPalette& palette) {
    energy_->setPen(QPen(palette.color(QPalette::Highlight), 2));
    area_->setPen(QPen(secondaryText(palette), 1.4));
    energies_->setLabelsColor(palette.color(QPalette::Highlight));
}

void ContourChart::showCurves() {
    const vm::ContourRun* run = contours_.runs().currentRun();
    const int count = contours_.runs().stateCount();
    QList<QPointF> energy;
    QList<QPointF> area;
    if (run != nullptr) {
        ValueRange energies;
        ValueRange areas;
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
        const vm::WorldUnit unit = vm::sceneAreaUnit(contours_.document().imageInfo().get(), areas.high);
        areaUnit_ = unit.name;
        for (QPointF& point : area) {
            point.setY(point.y() * unit.factor);
        }
        energies.widen();
        areas.widen();
        areas = areas.times(unit.factor);
        states_->setRange(0, std::max(1, count - 1));
        for (const auto& [axis, range] : {std::pair(energies_, energies), std::pair(areas_, areas)}) {
            setTicks(*axis, range.low, range.high, ticksBetween(range.low, range.high, false, kStateTicks));
        }
    }
    energy_->replace(energy);
    area_->replace(area);
    showAxes(run != nullptr);
    viewport()->update();
}

double ContourChart::pixelOf(int state) const {
    return pixelAt(static_cast<double>(state) / std::max(1, contours_.runs().stateCount() - 1));
}

void ContourChart::drawForeground(QPainter* painter, const QRectF&) {
    if (contours_.runs().current() < 0) {
        return;
    }
    paintHead(
        *painter, 4, {tr("Energy"), palette().color(QPalette::Highlight)}, tr("over the states"),
        {QStringLiteral("%1, %2").arg(vm::nameOf(vm::ContourMeasure::area), areaUnit_), secondaryText(palette())});
    painter->setPen(QPen(palette().color(QPalette::WindowText), hasFocus() ? 2 : 1));
    paintLine(*painter, pixelOf(contours_.runs().shown()));
}

void ContourChart::scrubTo(double pixel) {
    contours_.playback().scrub(static_cast<int>(std::lround(partOf(pixel) * (contours_.runs().stateCount() - 1))));
}

void ContourChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && contours_.runs().current() >= 0) {
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

} // namespace pollard::app
