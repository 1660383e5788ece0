#pragma once

#include "vm/base/change.hpp"
#include "vm/base/latest_wins_worker.hpp"

#include "attributes/attribute.hpp"
#include "image/image.hpp"
#include "tree/component_paint.hpp"
#include "tree/component_tree.hpp"

#include <QAbstractItemModel>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class ChainViewModel;
class DocumentViewModel;

/// A small image of a component and its surroundings.
struct ComponentCutout {
    static constexpr std::uint32_t kInside = 1;  ///< marks
    static constexpr std::uint32_t kOutline = 2; ///< of the component, within it

    ComponentBox component;
    std::uint32_t slice = 0; ///< the cut one of a volume
    std::shared_ptr<const Image> levels;
    std::vector<std::uint32_t> marks; ///< one per pixel of levels; 0 outside
};

/// Cuts out a component with a margin of an eighth of its longer side, at least 2 px, subsampled to at most @p
/// longestSide px.
/// @param image of the tree's size
/// @param component of the node, see boxOfComponent()
/// @param slice of a volume
[[nodiscard]] ComponentCutout cutOut(const ComponentTree& tree, const Image& image, std::uint32_t node,
                                     const ComponentBox& component, std::uint32_t slice, std::uint32_t longestSide);

/// Slices of a component at equal steps, at most @p most, the first and the last one included.
[[nodiscard]] std::vector<std::uint32_t> slicesOf(const ComponentBox& component, std::uint32_t most);

/// Details of the chain's current component: a small image, and its attributes as a tree of groups with two columns,
/// name and value. An attribute is measured, for the whole tree, when its group is opened.
class InspectorViewModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { nameColumn, valueColumn, columnCountOfAll };
    static constexpr std::uint32_t kImageSide = 240; ///< px, longer side
    static constexpr std::uint32_t kStripSlices = 8; ///< most slices in the strip
    static constexpr std::uint32_t kStripSide = 96;  ///< px, longer side of each

    /// @param document,chain must outlive this
    InspectorViewModel(DocumentViewModel& document, ChainViewModel& chain, QObject* parent = nullptr);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    /// Roles: display, tooltip (definition and unit), text alignment.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The displayed component; empty without one.
    [[nodiscard]] std::optional<std::uint32_t> node() const noexcept { return node_; }
    /// The cutout; null until made. In a volume of the seen slice, or of the nearest slice with the component.
    [[nodiscard]] std::shared_ptr<const ComponentCutout> cutout() const noexcept { return cutout_; }
    /// Slices of the component in a volume, from the first to the last; empty in images.
    [[nodiscard]] const std::vector<ComponentCutout>& strip() const noexcept { return strip_; }
    /// "Level 812, 1,204 px, 40 × 31 px at (12, 50)", in a volume "..., slices 3 to 9"; empty without a component.
    [[nodiscard]] QString summary() const;
    [[nodiscard]] bool isGroupOpen(int group) const { return groups_.at(static_cast<std::size_t>(group)).open; }
    /// Value of an attribute of the component; empty while unknown, NaN if undefined.
    [[nodiscard]] std::optional<double> value(AttributeId id) const;

public slots:
    void setActive(bool active) {
        change(this, active_, active, &InspectorViewModel::follow, &InspectorViewModel::askForValues);
    }
    /// Measures the attributes of a group.
    void setGroupOpen(int group, bool open) {
        change(this, groups_.at(static_cast<std::size_t>(group)).open, open, &InspectorViewModel::askForValues);
    }
    /// Shows this slice of the volume.
    void showSlice(quint32 slice);

signals:
    void componentChanged();
    void cutoutChanged();

private:
    struct Group {
        QString title;
        std::vector<AttributeId> attributes;
        bool open = false;
    };
    /// Lists the attributes of images or volumes.
    void makeGroups();
    void follow();
    /// Makes the cutout at once, or kCutoutPause after the last one.
    void makeCutout();
    void startCutout();
    void askForValues();
    void announceValues();
    [[nodiscard]] QString textOf(AttributeId id) const;

    DocumentViewModel& document_;
    ChainViewModel& chain_;
    std::vector<Group> groups_;
    std::optional<std::uint32_t> node_;
    std::shared_ptr<const ComponentCutout> cutout_;
    std::vector<ComponentCutout> strip_;
    bool active_ = false;
    QTimer pause_;
    bool isCutoutWanted_ = false;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
