#pragma once

#include <QEvent>
#include <QWidget>

#include <functional>

namespace pollard::app {

/// Whether an event of a widget tells that its devicePixelRatioF() may differ: it came to another screen, or the screen
/// has another density.
[[nodiscard]] bool tellsPixelRatio(const QEvent& event);

/// Calls @p update after events of @p widget for which tellsPixelRatio() is true.
void onPixelRatio(QWidget* widget, std::function<void()> update);

} // namespace pollard::app
