#pragma once

#include "latest_wins_worker.hpp"

#include <QObject>
#include <QString>

#include <array>

namespace pollard::vm {

class ObjectTableModel;

/// What the listed objects can be written as.
enum class ObjectFile {
    table,    ///< CSV, in px, in the order of the table
    labels,   ///< TIFF of the labels, 16 or 32 bits
    outlines, ///< GeoJSON
    regions,  ///< a zip of ImageJ's regions
};
inline constexpr std::array kObjectFiles{ObjectFile::table, ObjectFile::labels, ObjectFile::outlines,
                                         ObjectFile::regions};

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
