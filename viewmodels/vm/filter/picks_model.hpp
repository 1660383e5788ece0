#pragma once

#include "vm/base/change.hpp"

#include "filter/filter_settings.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <QAbstractListModel>
#include <QPointF>
#include <QString>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
struct ShownSlice;

/// Query for the component at a pixel.
struct PickQuestion {
    std::uint32_t pixel = 0; ///< index, see Extent
    /// Considers only components that are no brighter (min-tree: no darker) than this displayed level; unset: all.
    std::optional<std::uint16_t> shownLevel;
    std::span<const std::uint32_t> removed; ///< canonical pixels of components removed with their descendants
};

/// The smallest component that contains the pixel, is large enough and is visible; empty if that is the root. One walk
/// along the branch of the pixel, at most as long as the depth of the tree.
/// @param isLargeEnough monotonic: true for all ancestors of a large enough component
[[nodiscard]] std::optional<std::uint32_t> pickNode(const ComponentTree& tree, const PickQuestion& question,
                                                    const std::function<bool(std::uint32_t node)>& isLargeEnough);

/// Grey level of the filtered image from its difference to the image.
[[nodiscard]] constexpr std::uint16_t filteredLevel(TreeKind kind, std::uint16_t level,
                                                    std::uint16_t residue) noexcept {
    return static_cast<std::uint16_t>(kind == TreeKind::max ? level - residue : level + residue);
}

/// Components that the user removes, keeps, or keeps exclusively by clicks. They are identified by canonical pixels,
/// which are valid for one image; another image or page starts without any.
class PicksModel : public QAbstractListModel {
    Q_OBJECT

public:
    using Pick = FilterPick;
    using PickEffect = FilterPick::PickEffect;

    static constexpr int kMaxArea = 1'000'000'000; ///< px, limit of minimumArea()

    /// @param document must outlive this
    explicit PicksModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    [[nodiscard]] int count() const noexcept { return static_cast<int>(picks_.size()); }
    /// Clicks on the image pick components.
    [[nodiscard]] bool isPicking() const noexcept { return picking_; }
    /// px; instead of a smaller component its nearest large enough ancestor is picked.
    [[nodiscard]] int minimumArea() const noexcept { return minimumArea_; }
    /// Canonical pixels, in ascending order.
    [[nodiscard]] std::vector<std::uint32_t> removed() const { return withEffect(PickEffect::removed); }
    [[nodiscard]] std::vector<std::uint32_t> kept() const { return withEffect(PickEffect::kept); }
    [[nodiscard]] std::vector<std::uint32_t> only() const { return withEffect(PickEffect::only); }
    /// All picks in order of creation, to be restored later.
    [[nodiscard]] const std::vector<Pick>& state() const noexcept { return picks_; }
    void setState(std::vector<Pick> picks);
    /// Canonical pixel of the last pick; empty without picks.
    [[nodiscard]] std::optional<std::uint32_t> last() const;
    [[nodiscard]] QString summary() const; ///< "3 removed, 1 kept"; empty if there are none
    /// The component that pickAt() picks; empty if only the root is there, and while areas are unknown.
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(const QPointF& place, PickEffect effect,
                                                      const ShownSlice& shown) const;
    /// Removes or keeps the smallest visible and large enough component at a place, px, of the image or of a plane of
    /// the volume; after a removal the next click picks the one around it. Components to keep are searched among all.
    /// @returns false if only the root is there
    bool pickAt(const QPointF& place, PickEffect effect, const ShownSlice& shown);

public slots:
    void setPicking(bool picking) { change(this, picking_, picking, &PicksModel::pickingChanged); }
    void setMinimumArea(int pixels) {
        change(this, minimumArea_, std::clamp(pixels, 1, kMaxArea), &PicksModel::minimumAreaChanged);
    }
    /// Removes or keeps the component with this canonical pixel.
    void pick(std::uint32_t canonical, pollard::vm::PicksModel::PickEffect effect);
    /// Removes all but the component with this canonical pixel, which replaces another one kept alone.
    void keepOnly(std::uint32_t canonical);
    /// Undoes one pick.
    void remove(int row);
    void clear();
    /// Sets all picks at once.
    void assign(const std::vector<std::uint32_t>& removed, const std::vector<std::uint32_t>& kept,
                const std::vector<std::uint32_t>& only = {});

signals:
    void changed();
    void pickingChanged();
    void minimumAreaChanged();

private:
    [[nodiscard]] std::vector<std::uint32_t> withEffect(PickEffect effect) const;
    [[nodiscard]] QString text(const Pick& pick) const;
    DocumentViewModel& document_;
    std::vector<Pick> picks_; ///< in order of creation
    bool picking_ = false;
    int minimumArea_ = 20; ///< peaks of noise are smaller
};

} // namespace pollard::vm
