#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <QAbstractListModel>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The components that a person selected, which every view of the tree shows. A selection can be kept under a name: the
/// rows of this list. Another tree begins without any of it.
class NodeSelection : public QAbstractListModel {
    Q_OBJECT

public:
    static constexpr std::size_t kMostNodesAtOnce = 200'000; ///< larger sets are joined on the worker

    /// What the selected components are in the picture.
    struct Extent {
        std::vector<std::uint8_t> flags; ///< per node: 1 if a selected component holds it
        std::vector<std::uint32_t> bits; ///< the same as bitsOf() has it
        std::uint64_t components = 0;    ///< that no other selected one holds
        std::uint64_t pixels = 0;        ///< in one of them
    };

    /// @param document must outlive this
    explicit NodeSelection(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    /// Role: display.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    /// What is kept under a name.
    [[nodiscard]] QString nameAt(int row) const { return named_.at(static_cast<std::size_t>(row)).name; }
    [[nodiscard]] std::shared_ptr<const NodeSet> nodesAt(int row) const {
        return named_.at(static_cast<std::size_t>(row)).nodes;
    }

    /// Never null.
    [[nodiscard]] std::shared_ptr<const NodeSet> nodes() const noexcept { return nodes_; }
    [[nodiscard]] int count() const noexcept { return static_cast<int>(nodes_->size()); }
    [[nodiscard]] bool isSelected(std::uint32_t node) const;
    /// Null while nothing is selected, and until it is known; it follows the selection with extentChanged().
    [[nodiscard]] std::shared_ptr<const Extent> extent() const noexcept { return extent_; }
    /// "1,234 components, 12 of them not in another, 45,678 px"
    [[nodiscard]] QString summary() const;

public slots:
    /// Numbers that are no node are left out. Takes effect at once unless the sets are large.
    void select(std::shared_ptr<const pollard::NodeSet> nodes, pollard::SetChange change);
    void select(const pollard::NodeSet& nodes, pollard::SetChange change = pollard::SetChange::replace) {
        select(std::make_shared<const NodeSet>(nodes), change);
    }
    /// What the filter that was asked for last keeps, or removes. Follows as soon as its attributes are there.
    void selectFiltered(bool kept);
    void clear();
    /// Exactly these, at once. @param nodes of the present tree
    void restore(std::shared_ptr<const pollard::NodeSet> nodes);
    /// Keeps the selection under a name; an older one of that name is replaced. Nothing without a name.
    void store(const QString& name) { keep(name, nodes_); }
    /// The same for these. @param nodes of the present tree
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
    /// Whatever was asked for before and is not there yet: what is asked for last counts.
    void dropPending();
    void take(Nodes nodes);
    void show(Nodes nodes);
    void decideFiltered();
    void measure();

    DocumentViewModel& document_;
    Nodes nodes_ = std::make_shared<NodeSet>();
    std::shared_ptr<const Extent> extent_;
    std::vector<Named> named_;
    std::optional<bool> wantedOfFilter_; ///< kept or removed, while attributes are on their way
    LatestWinsWorker worker_;            ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
