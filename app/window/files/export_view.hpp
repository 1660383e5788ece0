#pragma once

#include <memory>

class QImage;
class QMainWindow;
class QPrinter;
class QString;
class QWidget;

namespace pollard::vm {
class FileExport;
}

namespace pollard::app {

class Canvas;
class ErrorPresenter;
class OverlayLayer;
struct Models;

/// Copies the view to the clipboard.
void copyView(Canvas& canvas, OverlayLayer& overlays);

/// Asks for content and file, and exports with progress and Cancel. All must outlive the export.
void exportView(QWidget& parent, Models& models, ErrorPresenter& errors, Canvas& canvas, OverlayLayer& overlays);

/// Writes the whole image in the colours of the view, one pixel for each of the image, without overlays; progress
/// and errors as for exportView().
void saveAsShown(QWidget& parent, Models& models, ErrorPresenter& errors, Canvas& canvas, const QString& path);

/// Prints an image on one page, as large as it fits under the title, on the thread of @p printing, which ends with
/// saved() or failed().
void printImage(vm::FileExport& printing, std::shared_ptr<QPrinter> printer, const QImage& picture,
                const QString& title);

/// Adds "Paste" to the menu Edit, which opens the image on the clipboard, and "Print" to the menu File, which prints
/// the view. All must outlive the window.
/// @param canvas,overlays null without a canvas
void addPasteAndPrint(QMainWindow& window, Models& models, ErrorPresenter& errors, Canvas* canvas,
                      OverlayLayer* overlays);

} // namespace pollard::app
