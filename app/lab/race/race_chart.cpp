#include "lab/race/race_chart.hpp"

#include "theme/theme.hpp"
#include "vm/base/value_text.hpp"
#include "vm/lab/race_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QGraphicsLayout>
#include <QHorizontalBarSeries>
#include <QValueAxis>

#include <algorithm>

namespace pollard::app {

using Race = vm::RaceViewModel;

namespace {

constexpr double kHeadroom = 1.15; ///< factor for the longest bar

} // namespace

RaceChart::RaceChart(Race& race, QWidget* parent) : Chart("raceChart", {}, {360, 180}, parent), race_(race) {
    explain(this, tr("Times"),
            tr("Milliseconds that each algorithm takes for the tree of the open image: shorter is "
               "better"));
    chart()->layout()->setContentsMargins(-1, -1, -1, -1); // those of the style
    connect(&race_, &Race::changed, this, &RaceChart::showTimes);
    showTimes();
}

void RaceChart::showTimes() {
    QChart& chart = *this->chart();
    chart.removeAllSeries();
    for (QAbstractAxis* axis : chart.axes()) {
        chart.removeAxis(axis);
        delete axis;
    }
    auto* bars = new QBarSet(tr("ms"));
    QStringList names;
    QStringList said;
    double longest = 0;
    for (auto each = race_.runners().rbegin(); each != race_.runners().rend(); ++each) { // bars start at the bottom
        const Race::Runner& runner = *each;
        const double time = runner.milliseconds.value_or(0);
        *bars << time;
        longest = std::max(longest, time);
        names << QStringLiteral("%1 %2").arg(runner.engine.section(u':', 0, 0), runner.name);
        if (runner.milliseconds) {
            said.prepend(tr("%1: %2 ms").arg(names.back(), vm::shortValue(time)));
        }
    }
    auto* series = new QHorizontalBarSeries;
    bars->setBorderColor(Qt::transparent);
    series->append(bars);
    auto* across = new QValueAxis;
    across->setRange(0, longest > 0 ? longest * kHeadroom : 1);
    across->setTitleText(tr("Time, ms"));
    auto* down = new QBarCategoryAxis;
    down->append(names);
    chart.addAxis(across, Qt::AlignBottom);
    chart.addAxis(down, Qt::AlignLeft);
    addSeries(series, across, down);
    dress();
    setAccessibleDescription(said.join(QStringLiteral("; ")));
}

void RaceChart::dressSeries(const QPalette& palette) {
    QChart& chart = *this->chart();
    chart.setBackgroundBrush(palette.color(QPalette::Base));
    for (QAbstractAxis* axis : chart.axes()) {
        axis->setLabelsColor(palette.color(QPalette::Text));
        axis->setTitleBrush(palette.color(QPalette::Text));
        axis->setLabelsFont(font());
        axis->setTitleFont(font());
        axis->setGridLineColor(hairline(palette));
        axis->setLinePenColor(secondaryText(palette));
    }
    for (QAbstractSeries* series : chart.series()) {
        for (QBarSet* bars : static_cast<QHorizontalBarSeries*>(series)->barSets()) {
            bars->setColor(palette.color(QPalette::Highlight));
        }
    }
}

} // namespace pollard::app
