#pragma once

#include "vm/document/raw_view_model.hpp"

#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace pollard::app {

/// Asks for the layout of a file without a header, with a preview.
class RawDialog : public QDialog {
    Q_OBJECT

public:
    /// @param raw must outlive this
    explicit RawDialog(vm::RawViewModel& raw, QWidget* parent = nullptr);

    void accept() override;

private:
    QWidget* makeControls();
    void takeControls();
    void showLayout();
    void showPreview();

    vm::RawViewModel& raw_;
    QComboBox* guess_ = nullptr;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
    QComboBox* type_ = nullptr;
    QComboBox* order_ = nullptr;
    QSpinBox* samples_ = nullptr;
    QDoubleSpinBox* offset_ = nullptr; ///< whole numbers
    QSpinBox* pages_ = nullptr;
    QLabel* check_ = nullptr;
    QLabel* preview_ = nullptr;
    QPushButton* open_ = nullptr;
};

} // namespace pollard::app
