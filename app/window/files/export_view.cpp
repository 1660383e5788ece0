#include "window/files/export_view.hpp"

#include "canvas/canvas.hpp"
#include "export/view_exporter.hpp"
#include "export/view_picture.hpp"
#include "overlays/overlay_layer.hpp"
#include "shell/error_presenter.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "vm/picture/world_scale.hpp"
#include "window/dialogs/export_dialog.hpp"

#include <QClipboard>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QProgressDialog>

namespace pollard::app {
namespace {

constexpr int kSteps = 1000; ///< of the progress bar

QString exportViewText(const char* source) { return QCoreApplication::translate("ExportView", source); }

QString askForTarget(QWidget& parent, Models& models) {
    QFileDialog dialog(&parent, exportViewText("Export view"), models.settings.lastDirectory(),
                       exportViewText("PNG image (*.png);;TIFF image (*.tif *.tiff)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("png"));
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&dialog](const QString& filter) {
        dialog.setDefaultSuffix(filter.contains(QLatin1String("*.tif")) ? QStringLiteral("tif")
                                                                        : QStringLiteral("png"));
    });
    dialog.selectFile(QFileInfo(models.document.path()).completeBaseName() + QStringLiteral("_view.png"));
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) {
        return {};
    }
    QString path = dialog.selectedFiles().constFirst();
    if (!acceptsName(parent, path, dialog.nameFilters().join(QLatin1Char(' ')))) {
        return {};
    }
    models.settings.setLastDirectory(QFileInfo(path).absolutePath());
    return path;
}

} // namespace

void copyView(Canvas& canvas, OverlayLayer& overlays) {
    QGuiApplication::clipboard()->setImage(pictureOfView(canvas, overlays));
}

void exportView(QWidget& parent, Models& models, ErrorPresenter& errors, Canvas& canvas, OverlayLayer& overlays) {
    ExportDialog options(models.display.view(), &parent);
    if (options.exec() != QDialog::Accepted) {
        return;
    }
    const vm::ExportPlan plan = options.plan();
    const QString path = askForTarget(parent, models);
    if (path.isEmpty() || plan.size.isEmpty()) {
        return;
    }
    // The picture must not change during the export: the modal dialog blocks the window.
    auto* progress = new QProgressDialog(exportViewText("Exporting %1").arg(QFileInfo(path).fileName()),
                                         exportViewText("Cancel"), 0, kSteps, &parent);
    progress->setObjectName(QStringLiteral("exportProgress"));
    progress->setWindowModality(Qt::WindowModal);
    progress->setAttribute(Qt::WA_DeleteOnClose);
    progress->setMinimumDuration(400);
    auto* exporter = new ViewExporter(canvas, options.choice().overlays ? &overlays : nullptr, progress);
    QObject::connect(progress, &QProgressDialog::canceled, exporter, &ViewExporter::cancel);
    QObject::connect(exporter, &ViewExporter::progressed, progress,
                     [progress](double fraction) { progress->setValue(static_cast<int>(fraction * (kSteps - 1))); });
    QObject::connect(exporter, &ViewExporter::finished, progress, [progress, &parent, &errors](const QString& error) {
        progress->deleteLater();
        if (!error.isEmpty()) {
            errors.present(&parent, exportViewText("The view was not exported"), error);
        }
    });
    exporter->start(path, plan, vm::sceneSize(models.document.imageInfo().get()));
}

} // namespace pollard::app
