#pragma once

class QAction;
class QByteArray;
class QDockWidget;
class QMainWindow;
class QString;

namespace pollard::app {

/// Shows a dock in front of its tabs. @param name as on the command line ("spectrum", "chain" ...)
void showPanel(QMainWindow& window, const QString& name);

/// Makes the menu entry of a dock hide it only if it is visible; else the entry brings it to the front.
void raiseWhenAsked(QDockWidget& dock);

/// Shows a dock in front of its tabs and focuses it.
void bringForward(QDockWidget& dock);

/// Gives the next part of the window the focus: tool bars, image, stack, panels in sight, status line; the status
/// line names it. @param step 1, or -1 for the part before
void focusPart(QMainWindow& window, int step);

/// Calls restoreState() for a state that may come from a damaged file: Qt trusts the numbers of tabs in it.
/// @return false, and nothing changes, if it is not sound
bool restoreDocks(QMainWindow& window, const QByteArray& state);

/// The dock whose menu entry is @p action; null if there is none.
[[nodiscard]] QDockWidget* dockOf(const QAction& action);

} // namespace pollard::app
