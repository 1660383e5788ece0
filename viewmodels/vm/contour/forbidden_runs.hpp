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

/// Forbidden pixels as a recipe keeps them, of those that the panel has and the other way, on a thread of its own.
class ForbiddenRuns : public QObject {
    Q_OBJECT

public:
    using Store = std::function<StoredMask(const Mask&)>;
    /// @param store makes the runs of a mask, on another thread
    explicit ForbiddenRuns(Store store = &StoredMask::of, QObject* parent = nullptr);

    /// Asks for those of a mask; null for none. @return whether stored() is of it; else followed() comes, or
    /// notFollowed(), after which stored() stays as it is and this mask is not tried again until another one was
    bool follow(const std::shared_ptr<const Mask>& mask);
    [[nodiscard]] const std::optional<StoredMask>& stored() const noexcept { return stored_; }

    /// Makes the pixels that a step forbids in a picture of this size; ends with expanded() or failed().
    void expand(const ContoursStep& step, std::uint32_t width, std::uint32_t height);
    [[nodiscard]] bool isExpanding() const noexcept { return expanding_ != 0; }
    /// Nobody waits for expanded() any more.
    void drop();

    [[nodiscard]] bool isBusy() const noexcept { return following_ != nullptr || isExpanding(); }

signals:
    void followed();
    /// @param why one line for a person
    void notFollowed(const QString& why);
    void expanded(const std::shared_ptr<const pollard::Mask>& mask);
    /// @param why as core says it
    void failed(const QString& why);

private:
    Store store_;
    std::shared_ptr<const Mask> mask_; ///< that stored_ is of
    std::optional<StoredMask> stored_;
    std::shared_ptr<const Mask> following_;      ///< on its way
    std::shared_ptr<const Mask> refused_;        ///< could not be made the last time
    LatestWinsWorker::Generation expanding_ = 0; ///< of the job, else 0
    LatestWinsWorker worker_;                    ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
