#include "window/files/contour_files.hpp"

#include "docks/contour/contour_panel.hpp"
#include "export/contour_frames.hpp"
#include "shell/busy_indicator.hpp"
#include "shell/error_presenter.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/contour/contour_export.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMainWindow>
#include <QProgressDialog>

namespace pollard::app {
namespace {

constexpr int kProgressAfter = 400; ///< ms

QString contourFilesText(const char* source) { return QCoreApplication::translate("ContourFiles", source); }

QString filterOf(vm::ContourFile file, int contours) {
    switch (file) {
    case vm::ContourFile::drawing:
        return contourFilesText("SVG drawing (*.svg)");
    case vm::ContourFile::mask:
        return contourFilesText("Mask (*.tif *.tiff)");
    case vm::ContourFile::region:
        return contours > 1 ? contourFilesText("ImageJ regions (*.zip)") : contourFilesText("ImageJ region (*.roi)");
    case vm::ContourFile::vector:
        return vectorFilter();
    case vm::ContourFile::outline: // handled by askWhereToSaveGeoJson()
    case vm::ContourFile::trace:
        break;
    }
    return contourFilesText("Table (*.csv)");
}

GeoJsonChoice askWhere(QWidget& parent, Models& models, vm::ContourFile file) {
    const int contours = models.contours.runs().contourCount();
    const SaveQuestion question{contourFilesText("Save the contour"), filterOf(file, contours),
                                QStringLiteral("_contour"), vm::suffixOf(file, contours)};
    return file == vm::ContourFile::outline ? askWhereToSaveGeoJson(parent, models, question)
                                            : GeoJsonChoice{askWhereToSave(parent, models, question)};
}

QString askForTable(QWidget& parent, Models& models) {
    return askWhereToSave(parent, models,
                          {contourFilesText("Save the table of the pages"), contourFilesText("Table (*.csv)"),
                           QStringLiteral("_contours"), QStringLiteral("csv")});
}

void saveFrames(QMainWindow& window, Models& models, ErrorPresenter& errors, Canvas& canvas, OverlayLayer& overlays) {
    models.contours.playback().pause();
    const QString folder = askForFolder(window, models, contourFilesText("Folder for the frames"));
    if (folder.isEmpty() || models.contours.runs().current() < 0) {
        return;
    }
    auto* progress = new QProgressDialog(contourFilesText("Writing frames"), contourFilesText("Cancel"), 0,
                                         models.contours.runs().stateCount(), &window);
    progress->setObjectName(QStringLiteral("framesProgress"));
    progress->setWindowModality(Qt::WindowModal);
    progress->setMinimumDuration(kProgressAfter);
    progress->setAutoReset(false);
    auto* frames = new ContourFrames(canvas, overlays, models.contours, progress);
    QObject::connect(progress, &QProgressDialog::canceled, frames, &ContourFrames::cancel);
    QObject::connect(frames, &ContourFrames::progressed, progress, [progress](int number, int all) {
        if (!progress->wasCanceled()) {
            progress->setMaximum(all);
            progress->setValue(number);
        }
    });
    QObject::connect(
        frames, &ContourFrames::finished, progress,
        [progress, &window, &errors, folder](int number, const QString& error) {
            progress->deleteLater();
            if (!error.isEmpty()) {
                errors.present(&window, contourFilesText("The frames were not all saved"), error);
            } else {
                showNotice(window,
                           contourFilesText("Saved %1 frames to %2").arg(number).arg(QFileInfo(folder).fileName()));
            }
        });
    frames->start(folder);
}

} // namespace

void connectContourFiles(QMainWindow& window, Models& models, ErrorPresenter& errors, Canvas* canvas,
                         OverlayLayer* overlays) {
    auto* panel = window.findChild<ContourPanel*>();
    QObject::connect(panel, &ContourPanel::saveRequested, &window, [&window, &models](vm::ContourFile file) {
        const GeoJsonChoice choice = askWhere(window, models, file);
        if (!choice.path.isEmpty()) {
            models.contourExport.save(file, choice.path, choice.positions);
        }
    });
    QObject::connect(panel, &ContourPanel::tableRequested, &window, [&window, &models] {
        const QString path = askForTable(window, models);
        if (!path.isEmpty()) {
            models.contourExport.saveTable(path);
        }
    });
    if (canvas != nullptr && overlays != nullptr) {
        QObject::connect(panel, &ContourPanel::framesRequested, &window, [&window, &models, &errors, canvas, overlays] {
            saveFrames(window, models, errors, *canvas, *overlays);
        });
    }
    QObject::connect(panel, &ContourPanel::maskRequested, &window, [&window, &models] {
        const QString path = askForImage(window, models);
        if (!path.isEmpty()) {
            models.contours.settings().forbidden().load(path, models.limits.readLimits());
        }
    });
    presentErrors(window, errors, models.contours.settings().forbidden(), &vm::ForbiddenArea::failed);
    showNotices(window, models.contours.runs());
    reportFiles(window, models, errors, models.contourExport);
    showWriting(window, QStringLiteral("contourWriting"), models.contourExport);
}

} // namespace pollard::app
