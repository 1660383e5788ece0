#include "docks/objects/condition_field.hpp"

#include "theme/theme.hpp"
#include "vm/objects/object_table_model.hpp"

#include <QAbstractItemView>
#include <QCompleter>
#include <QCoreApplication>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTextCharFormat>

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
        // The one way to a format of text in a line edit; places are relative to the cursor.
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

} // namespace pollard::app
