#include "window/dialogs/document_dialogs.hpp"

#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "widgets/panel_parts.hpp"
#include "window/actions.hpp"
#include "window/dialogs/memory_dialog.hpp"
#include "window/dialogs/operator_dialog.hpp"
#include "window/dialogs/raw_dialog.hpp"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard::app {
namespace {

constexpr int kFileRole = Qt::UserRole;
constexpr QSize kSize(720, 420);

constexpr std::size_t kMostListed = 2000;

QString sizeText(const vm::FolderEntry& entry) {
    const QLocale locale;
    const auto number = [&](std::uint64_t value) { return locale.toString(static_cast<qulonglong>(value)); };
    if (entry.images > 0) {
        return entry.images == 1 ? SeriesDialog::tr("1 image")
                                 : SeriesDialog::tr("%1 images").arg(number(entry.images));
    }
    return entry.width == 0
               ? QString()
               : QStringLiteral("%1 × %2 × %3").arg(number(entry.width), number(entry.height), number(entry.slices));
}

} // namespace

SeriesDialog::SeriesDialog(const QStringList& places, QWidget* parent)
    : QDialog(parent), folder_(places.size() == 1 ? places.constFirst() : QString()), list_(places),
      series_(new QTreeWidget(this)), state_(new QLabel(this)), progress_(new QProgressBar(this)) {
    setObjectName(QStringLiteral("seriesDialog"));
    setWindowTitle(folder_.isEmpty() ? tr("Images in %1 files and folders").arg(QLocale().toString(places.size()))
                                     : tr("Images in %1").arg(QDir(folder_).dirName()));
    auto* layout = new QVBoxLayout(this);
    series_->setObjectName(QStringLiteral("series"));
    series_->setRootIsDecorated(false);
    series_->setHeaderLabels({tr("Image"), tr("Description"), tr("Voxels"), tr("Files"), tr("Size"), tr("Folder")});
    explain(series_, tr("Images"),
            tr("OME-Zarr, DICOM series and other images in folders and their folders; a double-click opens one"));
    layout->addWidget(series_, 1);
    state_->setObjectName(QStringLiteral("seriesState"));
    state_->setWordWrap(true);
    layout->addWidget(state_);
    progress_->setObjectName(QStringLiteral("seriesProgress"));
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress"));
    layout->addWidget(progress_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
    open_ = buttons->button(QDialogButtonBox::Open);
    open_->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    QPushButton* all = buttons->addButton(tr("&Apply steps to all…"), QDialogButtonBox::ActionRole);
    all->setObjectName(QStringLiteral("seriesBatch"));
    explain(all, tr("Apply steps to all"), tr("Batch: do the same with all of these images"));
    connect(all, &QPushButton::clicked, this, [this] { done(kApplyToAll); });
    layout->addWidget(buttons);
    resizeOnScreen(*this, kSize);
    connect(series_, &QTreeWidget::itemDoubleClicked, this, &QDialog::accept);
    connect(series_, &QTreeWidget::currentItemChanged, this,
            [this] { open_->setEnabled(series_->currentItem() != nullptr); });
    connect(&list_, &vm::SeriesList::changed, this, &SeriesDialog::showSeries);
    showSeries();
}

QString SeriesDialog::file() const {
    const QTreeWidgetItem* chosen = series_->currentItem();
    return chosen != nullptr ? chosen->data(0, kFileRole).toString() : QString();
}

void SeriesDialog::showSeries() {
    series_->clear();
    const QLocale locale;
    const QDir folder(folder_);
    const std::vector<vm::FolderEntry>& entries = list_.entries();
    for (std::size_t i = 0; i < std::min(entries.size(), kMostListed); ++i) {
        const vm::FolderEntry& each = entries[i];
        const QString file = QString::fromStdString(each.file.string());
        auto* item = new QTreeWidgetItem(
            series_, {QString::fromStdString(each.name), QString::fromStdString(each.description), sizeText(each),
                      each.files > 0 ? locale.toString(static_cast<qulonglong>(each.files)) : QString(),
                      each.bytes > 0 ? locale.formattedDataSize(static_cast<qint64>(each.bytes)) : QString(),
                      folder_.isEmpty() ? QFileInfo(file).path() : folder.relativeFilePath(QFileInfo(file).path())});
        item->setData(0, kFileRole, file);
        item->setToolTip(0, file);
    }
    for (int column = 0; column < series_->columnCount(); ++column) {
        series_->resizeColumnToContents(column);
    }
    series_->setCurrentItem(series_->topLevelItem(0));
    open_->setEnabled(series_->currentItem() != nullptr);
    progress_->setVisible(list_.isSearching());
    state_->setText(list_.isSearching()                    ? tr("Looking for images…")
                    : !list_.problem().isEmpty()           ? list_.problem()
                    : entries.empty() && folder_.isEmpty() ? tr("None of these files has the name of an image.")
                    : entries.empty() ? tr("\"%1\" is a folder. Open one of its files.").arg(folder.dirName())
                                      : tr("The first %1 of %2 images are listed.")
                                            .arg(locale.toString(static_cast<qulonglong>(kMostListed)),
                                                 locale.toString(static_cast<qulonglong>(entries.size()))));
    state_->setVisible(entries.empty() || entries.size() > kMostListed);
    if (entries.size() == 1 && isVisible()) { // nothing to choose
        accept();
    }
}

DocumentDialogs::DocumentDialogs(Models& models, Actions& actions, ErrorPresenter& errors, QWidget& window)
    : QObject(&window), models_(models), errors_(errors), window_(window) {
    using Document = vm::DocumentViewModel;
    Document& document = models_.document;
    connect(&document.activity(), &vm::DocumentActivity::errorOccurred, this, &DocumentDialogs::presentFailure);
    connect(&document, &Document::decisionNeeded, this,
            [this](const vm::MemoryPlan& plan, const vm::OpenRequest& request) {
                auto* dialog = new MemoryDialog(plan, request, &window_);
                dialog->setAttribute(Qt::WA_DeleteOnClose);
                connect(dialog, &QDialog::accepted, this, [this, dialog] {
                    if (dialog->wantsCpu()) {
                        models_.document.choices().setEngine(QStringLiteral("cpu"));
                    }
                    models_.document.openAnyway(dialog->choice());
                });
                connect(dialog, &QDialog::rejected, &models_.sessions, &vm::SessionViewModel::forgetPending);
                dialog->open();
            });
    connect(actions.openRaw, &QAction::triggered, this, &DocumentDialogs::chooseRawFile);
    connect(actions.earlier->applyOperator, &QAction::triggered, this, [this] {
        auto* dialog = window_.findChild<OperatorDialog*>();
        dialog = dialog != nullptr ? dialog : new OperatorDialog(models_, &window_);
        dialog->show();
        dialog->activateWindow();
    });
    connect(actions.saveAllPages, &QAction::triggered, this, &DocumentDialogs::chooseTarget);
}

void DocumentDialogs::presentFailure(const QString& title, const QString& text) {
    const QString raw = models_.document.activity().unknownFormatPath();
    if (raw.isEmpty()) {
        errors_.present(&window_, title, text);
    } else {
        errors_.presentWithWayOut(&window_, title, text, tr("Open as raw data…"), [this, raw] { openRaw(raw); });
    }
}

void DocumentDialogs::openRaw(const QString& path) {
    auto* raw = new vm::RawViewModel(path, models_.store);
    auto* dialog = new RawDialog(*raw, &window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    raw->setParent(dialog);
    connect(dialog, &QDialog::accepted, this, [this, raw] {
        vm::OpenRequest request;
        request.path = QFileInfo(raw->path()).absoluteFilePath();
        request.raw = raw->layout();
        models_.leave.leave(this, [this, request] { models_.document.openAs(request); });
    });
    dialog->open();
}

void DocumentDialogs::chooseRawFile() {
    const QString path = QFileDialog::getOpenFileName(&window_, tr("Open raw data"), models_.settings.lastDirectory());
    if (!path.isEmpty()) {
        models_.settings.setLastDirectory(QFileInfo(path).absolutePath());
        openRaw(path);
    }
}

void DocumentDialogs::chooseTarget() {
    const QString path =
        askWhereToSave(window_, models_,
                       {tr("Filter all %1").arg(models_.stack.pagesText()), tr("TIFF image (*.tif *.tiff)"),
                        QStringLiteral("_all_pages"), QStringLiteral("tif")});
    if (!path.isEmpty()) {
        models_.document.saving().saveAllPages(path, models_.document.pageFilter());
    }
}

} // namespace pollard::app
