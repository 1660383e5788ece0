#include "window/files/export_view.hpp"

#include "base/error.hpp"
#include "canvas/canvas.hpp"
#include "export/view_exporter.hpp"
#include "export/view_image.hpp"
#include "io/write/image_writer.hpp"
#include "overlays/overlay_layer.hpp"
#include "shell/canvas_actions.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/base/file_export.hpp"
#include "vm/image/world_scale.hpp"
#include "vm/session/stored_sessions.hpp"
#include "widgets/couple.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"
#include "window/menus/menus.hpp"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFontMetrics>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLocale>
#include <QMainWindow>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPrintDialog>
#include <QPrinter>
#include <QProgressDialog>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

namespace pollard::app {

ExportDialog::ExportDialog(const vm::ViewTransform& view, QWidget* parent) : QDialog(parent), view_(view) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export view"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    addPart();
    addSize();
    overlays_ = new QCheckBox(tr("With the visible scale bar, rulers, grid and &regions"), this);
    overlays_->setObjectName(QStringLiteral("exportOverlays"));
    overlays_->setChecked(true);
    overlays_->setToolTip(tr("Draw the overlays into the file too"));
    layout->addWidget(overlays_);
    layout->addWidget(new Divider(this));
    size_ = new QLabel(this);
    size_->setObjectName(QStringLiteral("exportSize"));
    size_->setWordWrap(true);
    size_->setAccessibleName(tr("Size of the file"));
    layout->addWidget(size_);
    layout->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    export_ = buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
    export_->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    setMinimumWidth(420);
    showPlan();
}

void ExportDialog::addPart() {
    visible_ = new QRadioButton(tr("&Visible part of the image"), this);
    visible_->setObjectName(QStringLiteral("exportVisible"));
    visible_->setToolTip(tr("The part that the canvas shows"));
    whole_ = new QRadioButton(tr("&Whole image"), this);
    whole_->setObjectName(QStringLiteral("exportWhole"));
    whole_->setToolTip(tr("All of the image, not just the visible part"));
    visible_->setChecked(true);
    auto* part = new QVBoxLayout;
    part->setSpacing(6);
    part->addWidget(new SectionLabel(tr("Part"), this));
    part->addWidget(visible_);
    part->addWidget(whole_);
    static_cast<QVBoxLayout*>(layout())->addLayout(part);
    connect(whole_, &QRadioButton::toggled, this, &ExportDialog::showPlan);
}

void ExportDialog::addSize() {
    scale_ = new NumberBox(this);
    scale_->setObjectName(QStringLiteral("exportScale"));
    scale_->setRange(vm::kSmallestExport * 100, vm::kLargestExport * 100);
    scale_->setDecimals(1);
    scale_->setSuffix(tr(" %"));
    // The zoom of the screen, clamped to the range.
    scale_->setValue(std::clamp(view_.zoom, vm::kSmallestExport, vm::kLargestExport) * 100);
    explain(scale_, tr("Scale"), tr("100 %: one px of the file for every px of the image"));
    width_ = new WholeBox(this);
    width_->setObjectName(QStringLiteral("exportWidth"));
    width_->setRange(1, vm::kLargestExportSide);
    width_->setGroupSeparatorShown(true);
    width_->setSuffix(tr(" px"));
    width_->setKeyboardTracking(false);
    explain(width_, tr("Width"), tr("Width of the file; the scale follows"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(captionFor(scale_, tr("&Scale")));
    row->addWidget(scale_, 1);
    row->addSpacing(8);
    row->addWidget(captionFor(width_, tr("W&idth")));
    row->addWidget(width_, 1);
    auto* size = new QVBoxLayout;
    size->setSpacing(6);
    size->addWidget(new SectionLabel(tr("Size"), this));
    size->addLayout(row);
    static_cast<QVBoxLayout*>(layout())->addLayout(size);
    connect(scale_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::showPlan);
    connect(width_, &QSpinBox::valueChanged, this, &ExportDialog::takeWidth);
}

vm::ExportChoice ExportDialog::choice() const {
    vm::ExportChoice choice;
    choice.wholeImage = whole_->isChecked();
    choice.scale = scale_->value() / 100;
    // The box rounds to one decimal; a value equal to the zoom of the screen means the exact zoom.
    if (std::abs(choice.scale - view_.zoom) < 0.0006) {
        choice.scale = view_.zoom;
    }
    choice.overlays = overlays_ == nullptr || overlays_->isChecked();
    return choice;
}

vm::ExportPlan ExportDialog::plan() const { return vm::planExport(choice(), view_); }

double ExportDialog::partWidth() const {
    vm::ExportChoice one = choice();
    one.scale = 1;
    return std::max(1, vm::planExport(one, view_).size.width());
}

void ExportDialog::takeWidth() { scale_->setValue(width_->value() / partWidth() * 100); }

void ExportDialog::showPlan() {
    if (size_ == nullptr) {
        return;
    }
    const vm::ExportPlan planned = plan();
    const QLocale locale;
    if (!planned.problem.isEmpty()) {
        size_->setText(planned.problem);
    } else if (planned.size.isEmpty()) {
        size_->setText(tr("Nothing of the image is visible."));
    } else {
        size_->setText(tr("%1 × %2 px, RGB, %3 before compression")
                           .arg(locale.toString(planned.size.width()), locale.toString(planned.size.height()),
                                locale.formattedDataSize(static_cast<qint64>(planned.bytes()), 1)));
        const QSignalBlocker quiet(width_);
        width_->setValue(planned.size.width());
    }
    export_->setEnabled(planned.problem.isEmpty() && !planned.size.isEmpty());
}

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

void drawPage(QPrinter& printer, const QImage& image, const QString& title) {
    QPainter painter(&printer);
    if (!painter.isActive()) {
        throw Error(ErrorCode::writeFailed, exportViewText("The printer does not accept the page.").toStdString());
    }
    const QRect page = painter.viewport();
    const QFontMetrics letters(painter.font(), &printer);
    painter.drawText(QRect(0, 0, page.width(), letters.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     letters.elidedText(title, Qt::ElideMiddle, page.width()));
    const int top = 2 * letters.height();
    const QSize size = image.size().scaled(page.width(), page.height() - top, Qt::KeepAspectRatio);
    painter.drawImage(QRect(QPoint((page.width() - size.width()) / 2, top), size), image);
}

} // namespace

void printImage(vm::FileExport& printing, std::shared_ptr<QPrinter> printer, const QImage& image,
                const QString& title) {
    printing.write({}, exportViewText("The view was not printed"),
                   [printer = std::move(printer), image, title](const std::filesystem::path&, const JobControl&) {
                       drawPage(*printer, image, title);
                   });
}

namespace {

void printView(QWidget& parent, const Models& models, Canvas& canvas, OverlayLayer& overlays,
               vm::FileExport& printing) {
    const QImage image = imageOfView(canvas, overlays); // before a dialog covers it
    auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setDocName(models.document.title());
    printer->setPageOrientation(image.width() > image.height() ? QPageLayout::Landscape : QPageLayout::Portrait);
    QPrintDialog dialog(printer.get(), &parent);
    if (dialog.exec() == QDialog::Accepted) {
        printImage(printing, std::move(printer), image, models.document.title());
    }
}

/// Writes an image of 8 bits, in grey if it has no colours.
void writePasted(const QImage& image, const std::filesystem::path& target) {
    const bool isGrey = image.isGrayscale();
    const auto width = static_cast<std::uint32_t>(image.width());
    const auto height = static_cast<std::uint32_t>(image.height());
    const auto writer = makePngRgbWriter(target, width, height, {}, isGrey ? 1 : 3);
    const QImage rows = image.convertToFormat(isGrey ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
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
    const QImage image = QGuiApplication::clipboard()->image();
    if (!image.isNull()) {
        const QString name = exportViewText("Pasted %1")
                                 .arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd hh.mm.ss.zzz")));
        pasting.write(pastedFolder().filePath(name + QStringLiteral(".png")),
                      exportViewText("The image was not pasted"),
                      [image](const std::filesystem::path& target, const JobControl&) { writePasted(image, target); });
    } else if (content != nullptr && content->hasUrls() && content->urls().constFirst().isLocalFile()) {
        models.openFile(content->urls().constFirst().toLocalFile());
    } else {
        showNotice(window, exportViewText("There is no image on the clipboard"));
    }
}

} // namespace

void addPasteAndPrint(QMainWindow& window, Models& models, ErrorPresenter& errors, Canvas* canvas,
                      OverlayLayer* overlays) {
    QAction* pasted = makeAction({QStringLiteral("paste"),
                                  exportViewText("&Paste image"),
                                  exportViewText("Open the image on the clipboard"),
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
