#pragma once

#include "vm/objects/condition_text.hpp"

#include <QLineEdit>

class QCompleter;
class QStandardItemModel;

namespace pollard::vm {
class ObjectTableModel;
}

namespace pollard::app {

/// Field for the condition of the table: completes names of features while they are typed, and underlines the wrong
/// part. The arrow down lists all features.
class ConditionField : public QLineEdit {
    Q_OBJECT

public:
    /// @param table must outlive this
    explicit ConditionField(vm::ObjectTableModel& table, QWidget* parent = nullptr);

    /// Underlines a part of the text; an empty one: nothing.
    void mark(const vm::TextSpan& span);
    [[nodiscard]] vm::TextSpan marked() const { return marked_; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void offer(bool all);
    void insert(const QString& word);

    vm::ObjectTableModel& table_;
    QStandardItemModel* words_;
    QCompleter* completer_;
    vm::TextSpan word_; ///< the part that a completion replaces
    vm::TextSpan marked_;
};

} // namespace pollard::app
