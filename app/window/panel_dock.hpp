#pragma once

#include <Qt>

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

} // namespace pollard::app
