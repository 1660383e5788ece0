#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "base/job_control.hpp"

#include <QObject>
#include <QString>

#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>

namespace pollard::vm {

/// Writes files on another thread, one at a time.
class FileExport : public QObject {
    Q_OBJECT

public:
    /// There is data to write, and no file is being written.
    [[nodiscard]] virtual bool isAvailable() const { return !busy_; }
    [[nodiscard]] bool isBusy() const noexcept { return busy_; }

    using Writer = std::function<void(const std::filesystem::path& target, const JobControl& control)>;

    explicit FileExport(QObject* parent) : QObject(parent) {}
    /// Starts to write; ends with saved() or failed(). @param title of failed()
    void write(const QString& path, const QString& title, Writer writer);

signals:
    void availableChanged();
    void saved(const QString& path);
    void failed(const QString& title, const QString& text);

private:
    bool busy_ = false;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

/// Files to write on a worker, one after another; none replaces another one, and each is written completely even after
/// a stop request.
class WriteQueue {
public:
    using Write = std::function<void()>;
    using Done = std::function<void(const JobOutcome& outcome)>;

    /// @param worker with a Lane::save used only by this queue; must outlive it, except for finish()
    explicit WriteQueue(LatestWinsWorker& worker) : worker_(worker) {}

    /// @param done called with the outcome of this write
    void add(Write write, Done done);
    [[nodiscard]] bool isBusy() const noexcept { return !tasks_.empty(); }
    /// Writes the tasks that the destroyed worker did not start, on this thread, without reports.
    void finish() noexcept;

private:
    struct Task {
        Write write;
        Done done;
        std::atomic<bool> begun = false; ///< not to be repeated after a failure

        Task(Write what, Done then) : write(std::move(what)), done(std::move(then)) {}
    };
    void next();

    LatestWinsWorker& worker_;
    std::deque<std::shared_ptr<Task>> tasks_; ///< the first one is on the worker
};

} // namespace pollard::vm
