#pragma once

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QTreeView>
#include <QWidget>

namespace pollard::vm {
class ClassList;
class ObjectTableModel;
} // namespace pollard::vm

namespace pollard::app {

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
