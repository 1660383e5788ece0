#pragma once

#include <QList>
#include <QString>

class QAction;
class QMenuBar;

namespace pollard::app {

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

} // namespace pollard::app
