#include "docks/objects/objects_table.hpp"

#include "vm/objects/object_table_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>

#include <algorithm>
#include <vector>

namespace pollard::app {
namespace {

/// Limit for the ranges of selected rows in the view, whose cost grows with them; the image shows the whole
/// selection.
constexpr std::size_t kMostRanges = 4000;
constexpr int kRowPadding = 6;     ///< px added to the height of the text
constexpr int kColumnPadding = 26; ///< px added to the width of the title, including the sort indicator

} // namespace

ObjectsTable::ObjectsTable(vm::ObjectTableModel& model, QWidget* parent) : QTableView(parent), model_(model) {
    setObjectName(QStringLiteral("objectsTable"));
    setModel(&model_);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(QFrame::NoFrame);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(ScrollPerPixel);
    setCornerButtonEnabled(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowPadding);
    horizontalHeader()->setHighlightSections(false);
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
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &ObjectsTable::tellSelection);
    connect(&model_.marks(), &vm::ObjectMarks::selectionChanged, this, &ObjectsTable::showSelection);
    connect(&model_, &vm::ObjectTableModel::listingChanged, this, &ObjectsTable::showSelection);
    connect(this, &QTableView::activated, this,
            [this](const QModelIndex& index) { emit visitRequested(labelOf(index)); });
}

std::uint32_t ObjectsTable::labelOf(const QModelIndex& index) const {
    const auto listing = model_.listing();
    return listing && index.isValid() ? listing->labels[static_cast<std::size_t>(index.row())] : 0;
}

void ObjectsTable::tellSelection() {
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

} // namespace pollard::app
