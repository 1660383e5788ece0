#include "window/files/panel_files.hpp"

#include "docks/contour/contour_panel.hpp"
#include "docks/objects/objects_panel.hpp"
#include "export/contour_frames.hpp"
#include "shell/canvas_actions.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/contour/contour_export.hpp"
#include "vm/objects/object_export.hpp"
#include "vm/region/region_view_model.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QFileInfo>
#include <QInputDialog>
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

namespace {

QString objectFilesText(const char* source) { return QCoreApplication::translate("ObjectFiles", source); }

QString filterOf(vm::ObjectFile file, bool volume) {
    switch (file) {
    case vm::ObjectFile::labels:
        return volume ? volumeFilter() : objectFilesText("Label image (*.tif *.tiff)");
    case vm::ObjectFile::regions:
        return objectFilesText("ImageJ regions (*.zip)");
    case vm::ObjectFile::outlines: // of images: askWhereToSaveGeoJson()
        return objectFilesText("GeoJSON (*.geojson)");
    case vm::ObjectFile::vector:
        return vectorFilter();
    case vm::ObjectFile::table:
        break;
    }
    return objectFilesText("Table (*.csv)");
}

GeoJsonChoice askWhere(QWidget& parent, Models& models, vm::ObjectFile file) {
    const bool volume = models.document.isVolume();
    const SaveQuestion question{objectFilesText("Save the objects"), filterOf(file, volume), QStringLiteral("_objects"),
                                volume && file == vm::ObjectFile::labels ? QStringLiteral("nii.gz")
                                                                         : vm::suffixOf(file)};
    return file == vm::ObjectFile::outlines && !volume ? askWhereToSaveGeoJson(parent, models, question)
                                                       : GeoJsonChoice{askWhereToSave(parent, models, question)};
}

} // namespace

void connectObjectFiles(QMainWindow& window, Models& models, ErrorPresenter& errors) {
    auto* panel = window.findChild<ObjectsPanel*>();
    QObject::connect(panel, &ObjectsPanel::saveRequested, &window, [&window, &models](vm::ObjectFile file) {
        const GeoJsonChoice choice = askWhere(window, models, file);
        if (!choice.path.isEmpty()) {
            models.objectExport.save(file, choice.path, choice.positions);
        }
    });
    QObject::connect(panel, &ObjectsPanel::savePixelTableRequested, &window, [&window, &models] {
        const QString path = askWhere(window, models, vm::ObjectFile::table).path;
        if (!path.isEmpty()) {
            models.objectExport.savePixelTable(path);
        }
    });
    QObject::connect(panel, &ObjectsPanel::saveTracksRequested, &window, [&window, &models] {
        const QString path = askWhereToSave(window, models,
                                            {objectFilesText("Save the tracks"), objectFilesText("Table (*.csv)"),
                                             QStringLiteral("_tracks"), QStringLiteral("csv")});
        if (!path.isEmpty()) {
            models.objectTracks.save(path);
        }
    });
    reportFiles(window, models, errors, models.objectExport);
    showWriting(window, QStringLiteral("objectsWriting"), models.objectExport);
    vm::ObjectsViewModel& objects = models.objects;
    auto* finding = new BusyIndicator(window, QStringLiteral("objectsFinding"), [&objects] {
        return objects.state() == vm::ObjectsViewModel::State::computing ? objectFilesText("Finding objects…")
                                                                         : QString();
    });
    QObject::connect(&objects, &vm::ObjectsViewModel::changed, finding, &BusyIndicator::look);
    showSaves(window, models, models.objectTracks);
    presentErrors(window, errors, models.objectTracks, &vm::ObjectTracksViewModel::saveFailed);
}

namespace {

QString regionFilesText(const char* source) { return QCoreApplication::translate("RegionFiles", source); }

void askForLayer(QMainWindow& window, Models& models, const QString& path, const QStringList& layers) {
    bool isChosen = false;
    const QString layer =
        QInputDialog::getItem(&window, regionFilesText("Load region"), regionFilesText("Layer with the polygons"),
                              layers, 0, false, &isChosen);
    if (isChosen) {
        models.region.load(path, models.map.map(), GeoJsonIn::pixels, layer);
    }
}

} // namespace

void connectRegionFiles(QMainWindow& window, Models& models, ErrorPresenter& errors, const CanvasActions& actions) {
    QObject::connect(actions.loadRegion, &QAction::triggered, &window, [&window, &models] {
        const GeoJsonChoice choice = askForRegion(window, models);
        if (!choice.path.isEmpty()) {
            models.region.load(choice.path, models.map.map(), choice.positions);
        }
    });
    QObject::connect(&models.region, &vm::RegionViewModel::loadFailed, &window, [&](const QString& problem) {
        errors.present(&window, regionFilesText("The region was not loaded"), problem);
    });
    QObject::connect(
        &models.region, &vm::RegionViewModel::layerNeeded, &window,
        [&](const QString& path, const QStringList& layers) { askForLayer(window, models, path, layers); });
    QObject::connect(actions.saveRegion, &QAction::triggered, &window, [&] {
        const GeoJsonChoice choice = askWhereToSaveRegion(window, models);
        if (choice.path.isEmpty()) {
            return;
        }
        const auto map = choice.positions == GeoJsonIn::degrees ? models.map.map() : nullptr;
        const QString problem = models.region.save(choice.path, map.get());
        if (problem.isEmpty()) {
            showSaved(window, choice.path, models);
        } else {
            errors.present(&window, regionFilesText("The region was not saved"), problem);
        }
    });
    showNotices(window, models.region);
}

} // namespace pollard::app
