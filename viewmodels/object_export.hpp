#pragma once

#include "latest_wins_worker.hpp"

#include "components/object_files.hpp"

#include <QObject>
#include <QString>

namespace pollard::vm {

class ObjectTableModel;

using pollard::kObjectFiles;
using pollard::ObjectFile;

/// "csv", "tif", "geojson", "zip".
[[nodiscard]] QString suffixOf(ObjectFile file);

/// Writes the listed objects on a thread of its own, one file at a time.
class ObjectExport : public QObject {
    Q_OBJECT
    Q_PROPERTY(bool available READ isAvailable NOTIFY availableChanged)

public:
    /// @param table must outlive this
    explicit ObjectExport(ObjectTableModel& table, QObject* parent = nullptr);

    /// There are objects, and none are being written.
    [[nodiscard]] bool isAvailable() const;
    [[nodiscard]] bool isBusy() const noexcept { return busy_; }
    /// Starts to write what is listed now; does nothing unless isAvailable(). Ends with saved() or failed().
    void save(pollard::vm::ObjectFile file, const QString& path);

signals:
    void availableChanged();
    void saved(const QString& path);
    void failed(const QString& title, const QString& text);

private:
    ObjectTableModel& table_;
    bool busy_ = false;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
