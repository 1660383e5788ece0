#pragma once

#include <Qt>

class QAction;
class QDockWidget;
class QMainWindow;
class QString;
class QWidget;

namespace pollard::app {

/// Adds a dock, initially hidden; the View menu and showPanel() bring it to the front of its tabs.
QDockWidget* addPanelDock(QMainWindow& window, const QString& objectName, const QString& title, QWidget* panel,
                          Qt::DockWidgetArea area);

/// Shows a dock in front of its tabs. @param name as on the command line ("spectrum", "chain" ...)
void showPanel(QMainWindow& window, const QString& name);

/// Makes the menu entry of a dock hide it only if it is visible; else the entry brings it to the front.
void raiseWhenAsked(QDockWidget& dock);

/// Shows a dock in front of its tabs and focuses it.
void bringForward(QDockWidget& dock);

/// The dock whose menu entry is @p action; null if there is none.
[[nodiscard]] QDockWidget* dockOf(const QAction& action);

} // namespace pollard::app
