#pragma once

#include <QAction>
#include <QObject>
#include <QVector>

namespace pollard::vm {
class EditHistory;
}

namespace pollard::app {

/// Undo and redo of everything that changes a result; their texts name the change.
class EditActions : public QObject {
    Q_OBJECT

public:
    /// @param history must outlive this
    explicit EditActions(vm::EditHistory& history, QObject* parent = nullptr);

    QAction* undo;
    QAction* redo;

    /// All of them, in the order of the menu.
    [[nodiscard]] QVector<QAction*> all() const { return {undo, redo}; }

private:
    void showState();

    vm::EditHistory& history_;
};

} // namespace pollard::app
