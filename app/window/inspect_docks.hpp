#pragma once

class QMainWindow;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Adds the docks "Component" and "Selection" at the right of the picture, behind the filter and hidden until they are
/// asked for in the View menu, with the files they write.
/// @param models,errors must outlive the window
void addInspectDocks(QMainWindow& window, Models& models, ErrorPresenter& errors);

} // namespace pollard::app
