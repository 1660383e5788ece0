#pragma once

#include "vm/base/change.hpp"
#include "vm/base/latest_wins_worker.hpp"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace pollard::vm {

/// Releases data of a document on another thread in its destructor: freeing hundreds of megabytes would block the
/// window. Create one before the data is replaced.
class DeferredRelease {
public:
    void hold(std::shared_ptr<const void> data) { held_.push_back(std::move(data)); }

    DeferredRelease() = default;
    DeferredRelease(DeferredRelease&&) noexcept = default;
    DeferredRelease& operator=(DeferredRelease&&) = delete;
    DeferredRelease(const DeferredRelease&) = delete;
    DeferredRelease& operator=(const DeferredRelease&) = delete;
    ~DeferredRelease() {
        if (!held_.empty()) {
            QThreadPool::globalInstance()->start([held = std::move(held_)]() mutable { held.clear(); });
        }
    }

private:
    std::vector<std::shared_ptr<const void>> held_;
};

/// An analysis of the tree that is computed while its panel is seen.
class Analysis : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] bool isActive() const noexcept { return active_; }
    /// Whether nothing is being computed or about to be computed.
    [[nodiscard]] virtual bool isIdle() const = 0;

public slots:
    /// The panel is seen; until then nothing is computed.
    void setActive(bool active) { change(this, active_, active, &Analysis::onActive); }

signals:
    void changed(); ///< state or result

private:
    virtual void onActive() = 0; ///< isActive() has changed

    bool active_ = false;
};

/// State of a value that is computed on another thread.
enum class AsyncState : std::uint8_t {
    empty,     ///< no value, because there is no document, or it is not displayed
    computing, ///< the value is being computed; the previous one may still be displayed
    ready,
    failed, ///< there is an error and no value
};

/// A value computed on another thread with the lane "measure". A newer computation replaces the older one.
template <class T> class AsyncResult {
public:
    using Value = std::shared_ptr<const T>;

    /// @param changed called after each change of state or value
    explicit AsyncResult(std::function<void()> changed) : changed_(std::move(changed)) {}

    [[nodiscard]] AsyncState state() const noexcept { return state_; }
    [[nodiscard]] const QString& problem() const noexcept { return problem_; } ///< of AsyncState::failed
    [[nodiscard]] const Value& value() const noexcept { return value_; }
    /// Whether a computation waits, runs or is about to report.
    [[nodiscard]] bool isBusy() const { return worker_.isBusy(Lane::measure); }
    /// Whether begin() was called and compute() was not.
    [[nodiscard]] bool awaitsInput() const noexcept { return state_ == AsyncState::computing && newest_ == 0; }
    /// The worker, for related jobs on other lanes.
    [[nodiscard]] LatestWinsWorker& worker() noexcept { return worker_; }

    /// Stops the computation; state and value stay.
    void stop() {
        worker_.stop(Lane::measure);
        newest_ = 0;
    }
    /// Stops the computation; there is no value.
    void clear() {
        stop();
        set(AsyncState::empty, nullptr);
    }
    /// A computation will follow; @p kept is displayed until it ends.
    void begin(Value kept) { set(AsyncState::computing, std::move(kept)); }
    /// Computes the value as work(stop). A failure after begin() becomes the state; another one leaves the value.
    template <class Work> void compute(Work work) {
        newest_ = worker_.post(
            Lane::measure,
            [work = std::move(work)](const std::stop_token& stop) mutable {
                return std::make_shared<const T>(work(stop));
            },
            [this](LatestWinsWorker::Generation generation, const JobOutcome& outcome, const Value& value) {
                const bool newest = generation == newest_;
                newest_ = newest ? 0 : newest_;
                if (outcome.ok()) {
                    set(newest ? AsyncState::ready : state_, value);
                } else if (newest && state_ == AsyncState::computing && outcome.kind == JobOutcome::Kind::failed) {
                    problem_ = QString::fromStdString(outcome.message);
                    set(AsyncState::failed, nullptr);
                }
            });
    }

private:
    void set(AsyncState state, Value value) {
        if (state == state_ && value == value_) {
            return;
        }
        state_ = state;
        DeferredRelease old;
        if (value != value_) {
            old.hold(std::exchange(value_, std::move(value)));
        }
        changed_();
    }

    std::function<void()> changed_;
    AsyncState state_ = AsyncState::empty;
    QString problem_;
    Value value_;
    LatestWinsWorker::Generation newest_ = 0; ///< the pending computation's; else 0
    LatestWinsWorker worker_;                 ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
