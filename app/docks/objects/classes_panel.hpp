#pragma once

#include "vm/objects/condition_text.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>
#include <QWidget>

class QCompleter;
class QStandardItemModel;

namespace pollard::vm {
class ClassList;
class ObjectTableModel;
} // namespace pollard::vm

namespace pollard::app {

/// Field for the condition of the table: completes names of features while a person types, and underlines the wrong
/// part. Arrow down lists all features.
class ConditionField : public QLineEdit {
    Q_OBJECT

public:
    /// @param table must outlive this
    explicit ConditionField(vm::ObjectTableModel& table, QWidget* parent = nullptr);

    /// Underlines a part of the text; an empty span underlines nothing.
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

/// Classes of objects: their list, and buttons that add a class of the present condition, order, colour and remove
/// classes.
class ClassesPanel : public QWidget {
    Q_OBJECT

public:
    /// All must outlive this.
    ClassesPanel(vm::ClassList& classes, vm::ObjectTableModel& table, QWidget* parent = nullptr);

private:
    void makeList();
    void connectModels();
    void showList();
    void showRow();
    void showCounts();
    void addClass();
    void chooseColour();
    [[nodiscard]] int row() const;

    vm::ClassList& classes_;
    vm::ObjectTableModel& table_;
    QTreeView* list_;
    QLabel* text_; ///< purpose, problem or objects without a class
    QPushButton* add_;
    QToolButton* colour_;
    QToolButton* up_;
    QToolButton* down_;
    QToolButton* remove_;
};

} // namespace pollard::app
