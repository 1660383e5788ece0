#pragma once

class QMainWindow;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Gives all charts and tables of the window a DataMenu. All must outlive the window; call after adding the docks.
void addDataMenus(QMainWindow& window, Models& models, ErrorPresenter& errors);

} // namespace pollard::app
