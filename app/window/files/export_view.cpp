#include "window/files/export_view.hpp"

#include "base/error.hpp"
#include "canvas/canvas.hpp"
#include "export/view_exporter.hpp"
#include "export/view_image.hpp"
#include "io/write/rgb_writer.hpp"
#include "overlays/overlay_layer.hpp"
#include "shell/busy_indicator.hpp"
#include "shell/error_presenter.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/make_action.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/base/file_export.hpp"
#include "vm/image/world_scale.hpp"
#include "vm/session/stored_sessions.hpp"
#include "widgets/couple.hpp"
#include "window/dialogs/export_dialog.hpp"
#include "window/menus/menus.hpp"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPrintDialog>
#include <QPrinter>
#include <QProgressDialog>
#include <QStandardPaths>
#include <QUrl>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kSteps = 1000; ///< of the progress bar

QString exportViewText(const char* source) { return QCoreApplication::translate("ExportView", source); }

/// @param overlays null for the image without overlays
void exportTo(const QString& path, const vm::ExportPlan& plan, QWidget& parent, Models& models, ErrorPresenter& errors,
              Canvas& canvas, OverlayLayer* overlays) {
    // The image must not change during the export: the modal dialog blocks the window.
    auto* progress = new QProgressDialog(exportViewText("Exporting %1").arg(QFileInfo(path).fileName()),
                                         exportViewText("Cancel"), 0, kSteps, &parent);
    progress->setObjectName(QStringLiteral("exportProgress"));
    progress->setWindowModality(Qt::WindowModal);
    progress->setAttribute(Qt::WA_DeleteOnClose);
    progress->setMinimumDuration(400);
    auto* exporter = new ViewExporter(canvas, overlays, progress);
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

} // namespace

void copyView(Canvas& canvas, OverlayLayer& overlays) {
    QGuiApplication::clipboard()->setImage(imageOfView(canvas, overlays));
}

void exportView(QWidget& parent, Models& models, ErrorPresenter& errors, Canvas& canvas, OverlayLayer& overlays) {
    ExportDialog options(models.display.view(), &parent);
    if (options.exec() != QDialog::Accepted) {
        return;
    }
    const vm::ExportPlan plan = options.plan();
    const QString path =
        askWhereToSave(parent, models,
                       {exportViewText("Export view"),
                        exportViewText("PNG image (*.png);;TIFF image (*.tif *.tiff);;JPEG image (*.jpg *.jpeg)"),
                        QStringLiteral("_view"), QStringLiteral("png")});
    if (path.isEmpty() || plan.size.isEmpty()) {
        return;
    }
    exportTo(path, plan, parent, models, errors, canvas, options.choice().overlays ? &overlays : nullptr);
}

void saveAsShown(QWidget& parent, Models& models, ErrorPresenter& errors, Canvas& canvas, const QString& path) {
    const vm::ExportPlan plan = vm::planExport({true, 1, false}, models.display.view());
    if (plan.size.isEmpty()) {
        errors.present(&parent, exportViewText("The view was not exported"), plan.problem);
    } else {
        exportTo(path, plan, parent, models, errors, canvas, nullptr);
    }
}

namespace {

void drawPage(QPrinter& printer, const QImage& picture, const QString& title) {
    QPainter painter(&printer);
    if (!painter.isActive()) {
        throw Error(ErrorCode::writeFailed, exportViewText("The printer does not accept the page.").toStdString());
    }
    const QRect page = painter.viewport();
    const QFontMetrics letters(painter.font(), &printer);
    painter.drawText(QRect(0, 0, page.width(), letters.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     letters.elidedText(title, Qt::ElideMiddle, page.width()));
    const int top = 2 * letters.height();
    const QSize size = picture.size().scaled(page.width(), page.height() - top, Qt::KeepAspectRatio);
    painter.drawImage(QRect(QPoint((page.width() - size.width()) / 2, top), size), picture);
}

} // namespace

void printImage(vm::FileExport& printing, std::shared_ptr<QPrinter> printer, const QImage& picture,
                const QString& title) {
    printing.write({}, exportViewText("The view was not printed"),
                   [printer = std::move(printer), picture, title](const std::filesystem::path&, const JobControl&) {
                       drawPage(*printer, picture, title);
                   });
}

namespace {

void printView(QWidget& parent, const Models& models, Canvas& canvas, OverlayLayer& overlays,
               vm::FileExport& printing) {
    const QImage picture = imageOfView(canvas, overlays); // before a dialog covers it
    auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setDocName(models.document.title());
    printer->setPageOrientation(picture.width() > picture.height() ? QPageLayout::Landscape : QPageLayout::Portrait);
    QPrintDialog dialog(printer.get(), &parent);
    if (dialog.exec() == QDialog::Accepted) {
        printImage(printing, std::move(printer), picture, models.document.title());
    }
}

/// Writes an image of 8 bits, in grey if it has no colours.
void writePasted(const QImage& picture, const std::filesystem::path& target) {
    const bool isGrey = picture.isGrayscale();
    const auto width = static_cast<std::uint32_t>(picture.width());
    const auto height = static_cast<std::uint32_t>(picture.height());
    const auto writer = makePngRgbWriter(target, width, height, {}, isGrey ? 1 : 3);
    const QImage rows = picture.convertToFormat(isGrey ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
    for (int y = 0; y < rows.height(); ++y) {
        writer->write({rows.constScanLine(y), std::size_t{width} * (isGrey ? 1 : 3)});
    }
    writer->finish();
}

/// A folder for pasted images, which sessions can name later. Deletes images that are older than a month.
QDir pastedFolder() {
    QDir folder(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/pasted"));
    folder.mkpath(QStringLiteral("."));
    const QDateTime oldest = QDateTime::currentDateTime().addDays(-vm::StoredSessions::kMostDays);
    for (const QFileInfo& each : folder.entryInfoList({QStringLiteral("*.png")}, QDir::Files)) {
        if (each.lastModified() < oldest) {
            QFile::remove(each.filePath());
        }
    }
    return folder;
}

void paste(QMainWindow& window, Models& models, vm::FileExport& pasting) {
    const QMimeData* content = QGuiApplication::clipboard()->mimeData();
    const QImage picture = QGuiApplication::clipboard()->image();
    if (!picture.isNull()) {
        const QString name = exportViewText("Pasted %1")
                                 .arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd hh.mm.ss.zzz")));
        pasting.write(
            pastedFolder().filePath(name + QStringLiteral(".png")), exportViewText("The picture was not pasted"),
            [picture](const std::filesystem::path& target, const JobControl&) { writePasted(picture, target); });
    } else if (content != nullptr && content->hasUrls() && content->urls().constFirst().isLocalFile()) {
        models.openFile(content->urls().constFirst().toLocalFile());
    } else {
        showNotice(window, exportViewText("There is no picture on the clipboard"));
    }
}

} // namespace

void addPasteAndPrint(QMainWindow& window, Models& models, ErrorPresenter& errors, Canvas* canvas,
                      OverlayLayer* overlays) {
    QAction* pasted = makeAction({QStringLiteral("paste"),
                                  exportViewText("&Paste picture"),
                                  exportViewText("Open the picture on the clipboard"),
                                  {},
                                  {QKeySequence(QKeySequence::Paste)}},
                                 &window);
    menuWith(window, QStringLiteral("redo"))->addAction(pasted);
    auto* pasting = new vm::FileExport(&window);
    QObject::connect(pasted, &QAction::triggered, pasting,
                     [&window, &models, pasting] { paste(window, models, *pasting); });
    QObject::connect(pasting, &vm::FileExport::saved, &window,
                     [&models](const QString& path) { models.openFile(path); });
    presentErrors(window, errors, *pasting, &vm::FileExport::failed);
    QAction* print = makeAction({QStringLiteral("print"),
                                 exportViewText("&Print…"),
                                 exportViewText("Print the view with its title on one page"),
                                 {},
                                 {QKeySequence(QKeySequence::Print)}},
                                &window);
    menuWith(window, QStringLiteral("preferences"))
        ->insertAction(window.findChild<QAction*>(QStringLiteral("preferences")), print);
    print->setVisible(canvas != nullptr);
    auto* printing = new vm::FileExport(&window);
    presentErrors(window, errors, *printing, &vm::FileExport::failed);
    auto* sign = new BusyIndicator(window, QStringLiteral("printing"), [printing] {
        return printing->isBusy() ? exportViewText("Printing the view…") : QString();
    });
    QObject::connect(printing, &vm::FileExport::availableChanged, sign, &BusyIndicator::look);
    const auto enable = [print, printing, canvas, &models] {
        print->setEnabled(canvas != nullptr && models.document.hasImage() && printing->isAvailable());
    };
    follow(print, enable, models.document, &vm::DocumentViewModel::hasImageChanged);
    QObject::connect(printing, &vm::FileExport::availableChanged, print, enable);
    QObject::connect(print, &QAction::triggered, &window, [&window, &models, canvas, overlays, printing] {
        printView(window, models, *canvas, *overlays, *printing);
    });
}

} // namespace pollard::app
