#pragma once

#include "vm/settings/settings_view_model.hpp"

#include <QPalette>

class QMainWindow;

namespace pollard::app {

/// Applies a theme to the whole program. `light`, `dark` and `contrast` force Fusion with own palettes; `system` keeps
/// the platform's style; if that is Fusion, the own palette follows the platform's brightness.
void applyTheme(vm::SettingsViewModel::Theme theme);

/// Enables or disables animations of menus, tooltips and docks.
void applyMotion(QMainWindow& window, bool reduced);

/// Whether a palette has bright text on a dark background.
[[nodiscard]] bool isDark(const QPalette& palette);

/// Colour of explanatory text: between text and background.
[[nodiscard]] QColor secondaryText(const QPalette& palette);

/// Fine lines between areas.
[[nodiscard]] QColor hairline(const QPalette& palette);

} // namespace pollard::app
