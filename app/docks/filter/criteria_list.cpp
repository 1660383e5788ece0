#include "docks/filter/criteria_list.hpp"

#include "docks/filter/attribute_picker.hpp"
#include "theme/icons.hpp"
#include "theme/theme.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr int kMostRows = 5; ///< visible without scrolling
constexpr int kGap = 6;      ///< px around the number on the right

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
    view_->setObjectName(QStringLiteral("criteria"));
    view_->setModel(&filter_.criteria());
    view_->setItemDelegate(new CriterionDelegate(view_));
    view_->setUniformItemSizes(true);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->installEventFilter(this);
    explain(view_, tr("Criteria"),
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

    match_ = new QComboBox(this);
    match_->setObjectName(QStringLiteral("match"));
    match_->addItem(tr("all of them"), static_cast<int>(Match::all));
    match_->addItem(tr("any of them"), static_cast<int>(Match::any));
    match_->setItemData(0, tr("Components have to meet every criterion that is on (AND)"), Qt::ToolTipRole);
    match_->setItemData(1, tr("Components have to meet one of the criteria that are on (OR)"), Qt::ToolTipRole);
    explain(match_, tr("Combination of the criteria"),
            tr("Whether components have to meet all of the criteria, or any"));
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
    const int rows = std::clamp(filter_.criteria().count(), 1, kMostRows);
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

} // namespace pollard::app
