#include "window/edit_actions.hpp"

#include "shell/make_action.hpp"
#include "vm/session/edit_history.hpp"
#include "widgets/couple.hpp"

namespace pollard::app {

EditActions::EditActions(vm::EditHistory& history, QObject* parent)
    : QObject(parent), undo(makeAction({QStringLiteral("undo"),
                                        tr("&Undo"),
                                        tr("Undo the last change"),
                                        QStringLiteral("undo"),
                                        {QKeySequence(Qt::CTRL | Qt::Key_Z)}},
                                       this)),
      redo(makeAction({QStringLiteral("redo"),
                       tr("&Redo"),
                       tr("Redo the change that was undone"),
                       QStringLiteral("redo"),
                       {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)}},
                      this)),
      history_(history) {
    connect(undo, &QAction::triggered, &history_, &vm::EditHistory::undo);
    connect(redo, &QAction::triggered, &history_, &vm::EditHistory::redo);
    const QUndoStack& stack = history_.stack();
    follow(this, &EditActions::showState, stack, &QUndoStack::canUndoChanged, &QUndoStack::canRedoChanged,
           &QUndoStack::undoTextChanged, &QUndoStack::redoTextChanged);
}

void EditActions::showState() {
    const QUndoStack& stack = history_.stack();
    const auto menuText = [](const QString& text) { return QString(text).replace(u'&', QLatin1String("&&")); };
    undo->setEnabled(stack.canUndo());
    undo->setText(stack.canUndo() ? tr("&Undo %1").arg(menuText(stack.undoText())) : tr("&Undo"));
    redo->setEnabled(stack.canRedo());
    redo->setText(stack.canRedo() ? tr("&Redo %1").arg(menuText(stack.redoText())) : tr("&Redo"));
}

} // namespace pollard::app
