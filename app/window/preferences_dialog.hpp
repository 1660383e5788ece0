#pragma once

#include <QDialog>

class QCheckBox;
class QDoubleSpinBox;
class QSpinBox;

namespace pollard::vm {
class LimitsViewModel;
}

namespace pollard::app {

/// Limits for files and memory. Every change holds at once.
class PreferencesDialog : public QDialog {
    Q_OBJECT

public:
    /// @param limits must outlive this
    explicit PreferencesDialog(vm::LimitsViewModel& limits, QWidget* parent = nullptr);

private:
    void showLimits();

    vm::LimitsViewModel& limits_;
    QCheckBox* ask_ = nullptr;
    QSpinBox* cache_ = nullptr;
    QDoubleSpinBox* megapixels_ = nullptr;
    QDoubleSpinBox* decoded_ = nullptr;
    QDoubleSpinBox* expansion_ = nullptr;
};

} // namespace pollard::app
