#pragma once

#include "vm/base/file_export.hpp"

#include "geo/earth_polygons.hpp"
#include "snake/contour/contour_output.hpp"

#include <QString>

namespace pollard::vm {

class ContourViewModel;

using pollard::ContourFile;

/// "geojson", "svg", "tif", "roi" (for several contours "zip"), "csv", "gpkg".
[[nodiscard]] QString suffixOf(ContourFile file, int contours = 1);

/// Writes the displayed contours, or their run, like the command line; on another thread, one file at a time.
class ContourExport : public FileExport {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit ContourExport(ContourViewModel& contours, QObject* parent = nullptr);

    /// A contour exists, and no file is being written.
    [[nodiscard]] bool isAvailable() const override;
    /// Starts to write the displayed contours, as outlines with their measurements, and the contours of all pages
    /// that they were followed over; does nothing unless isAvailable(). Ends with saved() or failed().
    /// A vector file has the format of its name, see VectorLayer.
    /// @param positions of GeoJSON
    void save(pollard::vm::ContourFile file, const QString& path,
              pollard::GeoJsonIn positions = pollard::GeoJsonIn::degrees);

    /// The current run was followed over pages, and no file is being written.
    [[nodiscard]] bool hasPages() const;
    /// Starts to write a table of the contours of all pages; does nothing unless hasPages(). Ends as save().
    void saveTable(const QString& path);

private:
    ContourViewModel& contours_;
};

} // namespace pollard::vm
