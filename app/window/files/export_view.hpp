#pragma once

class QWidget;

namespace pollard::app {

class Canvas;
class ErrorPresenter;
class OverlayLayer;
struct Models;

/// Puts the view on the clipboard.
void copyView(Canvas& canvas, OverlayLayer& overlays);

/// Asks what to export and where, and does it with progress and Cancel. Everything must outlive the export.
void exportView(QWidget& parent, Models& models, ErrorPresenter& errors, Canvas& canvas, OverlayLayer& overlays);

} // namespace pollard::app
