#include "window/files/data_menus.hpp"

#include "base/number_text.hpp"
#include "shell/models.hpp"
#include "window/files/data_menu.hpp"

#include <QAbstractItemView>
#include <QAreaSeries>
#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QMainWindow>
#include <QXYSeries>

namespace pollard::app {
namespace {

/// The points of the series of a chart without a table of its own.
vm::DataTable tableOfSeries(const QChart& chart) {
    vm::DataTable table{{QStringLiteral("series"), QStringLiteral("x"), QStringLiteral("y")}, {{}, {}, {}}, {}};
    int number = 0;
    for (const QAbstractSeries* series : chart.series()) {
        ++number;
        const auto* line = qobject_cast<const QXYSeries*>(series);
        if (const auto* area = qobject_cast<const QAreaSeries*>(series)) {
            line = area->upperSeries();
        }
        for (const QPointF& point : line != nullptr ? line->points() : QList<QPointF>()) {
            table.rows << QStringList{series->name().isEmpty() ? QString::number(number) : series->name(),
                                      vm::exactNumber(point.x()), vm::exactNumber(point.y())};
        }
    }
    return table;
}

/// Whether a view has rows with several columns: single-column lists are controls, not data.
bool isTable(const QAbstractItemView& view) {
    return view.model() != nullptr && view.model()->columnCount() > 1 && !view.objectName().isEmpty();
}

} // namespace

void addDataMenus(QMainWindow& window, Models& models, ErrorPresenter& errors) {
    for (QChartView* chart : window.findChildren<QChartView*>()) {
        if (chart->findChild<DataMenu*>() == nullptr) {
            new DataMenu(
                *chart, QStringLiteral("_chart"), [chart] { return tableOfSeries(*chart->chart()); }, models, errors);
        }
    }
    for (QAbstractItemView* view : window.findChildren<QAbstractItemView*>()) {
        if (isTable(*view)) {
            new DataMenu(*view, QStringLiteral("_table"), models, errors);
        }
    }
}

} // namespace pollard::app
