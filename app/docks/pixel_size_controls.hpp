#pragma once

#include "vm/session/pixel_size_view_model.hpp"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

namespace pollard::app {

class LengthBox;

/// Asks for the length of a line over the image and sets the size of a pixel from it.
class ScaleBarDialog : public QDialog {
    Q_OBJECT

public:
    /// @param size must outlive this
    /// @param pixels length of the line; 0: entered in the dialog
    ScaleBarDialog(vm::PixelSizeViewModel& size, double pixels, QWidget* parent = nullptr);

    void accept() override;
    void reject() override;

private:
    [[nodiscard]] double side() const;
    void showResult();

    vm::PixelSizeViewModel& size_;
    LengthBox* pixels_;
    LengthBox* length_;
    QComboBox* unit_;
    QLabel* result_;
    QPushButton* ok_ = nullptr;
};

/// The size of a pixel: entered as numbers or measured on a scale bar; for the image or for its folder.
class PixelSizeControls : public QWidget {
    Q_OBJECT

public:
    /// @param size must outlive this
    explicit PixelSizeControls(vm::PixelSizeViewModel& size, QWidget* parent = nullptr);

private:
    void makeNumbers();
    void makeChoices();
    void connectModel();
    void showSize();
    void askForLength(double pixels);

    vm::PixelSizeViewModel& size_;
    LengthBox* width_;
    QLabel* times_;
    LengthBox* height_;
    LengthBox* distance_; ///< of the slices of a volume
    QLabel* slices_ = nullptr;
    QToolButton* apart_; ///< enters width and height separately
    QComboBox* unit_;
    QComboBox* scope_;
    QLabel* origin_;
    QPushButton* measure_;
    QPushButton* revert_;
    QLabel* hint_;
};

} // namespace pollard::app
