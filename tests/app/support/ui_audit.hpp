#pragma once

#include <QAction>
#include <QList>
#include <QMainWindow>
#include <QStringList>
#include <QWidget>

namespace pollard::testing {

/// Defects of the visible controls in a part of the window; each function returns one entry per control. Controls are
/// focusable or clickable widgets: buttons, boxes, sliders, lists, charts.

/// Controls without an accessible name.
[[nodiscard]] QStringList namelessControls(const QWidget& part);

/// Controls without a tooltip, or with one that only repeats their name or text.
[[nodiscard]] QStringList unexplainedControls(const QWidget& part);

/// Whether two texts differ at most in case, marks of letters, dots and a shortcut in parentheses.
[[nodiscard]] bool isSameText(const QString& one, const QString& other);

/// Labels, buttons and headers whose text does not fit.
[[nodiscard]] QStringList cutTexts(const QWidget& part);

/// Enabled controls that Tab does not reach in one round through the window.
[[nodiscard]] QStringList unreachableControls(const QWidget& part);

/// Letters (with Alt) of more than one visible button or label of a control.
[[nodiscard]] QStringList collidingLetters(const QWidget& part);
/// Letters of more than one entry of a menu or of one of its submenus, visible or hidden.
[[nodiscard]] QStringList collidingLetters(const QList<QAction*>& menu);

/// Shortcuts of more than one enabled or disabled action of the menus.
[[nodiscard]] QStringList collidingShortcuts(const QMainWindow& window);

} // namespace pollard::testing
