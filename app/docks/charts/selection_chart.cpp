#include "docks/charts/selection_chart.hpp"

#include "docks/charts/chart_ticks.hpp"
#include "theme/theme.hpp"
#include "vm/tree/selection_summary.hpp"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QGuiApplication>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kHeadroom = 1.05; ///< factor above the highest bar
constexpr int kMostTicks = 4;
constexpr float kFillAlpha = 0.5F;

/// Position of a value between the first and the last edge, 0..1.
double placeOf(const Bins& bins, double value) {
    const double low = bins.edges.front();
    const double high = bins.edges.back();
    return bins.scale == BinScale::log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

} // namespace

SelectionChart::SelectionChart(vm::SelectionSummary& summary, QWidget* parent)
    : QChartView(parent), summary_(summary), outline_(new QLineSeries(this)), bars_(new QAreaSeries(outline_)),
      values_(new QCategoryAxis), counts_(new QValueAxis) {
    setObjectName(QStringLiteral("selectionChart"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setMinimumSize(120, 90);
    setAcceptDrops(false); // the window accepts files
    setRenderHint(QPainter::Antialiasing);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Distribution of the attribute over the selection"));
    setToolTip(tr("Number of selected components by value"));
    QChart* chart = this->chart();
    chart->legend()->hide();
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setMargins(QMargins(2, 4, 8, 0));
    chart->setBackgroundRoundness(0);
    chart->addSeries(bars_);
    chart->addAxis(values_, Qt::AlignBottom);
    chart->addAxis(counts_, Qt::AlignLeft);
    bars_->attachAxis(values_);
    bars_->attachAxis(counts_);
    values_->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    values_->setGridLineVisible(false);
    counts_->setVisible(false);
    connect(&summary_, &vm::SelectionSummary::changed, this, &SelectionChart::showBars);
    dress();
    showBars();
}

void SelectionChart::dress() {
    const QPalette palette = QGuiApplication::palette();
    chart()->setBackgroundBrush(palette.color(QPalette::Window));
    setBackgroundBrush(palette.color(QPalette::Window));
    QColor colour = palette.color(QPalette::Highlight);
    bars_->setPen(QPen(colour, 1));
    colour.setAlphaF(kFillAlpha);
    bars_->setBrush(colour);
    values_->setLinePen(QPen(hairline(palette), 1));
    values_->setLabelsColor(secondaryText(palette));
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    values_->setLabelsFont(small);
}

void SelectionChart::showBars() {
    const auto values = summary_.values();
    QList<QPointF> outline;
    for (const QString& label : values_->categoriesLabels()) {
        values_->remove(label);
    }
    if (values) {
        const Bins& bins = values->histogram.bins;
        std::uint64_t highest = 1;
        for (std::size_t bin = 0; bin < bins.count(); ++bin) {
            const auto count = static_cast<double>(values->histogram.counts[bin]);
            outline << QPointF(placeOf(bins, bins.edges[bin]), count)
                    << QPointF(placeOf(bins, bins.edges[bin + 1]), count);
            highest = std::max(highest, values->histogram.counts[bin]);
        }
        for (const ChartTick& tick :
             ticksBetween(bins.edges.front(), bins.edges.back(), bins.scale == BinScale::log, kMostTicks)) {
            values_->append(tick.label, placeOf(bins, tick.value));
        }
        values_->setRange(0, 1);
        counts_->setRange(0, static_cast<double>(highest) * kHeadroom);
    }
    outline_->replace(outline);
    values_->setVisible(values != nullptr);
}

void SelectionChart::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        dress();
    }
}

} // namespace pollard::app
