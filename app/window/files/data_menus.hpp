#pragma once

class QMainWindow;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Gives every table of the window, and every QChartView without one, a DataMenu. All must outlive the window; call
/// when the docks are there.
void addDataMenus(QMainWindow& window, Models& models, ErrorPresenter& errors);

} // namespace pollard::app
