#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "image/mask.hpp"
#include "recipe/recipe.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace pollard::vm {

/// Converts forbidden pixels between masks of the panel and runs of a recipe, on another thread.
class ForbiddenRuns : public QObject {
    Q_OBJECT

public:
    using Store = std::function<StoredMask(const Mask&)>;
    /// @param store makes the runs of a mask, on another thread
    explicit ForbiddenRuns(Store store = &StoredMask::of, QObject* parent = nullptr);

    /// Requests the runs of a mask; null for none. @return whether stored() belongs to it; else followed() comes, or
    /// notFollowed(), which leaves stored() unchanged; this mask is then not tried again until another one was
    bool follow(const std::shared_ptr<const Mask>& mask);
    [[nodiscard]] const std::optional<StoredMask>& stored() const noexcept { return stored_; }

    /// Makes the forbidden pixels of a step for an image of this size; ends with expanded() or failed().
    void expand(const ContoursStep& step, std::uint32_t width, std::uint32_t height);
    [[nodiscard]] bool isExpanding() const noexcept { return expanding_ != 0; }
    /// Suppresses a pending expanded().
    void drop();

    [[nodiscard]] bool isBusy() const noexcept { return following_ != nullptr || isExpanding(); }

signals:
    void followed();
    /// @param why one line for the user
    void notFollowed(const QString& why);
    void expanded(const std::shared_ptr<const pollard::Mask>& mask);
    /// @param why message of core
    void failed(const QString& why);

private:
    Store store_;
    std::shared_ptr<const Mask> mask_; ///< source of stored_
    std::optional<StoredMask> stored_;
    std::shared_ptr<const Mask> following_;      ///< the pending one
    std::shared_ptr<const Mask> refused_;        ///< failed the last time
    LatestWinsWorker::Generation expanding_ = 0; ///< the pending job, else 0
    LatestWinsWorker worker_;                    ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
