#pragma once

class QAction;
class QDockWidget;
class QMainWindow;
class QString;

namespace pollard::app {

/// Shows a dock by the name that the command line has for it ("spectrum", "chain" ...), in front of its tabs.
void showPanel(QMainWindow& window, const QString& name);

/// Lets the entry of a dock in menus hide it only where it is seen; else the entry brings it forward.
void raiseWhenAsked(QDockWidget& dock);

/// Shows a dock in front of its tabs, with the focus in it.
void bringForward(QDockWidget& dock);

/// The dock whose entry in menus an action is; null if it is another action.
[[nodiscard]] QDockWidget* dockOf(const QAction& action);

} // namespace pollard::app
