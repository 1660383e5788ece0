#pragma once

#include <functional>

class QMainWindow;
class QObject;

namespace pollard::app {

struct Models;

/// Adds the docks "Spectrum", "Profile", "Objects", "Contour", "Chain", "Tree" and "Attribute plane" below the picture,
/// as tabs of one place, hidden until they are asked for in the View menu. The window owns the view-models behind them.
/// @param models must outlive the window
void addAnalysisDocks(QMainWindow& window, Models& models);

/// Whether nothing that is shown in these docks is still being computed.
[[nodiscard]] bool analysesRest(const QMainWindow& window);

/// Calls @p function whenever analysesRest() may have changed, as long as @p context lives.
void onAnalysisChange(const QMainWindow& window, QObject* context, const std::function<void()>& function);

} // namespace pollard::app
