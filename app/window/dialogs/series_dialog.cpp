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

#include <cstdint>

namespace pollard::app {
namespace {

constexpr int kFileRole = Qt::UserRole;
constexpr QSize kSize(720, 420);

QString sizeText(const DicomSeries& series) {
    const QLocale locale;
    const auto number = [&](std::uint64_t value) { return locale.toString(static_cast<qulonglong>(value)); };
    return QStringLiteral("%1 × %2 × %3").arg(number(series.width), number(series.height), number(series.slices));
}

} // namespace

SeriesDialog::SeriesDialog(const QString& folder, QWidget* parent)
    : QDialog(parent), folder_(folder), list_(folder), series_(new QTreeWidget(this)), state_(new QLabel(this)),
      progress_(new QProgressBar(this)) {
    setObjectName(QStringLiteral("seriesDialog"));
    setWindowTitle(tr("Series in %1").arg(QDir(folder).dirName()));
    auto* layout = new QVBoxLayout(this);
    series_->setObjectName(QStringLiteral("series"));
    series_->setRootIsDecorated(false);
    series_->setHeaderLabels({tr("Series"), tr("Description"), tr("Voxels"), tr("Files"), tr("Size"), tr("Folder")});
    explain(series_, tr("Series"), tr("The DICOM series in the folder and its folders; a double-click opens one"));
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
    for (const DicomSeries& each : list_.series()) {
        const QString file = QString::fromStdString(each.file.string());
        auto* item =
            new QTreeWidgetItem(series_, {QString::fromStdString(each.name), QString::fromStdString(each.description),
                                          sizeText(each), locale.toString(static_cast<qulonglong>(each.files)),
                                          locale.formattedDataSize(static_cast<qint64>(each.bytes)),
                                          folder.relativeFilePath(QFileInfo(file).path())});
        item->setData(0, kFileRole, file);
        item->setToolTip(0, file);
    }
    for (int column = 0; column < series_->columnCount(); ++column) {
        series_->resizeColumnToContents(column);
    }
    series_->setCurrentItem(series_->topLevelItem(0));
    open_->setEnabled(series_->currentItem() != nullptr);
    progress_->setVisible(list_.isSearching());
    const bool isEmpty = list_.series().empty();
    state_->setText(list_.isSearching()          ? tr("Looking for series…")
                    : !list_.problem().isEmpty() ? list_.problem()
                                                 : tr("There is no DICOM series in this folder."));
    state_->setVisible(isEmpty);
}

} // namespace pollard::app
