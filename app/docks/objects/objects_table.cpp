#include "docks/objects/objects_table.hpp"

#include "vm/batch/object_tracks_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pollard::app {
namespace {

/// Most ranges of selected rows in the view: the cost of a selection grows with the number of ranges. The image shows
/// the whole selection.
constexpr std::size_t kMostRanges = 4000;
constexpr int kRowPadding = 6;     ///< px added to the height of the text
constexpr int kColumnPadding = 26; ///< px added to the width of the title, including the sort indicator

} // namespace

void showRows(QTableView& table, QAbstractItemView::SelectionMode mode) {
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(mode);
    table.setAlternatingRowColors(true);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setTabKeyNavigation(false);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.setCornerButtonEnabled(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + kRowPadding);
    table.horizontalHeader()->setHighlightSections(false);
}

ObjectsTable::ObjectsTable(vm::ObjectTableModel& model, QWidget* parent) : QTableView(parent), model_(model) {
    setObjectName(QStringLiteral("objectsTable"));
    setModel(&model_);
    showRows(*this, ExtendedSelection);
    horizontalHeader()->setSortIndicator(0, Qt::AscendingOrder);
    setSortingEnabled(true);
    explain(this, tr("Objects"),
            tr("Click a row to see its object, with Ctrl or Shift for several; double-click brings it to the middle; "
               "Delete removes the selected objects"));
    const auto fitColumns = [this] {
        for (int column = 0; column < model_.columnCount(); ++column) {
            const QString title = model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
            setColumnWidth(column, std::max(70, fontMetrics().horizontalAdvance(title) + kColumnPadding));
        }
    };
    fitColumns();
    connect(&model_, &vm::ObjectTableModel::columnsChanged, this, fitColumns);
    connect(&model_, &vm::ObjectTableModel::unitChanged, this, fitColumns);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &ObjectsTable::sendSelection);
    connect(&model_.marks(), &vm::ObjectMarks::selectionChanged, this, &ObjectsTable::showSelection);
    connect(&model_, &vm::ObjectTableModel::listingChanged, this, &ObjectsTable::showSelection);
    connect(this, &QTableView::activated, this,
            [this](const QModelIndex& index) { emit visitRequested(labelOf(index)); });
}

std::uint32_t ObjectsTable::labelOf(const QModelIndex& index) const {
    const auto listing = model_.listing();
    return listing && index.isValid() ? listing->labels[static_cast<std::size_t>(index.row())] : 0;
}

void ObjectsTable::sendSelection() {
    const auto listing = model_.listing();
    if (syncing_ || !listing) {
        return;
    }
    const QScopedValueRollback guard(syncing_, true);
    std::vector<std::uint32_t> labels;
    for (const QItemSelectionRange& range : selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            labels.push_back(listing->labels[static_cast<std::size_t>(row)]);
        }
    }
    model_.marks().select(labels);
}

void ObjectsTable::showSelection() {
    const auto listing = model_.listing();
    if (syncing_ || !listing) {
        return;
    }
    const QScopedValueRollback guard(syncing_, true);
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t label : model_.marks().selected()) {
        if (listing->lists(label)) {
            rows.push_back(listing->rows[label - 1]);
        }
    }
    std::ranges::sort(rows);
    QItemSelection selection;
    std::size_t ranges = 0;
    const int lastColumn = model_.columnCount() - 1;
    for (std::size_t i = 0; i < rows.size() && ranges < kMostRanges; ++ranges) {
        const std::size_t first = i++;
        while (i < rows.size() && rows[i] == rows[i - 1] + 1) {
            ++i;
        }
        selection.append(QItemSelectionRange(model_.index(static_cast<int>(rows[first]), 0),
                                             model_.index(static_cast<int>(rows[i - 1]), lastColumn)));
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (rows.size() == 1) {
        const QModelIndex index = model_.index(static_cast<int>(rows.front()), 0);
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        scrollTo(index);
    }
}

bool ObjectsTable::event(QEvent* event) {
    // Takes precedence over the window's shortcut for Delete.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Delete)) {
            event->accept();
            return true;
        }
    }
    return QTableView::event(event);
}

void ObjectsTable::keyPressEvent(QKeyEvent* event) {
    vm::ObjectMarks& marks = model_.marks();
    if (event->matches(QKeySequence::Delete)) {
        marks.remove(std::vector(marks.selected()));
    } else {
        QTableView::keyPressEvent(event);
    }
}

namespace {

using State = vm::ObjectTracksViewModel::State;

constexpr int kSteps = 1000; ///< range of the progress bar

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
    explain(asPages_, "tracksAsPages", tr("Show the slices as pages"),
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
    view_->setModel(&model_);
    showRows(*view_, QAbstractItemView::SingleSelection);
    view_->horizontalHeader()->setSortIndicator(vm::TrackTableModel::number, Qt::AscendingOrder);
    view_->setSortingEnabled(true);
    for (int column = 0; column < model_.columnCount(); ++column) {
        const QString title = model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        view_->setColumnWidth(column, fontMetrics().horizontalAdvance(title) + kColumnPadding);
    }
    explain(view_, "tracksTable", tr("Tracks"),
            tr("Click a row to see its track in the image; double-click shows the page on which it begins"));
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
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TracksPanel::sendCurrent);
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
    explain(
        follow_, tr("Follow the objects"),
        why.isEmpty()
            ? tr("Find the objects of every page with this threshold, and follow objects that overlap. If the file has "
                 "a time axis, these are the pages of the shown channel and slice; otherwise all pages, or all slices. "
                 "Objects that do not meet the condition of the table, or are left out at the border, are not followed")
            : why);
    if (tracks_.state() == State::failed) {
        empty_->setText(tr("The objects could not be followed: %1").arg(tracks_.problem()));
    } else if (running) {
        empty_->setText(tr("Following objects…"));
    } else {
        empty_->setText(why.isEmpty() ? tr("Objects that overlap objects of the previous page continue their tracks.")
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

void TracksPanel::sendCurrent() {
    if (!syncing_) {
        const QScopedValueRollback guard(syncing_, true);
        tracks_.setCurrent(model_.trackOf(view_->currentIndex().row()));
    }
}

} // namespace pollard::app
