#pragma once

#include <QListWidget>

namespace pollard::vm {
class LabPlayerViewModel;
}

namespace pollard::app {

/// The pseudo-code of the algorithm with the current line highlighted.
class LabCode : public QListWidget {
    Q_OBJECT

public:
    /// @param player must outlive this
    explicit LabCode(vm::LabPlayerViewModel& player, QWidget* parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override { return {140, 80}; }

private:
    void showLines();
    void showLine();

    vm::LabPlayerViewModel& player_;
};

} // namespace pollard::app
