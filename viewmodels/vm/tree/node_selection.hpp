#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/change.hpp"
#include "vm/base/latest_wins_worker.hpp"

#include "analysis/column_summary.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <QAbstractListModel>
#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The nodes that a filter keeps, or removes. The root is kept if the rule itself keeps it.
/// @throws Cancelled
[[nodiscard]] NodeSet decidedNodes(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns,
                                   bool kept, const JobControl& control);

/// The selected components, common to all views of the tree. Selections can be stored with names, the rows of this
/// list. All are dropped with the tree.
class NodeSelection : public QAbstractListModel {
    Q_OBJECT

public:
    static constexpr std::size_t kMostNodesAtOnce = 200'000; ///< larger sets are combined on the worker

    /// The pixels of the selected components.
    struct Extent {
        std::vector<std::uint8_t> flags; ///< per node: 1 if a selected component contains it
        std::vector<std::uint32_t> bits; ///< the same, packed by bitsOf()
        std::uint64_t components = 0;    ///< not inside another selected one
        std::uint64_t pixels = 0;        ///< in any selected component
    };

    /// @param document must outlive this
    explicit NodeSelection(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    /// Role: display.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    /// Name of a stored selection.
    [[nodiscard]] QString nameAt(int row) const { return named_.at(static_cast<std::size_t>(row)).name; }
    [[nodiscard]] std::shared_ptr<const NodeSet> nodesAt(int row) const {
        return named_.at(static_cast<std::size_t>(row)).nodes;
    }

    /// The selected components; never null.
    [[nodiscard]] std::shared_ptr<const NodeSet> nodes() const noexcept { return nodes_; }
    [[nodiscard]] int count() const noexcept { return static_cast<int>(nodes_->size()); }
    [[nodiscard]] bool isSelected(std::uint32_t node) const;
    /// The extent of the selection; null without a selection, and until extentChanged().
    [[nodiscard]] std::shared_ptr<const Extent> extent() const noexcept { return extent_; }
    /// "1,234 components, 12 not in another, 45,678 px"
    [[nodiscard]] QString summary() const;

public slots:
    /// Numbers that are not nodes are ignored. Takes effect at once unless the sets are large.
    void select(std::shared_ptr<const pollard::NodeSet> nodes, pollard::SetChange change);
    void select(const pollard::NodeSet& nodes, pollard::SetChange change = pollard::SetChange::replace) {
        select(std::make_shared<const NodeSet>(nodes), change);
    }
    /// Selects the nodes that the last requested filter keeps or removes, once its attributes are measured.
    void selectFiltered(bool kept);
    void clear();
    /// Selects exactly these components, at once. @param nodes of the present tree
    void restore(std::shared_ptr<const pollard::NodeSet> nodes);
    /// Stores the selection with a name, replacing an older one of that name. Does nothing if the name is empty.
    void store(const QString& name) { keep(name, nodes_); }
    /// Stores these components with a name. @param nodes of the present tree
    void keep(const QString& name, std::shared_ptr<const pollard::NodeSet> nodes);
    void recall(int row, pollard::SetChange change = pollard::SetChange::replace);
    void forget(int row);

signals:
    void changed();
    void extentChanged();

private:
    using Nodes = std::shared_ptr<const NodeSet>;
    struct Named {
        QString name;
        Nodes nodes;
    };
    void onTree();
    /// Drops pending requests: the last request counts.
    void dropPending();
    void take(Nodes nodes);
    void onCombined(const JobOutcome& outcome, const Nodes& nodes);
    void show(Nodes nodes);
    void decideFiltered();
    void measure();

    DocumentViewModel& document_;
    Nodes nodes_ = std::make_shared<NodeSet>();
    std::shared_ptr<const Extent> extent_;
    std::vector<Named> named_;
    std::optional<bool> wantedOfFilter_; ///< kept or removed, while attributes are being measured
    LatestWinsWorker worker_;            ///< last: its job ends before the other members are destroyed
};

/// Statistics of an attribute over the selected components. Computed on another thread, only while setActive().
class SelectionSummary : public QObject {
    Q_OBJECT

public:
    static constexpr std::uint32_t kBins = 48;

    struct Values {
        ColumnSummary summary;
        AttributeHistogram histogram; ///< logarithmic if all values are positive and span more than two decades
    };

    /// @param document,selection must outlive this
    SelectionSummary(DocumentViewModel& document, NodeSelection& selection, QObject* parent = nullptr);

    [[nodiscard]] AttributeId attribute() const noexcept { return attribute_; }
    /// Null without a selection, and until computed.
    [[nodiscard]] std::shared_ptr<const Values> values() const noexcept { return values_.value(); }
    /// Rows for the user: name, and number with unit.
    [[nodiscard]] std::vector<std::pair<QString, QString>> facts() const;
    /// The value of the image for a number of the column, and the inverse.
    [[nodiscard]] std::string unit() const; ///< of the values
    [[nodiscard]] double valueAt(double ofColumn) const;
    [[nodiscard]] double ofColumn(double value) const;

public slots:
    void setActive(bool active) { change(this, active_, active, &SelectionSummary::update); }
    void setAttribute(pollard::AttributeId id) {
        change(this, attribute_, id, &SelectionSummary::attributeChanged, &SelectionSummary::update);
    }

signals:
    void attributeChanged();
    void changed();

private:
    void update();

    DocumentViewModel& document_;
    NodeSelection& selection_;
    AttributeId attribute_ = AttributeId::area;
    bool active_ = false;
    AsyncResult<Values> values_{[this] { emit changed(); }};
};

} // namespace pollard::vm
