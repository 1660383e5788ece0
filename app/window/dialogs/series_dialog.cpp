#include "window/dialogs/series_dialog.hpp"

#include "widgets/panel_parts.hpp"
#include "widgets/screen_size.hpp"

#include <QDialogButtonBox>
#include <QDir>
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
    if (entry.pictures > 0) {
        return entry.pictures == 1 ? SeriesDialog::tr("1 picture")
                                   : SeriesDialog::tr("%1 pictures").arg(number(entry.pictures));
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
    setWindowTitle(folder_.isEmpty() ? tr("Pictures in %1 files and folders").arg(QLocale().toString(places.size()))
                                     : tr("Pictures in %1").arg(QDir(folder_).dirName()));
    auto* layout = new QVBoxLayout(this);
    series_->setObjectName(QStringLiteral("series"));
    series_->setRootIsDecorated(false);
    series_->setHeaderLabels({tr("Picture"), tr("Description"), tr("Voxels"), tr("Files"), tr("Size"), tr("Folder")});
    explain(series_, tr("Pictures"),
            tr("OME-Zarr, DICOM series and other pictures in folders and their folders; a double-click opens one"));
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
    explain(all, tr("Apply steps to all"), tr("Batch: do the same with all of these pictures"));
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
    state_->setText(list_.isSearching()                    ? tr("Looking for pictures…")
                    : !list_.problem().isEmpty()           ? list_.problem()
                    : entries.empty() && folder_.isEmpty() ? tr("None of these files has the name of a picture.")
                    : entries.empty() ? tr("\"%1\" is a folder. Open one of its files.").arg(folder.dirName())
                                      : tr("The first %1 of %2 pictures are listed.")
                                            .arg(locale.toString(static_cast<qulonglong>(kMostListed)),
                                                 locale.toString(static_cast<qulonglong>(entries.size()))));
    state_->setVisible(entries.empty() || entries.size() > kMostListed);
    if (entries.size() == 1 && isVisible()) { // nothing to choose
        accept();
    }
}

} // namespace pollard::app
