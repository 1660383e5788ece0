#pragma once

#include "vm/recipe/report.hpp"

class QMainWindow;

namespace pollard::app {

class Canvas;
class ErrorPresenter;
class OverlayLayer;
struct Models;

/// Adds "Export tree" and "Save report" to the File menu, before the preferences.
/// @param canvas,overlays null without a canvas; all must outlive the window
void addDocumentFiles(QMainWindow& window, Models& models, ErrorPresenter& errors, Canvas* canvas,
                      OverlayLayer* overlays);

/// Images of the view and of all charts on the screen for the report.
/// @param canvas,overlays null without a canvas
[[nodiscard]] QList<vm::ReportImage> reportImages(const QMainWindow& window, Canvas* canvas, OverlayLayer* overlays);

} // namespace pollard::app
