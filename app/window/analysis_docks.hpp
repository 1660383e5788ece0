#pragma once

#include <functional>

class QMainWindow;
class QObject;

namespace pollard::app {

struct Models;

/// Adds the docks "Spectrum", "Profile", "Objects", "Contour", "Chain", "Tree" and "Attribute plane" below the picture,
/// tabbed and initially hidden. The window owns their view-models.
/// @param models must outlive the window
void addAnalysisDocks(QMainWindow& window, Models& models);

/// Whether no computation is running for the visible docks.
[[nodiscard]] bool analysesRest(const QMainWindow& window);

/// Calls @p function whenever analysesRest() may have changed, as long as @p context lives.
void onAnalysisChange(const QMainWindow& window, QObject* context, const std::function<void()>& function);

} // namespace pollard::app
