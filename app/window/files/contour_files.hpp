#pragma once

class QMainWindow;

namespace pollard::app {

class Canvas;
class ErrorPresenter;
class OverlayLayer;
struct Models;

/// Lets the contour dock of a window write files: asks where to, tells in the status bar when they are there, and
/// presents what went wrong. All of them must outlive the window.
/// @param canvas,overlays null where there is no picture to make frames of
void connectContourFiles(QMainWindow& window, Models& models, ErrorPresenter& errors, Canvas* canvas,
                         OverlayLayer* overlays);

} // namespace pollard::app
