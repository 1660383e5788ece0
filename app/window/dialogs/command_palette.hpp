#pragma once

#include "vm/base/word_search.hpp"

#include <QDialog>
#include <QList>
#include <QString>
#include <QStringList>

#include <vector>

class QAction;
class QLineEdit;
class QMainWindow;
class QMenuBar;
class QTreeWidget;

namespace pollard::app {

/// Synonyms of a command and names of its uses, separated by commas, in the language of the window.
/// @param name object name of an action, of a dock, or of a control in a panel
[[nodiscard]] QString commandWords(const QString& name);

/// Names for which commandWords() is not empty.
[[nodiscard]] QStringList namesWithWords();

/// Name of the actions that open recent files.
inline constexpr QLatin1String kRecentFile{"recentFile"};

/// An action and its place in the menus.
struct ListedAction {
    QAction* action = nullptr;
    QString menu; ///< "View › Colours"
};

/// All visible actions in the menus of a window, in menu order, without duplicates.
[[nodiscard]] QList<ListedAction> actionsOfMenus(const QMenuBar& bar);

/// The text without mnemonic and ellipsis.
[[nodiscard]] QString plainText(const QAction& action);

/// Shortcuts in the notation of the platform: "Ctrl+O", "+ or Ctrl++"; empty without shortcuts.
[[nodiscard]] QString keysText(const QAction& action);

/// Searches commands by words and runs one, without a mouse. Compares titles, synonyms (commandWords()), menus and
/// tooltips. Disabled commands are shown pale and not run. The last row searches the help.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    /// @param actions commands of the menus; must outlive this
    /// @param controls commands that lead to a control in a panel, listed after the actions; must outlive this
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

/// Makes commands that lead to the controls of all panels. A command shows the panel in its workspace and focuses the
/// control; a button with a menu opens the menu. Hidden controls are left out. Deletes the commands of the last call.
[[nodiscard]] QList<ListedAction> controlsOfPanels(QMainWindow& window);

} // namespace pollard::app
