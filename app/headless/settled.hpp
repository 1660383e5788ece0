#pragma once

#include "shell/models.hpp"

#include <functional>

class QObject;

namespace pollard::app {

class MainWindow;

/// Whether tree, filtered image and canvas correspond to the settings, and no job runs. The window must have a
/// canvas.
[[nodiscard]] bool isSettled(const Models& models, const MainWindow& window);

/// Calls @p look from the event loop whenever isSettled() may have become true. The window must have a canvas.
/// @param context ends the calls; must not outlive @p models and @p window
void whenSettling(const Models& models, const MainWindow& window, QObject* context, const std::function<void()>& look);

} // namespace pollard::app
