#pragma once

class QMenuBar;
class QWidget;

namespace pollard {
class EngineRegistry;
}

namespace pollard::app {

/// Opens the list of all shortcuts of these menus, by menu, and of keys and mouse gestures beside them.
void showShortcuts(QWidget& parent, const QMenuBar& menus);

/// Opens versions, engines, licences and how to cite.
void showAbout(QWidget& parent, const EngineRegistry& registry);

} // namespace pollard::app
