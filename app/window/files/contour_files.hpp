#pragma once

class QMainWindow;

namespace pollard::app {

class Canvas;
class ErrorPresenter;
class OverlayLayer;
struct Models;

/// Connects the contour dock with saving: asks for the file, reports success in the status bar, presents errors. All
/// must outlive the window.
/// @param canvas,overlays null if there is no canvas to take frames from
void connectContourFiles(QMainWindow& window, Models& models, ErrorPresenter& errors, Canvas* canvas,
                         OverlayLayer* overlays);

} // namespace pollard::app
