#include "window/files/data_menus.hpp"

#include "docks/charts/attribute_histogram_view.hpp"
#include "docks/charts/chain_chart.hpp"
#include "docks/charts/contour_chart.hpp"
#include "docks/charts/histogram_view.hpp"
#include "docks/charts/object_chart_view.hpp"
#include "docks/charts/selection_chart.hpp"
#include "docks/charts/spectrum_chart.hpp"
#include "docks/objects/objects_chart_panel.hpp"
#include "docks/tree/attribute_plane_view.hpp"
#include "docks/tree/icicle_view.hpp"
#include "shell/models.hpp"
#include "vm/tables/chart_tables.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "vm/tree/selection_summary.hpp"
#include "vm/tree/spectrum_view_model.hpp"
#include "window/files/data_menu.hpp"

#include <QAbstractItemView>
#include <QAreaSeries>
#include <QChart>
#include <QChartView>
#include <QLineSeries>
#include <QMainWindow>
#include <QXYSeries>

#include <type_traits>

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
    QList<const QWidget*> done;
    const auto add = [&]<class Chart>(std::type_identity<Chart>, const char* ending, auto tableOfChart) {
        for (Chart* chart : window.findChildren<Chart*>()) {
            new DataMenu(
                *chart, QLatin1String(ending), [chart, tableOfChart] { return tableOfChart(*chart); }, models, errors);
            done << chart;
        }
    };
    add(std::type_identity<HistogramView>(), "_histogram",
        [&models](const HistogramView&) { return vm::tableOf(models.histogram); });
    add(std::type_identity<AttributeHistogramView>(), "_attribute",
        [](const AttributeHistogramView& chart) { return vm::tableOf(chart.model()); });
    add(std::type_identity<ChainChart>(), "_chain", [&models](const ChainChart&) { return vm::tableOf(models.chain); });
    add(std::type_identity<ContourChart>(), "_energy",
        [&models](const ContourChart&) { return vm::tableOf(models.contours); });
    add(std::type_identity<SpectrumChart>(), "_spectrum",
        [&window](const SpectrumChart&) { return vm::tableOf(*window.findChild<vm::SpectrumViewModel*>()); });
    add(std::type_identity<AttributePlaneView>(), "_plane", [&window](const AttributePlaneView&) {
        return vm::tableOf(*window.findChild<vm::AttributePlaneViewModel*>());
    });
    add(std::type_identity<SelectionChart>(), "_selection",
        [&window](const SelectionChart&) { return vm::tableOf(*window.findChild<vm::SelectionSummary*>()); });
    add(std::type_identity<ObjectChartView>(), "_objects_chart",
        [&window](const ObjectChartView&) { return vm::tableOf(window.findChild<ObjectsChartPanel*>()->model()); });
    for (IcicleView* icicle : window.findChildren<IcicleView*>()) {
        new DataMenu(*icicle, QStringLiteral("_icicle"), nullptr, models, errors);
    }
    for (QChartView* chart : window.findChildren<QChartView*>()) {
        if (!done.contains(chart)) {
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
