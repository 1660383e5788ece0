#pragma once

#include "window/action_list.hpp"

#include <QDialog>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace pollard::app {

/// Searches all actions of the menus by words and runs one, without a mouse. Disabled actions are shown pale and not
/// run.
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
