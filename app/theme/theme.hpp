#pragma once

#include "vm/settings/settings_view_model.hpp"

#include <QPalette>

class QMainWindow;

namespace pollard::app {

/// Gives the whole program its look. `light`, `dark` and `contrast` force Fusion with the program's own palette;
/// `system` keeps the platform's style, and where that is Fusion follows the platform's brightness with the own
/// palette.
void applyTheme(vm::SettingsViewModel::Theme theme);

/// Whether menus, tooltips and docks of the program slide and fade.
void applyMotion(QMainWindow& window, bool reduced);

/// Whether a palette is bright on dark.
[[nodiscard]] bool isDark(const QPalette& palette);

/// Text that explains rather than tells: between the text and the ground.
[[nodiscard]] QColor secondaryText(const QPalette& palette);

/// Fine lines between areas.
[[nodiscard]] QColor hairline(const QPalette& palette);

} // namespace pollard::app
