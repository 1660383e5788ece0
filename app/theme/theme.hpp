#pragma once

#include "settings_view_model.hpp"

#include <QPalette>

namespace pollard::app {

/// Gives the whole program its look. `light` and `dark` force Fusion with the program's own palette; `system` keeps
/// the platform's style, and where that is Fusion follows the platform's brightness with the own palette.
void applyTheme(vm::SettingsViewModel::Theme theme);

/// Whether a palette is bright on dark.
[[nodiscard]] bool isDark(const QPalette& palette);

/// Text that explains rather than tells: between the text and the ground.
[[nodiscard]] QColor secondaryText(const QPalette& palette);

/// Fine lines between areas.
[[nodiscard]] QColor hairline(const QPalette& palette);

} // namespace pollard::app
