#pragma once

class QMainWindow;

namespace pollard::app {

class Canvas;
class CanvasActions;
class ErrorPresenter;
class OverlayLayer;
struct Models;

/// Connects the contour dock with saving: asks for the file, reports success in the status bar, presents errors. All
/// must outlive the window.
/// @param canvas,overlays null if there is no canvas to take frames from
void connectContourFiles(QMainWindow& window, Models& models, ErrorPresenter& errors, Canvas* canvas,
                         OverlayLayer* overlays);

/// Connects the objects dock with saving: asks for the file, reports success in the status bar, presents errors. All
/// must outlive the window.
void connectObjectFiles(QMainWindow& window, Models& models, ErrorPresenter& errors);

/// Connects loading and saving of regions: asks for the file and its layer, presents errors and notices. All must
/// outlive the window.
void connectRegionFiles(QMainWindow& window, Models& models, ErrorPresenter& errors, const CanvasActions& actions);

} // namespace pollard::app
