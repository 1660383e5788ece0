#pragma once

#include <QList>
#include <QString>

class QAction;
class QMenuBar;

namespace pollard::app {

/// An action and how a person finds it.
struct ListedAction {
    QAction* action = nullptr;
    QString menu; ///< "View › Colours"
};

/// Every visible action that the menus of a window lead to, in their order, each once.
[[nodiscard]] QList<ListedAction> actionsOfMenus(const QMenuBar& bar);

/// Its text without the mark of the mnemonic and without the ellipsis.
[[nodiscard]] QString plainText(const QAction& action);

/// Its shortcuts as the keyboard names them: "Ctrl+O", "+ or Ctrl++"; empty without one.
[[nodiscard]] QString keysText(const QAction& action);

} // namespace pollard::app
