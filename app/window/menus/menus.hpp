#pragma once

class QMainWindow;
class QMenu;
class QString;

namespace pollard::app {

class Actions;
class Workspaces;
struct Models;

/// Fills the menu bar of @p window; call after adding the docks.
void buildMenus(QMainWindow& window, Actions& actions, const Workspaces& workspaces, Models& models);

/// The menu of the window with the action of this object name; null if none has it.
[[nodiscard]] QMenu* menuWith(const QMainWindow& window, const QString& action);

} // namespace pollard::app
