#pragma once

#include "vm/settings/settings_view_model.hpp"

#include <QEvent>
#include <QPalette>
#include <QWidget>

#include <functional>

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

/// Whether the devicePixelRatioF() of a widget may have changed: the event moves it to another screen, or the screen
/// has another density.
[[nodiscard]] bool changesPixelRatio(const QEvent& event);

/// Calls @p update after events of @p widget for which changesPixelRatio() is true.
void onPixelRatio(QWidget* widget, std::function<void()> update);

} // namespace pollard::app
