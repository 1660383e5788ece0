#pragma once

#include "latest_wins_worker.hpp"

#include "snake/contour_output.hpp"

#include <QObject>
#include <QString>

namespace pollard::vm {

class ContourViewModel;

using pollard::ContourFile;
using pollard::kContourFiles;

/// "geojson", "svg", "tif", "roi" (of several contours "zip"), "csv".
[[nodiscard]] QString suffixOf(ContourFile file, int contours = 1);

/// Writes the contours that are shown, or their run, as the command line does, on a thread of its own, one file at a
/// time.
class ContourExport : public QObject {
    Q_OBJECT
    Q_PROPERTY(bool available READ isAvailable NOTIFY availableChanged)

public:
    /// @param contours must outlive this
    explicit ContourExport(ContourViewModel& contours, QObject* parent = nullptr);

    /// There is a contour, and none is being written.
    [[nodiscard]] bool isAvailable() const;
    [[nodiscard]] bool isBusy() const noexcept { return busy_; }
    /// Starts to write what is shown now; does nothing unless isAvailable(). Ends with saved() or failed().
    void save(pollard::vm::ContourFile file, const QString& path);

signals:
    void availableChanged();
    void saved(const QString& path);
    void failed(const QString& title, const QString& text);

private:
    ContourViewModel& contours_;
    bool busy_ = false;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
