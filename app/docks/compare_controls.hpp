#pragma once

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
};

} // namespace pollard::app
