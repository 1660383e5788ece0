#pragma once

#include "vm/base/file_export.hpp"
#include "vm/objects/object_listing.hpp"

#include "base/job_control.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_files.hpp"
#include "geo/earth_polygons.hpp"

#include <QByteArray>
#include <QString>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace pollard::vm {

class ObjectTableModel;
struct TrackedStack;

/// The displayed table of objects: columns, rows, order and unit. Immutable, so that a job can write it.
struct ShownObjects {
    QByteArray header; ///< line of titles with units, in the format of csvOf()
    std::vector<ObjectFeature> columns;
    ObjectUnit unit; ///< as displayed
    std::shared_ptr<const ObjectListing> listing;
    std::vector<std::string> further; ///< names of the columns of channels, which follow the features
    bool hasTracks = false;           ///< as the last column
    std::shared_ptr<const TrackedStack> tracks;

    /// Writes the same lines as csvOf(). @throws Error(writeFailed), Cancelled
    void write(const std::filesystem::path& target, const JobControl& control) const;
};

using pollard::ObjectFile;

/// "csv", "tif", "geojson", "zip", "gpkg".
[[nodiscard]] QString suffixOf(ObjectFile file);

/// Writes the listed objects on another thread, one file at a time.
class ObjectExport : public FileExport {
    Q_OBJECT

public:
    /// @param table must outlive this
    explicit ObjectExport(ObjectTableModel& table, QObject* parent = nullptr);

    /// Objects exist, and no file is being written.
    [[nodiscard]] bool isAvailable() const override;
    /// Starts to write the listed rows; does nothing unless isAvailable(). Ends with saved() or failed(). A
    /// table is written as displayed: columns, rows, order and unit. Outlines have measures in its unit, too. A vector
    /// file has the format of its name, see VectorLayer; volumes have none.
    /// @param positions of GeoJSON
    void save(pollard::vm::ObjectFile file, const QString& path,
              pollard::GeoJsonIn positions = pollard::GeoJsonIn::degrees);
    /// A table with all features in px, of volumes in voxels, with the names used in conditions.
    void savePixelTable(const QString& path);

private:
    void saveIn(const pollard::ObjectUnit& unit, pollard::GeoJsonIn positions, pollard::vm::ObjectFile file,
                const QString& path);

    ObjectTableModel& table_;
};

} // namespace pollard::vm
