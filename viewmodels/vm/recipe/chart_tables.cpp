#include "vm/recipe/chart_tables.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/contour/contour_series.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"
#include "vm/filter/attribute_histogram_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/recipe/object_chart_model.hpp"
#include "vm/tree/attribute_analysis.hpp"
#include "vm/tree/attribute_plane_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/node_selection.hpp"

#include "attributes/grey_values.hpp"
#include "base/text.hpp"

#include <QCoreApplication>

#include <cstddef>
#include <optional>
#include <string>

namespace pollard::vm {

namespace {

constexpr double kPercent = 100;

QString chartTablesText(const char* source) { return QCoreApplication::translate("ChartTables", source); }

QString whole(std::uint64_t number) { return QString::number(number); }

/// "area from", "area to", ... with the unit of the attribute.
void addEnds(DataTable& table, AttributeId id, const std::string& unit) {
    const AttributeInfo& info = describedAttribute(id);
    table.names << chartTablesText("%1 from").arg(fromUtf8(info.name))
                << chartTablesText("%1 to").arg(fromUtf8(info.name));
    table.units << fromUtf8(unit) << fromUtf8(unit);
}

void addColumn(DataTable& table, const QString& name, const QString& unit = {}) {
    table.names << name;
    table.units << unit;
}

/// @param pattern of the name: "%1 from"
void addFeature(DataTable& table, const ObjectTableModel& objects, const ObjectQuantity& feature,
                const QString& pattern = QStringLiteral("%1")) {
    const ColumnTitle title = columnTitle(objects.titleOf(feature));
    addColumn(table, pattern.arg(title.name), title.unit);
}

} // namespace

DataTable tableOf(const HistogramViewModel& histogram) {
    DataTable table;
    const bool hasValues = histogram.mapping().has_value();
    const QString unit = greyUnit(histogram.mapping());
    addColumn(table, hasValues ? chartTablesText("value from") : chartTablesText("level from"), unit);
    addColumn(table, hasValues ? chartTablesText("width") : chartTablesText("levels"), unit);
    addColumn(table, chartTablesText("pixels"), QStringLiteral("px"));
    const auto& bins = histogram.bins();
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        const double start = valueOf(histogram.mapping(), histogram.binStart(static_cast<int>(bin)));
        const double width = hasValues ? histogram.mapping()->distanceOf(histogram.binWidth()) : histogram.binWidth();
        table.rows << QStringList{exactNumber(start), exactNumber(width), whole(bins[bin])};
    }
    return table;
}

DataTable tableOf(const AttributeHistogramViewModel& histogram) {
    DataTable table;
    addEnds(table, histogram.attribute(), histogram.unit());
    addColumn(table, chartTablesText("components"));
    for (const AttributeHistogramViewModel::Bar& bar : histogram.bars()) {
        table.rows << QStringList{exactNumber(histogram.valueAt(bar.lowest)),
                                  exactNumber(histogram.valueAt(bar.highest)), whole(bar.nodes)};
    }
    return table;
}

DataTable tableOf(const SpectrumViewModel& spectrum) {
    DataTable table;
    addEnds(table, spectrum.attribute(), spectrum.unit());
    addColumn(table, chartTablesText("share of the grey mass"), QStringLiteral("%"));
    addColumn(table, chartTablesText("share of all below the end"), QStringLiteral("%"));
    const auto& curve = spectrum.curve();
    for (int bin = 0; bin < spectrum.bins(); ++bin) {
        const auto end = static_cast<std::size_t>(bin) + 1;
        table.rows << QStringList{exactNumber(spectrum.valueAt(spectrum.edge(bin))),
                                  exactNumber(spectrum.valueAt(spectrum.edge(bin + 1))),
                                  exactNumber(kPercent * spectrum.share(bin)),
                                  end < curve.size() ? exactNumber(kPercent * curve[end].share) : QString()};
    }
    return table;
}

DataTable tableOf(const AttributePlaneViewModel& plane) {
    DataTable table;
    const auto counted = plane.counted();
    const std::optional<ValueMapping> mapping = counted ? counted->mapping : std::nullopt;
    const AttributeId idX = plane.attribute(AttributePlaneViewModel::Side::x);
    const AttributeId idY = plane.attribute(AttributePlaneViewModel::Side::y);
    addEnds(table, idX, columnUnitText(idX, mapping));
    addEnds(table, idY, columnUnitText(idY, mapping));
    addColumn(table, chartTablesText("components"));
    if (!counted) {
        return table;
    }
    const AttributePlane& cells = counted->plane;
    for (std::size_t y = 0; y < cells.y.count(); ++y) {
        for (std::size_t x = 0; x < cells.x.count(); ++x) {
            if (cells.at(x, y) > 0) {
                const auto value = [&](AttributeId id, double edge) {
                    return exactNumber(columnValue(id, edge, mapping));
                };
                table.rows << QStringList{value(idX, cells.x.edges[x]), value(idX, cells.x.edges[x + 1]),
                                          value(idY, cells.y.edges[y]), value(idY, cells.y.edges[y + 1]),
                                          whole(cells.at(x, y))};
            }
        }
    }
    return table;
}

DataTable tableOf(const ChainViewModel& chain) {
    DataTable table;
    addColumn(table, chain.hasValues() ? chartTablesText("value") : chartTablesText("level"), chain.levelUnit());
    addColumn(table, chartTablesText("area"), QStringLiteral("px"));
    for (int row = 0; row < chain.rowCount(); ++row) {
        const auto level = chain.value(row, ChainViewModel::levelColumn);
        const auto area = chain.value(row, ChainViewModel::areaColumn);
        if (level && area) {
            table.rows << QStringList{exactNumber(chain.levelValue(row)), exactNumber(*area)};
        }
    }
    return table;
}

DataTable tableOf(const ContourViewModel& contours) {
    DataTable table;
    addColumn(table, chartTablesText("state"));
    addColumn(table, chartTablesText("energy"));
    addColumn(table, chartTablesText("nodes"));
    addColumn(table, chartTablesText("area inside"), QStringLiteral("px"));
    const ContourRun* run = contours.runs().currentRun();
    for (int state = 0; run != nullptr && state < contours.runs().stateCount(); ++state) {
        const SnakeRecord::Figures& known = run->record.figures(state, run->contour);
        table.rows << QStringList{QString::number(state), exactNumber(known.energy), QString::number(known.nodes),
                                  whole(known.inside.pixels)};
    }
    return table;
}

DataTable tableOf(const ContourSeries& pages) {
    DataTable table;
    const bool hasSeconds = !pages.placeUnit().isEmpty();
    addColumn(table, chartTablesText("page"));
    if (hasSeconds) {
        addColumn(table, chartTablesText("time"), pages.placeUnit());
    }
    addColumn(table, chartTablesText("contour"));
    for (const ContourMeasure measure : kContourMeasures) {
        addColumn(table, nameOf(measure), pages.unitOf(measure));
    }
    for (const ContourSeries::Row& row : pages.rows()) {
        QStringList cells{QString::number(row.page + 1)};
        if (hasSeconds) {
            cells << exactNumber(pages.placeOf(row.page));
        }
        cells << QString::number(row.contour + 1);
        for (const auto& value : row.values) {
            cells << (value ? exactNumber(*value) : QString());
        }
        table.rows << cells;
    }
    return table;
}

DataTable tableOf(const ObjectChartModel& model) {
    DataTable table;
    const auto chart = model.chart();
    if (!model.y()) {
        addFeature(table, model.table(), model.x(), chartTablesText("%1 from"));
        addFeature(table, model.table(), model.x(), chartTablesText("%1 to"));
        addColumn(table, chartTablesText("objects"));
        for (std::size_t bar = 0; chart && bar < chart->bars.size(); ++bar) {
            const auto bars = static_cast<double>(chart->bars.size());
            table.rows << QStringList{exactNumber(chart->x.valueAt(static_cast<double>(bar) / bars)),
                                      exactNumber(chart->x.valueAt(static_cast<double>(bar + 1) / bars)),
                                      QString::number(chart->bars[bar])};
        }
        return table;
    }
    addColumn(table, chartTablesText("object"));
    addFeature(table, model.table(), model.x());
    addFeature(table, model.table(), *model.y());
    const auto listing = model.table().listing();
    for (std::size_t row = 0; listing && row < listing->labels.size(); ++row) {
        const std::uint32_t label = listing->labels[row];
        const ObjectUnit unit = model.table().scale();
        table.rows << QStringList{QString::number(label), exactNumber(listing->value(label, model.x(), unit)),
                                  exactNumber(listing->value(label, *model.y(), unit))};
    }
    return table;
}

DataTable tableOf(const SelectionSummary& summary) {
    DataTable table;
    addEnds(table, summary.attribute(), summary.unit());
    addColumn(table, chartTablesText("components"));
    const auto values = summary.values();
    for (std::size_t bin = 0; values && bin < values->histogram.counts.size(); ++bin) {
        const auto& edges = values->histogram.bins.edges;
        table.rows << QStringList{exactNumber(summary.valueAt(edges[bin])),
                                  exactNumber(summary.valueAt(edges[bin + 1])), whole(values->histogram.counts[bin])};
    }
    return table;
}

} // namespace pollard::vm
