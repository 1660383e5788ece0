#pragma once

class QMainWindow;

namespace pollard::app {

class CanvasActions;
class ErrorPresenter;
struct Models;

/// Connects loading and saving of regions: asks for the file and its layer, presents errors and notices. All must
/// outlive the window.
void connectRegionFiles(QMainWindow& window, Models& models, ErrorPresenter& errors, const CanvasActions& actions);

} // namespace pollard::app
