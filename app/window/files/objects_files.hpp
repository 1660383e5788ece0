#pragma once

class QMainWindow;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Connects the objects dock with saving: asks for the file, reports success in the status bar, presents errors. All
/// must outlive the window.
void connectObjectFiles(QMainWindow& window, Models& models, ErrorPresenter& errors);

} // namespace pollard::app
