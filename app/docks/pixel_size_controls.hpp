#pragma once

#include "vm/session/pixel_size_view_model.hpp"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

namespace pollard::app {

class LengthBox;

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
