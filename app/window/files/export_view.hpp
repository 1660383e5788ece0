#pragma once

#include "vm/image/view_transform.hpp"

#include <QCheckBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>

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

/// Asks for content and size of an exported view.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    explicit ExportDialog(const vm::ViewTransform& view, QWidget* parent = nullptr);

    [[nodiscard]] vm::ExportChoice choice() const;
    [[nodiscard]] vm::ExportPlan plan() const;

private:
    void addPart();
    void addSize();
    void takeWidth();
    void showPlan();
    [[nodiscard]] double partWidth() const;

    vm::ViewTransform view_;
    QRadioButton* visible_ = nullptr;
    QRadioButton* whole_ = nullptr;
    QDoubleSpinBox* scale_ = nullptr; ///< percent
    QSpinBox* width_ = nullptr;       ///< px
    QCheckBox* overlays_ = nullptr;
    QLabel* size_ = nullptr;
    QPushButton* export_ = nullptr;
};

/// Copies the view to the clipboard.
void copyView(Canvas& canvas, OverlayLayer& overlays);

/// Asks for content and file, and exports with progress and Cancel. All must outlive the export.
void exportView(QWidget& parent, Models& models, ErrorPresenter& errors, Canvas& canvas, OverlayLayer& overlays);

/// Writes the whole image in the colours of the view, pixel by pixel, without overlays. Shows progress and errors like
/// exportView().
void saveAsShown(QWidget& parent, Models& models, ErrorPresenter& errors, Canvas& canvas, const QString& path);

/// Prints an image on one page, as large as it fits under the title. Works on the thread of @p printing, which emits
/// saved() or failed() at the end.
void printImage(vm::FileExport& printing, std::shared_ptr<QPrinter> printer, const QImage& image, const QString& title);

/// Adds "Paste" to the menu Edit, which opens the image on the clipboard, and "Print" to the menu File, which prints
/// the view. All must outlive the window.
/// @param canvas,overlays null without a canvas
void addPasteAndPrint(QMainWindow& window, Models& models, ErrorPresenter& errors, Canvas* canvas,
                      OverlayLayer* overlays);

} // namespace pollard::app
