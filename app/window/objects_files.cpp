#include "window/objects_files.hpp"

#include "docks/objects_panel.hpp"
#include "object_export.hpp"
#include "shell/error_presenter.hpp"
#include "shell/models.hpp"
#include "window/file_dialogs.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMainWindow>
#include <QStatusBar>

namespace pollard::app {
namespace {

constexpr int kNoticeTime = 8000; ///< ms

QString text(const char* source) { return QCoreApplication::translate("ObjectFiles", source); }

QString filterOf(vm::ObjectFile file) {
    switch (file) {
    case vm::ObjectFile::labels:
        return text("Label image (*.tif *.tiff)");
    case vm::ObjectFile::outlines:
        return text("GeoJSON (*.geojson)");
    case vm::ObjectFile::regions:
        return text("ImageJ regions (*.zip)");
    case vm::ObjectFile::table:
        break;
    }
    return text("Table (*.csv)");
}

QString askWhere(QWidget& parent, Models& models, vm::ObjectFile file) {
    return askWhereToSave(parent, models,
                          {text("Save the objects"), filterOf(file), QStringLiteral("_objects"), vm::suffixOf(file)});
}

} // namespace

void connectObjectFiles(QMainWindow& window, Models& models, ErrorPresenter& errors) {
    auto* panel = window.findChild<ObjectsPanel*>();
    vm::ObjectExport& exporter = models.objectExport;
    QObject::connect(panel, &ObjectsPanel::saveRequested, &window, [&window, &models](vm::ObjectFile file) {
        const QString path = askWhere(window, models, file);
        if (!path.isEmpty()) {
            models.objectExport.save(file, path);
        }
    });
    QObject::connect(&exporter, &vm::ObjectExport::saved, &window, [&window](const QString& path) {
        window.statusBar()->showMessage(text("Saved %1").arg(QFileInfo(path).fileName()), kNoticeTime);
    });
    QObject::connect(
        &exporter, &vm::ObjectExport::failed, &window,
        [&window, &errors](const QString& title, const QString& why) { errors.present(&window, title, why); });
}

} // namespace pollard::app
