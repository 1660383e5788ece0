#pragma once

#include <QAbstractListModel>
#include <QPointF>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// Components that a person removed from the picture, kept in it, or kept alone, by clicking on them. They are named by
/// their canonical pixels, so they stay the same while the picture is; another picture or page begins without any.
class PicksModel : public QAbstractListModel {
    Q_OBJECT

public:
    /// What is done with a component.
    enum class Fate {
        removed, ///< it goes with everything in it
        kept,    ///< it stays whatever the criteria say
        only,    ///< what is in no such component goes
    };

    struct Pick {
        std::uint32_t canonical = 0; ///< pixel
        Fate fate = Fate::removed;

        bool operator==(const Pick&) const = default;
    };

    static constexpr int kMaxArea = 1'000'000'000; ///< px that can be asked for

    /// @param document must outlive this
    explicit PicksModel(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    [[nodiscard]] int count() const noexcept { return static_cast<int>(picks_.size()); }
    /// Clicks on the picture pick components.
    [[nodiscard]] bool isPicking() const noexcept { return picking_; }
    /// Smaller components are not picked, but the one around them, px.
    [[nodiscard]] int minimumArea() const noexcept { return minimumArea_; }
    /// Canonical pixels, in ascending order.
    [[nodiscard]] std::vector<std::uint32_t> removed() const { return withFate(Fate::removed); }
    [[nodiscard]] std::vector<std::uint32_t> kept() const { return withFate(Fate::kept); }
    [[nodiscard]] std::vector<std::uint32_t> only() const { return withFate(Fate::only); }
    /// All of them in the order in which they were made, to come back to them.
    [[nodiscard]] const std::vector<Pick>& state() const noexcept { return picks_; }
    void setState(std::vector<Pick> picks);
    /// Canonical pixel of the component that was picked last; nothing without picks.
    [[nodiscard]] std::optional<std::uint32_t> last() const;
    [[nodiscard]] QString summary() const; ///< "3 removed, 1 kept"; empty if there are none

public slots:
    void setPicking(bool picking);
    void setMinimumArea(int pixels);
    /// Removes or keeps the smallest component at a place of the picture that is seen and large enough; where it was
    /// removed, the next click takes the one around it. What is kept is searched among all components.
    /// @returns false if there is nothing but the root
    bool pickAt(const QPointF& image, pollard::vm::PicksModel::Fate fate);
    /// Removes or keeps the component with this canonical pixel.
    void pick(std::uint32_t canonical, pollard::vm::PicksModel::Fate fate);
    /// Takes out all but the component with this canonical pixel, which replaces another one that was kept so.
    void keepOnly(std::uint32_t canonical);
    /// Takes one pick back.
    void remove(int row);
    void clear();
    /// All of them at once.
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
    std::vector<Pick> picks_; ///< in the order in which they were made
    bool picking_ = false;
    int minimumArea_ = 20; ///< the peaks of noise are smaller
};

} // namespace pollard::vm
