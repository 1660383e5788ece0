#include "docks/charts/selection_chart.hpp"

#include "theme/theme.hpp"
#include "vm/tree/selection_summary.hpp"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QEvent>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kCountHeadroom = 1.05; ///< factor above the highest bar
constexpr int kMostTicks = 4;
constexpr float kFillAlpha = 0.5F;

/// Position of a value between the first and the last edge, 0..1.
double placeInBins(const Bins& bins, double value) {
    const double low = bins.edges.front();
    const double high = bins.edges.back();
    return bins.scale == BinScale::log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

} // namespace

SelectionChart::SelectionChart(vm::SelectionSummary& summary, QWidget* parent)
    : Chart("selectionChart", {2, 4, 8, 0}, {120, 90}, parent), summary_(summary),
      bars_(new QAreaSeries(new QLineSeries(this))), values_(new QCategoryAxis), counts_(new QValueAxis) {
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Distribution of the attribute over the selection"));
    setToolTip(tr("Number of selected components by value"));
    addAxis(values_, Qt::AlignBottom);
    addAxis(counts_, Qt::AlignLeft);
    addSeries(bars_, values_, counts_);
    connect(&summary_, &vm::SelectionSummary::changed, this, &SelectionChart::showBars);
    dress();
    showBars();
}

void SelectionChart::dressSeries(const QPalette& palette) {
    QColor colour = palette.color(QPalette::Highlight);
    bars_->setPen(QPen(colour, 1));
    colour.setAlphaF(kFillAlpha);
    bars_->setBrush(colour);
}

void SelectionChart::showBars() {
    const auto values = summary_.values();
    QList<QPointF> outline;
    if (values) {
        const Bins& bins = values->histogram.bins;
        std::uint64_t highest = 1;
        for (std::size_t bin = 0; bin < bins.count(); ++bin) {
            const auto count = static_cast<double>(values->histogram.counts[bin]);
            outline << QPointF(placeInBins(bins, bins.edges[bin]), count)
                    << QPointF(placeInBins(bins, bins.edges[bin + 1]), count);
            highest = std::max(highest, values->histogram.counts[bin]);
        }
        setTicks(*values_, 0, 1,
                 ticksBetween(summary_.valueAt(bins.edges.front()), summary_.valueAt(bins.edges.back()),
                              bins.scale == BinScale::log && summary_.valueAt(bins.edges.front()) > 0, kMostTicks),
                 [&](double value) { return placeInBins(bins, summary_.ofColumn(value)); });
        counts_->setRange(0, static_cast<double>(highest) * kCountHeadroom);
    }
    bars_->upperSeries()->replace(outline);
    showAxes(values != nullptr, counts_);
}

} // namespace pollard::app
