#pragma once

class QMenuBar;
class QWidget;

namespace pollard {
class EngineRegistry;
}

namespace pollard::app {

/// Shows all shortcuts of the menus, grouped by menu, and further keys and mouse gestures.
void showShortcuts(QWidget& parent, const QMenuBar& menus);

/// Shows versions, engines, licences and the citation.
void showAbout(QWidget& parent, const EngineRegistry& registry);

} // namespace pollard::app
