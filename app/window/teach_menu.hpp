#pragma once

class QMainWindow;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Adds the menu that opens the grid lab. Both must outlive the window.
void addTeachMenu(QMainWindow& window, Models& models, ErrorPresenter& errors);

} // namespace pollard::app
