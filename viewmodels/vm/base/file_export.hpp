#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "base/job_control.hpp"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>

namespace pollard::vm {

/// Writes files on another thread, one at a time.
class FileExport : public QObject {
    Q_OBJECT

public:
    /// There is data to write, and no file is being written.
    [[nodiscard]] virtual bool isAvailable() const { return !busy_; }
    [[nodiscard]] bool isBusy() const noexcept { return busy_; }

signals:
    void availableChanged();
    void saved(const QString& path);
    void failed(const QString& title, const QString& text);

protected:
    using Writer = std::function<void(const std::filesystem::path& target, const JobControl& control)>;

    explicit FileExport(QObject* parent) : QObject(parent) {}
    /// Starts to write; ends with saved() or failed(). @param title of failed()
    void write(const QString& path, const QString& title, Writer writer);

private:
    bool busy_ = false;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
