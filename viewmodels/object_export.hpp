#pragma once

#include "file_export.hpp"

#include "components/object_files.hpp"
#include "geo/geojson_positions.hpp"

#include <QString>

namespace pollard::vm {

class ObjectTableModel;

using pollard::kObjectFiles;
using pollard::ObjectFile;

/// "csv", "tif", "geojson", "zip".
[[nodiscard]] QString suffixOf(ObjectFile file);

/// Writes the listed objects on a thread of its own, one file at a time.
class ObjectExport : public FileExport {
    Q_OBJECT

public:
    /// @param table must outlive this
    explicit ObjectExport(ObjectTableModel& table, QObject* parent = nullptr);

    /// There are objects, and none are being written.
    [[nodiscard]] bool isAvailable() const override;
    /// Starts to write what is listed now; does nothing unless isAvailable(). Ends with saved() or failed().
    /// @param positions of outlines
    void save(pollard::vm::ObjectFile file, const QString& path,
              pollard::GeoJsonIn positions = pollard::GeoJsonIn::degrees);

private:
    ObjectTableModel& table_;
};

} // namespace pollard::vm
