#pragma once

#include "vm/base/word_search.hpp"
#include "window/action_list.hpp"

#include <QDialog>

#include <vector>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace pollard::app {

/// Searches commands by words and runs one, without a mouse: by title, by other words for the same (commandWords()), by
/// menu and tooltip. Commands that are not available are shown pale and not run. The last row searches the help.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    /// @param actions,controls commands of the menus, and those that lead to a control in a panel and come behind
    /// them; must outlive this
    explicit CommandPalette(const QList<ListedAction>& actions, QWidget* parent = nullptr,
                            const QList<ListedAction>& controls = {});

signals:
    /// A command was chosen; it runs next.
    void chosen(QAction* action);
    /// Requests a search in the help.
    void helpRequested(const QString& query);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showMatches();
    void addHelpRow(bool found);
    void runCurrent();
    void addRow(int number);

    QList<ListedAction> actions_; ///< controls last
    qsizetype firstControl_;
    std::vector<vm::FindableText> texts_; ///< of actions_
    QLineEdit* query_;
    QTreeWidget* list_;
};

} // namespace pollard::app
