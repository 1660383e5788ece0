#pragma once

class QMainWindow;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Lets the objects dock of a window write files: asks where to, tells in the status bar when one is there, and
/// presents what went wrong. All of them must outlive the window.
void connectObjectFiles(QMainWindow& window, Models& models, ErrorPresenter& errors);

} // namespace pollard::app
