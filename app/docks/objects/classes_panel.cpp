#include "docks/objects/classes_panel.hpp"

#include "theme/icons.hpp"
#include "theme/theme.hpp"
#include "vm/objects/class_list.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_table_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QAbstractItemView>
#include <QColorDialog>
#include <QCompleter>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPixmap>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTextCharFormat>
#include <QVBoxLayout>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr int kShownRows = 10;

QColor wrongColour(const QPalette& palette) { return isDark(palette) ? QColor(255, 120, 110) : QColor(190, 20, 20); }

} // namespace

ConditionField::ConditionField(vm::ObjectTableModel& table, QWidget* parent)
    : QLineEdit(parent), table_(table), words_(new QStandardItemModel(this)), completer_(new QCompleter(words_, this)) {
    completer_->setWidget(this);
    completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    completer_->setMaxVisibleItems(kShownRows);
    completer_->popup()->setObjectName(QStringLiteral("conditionWords"));
    completer_->popup()->setAccessibleName(tr("Features"));
    connect(this, &QLineEdit::textEdited, this, [this] { offer(false); });
    connect(completer_, qOverload<const QModelIndex&>(&QCompleter::activated), this,
            [this](const QModelIndex& index) { insert(index.data(Qt::UserRole).toString()); });
}

void ConditionField::offer(bool all) {
    const vm::ConditionCompletion found = vm::completionAt(text(), cursorPosition(), all, table_.channelColumns());
    QAbstractItemView* popup = completer_->popup();
    if (found.features.isEmpty() || (found.isComplete && found.features.size() == 1)) {
        popup->hide();
        return;
    }
    word_ = found.word;
    words_->clear();
    for (const vm::FeatureWord& each : found.features) {
        auto* item =
            new QStandardItem(each.quantity.isColumn()
                                  ? tr("%1, e.g. %2").arg(each.word, each.example)
                                  : tr("%1 – %2, e.g. %3").arg(each.word, table_.titleOf(each.quantity), each.example));
        item->setData(each.word, Qt::UserRole);
        item->setToolTip(table_.helpOf(each.quantity));
        words_->appendRow(item);
    }
    const int wide =
        popup->sizeHintForColumn(0) + 2 * popup->frameWidth() + popup->verticalScrollBar()->sizeHint().width();
    QRect place = rect();
    place.setWidth(std::max(place.width(), wide));
    completer_->complete(place);
    popup->setCurrentIndex(found.isComplete ? QModelIndex() : completer_->completionModel()->index(0, 0));
}

void ConditionField::insert(const QString& word) {
    const QString whole = text();
    const qsizetype end = word_.start + word_.length;
    setText(whole.left(word_.start) + word + whole.mid(end));
    setCursorPosition(static_cast<int>(word_.start + word.size()));
}

void ConditionField::mark(const vm::TextSpan& span) {
    marked_ = span;
    QList<QInputMethodEvent::Attribute> attributes;
    if (span.length > 0) {
        QTextCharFormat format;
        format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        format.setUnderlineColor(wrongColour(palette()));
        // A line edit offers no other way to format a part of its text; places are relative to the cursor.
        attributes << QInputMethodEvent::Attribute(QInputMethodEvent::TextFormat,
                                                   static_cast<int>(span.start) - cursorPosition(),
                                                   static_cast<int>(span.length), format);
    }
    QInputMethodEvent event(QString(), attributes);
    QCoreApplication::sendEvent(this, &event);
}

void ConditionField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Down && !completer_->popup()->isVisible()) {
        offer(true);
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void ConditionField::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) {
        completer_->popup()->hide();
    }
}

namespace {

constexpr int kMostRows = 5; ///< of the list, visible without scrolling
constexpr int kSwatch = 14;  ///< px

} // namespace

ClassesPanel::ClassesPanel(vm::ClassList& classes, vm::ObjectTableModel& table, QWidget* parent)
    : QWidget(parent), classes_(classes), table_(table), list_(new QTreeView(this)), text_(new QLabel(this)),
      add_(new QPushButton(themedIcon(QStringLiteral("add")), tr("Add class"), this)),
      colour_(makeIconButton(this, "classesColour", QStringLiteral("contrast"), tr("Colour of the class"),
                             tr("Choose the colour of the selected class"))),
      up_(makeIconButton(this, "classesUp", QStringLiteral("parent"), tr("Move the class up"),
                         tr("Try the condition of the selected class before the one above it"))),
      down_(makeIconButton(this, "classesDown", QStringLiteral("child"), tr("Move the class down"),
                           tr("Try the condition of the selected class after the one below it"))),
      remove_(makeIconButton(this, "classesRemove", QStringLiteral("delete"), tr("Remove the class"),
                             tr("Remove the selected class; its objects stay"))) {
    setObjectName(QStringLiteral("classesPanel"));
    explain(add_, "classesAdd", tr("Add class from the condition"),
            tr("Make a class of the objects that meet the condition above, which is cleared"));
    text_->setObjectName(QStringLiteral("classesText"));
    text_->setWordWrap(true);
    text_->setTextFormat(Qt::PlainText);
    makeList();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(2);
    buttons->addWidget(add_);
    buttons->addStretch();
    for (QToolButton* button : {colour_, up_, down_, remove_}) {
        buttons->addWidget(button);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(list_);
    layout->addWidget(text_);
    layout->addLayout(buttons);
    connectModels();
}

void ClassesPanel::makeList() {
    list_->setModel(&classes_);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                           QAbstractItemView::SelectedClicked);
    list_->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(vm::ClassList::nameColumn, QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(vm::ClassList::conditionColumn, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(vm::ClassList::countColumn, QHeaderView::ResizeToContents);
    explain(list_, "classesList", tr("Classes"),
            tr("An object belongs to the first class whose condition it meets. Double-click a name or a condition to "
               "change it."));
}

void ClassesPanel::connectModels() {
    connect(add_, &QPushButton::clicked, this, &ClassesPanel::addClass);
    connect(colour_, &QToolButton::clicked, this, &ClassesPanel::chooseColour);
    connect(remove_, &QToolButton::clicked, this, [this] { classes_.remove(row()); });
    const auto move = [this](int by) {
        const int to = row() + by;
        classes_.move(row(), to);
        list_->setCurrentIndex(classes_.index(to, vm::ClassList::nameColumn));
    };
    connect(up_, &QToolButton::clicked, this, [move] { move(-1); });
    connect(down_, &QToolButton::clicked, this, [move] { move(1); });
    connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ClassesPanel::showRow);
    follow(this, &ClassesPanel::showList, classes_, &vm::ClassList::classesChanged);
    follow(this, &ClassesPanel::showCounts, classes_, &vm::ClassList::countsChanged, &vm::ClassList::classesChanged);
    follow(
        this, [this] { add_->setEnabled(table_.canAddClass()); }, table_, &vm::ObjectTableModel::conditionChanged,
        &vm::ObjectTableModel::unitChanged);
}

int ClassesPanel::row() const { return list_->currentIndex().row(); }

void ClassesPanel::showList() {
    list_->setVisible(!classes_.isEmpty());
    const int rows = std::min(classes_.rowCount(), kMostRows);
    const int height = rows > 0 ? list_->sizeHintForRow(0) : 0;
    list_->setFixedHeight(list_->header()->sizeHint().height() + rows * height + 2 * list_->frameWidth());
    showRow();
}

void ClassesPanel::showRow() {
    const int current = row();
    const bool valid = current >= 0 && current < classes_.rowCount();
    for (QToolButton* button : {colour_, up_, down_, remove_}) {
        button->setVisible(!classes_.isEmpty());
        button->setEnabled(valid);
    }
    up_->setEnabled(valid && current > 0);
    down_->setEnabled(valid && current + 1 < classes_.rowCount());
    if (valid) {
        QPixmap swatch(kSwatch, kSwatch);
        swatch.fill(classes_.colour(current));
        colour_->setIcon(swatch);
    }
}

void ClassesPanel::showCounts() {
    for (int i = 0; i < classes_.rowCount(); ++i) {
        if (const QString problem = classes_.problemOf(i); !problem.isEmpty()) {
            const QString name = classes_.index(i, vm::ClassList::nameColumn).data().toString();
            text_->setText(tr("%1: %2").arg(name, problem));
            return;
        }
    }
    if (classes_.isEmpty()) {
        text_->setText(tr("Type a condition above, such as %1, and add it as a class. Its objects get a colour of "
                          "their own in the image.")
                           .arg(vm::shownCondition(QStringLiteral("area >= 50"))));
    } else if (!classes_.counts().empty()) {
        text_->setText(
            tr("Without a class: %1").arg(QLocale().toString(static_cast<qulonglong>(classes_.counts().back()))));
    }
}

void ClassesPanel::addClass() {
    const int added = table_.addClass();
    const QModelIndex name = classes_.index(added, vm::ClassList::nameColumn);
    list_->setCurrentIndex(name);
    list_->edit(name);
}

void ClassesPanel::chooseColour() {
    const int current = row();
    const QColor colour = QColorDialog::getColor(classes_.colour(current), this, tr("Colour of the class"));
    if (colour.isValid() && current < classes_.rowCount()) {
        classes_.setColour(current, colour);
        showRow();
    }
}

} // namespace pollard::app
