#pragma once

#include "vm/display/export_plan.hpp"

#include <QCheckBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>

namespace pollard::app {

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

} // namespace pollard::app
