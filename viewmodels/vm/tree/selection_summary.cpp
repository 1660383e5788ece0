#include "vm/tree/selection_summary.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/tree/node_selection.hpp"

#include <QLocale>

#include <cmath>

namespace pollard::vm {

namespace {

constexpr double kMostWhole = 1e15; ///< limit of integers displayed in full
constexpr double kWideRange = 100;  ///< least ratio of the largest to the smallest value for a logarithmic histogram

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
    const QLocale locale;
    const AttributeInfo& info = describedAttribute(attribute_);
    const ColumnSummary& summary = values()->summary;
    const auto number = [&](double value) {
        const bool whole = value == std::floor(value) && std::abs(value) < kMostWhole;
        return withUnit(whole ? locale.toString(static_cast<qlonglong>(value)) : locale.toString(value, 'g', 6),
                        info.unit);
    };
    std::vector<std::pair<QString, QString>> facts{
        {tr("Sum"), number(summary.sum)},
        {tr("Mean"), number(summary.mean)},
        {tr("Standard deviation"), number(summary.deviation)},
        {tr("Median"), number(summary.median)},
        {tr("Smallest"), number(summary.minimum)},
        {tr("Largest"), number(summary.maximum)},
    };
    if (summary.missing != 0) {
        facts.emplace_back(tr("Without a value"), countText(summary.missing));
    }
    return facts;
}

} // namespace pollard::vm
