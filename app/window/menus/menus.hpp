#pragma once

class QMainWindow;

namespace pollard::app {

class Actions;
class Workspaces;
struct Models;

/// Fills the menu bar of @p window; call after adding the docks.
void buildMenus(QMainWindow& window, Actions& actions, const Workspaces& workspaces, Models& models);

} // namespace pollard::app
