#pragma once

#include "latest_wins_worker.hpp"

#include <QObject>
#include <QString>

#include <array>

namespace pollard::vm {

class ContourViewModel;

/// What a contour can be written as.
enum class ContourFile {
    outline, ///< GeoJSON of the shown state
    drawing, ///< SVG of the same
    mask,    ///< TIFF, 255 inside; of several contours 1, 2 ...
    region,  ///< of ImageJ; of several contours a set of them
    trace,   ///< CSV, all states of the run
};
inline constexpr std::array kContourFiles{ContourFile::outline, ContourFile::drawing, ContourFile::mask,
                                          ContourFile::region, ContourFile::trace};

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
