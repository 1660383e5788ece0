#include "docks/objects/tracks_panel.hpp"

#include "vm/objects/object_tracks_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <cmath>

namespace pollard::app {
namespace {

using State = vm::ObjectTracksViewModel::State;

constexpr int kRowPadding = 6;     ///< px added to the height of the text
constexpr int kColumnPadding = 26; ///< px added to the width of the title, including the sort indicator
constexpr int kSteps = 1000;       ///< of the progress bar

} // namespace

TracksPanel::TracksPanel(vm::ObjectTracksViewModel& tracks, QWidget* parent)
    : QWidget(parent), tracks_(tracks), model_(tracks), follow_(new QPushButton(this)),
      asPages_(new QPushButton(tr("Show the slices as &pages"), this)), progress_(new QProgressBar(this)),
      cancel_(makeIconButton(this, "tracksCancel", QStringLiteral("cancel"), tr("Stop following"),
                             tr("Stop following the objects"))),
      save_(
          makeIconButton(this, "tracksSave", QStringLiteral("save"), tr("Save the tracks"),
                         tr("Write a line for every object of every page: page, track, and all features in px (CSV)"))),
      pages_(new QStackedWidget(this)), view_(new QTableView(this)), empty_(new QLabel(this)),
      summary_(new ElidedLabel(this)) {
    setObjectName(QStringLiteral("tracksPanel"));
    follow_->setObjectName(QStringLiteral("tracksFollow"));
    asPages_->setObjectName(QStringLiteral("tracksAsPages"));
    explain(asPages_, tr("Show the slices as pages"),
            tr("Objects are followed over time or pages: open the slices of this volume as pages"));
    progress_->setObjectName(QStringLiteral("tracksProgress"));
    progress_->setRange(0, kSteps);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Following objects"));
    empty_->setObjectName(QStringLiteral("tracksEmpty"));
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setMargin(kPanelMargin);
    summary_->setObjectName(QStringLiteral("tracksSummary"));
    makeTable();
    pages_->addWidget(empty_);
    pages_->addWidget(view_);
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(follow_);
    head->addWidget(asPages_);
    head->addWidget(progress_, 1);
    head->addWidget(cancel_);
    head->addStretch();
    head->addWidget(save_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(pages_, 1);
    layout->addWidget(summary_);
    connectModels();
}

void TracksPanel::makeTable() {
    view_->setObjectName(QStringLiteral("tracksTable"));
    view_->setModel(&model_);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setAlternatingRowColors(true);
    view_->setShowGrid(false);
    view_->setWordWrap(false);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setTabKeyNavigation(false);
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setCornerButtonEnabled(false);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowPadding);
    view_->horizontalHeader()->setHighlightSections(false);
    view_->horizontalHeader()->setSortIndicator(vm::TrackTableModel::number, Qt::AscendingOrder);
    view_->setSortingEnabled(true);
    for (int column = 0; column < model_.columnCount(); ++column) {
        const QString title = model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        view_->setColumnWidth(column, fontMetrics().horizontalAdvance(title) + kColumnPadding);
    }
    explain(view_, tr("Tracks"),
            tr("Click a row to see its track in the picture; double-click shows the page on which it begins"));
}

void TracksPanel::connectModels() {
    using Tracks = vm::ObjectTracksViewModel;
    connect(follow_, &QPushButton::clicked, &tracks_, &Tracks::start);
    connect(asPages_, &QPushButton::clicked, &tracks_, &Tracks::showPages);
    connect(cancel_, &QToolButton::clicked, &tracks_, &Tracks::cancel);
    connect(save_, &QToolButton::clicked, this, &TracksPanel::saveRequested);
    follow(this, &TracksPanel::showState, tracks_, &Tracks::stateChanged, &Tracks::savingChanged);
    connect(&tracks_, &Tracks::progressChanged, this, &TracksPanel::showProgress);
    connect(&tracks_, &Tracks::currentChanged, this, &TracksPanel::showCurrent);
    connect(&model_, &QAbstractItemModel::modelReset, this, &TracksPanel::showCurrent);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TracksPanel::tellCurrent);
    connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) {
        tracks_.setCurrent(model_.trackOf(index.row()));
        tracks_.showFirstPage();
    });
}

void TracksPanel::showState() {
    const QString why = tracks_.whyNot();
    const bool running = tracks_.state() == State::running;
    const bool isVolume = tracks_.canShowPages();
    follow_->setText(tracks_.axis() == 't'   ? tr("Follo&w over time")
                     : tracks_.axis() == 'z' ? tr("Follo&w over the slices")
                                             : tr("Follo&w over the pages"));
    follow_->setEnabled(why.isEmpty());
    follow_->setVisible(!running && !isVolume);
    asPages_->setVisible(!running && isVolume);
    progress_->setVisible(running);
    cancel_->setVisible(running);
    save_->setEnabled(tracks_.tracks() != nullptr && !tracks_.isSaving());
    explain(follow_, tr("Follow the objects"),
            why.isEmpty()
                ? tr("Find the objects of every page with this threshold, and follow those that overlap. If "
                     "the file has a time axis, the pages are those of the shown channel and slice; else they "
                     "are all pages, or all slices. Objects that do not meet the condition of the table, or "
                     "are left out at the border, are not followed")
                : why);
    if (tracks_.state() == State::failed) {
        empty_->setText(tr("The objects could not be followed: %1").arg(tracks_.problem()));
    } else if (running) {
        empty_->setText(tr("Following objects…"));
    } else {
        empty_->setText(why.isEmpty() ? tr("Objects that overlap those of the previous page continue their tracks.")
                                      : why);
    }
    const bool rows = model_.rowCount() > 0;
    pages_->setCurrentWidget(rows ? static_cast<QWidget*>(view_) : empty_);
    summary_->setFullText(tracks_.summary());
    showProgress();
}

void TracksPanel::showProgress() { progress_->setValue(static_cast<int>(std::lround(kSteps * tracks_.progress()))); }

void TracksPanel::showCurrent() {
    if (syncing_) {
        return;
    }
    const QScopedValueRollback guard(syncing_, true);
    const int row = model_.rowOf(tracks_.current());
    if (row < 0) {
        view_->clearSelection();
        view_->setCurrentIndex({});
    } else {
        view_->selectRow(row);
        view_->scrollTo(model_.index(row, 0));
    }
}

void TracksPanel::tellCurrent() {
    if (!syncing_) {
        const QScopedValueRollback guard(syncing_, true);
        tracks_.setCurrent(model_.trackOf(view_->currentIndex().row()));
    }
}

} // namespace pollard::app
