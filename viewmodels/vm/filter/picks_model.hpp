#pragma once

#include "filter/filter_settings.hpp"

#include <QAbstractListModel>
#include <QPointF>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// Components removed from the picture, kept in it, or kept alone by clicks of the user. They are identified by
/// canonical pixels, which are valid for one picture; another picture or page starts without any.
class PicksModel : public QAbstractListModel {
    Q_OBJECT

public:
    using Pick = FilterPick;
    using Fate = FilterPick::Fate;

    static constexpr int kMaxArea = 1'000'000'000; ///< px, limit of minimumArea()

    /// @param document must outlive this
    explicit PicksModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    [[nodiscard]] int count() const noexcept { return static_cast<int>(picks_.size()); }
    /// Clicks on the picture pick components.
    [[nodiscard]] bool isPicking() const noexcept { return picking_; }
    /// px; instead of a smaller component its nearest large enough ancestor is picked.
    [[nodiscard]] int minimumArea() const noexcept { return minimumArea_; }
    /// Canonical pixels, in ascending order.
    [[nodiscard]] std::vector<std::uint32_t> removed() const { return withFate(Fate::removed); }
    [[nodiscard]] std::vector<std::uint32_t> kept() const { return withFate(Fate::kept); }
    [[nodiscard]] std::vector<std::uint32_t> only() const { return withFate(Fate::only); }
    /// All picks in order of creation, to be restored later.
    [[nodiscard]] const std::vector<Pick>& state() const noexcept { return picks_; }
    void setState(std::vector<Pick> picks);
    /// Canonical pixel of the last pick; empty without picks.
    [[nodiscard]] std::optional<std::uint32_t> last() const;
    [[nodiscard]] QString summary() const; ///< "3 removed, 1 kept"; empty if there are none
    /// The component that pickAt() picks; empty if only the root is there, and while areas are unknown.
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(const QPointF& image, Fate fate) const;

public slots:
    void setPicking(bool picking);
    void setMinimumArea(int pixels);
    /// Removes or keeps the smallest visible and large enough component at a place of the picture; after a removal the
    /// next click picks the one around it. Components to keep are searched among all.
    /// @returns false if only the root is there
    bool pickAt(const QPointF& image, pollard::vm::PicksModel::Fate fate);
    /// Removes or keeps the component with this canonical pixel.
    void pick(std::uint32_t canonical, pollard::vm::PicksModel::Fate fate);
    /// Removes all but the component with this canonical pixel, which replaces another one kept alone.
    void keepOnly(std::uint32_t canonical);
    /// Undoes one pick.
    void remove(int row);
    void clear();
    /// Sets all of them at once.
    void assign(const std::vector<std::uint32_t>& removed, const std::vector<std::uint32_t>& kept,
                const std::vector<std::uint32_t>& only = {});

signals:
    void changed();
    void pickingChanged();
    void minimumAreaChanged();

private:
    [[nodiscard]] std::vector<std::uint32_t> withFate(Fate fate) const;
    [[nodiscard]] QString text(const Pick& pick) const;
    DocumentViewModel& document_;
    std::vector<Pick> picks_; ///< in order of creation
    bool picking_ = false;
    int minimumArea_ = 20; ///< peaks of noise are smaller
};

} // namespace pollard::vm
