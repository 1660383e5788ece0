#include "docks/filter/filter_panel.hpp"

#include "docks/filter/attribute_picker.hpp"
#include "docks/filter/counter_table.hpp"
#include "docks/filter/criterion_controls.hpp"
#include "docks/filter/learn_controls.hpp"
#include "theme/icons.hpp"
#include "theme/theme.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace pollard::app {

EarlierFiltersNote::EarlierFiltersNote(vm::EarlierFilters& earlier, QWidget* parent)
    : QWidget(parent), earlier_(earlier), note_(new CaptionLabel(QString(), this)),
      back_(makeIconButton(this, "earlierBack", QStringLiteral("undo"), tr("Back to the previous filter"),
                           tr("The last of the earlier filters becomes the current one again, in place of this one"))) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    note_->setObjectName(QStringLiteral("earlierNote"));
    note_->setWordWrap(true);
    layout->addWidget(note_, 1);
    layout->addWidget(back_);
    connect(back_, &QToolButton::clicked, &earlier_, &vm::EarlierFilters::goBack);
    follow(this, &EarlierFiltersNote::showState, earlier_, &vm::EarlierFilters::changed);
}

void EarlierFiltersNote::showState() {
    const QString note = earlier_.note();
    note_->setText(note);
    note_->setToolTip(earlier_.details());
    note_->setAccessibleDescription(earlier_.details());
    setVisible(!note.isEmpty());
}

ProminenceControls::ProminenceControls(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent)
    : QWidget(parent), filter_(filter), document_(document), only_(new QCheckBox(this)), details_(new QWidget(this)) {
    using Filter = vm::FilterViewModel;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    only_->setObjectName(QStringLiteral("prominentOnly"));
    layout->addWidget(only_);

    auto* count =
        makeControl<WholeBox>(details_, "prominentCount", tr("Number of the most prominent"),
                              tr("Number of the most prominent to keep; of equal ones those further up and left"));
    measure_ = new QComboBox(details_);
    count->setRange(1, Filter::kMaxProminent);
    count->setGroupSeparatorShown(true);
    count->setKeyboardTracking(false); // a partly typed number is no count
    count->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    measure_->setObjectName(QStringLiteral("prominence"));
    for (const Prominence measure : kAllProminences) {
        measure_->addItem(vm::prominenceTitle(measure), static_cast<int>(measure));
        measure_->setItemData(measure_->count() - 1, vm::prominenceToolTip(measure), Qt::ToolTipRole);
    }
    auto* row = new QHBoxLayout(details_);
    row->setContentsMargins(22, 0, 0, 0); // aligned with the text of the check box
    row->setSpacing(6);
    row->addWidget(count, 1);
    row->addWidget(new CaptionLabel(tr("by"), details_));
    row->addWidget(measure_, 1);
    layout->addWidget(details_);

    couple(only_, filter_, &Filter::isProminentOnly, &Filter::setProminentOnly, &Filter::prominentChanged);
    couple(count, filter_, &Filter::prominentCount, &Filter::setProminentCount, &Filter::prominentChanged);
    couple(measure_, filter_, &Filter::prominence, &Filter::setProminence, &Filter::prominentChanged);
    connect(&document_.choices(), &vm::DocumentChoices::treeSpecChanged, this, &ProminenceControls::showState);
    follow(this, &ProminenceControls::showState, filter_, &Filter::prominentChanged, &Filter::enabledChanged);
}

void ProminenceControls::showState() {
    only_->setText(document_.choices().treeKind() == TreeKind::max ? tr("Only the most prominent maxima")
                                                                   : tr("Only the most prominent minima"));
    explain(only_, only_->text(), tr("Remove components that hold none of the most prominent extrema"));
    explain(measure_, tr("Measure of prominence"), vm::prominenceToolTip(filter_.prominence()));
    details_->setVisible(filter_.isProminentOnly());
    setEnabled(filter_.isEnabled());
}

namespace {

constexpr int kMostPicks = 4; ///< visible without scrolling

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
    auto* least = new QWidget(this);                                // the row wraps around it as a whole
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
    pick_->setIcon(themedIcon(QStringLiteral("pick_component")));
    pick_->setText(tr("Pick by hand"));
    pick_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    pick_->setCheckable(true);
    explain(pick_, "pickButton", tr("Pick components by hand"),
            tr("Remove components by clicking on the image (with Shift: keep them); click again for the one around"));
    using Picks = vm::PicksModel;
    couple(pick_, picks_, &Picks::isPicking, &Picks::setPicking, &Picks::pickingChanged);
    area_->setRange(1, vm::PicksModel::kMaxArea);
    area_->setGroupSeparatorShown(true);
    area_->setKeyboardTracking(false);
    area_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    explain(area_, "pickArea", tr("Smallest component to pick"),
            tr("A click means the smallest component of at least so many pixels or voxels at that place"));
    couple(area_, picks_, &Picks::minimumArea, &Picks::setMinimumArea, &Picks::minimumAreaChanged);
}

void PicksControls::makeList() {
    summary_->setObjectName(QStringLiteral("pickSummary"));
    clear_->setText(tr("Clear"));
    clear_->setAutoRaise(true);
    explain(clear_, "clearPicks", tr("Undo all picks"), tr("Forget the components kept or removed by hand"));
    connect(clear_, &QToolButton::clicked, &picks_, &vm::PicksModel::clear);
    list_->setModel(&picks_);
    list_->setUniformItemSizes(true);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setSelectionMode(QAbstractItemView::NoSelection);
    list_->installEventFilter(this);
    explain(list_, "picks", tr("Picked components"), tr("Click an entry, or press Delete on it, to undo it"));
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
        const int rows = std::min(picks_.count(), kMostPicks);
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

namespace {

constexpr int kMostCriteria = 5; ///< visible without scrolling
constexpr int kGap = 6;          ///< px around the number on the right

/// Paints the text with the number of components on the right.
class CriterionDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem item = option;
        initStyleOption(&item, index);
        const QVariant kept = index.data(vm::CriteriaModel::keptRole);
        const QString number = kept.isValid() ? QLocale().toString(kept.toULongLong()) : QString();
        const int width = number.isEmpty() ? 0 : item.fontMetrics.horizontalAdvance(number) + 2 * kGap;
        const QWidget* widget = option.widget;
        const QStyle* style = widget->style();
        const QRect room = style->subElementRect(QStyle::SE_ItemViewItemText, &item, widget).adjusted(0, 0, -width, 0);
        item.text = item.fontMetrics.elidedText(item.text, Qt::ElideMiddle, room.width() - kGap);
        style->drawControl(QStyle::CE_ItemViewItem, &item, painter, widget);
        if (!number.isEmpty()) {
            const bool chosen = item.state.testFlag(QStyle::State_Selected);
            painter->setPen(chosen ? item.palette.color(QPalette::HighlightedText) : secondaryText(item.palette));
            painter->drawText(option.rect.adjusted(0, 0, -kGap, 0), Qt::AlignRight | Qt::AlignVCenter, number);
        }
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QSize size = QStyledItemDelegate::sizeHint(option, index);
        return {size.width(), std::max(size.height(), option.fontMetrics.height() + 10)};
    }
};

QToolButton* makeButton(QWidget* parent, const char* objectName, const char* icon) {
    auto* button = new QToolButton(parent);
    button->setObjectName(QLatin1String(objectName));
    button->setIcon(themedIcon(QLatin1String(icon)));
    button->setAutoRaise(true);
    return button;
}

} // namespace

CriteriaList::CriteriaList(vm::FilterViewModel& filter, QWidget* parent)
    : QWidget(parent), filter_(filter), view_(new QListView(this)), picker_(new AttributePicker(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    view_->setModel(&filter_.criteria());
    view_->setItemDelegate(new CriterionDelegate(view_));
    view_->setUniformItemSizes(true);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->installEventFilter(this);
    explain(view_, "criteria", tr("Criteria"),
            tr("Criteria of the filter; the selected one is edited below. At the right: components that meet it alone. "
               "Space turns it on or off, Delete removes it."));
    layout->addWidget(view_);
    picker_->setObjectName(QStringLiteral("newAttributePicker"));
    makeButtons();
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    for (QToolButton* button : {add_, duplicate_, remove_}) {
        row->addWidget(button);
    }
    row->addStretch(1);
    row->addWidget(match_);
    layout->addLayout(row);

    vm::CriteriaModel& criteria = filter_.criteria();
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [&criteria](const QModelIndex& now) { criteria.setCurrent(now.row()); });
    follow(this, &CriteriaList::showList, criteria, &vm::CriteriaModel::changed, &vm::CriteriaModel::modelReset);
}

void CriteriaList::makeButtons() {
    vm::CriteriaModel& criteria = filter_.criteria();
    add_ = makeButton(this, "addCriterion", "add");
    duplicate_ = makeButton(this, "duplicateCriterion", "duplicate");
    remove_ = makeButton(this, "removeCriterion", "delete");
    explain(add_, tr("Add a criterion"), tr("Add a criterion: choose its attribute"));
    explain(duplicate_, tr("Copy the criterion"), tr("Add a copy of the selected criterion"));
    explain(remove_, tr("Remove the criterion"), tr("Remove the selected criterion"));
    connect(add_, &QToolButton::clicked, this, [this] { picker_->popUp(*add_, filter_.attribute()); });
    connect(picker_, &AttributePicker::chosen, &criteria, &vm::CriteriaModel::add);
    connect(duplicate_, &QToolButton::clicked, &criteria, [&criteria] { criteria.duplicate(criteria.current()); });
    connect(remove_, &QToolButton::clicked, &criteria, [&criteria] { criteria.remove(criteria.current()); });

    match_ = makeControl<QComboBox>(this, "match", tr("Combination of the criteria"),
                                    tr("Whether components have to meet all of the criteria, or any"));
    match_->addItem(tr("all criteria"), static_cast<int>(Match::all));
    match_->addItem(tr("any criterion"), static_cast<int>(Match::any));
    match_->setItemData(0, tr("Components have to meet every criterion that is on (AND)"), Qt::ToolTipRole);
    match_->setItemData(1, tr("Components have to meet one of the criteria that are on (OR)"), Qt::ToolTipRole);
    couple(match_, criteria, &vm::CriteriaModel::matchMode, &vm::CriteriaModel::setMatchMode,
           &vm::CriteriaModel::changed, &vm::CriteriaModel::modelReset);
}

void CriteriaList::showList() {
    const vm::CriteriaModel& criteria = filter_.criteria();
    const QModelIndex current = criteria.index(criteria.current());
    if (view_->currentIndex() != current) {
        view_->setCurrentIndex(current);
    }
    match_->setVisible(criteria.count() > 1);
    const bool fresh = criteria.count() == 1 && !vm::isBounded(criteria.criterion(0)) && criteria.entry(0).enabled &&
                       criteria.entry(0).attribute == CriterionEntry{}.attribute;
    remove_->setEnabled(!fresh);
    fitRows();
}

void CriteriaList::fitRows() {
    const int rows = std::clamp(filter_.criteria().count(), 1, kMostCriteria);
    const int height = rows * view_->sizeHintForRow(0) + 2 * view_->frameWidth();
    if (view_->minimumHeight() != height) {
        view_->setFixedHeight(height);
    }
}

bool CriteriaList::eventFilter(QObject* watched, QEvent* event) {
    // Takes precedence over the window's shortcut for Delete.
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Delete || key->key() == Qt::Key_Backspace) {
            if (event->type() == QEvent::KeyPress) {
                remove_->click();
            }
            event->accept();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void CriteriaList::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        fitRows();
    }
}

FilterPanel::FilterPanel(vm::FilterViewModel& filter, vm::DocumentViewModel& document, vm::EarlierFilters& earlier,
                         QWidget* parent)
    : QWidget(parent), filter_(filter), document_(document), earlier_(earlier) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    layout->addWidget(makeHead()); // at the top, so that its button stays in place when other controls are hidden
    layout->addWidget(new EarlierFiltersNote(earlier, this));
    criteria_ = new CriteriaList(filter_, this);
    layout->addWidget(criteria_);
    layout->addWidget(new CriterionControls(filter_, document_, this));
    layout->addWidget(new Divider(this));
    layout->addWidget(new ProminenceControls(filter_, document_, this));
    layout->addWidget(new PicksControls(filter_, document_, this));
    layout->addWidget(new LearnControls(filter_, document_, this));
    layout->addWidget(new Divider(this));
    layout->addWidget(makeRule());
    layout->addWidget(makeApply());
    layout->addWidget(new Divider(this));
    layout->addWidget(new SectionLabel(tr("Result"), this));
    counters_ = new CounterTable(filter, document, this);
    layout->addWidget(counters_);
    layout->addStretch(1);
    connectModel();
}

QWidget* FilterPanel::makeHead() {
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing);
    enabled_ = makeControl<QCheckBox>(this, "filterEnabled", tr("Filter on"),
                                      tr("Off: nothing is removed; the numbers stay"), tr("Keep components that meet"));
    QFont strong = enabled_->font();
    strong.setWeight(QFont::DemiBold);
    enabled_->setFont(strong);
    row->addWidget(enabled_, 1);
    clear_ = makeIconButton(head, "clearFilterButton", QStringLiteral("erase"), tr("Clear the filter"),
                            tr("Remove all filters: the result is the image as it is in the file"));
    row->addWidget(clear_);
    return head;
}

QWidget* FilterPanel::makeRule() {
    auto* box = new QWidget(this);
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing);
    rule_ = new QComboBox(box);
    rule_->setObjectName(QStringLiteral("rule"));
    rule_->setAccessibleName(tr("Rule"));
    for (const Rule rule : kAllRules) {
        rule_->addItem(vm::ruleTitle(rule), static_cast<int>(rule));
        rule_->setItemData(rule_->count() - 1, vm::ruleToolTip(rule), Qt::ToolTipRole);
    }
    output_ = new QComboBox(box);
    output_->setObjectName(QStringLiteral("output"));
    output_->setAccessibleName(tr("Output"));
    for (const Output output : kAllOutputs) {
        output_->addItem(vm::outputTitle(output), static_cast<int>(output));
        output_->setItemData(output_->count() - 1, vm::outputToolTip(output), Qt::ToolTipRole);
    }
    shorten(*rule_);
    shorten(*output_);
    layout->addWidget(captioned(tr("&Rule"), rule_), 1);
    layout->addWidget(captioned(tr("&Output"), output_), 1);
    return box;
}

QWidget* FilterPanel::makeApply() {
    auto* box = new QWidget(this);
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    live_ = makeControl<QCheckBox>(box, "live", tr("Live"), tr("Filter at every change. Off: only Apply does"),
                                   tr("&Live"));
    apply_ = makeControl<QPushButton>(box, "apply", tr("Apply"), tr("Filter with the present settings"), tr("&Apply"));
    layout->addWidget(live_);
    layout->addStretch(1);
    layout->addWidget(apply_);
    return box;
}

void FilterPanel::connectModel() {
    using Filter = vm::FilterViewModel;
    couple(enabled_, filter_, &Filter::isEnabled, &Filter::setEnabled, &Filter::enabledChanged);
    couple(rule_, filter_, &Filter::rule, &Filter::setRule, &Filter::ruleChanged);
    couple(output_, filter_, &Filter::output, &Filter::setOutput, &Filter::outputChanged);
    couple(live_, filter_, &Filter::isLive, &Filter::setLive, &Filter::liveChanged);
    connect(apply_, &QPushButton::clicked, &filter_, &Filter::apply);

    const auto showRule = [this] { rule_->setToolTip(vm::ruleToolTip(filter_.rule())); };
    const auto showOutput = [this] { output_->setToolTip(vm::outputToolTip(filter_.output())); };
    follow(this, showRule, filter_, &Filter::ruleChanged);
    follow(this, showOutput, filter_, &Filter::outputChanged);
    connect(&document_, &vm::DocumentViewModel::hasImageChanged, this, &FilterPanel::showAvailability);
    follow(this, &FilterPanel::showAvailability, filter_, &Filter::enabledChanged, &Filter::liveChanged,
           &Filter::pendingChanged, &Filter::domainChanged);
    connect(clear_, &QToolButton::clicked, &earlier_, &vm::EarlierFilters::clearAll);
    follow(
        this, [this] { clear_->setEnabled(earlier_.canClear()); }, earlier_, &vm::EarlierFilters::changed);
}

void FilterPanel::showAvailability() {
    const bool image = document_.hasImage();
    criteria_->setEnabled(filter_.isEnabled());
    rule_->setEnabled(filter_.isEnabled());
    output_->setEnabled(filter_.isEnabled());
    apply_->setEnabled(image && filter_.isPending());
    apply_->setVisible(!filter_.isLive());
}

} // namespace pollard::app
