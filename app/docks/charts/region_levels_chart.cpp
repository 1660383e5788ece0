#include "docks/charts/region_levels_chart.hpp"

#include "theme/theme.hpp"
#include "vm/contour/contour_histograms.hpp"

#include <QAreaSeries>
#include <QChart>
#include <QKeyEvent>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr double kShareHeadroom = 1.08; ///< factor above the highest bar
constexpr int kLevelTicks = 3;

} // namespace

QColor insideColour(const QPalette& palette) { return isDark(palette) ? QColor(255, 140, 70) : QColor(214, 84, 16); }

QColor outsideColour(const QPalette& palette) { return isDark(palette) ? QColor(110, 170, 255) : QColor(30, 100, 200); }

RegionLevelsChart::RegionLevelsChart(vm::ContourHistograms& histograms, QWidget* parent)
    : Chart("contourLevels", {6, kHead, 6, 0}, {160, 90}, parent), histograms_(histograms), levels_(new QValueAxis),
      shares_(new QValueAxis) {
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Levels inside and outside of the contour"));
    setToolTip(tr("Areas: distribution of the grey levels inside and outside. Lines: the law with the parameters that "
                  "make each region most likely. The better they fit, the better the law suits the picture."));
    addAxis(levels_, Qt::AlignBottom);
    addAxis(shares_, Qt::AlignLeft);
    levels_->setLabelFormat(QStringLiteral("%.0f"));
    levels_->setTickCount(kLevelTicks);
    chart()->setLocalizeNumbers(true);
    outside_ = addCurves();
    inside_ = addCurves();
    connect(&histograms_, &vm::ContourHistograms::changed, this, &RegionLevelsChart::showLevels);
    dress();
    showLevels();
}

RegionLevelsChart::Curves RegionLevelsChart::addCurves() {
    Curves curves;
    curves.area = new QAreaSeries(new QLineSeries(this));
    curves.law = new QLineSeries;
    addSeries(curves.area, levels_, shares_);
    addSeries(curves.law, levels_, shares_);
    return curves;
}

void RegionLevelsChart::dressSeries(const QPalette& palette) {
    const auto dressCurves = [](Curves& curves, QColor colour) {
        curves.law->setPen(QPen(colour, 1.6));
        colour.setAlphaF(0.38F);
        curves.area->setBrush(colour);
        curves.area->setPen(Qt::NoPen);
    };
    dressCurves(inside_, insideColour(palette));
    dressCurves(outside_, outsideColour(palette));
}

void RegionLevelsChart::showLevels() {
    const auto levels = histograms_.levels();
    double highest = 0;
    const auto fill = [&](Curves& curves, const vm::RegionLevels* region) {
        QList<QPointF> outline;
        QList<QPointF> law;
        for (std::size_t bin = 0; region != nullptr && bin < region->shares.size(); ++bin) {
            const double from = levels->low + levels->step * static_cast<double>(bin);
            const double to = histograms_.valueOf(from + levels->step);
            outline << QPointF(histograms_.valueOf(from), region->shares[bin]) << QPointF(to, region->shares[bin]);
            law << QPointF(histograms_.valueOf(from + levels->step / 2), region->fitted[bin]);
            highest = std::max({highest, region->shares[bin], region->fitted[bin]});
        }
        curves.area->upperSeries()->replace(outline);
        curves.law->replace(law);
    };
    fill(inside_, levels ? &levels->inside : nullptr);
    fill(outside_, levels ? &levels->outside : nullptr);
    if (levels) {
        const double low = histograms_.valueOf(levels->low);
        const double high = histograms_.valueOf(levels->high());
        levels_->setLabelFormat(high - low < kLevelTicks ? QStringLiteral("%.4g") : QStringLiteral("%.0f"));
        levels_->setRange(low, high);
        shares_->setRange(0, std::max(highest * kShareHeadroom, 1e-6));
    }
    showAxes(levels != nullptr, shares_);
    viewport()->update();
}

void RegionLevelsChart::drawForeground(QPainter* painter, const QRectF&) {
    if (!histograms_.levels()) {
        return;
    }
    paintHead(*painter, 6, {tr("Inside"), insideColour(palette())},
              histograms_.unit().isEmpty() ? tr("grey levels") : histograms_.unit(),
              {tr("Outside"), outsideColour(palette())});
}

void RegionLevelsChart::keyPressEvent(QKeyEvent* event) { event->ignore(); } // handled by the panel

} // namespace pollard::app
