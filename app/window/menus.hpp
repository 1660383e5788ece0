#pragma once

class QMainWindow;

namespace pollard::app {

class Actions;
struct Models;

/// Fills the menu bar of @p window; call after adding the docks.
void buildMenus(QMainWindow& window, Actions& actions, Models& models);

} // namespace pollard::app
