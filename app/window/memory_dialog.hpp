#pragma once

#include "memory_plan.hpp"

#include <QDialog>

class QButtonGroup;
class QCheckBox;
class QGridLayout;
class QRadioButton;
class QSpinBox;

namespace pollard::app {

/// Shows what opening a picture would take against what is there, and lets a person choose what to do.
class MemoryDialog : public QDialog {
    Q_OBJECT

public:
    MemoryDialog(const vm::MemoryPlan& plan, const vm::OpenRequest& request, QWidget* parent = nullptr);

    /// What was chosen.
    [[nodiscard]] vm::OpenRequest choice() const;
    /// The engine without a GPU was chosen.
    [[nodiscard]] bool wantsCpu() const;

private:
    void addNumbers(QGridLayout& grid) const;
    QRadioButton* addChoice(const QString& text, int id);
    void addSmaller();
    void addCrop();

    vm::MemoryPlan plan_;
    vm::OpenRequest request_;
    QButtonGroup* choices_ = nullptr;
    QSpinBox* x_ = nullptr;
    QSpinBox* y_ = nullptr;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
};

} // namespace pollard::app
