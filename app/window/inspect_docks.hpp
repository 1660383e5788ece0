#pragma once

class QMainWindow;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Adds the docks "Component" and "Selection" to the right of the picture, tabbed with the filter and initially hidden,
/// and connects their files.
/// @param models,errors must outlive the window
void addInspectDocks(QMainWindow& window, Models& models, ErrorPresenter& errors);

} // namespace pollard::app
