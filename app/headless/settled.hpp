#pragma once

#include "shell/models.hpp"

#include <functional>

class QObject;

namespace pollard::app {

class MainWindow;

/// Whether tree, filtered picture and canvas show what is set, and no job runs. The window must have a canvas.
[[nodiscard]] bool isSettled(const Models& models, const MainWindow& window);

/// Calls @p look whenever isSettled() may have become true, from the event loop. The window must have a canvas.
/// @param context ends it, at the latest before @p models and @p window
void whenSettling(const Models& models, const MainWindow& window, QObject* context, const std::function<void()>& look);

} // namespace pollard::app
