#pragma once

#include <QStringList>

#include <functional>

class QMainWindow;
class QObject;

namespace pollard::app {

class CanvasActions;
class ErrorPresenter;
struct Models;

/// Adds a dock for each panel of the table. The window owns the view-models behind them.
/// @param models,actions,errors must outlive the window
void addPanels(QMainWindow& window, Models& models, CanvasActions& actions, ErrorPresenter& errors);

/// Closes all panels, and docks each panel where it opens in workspaces that do not place it.
void closePanels(QMainWindow& window);

/// Names of all panels, for showPanel().
[[nodiscard]] QStringList panelNames();

/// The help page of a dock, by its name; the overview for other names.
[[nodiscard]] QString helpPageOf(const QString& dock);

/// Whether no vm::Analysis is being computed.
[[nodiscard]] bool areAnalysesIdle(const QMainWindow& window);

/// Calls @p function whenever areAnalysesIdle() may have changed, as long as @p context lives.
void onAnalysisChange(const QMainWindow& window, QObject* context, const std::function<void()>& function);

} // namespace pollard::app
