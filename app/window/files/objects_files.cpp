#include "window/files/objects_files.hpp"

#include "docks/objects/objects_panel.hpp"
#include "shell/busy_indicator.hpp"
#include "shell/error_presenter.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/objects/object_export.hpp"

#include <QCoreApplication>
#include <QMainWindow>

namespace pollard::app {
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

} // namespace pollard::app
