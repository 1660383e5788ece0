#include "vm/tree/node_selection.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"

#include "attributes/grey_values.hpp"
#include "filter/filter_columns.hpp"
#include "filter/node_decision.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace pollard::vm {

namespace {

constexpr qsizetype kMostNameBytes = 1000;

} // namespace

NodeSet decidedNodes(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns, bool kept,
                     const JobControl& control) {
    const NodeDecision decision = decideNodes(tree, spec, columns, control);
    NodeSet nodes;
    for (std::uint32_t node = 0; node < tree.nodeCount(); ++node) {
        const bool stays = node == 0 ? decision.rootCounts : decision.keep[node] != 0;
        if (stays == kept) {
            nodes.push_back(node);
        }
    }
    return nodes;
}

NodeSelection::NodeSelection(DocumentViewModel& document, QObject* parent)
    : QAbstractListModel(parent), document_(document) {
    connect(&document_, &DocumentViewModel::treeChanged, this, &NodeSelection::onTree);
    connect(&document_, &DocumentViewModel::attributeReady, this, [this] {
        if (wantedOfFilter_) {
            decideFiltered();
        }
    });
}

int NodeSelection::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(named_.size());
}

QVariant NodeSelection::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || role != Qt::DisplayRole) {
        return {};
    }
    const Named& named = named_[static_cast<std::size_t>(index.row())];
    return tr("%1 (%2)").arg(named.name, countText(named.nodes->size()));
}

bool NodeSelection::isSelected(std::uint32_t node) const { return std::ranges::binary_search(*nodes_, node); }

QString NodeSelection::summary() const {
    if (nodes_->empty()) {
        return {};
    }
    QString selected = tr("%1 selected").arg(countText(nodes_->size()));
    if (!extent_) {
        return selected;
    }
    return tr("%1, %2 outermost, %3 px").arg(selected, countText(extent_->components), countText(extent_->pixels));
}

void NodeSelection::onTree() {
    dropPending();
    worker_.stop(Lane::measure);
    if (!named_.empty()) {
        beginResetModel();
        named_.clear();
        endResetModel();
    }
    show(std::make_shared<NodeSet>());
}

void NodeSelection::dropPending() {
    wantedOfFilter_.reset();
    worker_.stop(Lane::filter);
}

void NodeSelection::select(std::shared_ptr<const NodeSet> nodes, SetChange change) {
    const auto tree = document_.tree();
    if (!tree) {
        return;
    }
    dropPending();
    const bool isLarge = nodes_->size() + nodes->size() > kMostNodesAtOnce;
    auto combine = [before = nodes_, chosen = std::move(nodes), change, tree](const std::stop_token&) -> Nodes {
        NodeSet known = makeNodeSet(*chosen);
        known.erase(std::ranges::lower_bound(known, static_cast<std::uint32_t>(tree->nodeCount())), known.end());
        return std::make_shared<NodeSet>(combined(*before, known, change));
    };
    if (isLarge) {
        worker_.post(Lane::filter, std::move(combine), std::bind_front(&NodeSelection::onCombined, this));
    } else {
        take(combine({}));
    }
}

void NodeSelection::selectFiltered(bool kept) {
    if (document_.tree()) {
        dropPending();
        wantedOfFilter_ = kept;
        decideFiltered();
    }
}

void NodeSelection::decideFiltered() {
    const FilterSpec spec = inPixelsOf(document_, document_.choices().filterSpec());
    const auto measured = measuredColumns(document_, spec);
    if (!measured) {
        return;
    }
    const bool kept = *wantedOfFilter_;
    wantedOfFilter_.reset();
    worker_.post(
        Lane::filter,
        [tree = document_.tree(), spec, columns = *measured, kept](const std::stop_token& stop) -> Nodes {
            return std::make_shared<NodeSet>(decidedNodes(*tree, spec, columns, kept, JobControl(stop)));
        },
        std::bind_front(&NodeSelection::onCombined, this));
}

void NodeSelection::onCombined(const JobOutcome& outcome, const Nodes& nodes) {
    if (outcome.ok()) {
        take(nodes);
    }
}

void NodeSelection::clear() {
    dropPending();
    take(std::make_shared<NodeSet>());
}

void NodeSelection::take(Nodes nodes) {
    if (*nodes == *nodes_) {
        return;
    }
    show(std::move(nodes));
}

void NodeSelection::restore(std::shared_ptr<const NodeSet> nodes) {
    dropPending();
    take(std::move(nodes));
}

void NodeSelection::show(Nodes nodes) {
    const bool was = !nodes_->empty();
    nodes_ = std::move(nodes);
    extent_.reset();
    emit changed();
    if (was) {
        emit extentChanged();
    }
    measure();
}

void NodeSelection::measure() {
    worker_.forget(Lane::measure);
    const auto tree = document_.tree();
    if (!tree || nodes_->empty()) {
        return;
    }
    worker_.post(
        Lane::measure,
        [tree, nodes = nodes_, area = document_.attribute(AttributeId::area)](const std::stop_token&) {
            const auto intervals = maximalComponents(*tree, *nodes);
            auto extent = std::make_shared<Extent>();
            extent->components = intervals.size();
            extent->flags = flagsOf(*tree, intervals);
            extent->bits = bitsOf(*tree, intervals);
            for (const NodeInterval& component : intervals) {
                extent->pixels += area ? static_cast<std::uint64_t>(area->at(component.first)) : 0;
            }
            return extent;
        },
        [this](const JobOutcome& outcome, const std::shared_ptr<Extent>& extent) {
            if (outcome.ok()) {
                extent_ = extent;
                emit extentChanged();
            }
        });
}

void NodeSelection::keep(const QString& name, Nodes nodes) {
    const QString used = lineText(name, kMostNameBytes);
    if (used.isEmpty()) {
        return;
    }
    const auto same = std::ranges::find(named_, used, &Named::name);
    if (same != named_.end()) {
        same->nodes = std::move(nodes);
        const QModelIndex row = index(static_cast<int>(same - named_.begin()));
        emit dataChanged(row, row);
        return;
    }
    beginInsertRows({}, rowCount(), rowCount());
    named_.push_back({used, std::move(nodes)});
    endInsertRows();
}

void NodeSelection::recall(int row, SetChange change) {
    if (row >= 0 && row < rowCount()) {
        select(named_[static_cast<std::size_t>(row)].nodes, change);
    }
}

void NodeSelection::forget(int row) {
    if (row >= 0 && row < rowCount()) {
        beginRemoveRows({}, row, row);
        named_.erase(named_.begin() + row);
        endRemoveRows();
    }
}

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
