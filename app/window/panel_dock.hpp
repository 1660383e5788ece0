#pragma once

class QAction;
class QByteArray;
class QDockWidget;
class QMainWindow;
class QString;

namespace pollard::app {

/// Shows a dock in front of its tabs. @param name as on the command line ("spectrum", "chain" ...)
void showPanel(QMainWindow& window, const QString& name);

/// Makes the menu entry of a dock hide a visible dock, and bring a covered dock to the front.
void raiseWhenAsked(QDockWidget& dock);

/// Shows a dock in front of its tabs and focuses it.
void bringForward(QDockWidget& dock);

/// Focuses the next part of the window: tool bars, image, stack, visible panels, status line. The status line names the
/// part. @param step 1, or -1 for the previous part
void focusPart(QMainWindow& window, int step);

/// Calls restoreState() for a state that may come from a damaged file, whose numbers of tabs Qt would trust.
/// @return false if the state is damaged; nothing changes then
bool restoreDocks(QMainWindow& window, const QByteArray& state);

/// The dock whose menu entry is @p action; null if there is none.
[[nodiscard]] QDockWidget* dockOf(const QAction& action);

} // namespace pollard::app
