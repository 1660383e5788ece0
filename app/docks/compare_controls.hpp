#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QWidget>

namespace pollard::vm {
class CompareViewModel;
}

namespace pollard::app {

/// Choice of the comparison of original and result, with its parameters: interval of blinking, range of the difference.
class CompareControls : public QWidget {
    Q_OBJECT

public:
    /// @param compare must outlive this
    explicit CompareControls(vm::CompareViewModel& compare, QWidget* parent = nullptr);

private:
    void build();
    void connectModel();
    void showState();

    vm::CompareViewModel& compare_;
    QComboBox* mode_ = nullptr;
    QWidget* blinking_ = nullptr;
    QDoubleSpinBox* interval_ = nullptr;
    QCheckBox* byItself_ = nullptr;
    QWidget* differing_ = nullptr;
    QComboBox* kind_ = nullptr;
    QDoubleSpinBox* range_ = nullptr;
    QCheckBox* automatic_ = nullptr;
};

} // namespace pollard::app
