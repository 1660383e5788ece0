#include "docks/charts/region_levels_chart.hpp"

#include "theme/theme.hpp"
#include "vm/contour/contour_histograms.hpp"

#include <QAreaSeries>
#include <QChart>
#include <QGraphicsLayout>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr double kHeadroom = 1.08; ///< factor above the highest bar
constexpr int kFewTicks = 3;

} // namespace

QColor insideColour(const QPalette& palette) { return isDark(palette) ? QColor(255, 140, 70) : QColor(214, 84, 16); }

QColor outsideColour(const QPalette& palette) { return isDark(palette) ? QColor(110, 170, 255) : QColor(30, 100, 200); }

RegionLevelsChart::RegionLevelsChart(vm::ContourHistograms& histograms, QWidget* parent)
    : QChartView(parent), histograms_(histograms), levels_(new QValueAxis), shares_(new QValueAxis) {
    setObjectName(QStringLiteral("contourLevels"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setMinimumSize(160, 90);
    setAcceptDrops(false); // the window accepts files
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Levels inside and outside of the contour"));
    setToolTip(tr("Areas: distribution of the grey levels inside and outside. Lines: the law with the parameters that "
                  "make each region most likely. The better they fit, the better the law suits the picture."));
    QChart* chart = this->chart();
    chart->legend()->hide();
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setMargins(QMargins(6, 18, 6, 0)); // space for the names of the regions
    chart->setBackgroundRoundness(0);
    chart->addAxis(levels_, Qt::AlignBottom);
    chart->addAxis(shares_, Qt::AlignLeft);
    shares_->setVisible(false);
    levels_->setLabelFormat(QStringLiteral("%.0f"));
    levels_->setTickCount(kFewTicks);
    levels_->setGridLineVisible(false);
    outside_ = addCurves();
    inside_ = addCurves();
    connect(&histograms_, &vm::ContourHistograms::changed, this, &RegionLevelsChart::showLevels);
    dress();
    showLevels();
}

RegionLevelsChart::Curves RegionLevelsChart::addCurves() {
    Curves curves;
    curves.outline = new QLineSeries(this);
    curves.area = new QAreaSeries(curves.outline);
    curves.law = new QLineSeries;
    for (QAbstractSeries* series :
         {static_cast<QAbstractSeries*>(curves.area), static_cast<QAbstractSeries*>(curves.law)}) {
        chart()->addSeries(series);
        series->attachAxis(levels_);
        series->attachAxis(shares_);
    }
    return curves;
}

void RegionLevelsChart::dress() {
    const QPalette palette = QGuiApplication::palette();
    chart()->setBackgroundBrush(palette.color(QPalette::Window));
    setBackgroundBrush(palette.color(QPalette::Window));
    const auto dressCurves = [](Curves& curves, QColor colour) {
        curves.law->setPen(QPen(colour, 1.6));
        colour.setAlphaF(0.38F);
        curves.area->setBrush(colour);
        curves.area->setPen(Qt::NoPen);
    };
    dressCurves(inside_, insideColour(palette));
    dressCurves(outside_, outsideColour(palette));
    levels_->setLinePen(QPen(hairline(palette), 1));
    levels_->setLabelsColor(secondaryText(palette));
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    levels_->setLabelsFont(small);
}

void RegionLevelsChart::showLevels() {
    const auto levels = histograms_.levels();
    double highest = 0;
    const auto fill = [&](Curves& curves, const vm::RegionLevels* region) {
        QList<QPointF> outline;
        QList<QPointF> law;
        for (std::size_t bin = 0; region != nullptr && bin < region->shares.size(); ++bin) {
            const double from = levels->low + levels->step * static_cast<double>(bin);
            outline << QPointF(from, region->shares[bin]) << QPointF(from + levels->step, region->shares[bin]);
            law << QPointF(from + levels->step / 2, region->fitted[bin]);
            highest = std::max({highest, region->shares[bin], region->fitted[bin]});
        }
        curves.outline->replace(outline);
        curves.law->replace(law);
    };
    fill(inside_, levels ? &levels->inside : nullptr);
    fill(outside_, levels ? &levels->outside : nullptr);
    if (levels) {
        levels_->setRange(levels->low, levels->high());
        shares_->setRange(0, std::max(highest * kHeadroom, 1e-6));
    }
    levels_->setVisible(levels != nullptr);
    viewport()->update();
}

void RegionLevelsChart::drawForeground(QPainter* painter, const QRectF&) {
    if (!histograms_.levels()) {
        return;
    }
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    painter->setFont(small);
    const QRectF head(6, 1, viewport()->width() - 12.0, 16);
    painter->setPen(insideColour(palette()));
    painter->drawText(head, Qt::AlignLeft | Qt::AlignVCenter, tr("Inside"));
    painter->setPen(outsideColour(palette()));
    painter->drawText(head, Qt::AlignRight | Qt::AlignVCenter, tr("Outside"));
    painter->setPen(secondaryText(palette()));
    painter->drawText(head, Qt::AlignCenter, tr("grey levels"));
}

void RegionLevelsChart::keyPressEvent(QKeyEvent* event) { event->ignore(); } // handled by the panel

void RegionLevelsChart::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        dress();
    }
}

} // namespace pollard::app
