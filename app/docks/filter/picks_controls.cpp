#include "docks/filter/picks_controls.hpp"

#include "theme/icons.hpp"
#include "vm/document/document_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr int kMostRows = 4; ///< visible without scrolling

} // namespace

PicksControls::PicksControls(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent)
    : QWidget(parent), filter_(filter), document_(document), picks_(filter.picks()), pick_(new QToolButton(this)),
      area_(new WholeBox(this)), hint_(new CaptionLabel(QString(), this)), listed_(new QWidget(this)),
      summary_(new QLabel(listed_)), clear_(new QToolButton(listed_)), list_(new QListView(listed_)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    makeTool();
    auto* row = new WrappingRow(6);
    row->addWidget(pick_);
    row->addStretch();
    area_->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed); // its number must not be cut off
    auto* least = new QWidget(this);                                // stays together where the row wraps
    auto* parts = new QHBoxLayout(least);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->addWidget(new CaptionLabel(tr("at least"), least));
    parts->addWidget(area_);
    row->addWidget(least);
    layout->addLayout(row);
    hint_->setWordWrap(true);
    hint_->setText(tr("A click removes the highlighted component, with Shift it keeps it. Esc ends."));
    layout->addWidget(hint_);
    makeList();
    layout->addWidget(listed_);

    connect(&filter_, &vm::FilterViewModel::enabledChanged, this, &PicksControls::showState);
    connect(&document_, &vm::DocumentViewModel::imageChanged, this, &PicksControls::showState);
    follow(this, &PicksControls::showState, picks_, &vm::PicksModel::changed, &vm::PicksModel::pickingChanged);
}

void PicksControls::makeTool() {
    pick_->setObjectName(QStringLiteral("pickButton"));
    pick_->setIcon(themedIcon(QStringLiteral("pick_component")));
    pick_->setText(tr("Pick by hand"));
    pick_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    pick_->setCheckable(true);
    explain(pick_, tr("Pick components by hand"),
            tr("Remove components by clicking on the picture (with Shift: keep them); click again for the one around"));
    using Picks = vm::PicksModel;
    couple(pick_, picks_, &Picks::isPicking, &Picks::setPicking, &Picks::pickingChanged);
    area_->setObjectName(QStringLiteral("pickArea"));
    area_->setRange(1, vm::PicksModel::kMaxArea);
    area_->setGroupSeparatorShown(true);
    area_->setKeyboardTracking(false);
    area_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    explain(area_, tr("Smallest component to pick"),
            tr("A click means the smallest component of at least so many pixels or voxels at that place"));
    couple(area_, picks_, &Picks::minimumArea, &Picks::setMinimumArea, &Picks::minimumAreaChanged);
}

void PicksControls::makeList() {
    summary_->setObjectName(QStringLiteral("pickSummary"));
    clear_->setObjectName(QStringLiteral("clearPicks"));
    clear_->setText(tr("Clear"));
    clear_->setAutoRaise(true);
    explain(clear_, tr("Undo all picks"), tr("Forget the components kept or removed by hand"));
    connect(clear_, &QToolButton::clicked, &picks_, &vm::PicksModel::clear);
    list_->setObjectName(QStringLiteral("picks"));
    list_->setModel(&picks_);
    list_->setUniformItemSizes(true);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setSelectionMode(QAbstractItemView::NoSelection);
    list_->installEventFilter(this);
    explain(list_, tr("Picked components"), tr("Click an entry, or press Delete on it, to undo it"));
    connect(list_, &QListView::clicked, &picks_, [this](const QModelIndex& index) { picks_.remove(index.row()); });
    auto* layout = new QVBoxLayout(listed_);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->addWidget(summary_, 1);
    row->addWidget(clear_);
    layout->addLayout(row);
    layout->addWidget(list_);
}

void PicksControls::showState() {
    const bool image = document_.hasImage();
    pick_->setEnabled(image && filter_.isEnabled());
    area_->setEnabled(image && filter_.isEnabled());
    area_->setSuffix(document_.isVolume() ? tr(" voxels") : tr(" px"));
    hint_->setVisible(picks_.isPicking());
    summary_->setText(picks_.summary());
    listed_->setVisible(picks_.count() > 0);
    listed_->setEnabled(filter_.isEnabled());
    if (picks_.count() > 0) {
        const int rows = std::min(picks_.count(), kMostRows);
        list_->setFixedHeight(rows * list_->sizeHintForRow(0) + 2 * list_->frameWidth());
    }
}

bool PicksControls::eventFilter(QObject* watched, QEvent* event) {
    // Takes precedence over the window's shortcut for Delete.
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Delete || key->key() == Qt::Key_Backspace) {
            if (event->type() == QEvent::KeyPress) {
                picks_.remove(list_->currentIndex().row());
            }
            event->accept();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace pollard::app
