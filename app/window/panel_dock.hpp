#pragma once

#include <Qt>

class QAction;
class QDockWidget;
class QMainWindow;
class QString;
class QWidget;

namespace pollard::app {

/// Adds a dock that is hidden until the View menu or showPanel() asks for it; then it comes to the front of its tabs.
QDockWidget* addPanelDock(QMainWindow& window, const QString& objectName, const QString& title, QWidget* panel,
                          Qt::DockWidgetArea area);

/// Shows a dock by the name that the command line has for it ("spectrum", "chain" ...), in front of its tabs.
void showPanel(QMainWindow& window, const QString& name);

/// Lets the entry of a dock in menus hide it only where it is seen; else the entry brings it forward.
void raiseWhenAsked(QDockWidget& dock);

/// Shows a dock in front of its tabs, with the focus in it.
void bringForward(QDockWidget& dock);

/// The dock whose entry in menus an action is; null if it is another action.
[[nodiscard]] QDockWidget* dockOf(const QAction& action);

} // namespace pollard::app
