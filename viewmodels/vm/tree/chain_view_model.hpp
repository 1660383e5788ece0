#pragma once

#include "vm/filter/picks_model.hpp"

#include "attributes/attribute.hpp"

#include <QAbstractTableModel>
#include <QPointF>
#include <QString>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// The chain of components that hold one pixel, as a table: a row a component, from the smallest to the root. The chain
/// follows the pointer until a click holds it; one of its rows is the current component, which is lit in the picture.
///
/// Nothing is looked up while nobody looks (setActive(), setWatched()). A chain is as long as the tree is deep, 65,536
/// at most.
class ChainViewModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { levelColumn, areaColumn, attributeColumn, columnCountOfAll };

    /// @param document,filter must outlive this
    ChainViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Roles: display, text alignment; Qt::UserRole: the value, invalid while it is not known.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    /// Roles: display, tooltip (definition and unit).
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] bool isActive() const noexcept { return active_; }
    /// The chain stays where it is, whatever the pointer does.
    [[nodiscard]] bool isHeld() const noexcept { return held_; }
    /// Nodes from the smallest component to the root; empty if there is no pixel.
    [[nodiscard]] const std::vector<std::uint32_t>& chain() const noexcept { return chain_; }
    [[nodiscard]] int current() const noexcept { return current_; } ///< row; -1 without a chain
    /// The component that is to be lit.
    [[nodiscard]] std::optional<std::uint32_t> node() const;
    /// Its canonical pixel.
    [[nodiscard]] std::optional<std::uint32_t> canonical() const;
    /// Beside level and area; that of the criterion that is edited until it is chosen.
    [[nodiscard]] AttributeId attribute() const noexcept { return attribute_; }
    /// A value of a row; nothing while it is not known, and NaN where it is not defined.
    [[nodiscard]] std::optional<double> value(int row, Column column) const;

    /// One line: "Component 3 of 120: level 812, area 1,204 px"; empty without a chain.
    [[nodiscard]] QString summary() const;

    /// One of several views looks, or does so no more. The chain rests when none has looked for a turn of the event
    /// loop.
    void setWatched(const QObject* watcher, bool watched);

public slots:
    void setActive(bool active) { setWatched(this, active); }
    void setAttribute(pollard::AttributeId id);
    /// The pointer is at a place of the picture, px.
    void hover(const QPointF& image);
    void leave();
    /// The pointer is at a component that is shown elsewhere, or beside all of them.
    void hoverNode(std::optional<std::uint32_t> node);
    /// Holds the chain at a place of the picture; beside it, and where it is held already, lets it go.
    void hold(const QPointF& image);
    /// Holds the chain of a component.
    void holdNode(std::uint32_t node);
    void letGo();
    /// Clamped to the chain.
    void setCurrent(int row);
    /// From the current component to the one around it, and back towards the pixel; beyond the pixel's own component to
    /// its first child.
    void toParent();
    void toChild();
    /// To another component with the same parent, whose chain it becomes.
    void toSibling(int step);

    /// The current component goes from the picture with all in it, stays whatever the criteria say, or all else goes.
    void removeCurrent();
    void keepCurrent();
    void keepOnlyCurrent();
    /// Makes "attribute >= value of the current component" the criterion that is edited.
    void keepFromCurrentOn();

signals:
    void activeChanged();
    void heldChanged();
    void attributeChanged();
    void chainChanged(); ///< other rows
    void currentChanged();
    void valuesChanged(); ///< more of them are known

private:
    void onTree();
    void restIfUnwatched();
    void setChain(std::optional<std::uint32_t> node, int current);
    void setHeld(bool held);
    void pickCurrent(PicksModel::Fate fate);
    void askForValues();
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(const QPointF& image) const;
    [[nodiscard]] AttributeId attributeOf(Column column) const noexcept;
    [[nodiscard]] QString textOf(int row, Column column) const;

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    std::vector<std::uint32_t> chain_;
    std::vector<std::uint32_t> before_; ///< the last one that was not empty, of the same tree
    int current_ = -1;
    AttributeId attribute_;
    std::set<const QObject*> watchers_;
    bool active_ = false;
    bool held_ = false;
};

} // namespace pollard::vm
