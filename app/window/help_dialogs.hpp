#pragma once

class QWidget;

namespace pollard {
class EngineRegistry;
}

namespace pollard::app {

class Actions;

/// Opens the list of all shortcuts and mouse gestures.
void showShortcuts(QWidget& parent, const Actions& actions);

/// Opens versions, engines and licence.
void showAbout(QWidget& parent, const EngineRegistry& registry);

} // namespace pollard::app
