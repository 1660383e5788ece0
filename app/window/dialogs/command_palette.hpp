#pragma once

#include "window/action_list.hpp"

#include <QDialog>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace pollard::app {

/// Finds an action by words and runs it: everything that the menus lead to, without a mouse. What cannot be done now is
/// shown pale and not run.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    /// @param actions must outlive this
    explicit CommandPalette(const QList<ListedAction>& actions, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showMatches();
    void runCurrent();
    void addRow(int number);

    QList<ListedAction> actions_;
    QLineEdit* query_;
    QTreeWidget* list_;
};

} // namespace pollard::app
