#pragma once

class QWidget;

namespace pollard::app {

class Canvas;
class ErrorPresenter;
class OverlayLayer;
struct Models;

/// Copies the view to the clipboard.
void copyView(Canvas& canvas, OverlayLayer& overlays);

/// Asks for content and file, and exports with progress and Cancel. All must outlive the export.
void exportView(QWidget& parent, Models& models, ErrorPresenter& errors, Canvas& canvas, OverlayLayer& overlays);

} // namespace pollard::app
