#pragma once

#include <QMainWindow>
#include <QStringList>
#include <QWidget>

namespace pollard::testing {

/// What is wrong with the visible controls of a part of the window; each function names the controls, one an entry.
/// A control is what takes the focus or is pressed: buttons, boxes, sliders, lists, charts.

/// Controls without a name that an assistive program could say.
[[nodiscard]] QStringList namelessControls(const QWidget& part);

/// Controls without a tooltip.
[[nodiscard]] QStringList unexplainedControls(const QWidget& part);

/// Labels, buttons and headers whose text needs more room than they have.
[[nodiscard]] QStringList cutTexts(const QWidget& part);

/// Enabled controls that Tab does not come to when it goes once around the window.
[[nodiscard]] QStringList unreachableControls(const QWidget& part);

/// Keys that more than one enabled or disabled action of the menus answers to.
[[nodiscard]] QStringList collidingShortcuts(const QMainWindow& window);

} // namespace pollard::testing
