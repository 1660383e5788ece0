#pragma once

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>

namespace pollard::vm {
class PixelSizeViewModel;
}

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

} // namespace pollard::app
