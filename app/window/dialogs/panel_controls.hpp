#pragma once

#include "window/action_list.hpp"

class QMainWindow;

namespace pollard::app {

/// Commands that lead to the controls of all panels: each shows the panel, in its workspace, and focuses the control; a
/// button with a menu opens it. Controls that are hidden are left out. The commands of an earlier call end.
[[nodiscard]] QList<ListedAction> controlsOfPanels(QMainWindow& window);

} // namespace pollard::app
