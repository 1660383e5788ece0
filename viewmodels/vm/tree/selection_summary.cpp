#include "vm/tree/selection_summary.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/tree/node_selection.hpp"

#include "attributes/grey_values.hpp"

#include <string>

namespace pollard::vm {

namespace {

constexpr double kWideRange = 100; ///< least ratio of the largest to the smallest value for a logarithmic histogram

SelectionSummary::Values valuesOf(const AttributeColumn& column, const NodeSet& nodes, const JobControl& control) {
    const AttributeColumn chosen = columnOfNodes(column, nodes, control);
    SelectionSummary::Values values;
    values.summary = summarise(chosen, control);
    const bool wide = chosen.minimum > 0 && chosen.maximum > kWideRange * chosen.minimum;
    values.histogram =
        attributeHistogram(chosen, SelectionSummary::kBins, wide ? BinScale::log : BinScale::linear, control);
    return values;
}

} // namespace

SelectionSummary::SelectionSummary(DocumentViewModel& document, NodeSelection& selection, QObject* parent)
    : QObject(parent), document_(document), selection_(selection) {
    connect(&selection_, &NodeSelection::changed, this, &SelectionSummary::update);
    connect(&document_, &DocumentViewModel::attributeReady, this, [this](AttributeId id) {
        if (active_ && id == attribute_ && !values()) {
            update();
        }
    });
}

void SelectionSummary::update() {
    values_.clear();
    if (!active_ || selection_.nodes()->empty() || !document_.tree()) {
        return;
    }
    const auto column = document_.attribute(attribute_);
    if (!column) {
        document_.requestAttribute(attribute_);
        return;
    }
    values_.compute([column, nodes = selection_.nodes()](const std::stop_token& stop) {
        return valuesOf(*column, *nodes, JobControl(stop));
    });
}

std::vector<std::pair<QString, QString>> SelectionSummary::facts() const {
    if (!values()) {
        return {};
    }
    const std::optional<ValueMapping>& mapping = mappingOf(document_);
    const std::string unit = columnUnitText(attribute_, mapping);
    const ColumnSummary& summary = values()->summary;
    const auto number = [&](double value) { return withUnit(greyNumber(value), unit); };
    const auto place = [&](double ofColumn) { return number(columnValue(attribute_, ofColumn, mapping)); };
    // A sum and a distance do not start at the value of level 0.
    const double first = columnValue(attribute_, 0, mapping);
    const double step = columnValue(attribute_, 1, mapping) - first;
    const auto count = static_cast<double>(summary.count);
    std::vector<std::pair<QString, QString>> facts{
        {tr("Sum"), number(step * summary.sum + (first == 0 ? 0 : first * count))},
        {tr("Mean"), place(summary.mean)},
        {tr("Standard deviation"), number(step * summary.deviation)},
        {tr("Median"), place(summary.median)},
        {tr("Smallest"), place(summary.minimum)},
        {tr("Largest"), place(summary.maximum)},
    };
    if (summary.missing != 0) {
        facts.emplace_back(tr("Without a value"), countText(summary.missing));
    }
    return facts;
}

std::string SelectionSummary::unit() const { return columnUnitText(attribute_, mappingOf(document_)); }

double SelectionSummary::valueAt(double ofColumn) const {
    return columnValue(attribute_, ofColumn, mappingOf(document_));
}

double SelectionSummary::ofColumn(double value) const { return columnNumber(attribute_, value, mappingOf(document_)); }

} // namespace pollard::vm
