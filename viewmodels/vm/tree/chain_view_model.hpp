#pragma once

#include "vm/base/change.hpp"
#include "vm/filter/picks_model.hpp"

#include "attributes/attribute.hpp"

#include <QAbstractTableModel>
#include <QPointF>
#include <QString>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// The chain of components that contain one pixel, as a table with a row per component, from the smallest to the root.
/// The chain follows the pointer until a click holds it; one of its rows is the current component, which is highlighted
/// in the image.
///
/// Chains are looked up only while a view is active (setActive(), setWatched()). A chain is at most as long as the
/// depth of the tree, up to 65,536.
class ChainViewModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { levelColumn, areaColumn, attributeColumn, columnCountOfAll };

    /// @param document,filter must outlive this
    ChainViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Roles: display, text alignment; Qt::UserRole: the value, invalid if unknown.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    /// Roles: display, tooltip (definition and unit).
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] bool isActive() const noexcept { return active_; }
    /// The chain does not follow the pointer.
    [[nodiscard]] bool isHeld() const noexcept { return held_; }
    /// Nodes from the smallest component to the root; empty without a pixel.
    [[nodiscard]] const std::vector<std::uint32_t>& chain() const noexcept { return chain_; }
    [[nodiscard]] int current() const noexcept { return current_; } ///< row; -1 without a chain
    /// The component to highlight.
    [[nodiscard]] std::optional<std::uint32_t> node() const;
    /// The canonical pixel of the current component.
    [[nodiscard]] std::optional<std::uint32_t> canonical() const;
    /// The attribute shown in addition to level and area: the chosen one, else the attribute of the edited criterion.
    [[nodiscard]] AttributeId attribute() const noexcept { return attribute_; }
    /// The number of a row in the column of its attribute; empty while unknown, NaN if undefined.
    [[nodiscard]] std::optional<double> value(int row, Column column) const;
    /// The level of a row as a value of the image.
    [[nodiscard]] double levelValue(int row) const;
    [[nodiscard]] bool hasValues() const;     ///< values that are not the levels
    [[nodiscard]] QString levelUnit() const;  ///< "HU", "grey"
    [[nodiscard]] QString levelTitle() const; ///< "Level", "Value (HU)"

    /// One line: "Component 3 of 120: level 812, area 1,204 px"; empty without a chain.
    [[nodiscard]] QString summary() const;
    /// The filter's decision on the current component and its reason: "Removed: area >= 100 (it has 35)"; empty without
    /// a chain, without a filter, and while values are unknown.
    [[nodiscard]] QString verdict() const;

    /// Starts or stops the use by one of several views. The chain is reset after a turn of the event loop without
    /// views.
    void setWatched(const QObject* watcher, bool watched);

public slots:
    void setActive(bool active) { setWatched(this, active); }
    void setAttribute(pollard::AttributeId id);
    /// The pointer is at a place of the image, px.
    void hover(const QPointF& image);
    void leave();
    /// The pointer is at a component in another view, or outside of all.
    void hoverNode(std::optional<std::uint32_t> node);
    /// Holds the chain at a place of the image; releases it outside the image, and at the place where it is already
    /// held.
    void hold(const QPointF& image);
    /// Holds the chain of a component, or releases it; nothing: outside the image.
    void toggleHold(std::optional<std::uint32_t> node);
    /// Holds the chain of a component.
    void holdNode(std::uint32_t node);
    void letGo();
    /// Clamped to the chain.
    void setCurrent(int row);
    /// Moves from the current component to its parent, and back towards the pixel; from the smallest component of the
    /// pixel to its first child.
    void toParent();
    void toChild();
    /// Moves to the next component with the same parent and shows its chain.
    void toSibling(int step);

    /// The current component is removed with its descendants, is kept regardless of the criteria, or all others are
    /// removed.
    void removeCurrent();
    void keepCurrent();
    void keepOnlyCurrent();
    /// Makes "attribute >= value of the current component" the edited criterion.
    void keepFromCurrentOn();

signals:
    void activeChanged();
    void heldChanged();
    void attributeChanged();
    void chainChanged(); ///< other rows
    void currentChanged();
    void valuesChanged();  ///< more values are known
    void verdictChanged(); ///< the filter has changed

private:
    void onTree();
    void stopIfUnwatched();
    void setChain(std::optional<std::uint32_t> node, int current);
    void setHeld(bool held) { change(this, held_, held, &ChainViewModel::heldChanged); }
    void pickCurrent(PicksModel::PickEffect effect);
    void askForValues();
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(const QPointF& image) const;
    [[nodiscard]] AttributeId attributeOf(Column column) const noexcept;
    [[nodiscard]] QString textOf(int row, Column column) const;
    [[nodiscard]] std::vector<AttributeId> neededAttributes() const;

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    std::vector<std::uint32_t> chain_;
    std::vector<std::uint32_t> before_; ///< the last non-empty one of the same tree
    int current_ = -1;
    AttributeId attribute_;
    std::set<const QObject*> watchers_;
    bool active_ = false;
    bool held_ = false;
};

/// A row of a table and its place in a chart.
struct CurvePoint {
    int row = 0;
    QPointF place;
};

/// The rows needed to draw a line that looks like one through all rows, for a curve that is monotonic in both
/// directions: the first and the last row; between two consecutive rows of the result there are no other rows, or all
/// other rows lie in the box of both, which is at most @p apart wide and high. Evaluates few places: a curve across w x
/// h pixels costs O((w + h) / apart * log(rows)).
/// @param rows their number; rows are counted from 0
/// @param placeOf place of a row
[[nodiscard]] std::vector<CurvePoint> thinnedCurve(int rows, const std::function<QPointF(int)>& placeOf, double apart);

} // namespace pollard::vm
