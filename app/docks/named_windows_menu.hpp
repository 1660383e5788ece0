#pragma once

#include <QMenu>

namespace pollard::vm {
class DisplayViewModel;
class DocumentViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// The windows of values of the open image that have names; its action is disabled if there are none.
class NamedWindowsMenu : public QMenu {
    Q_OBJECT

public:
    /// Both must outlive this.
    NamedWindowsMenu(const vm::DocumentViewModel& document, vm::DisplayViewModel& display, QWidget* parent);

private:
    void fill();

    const vm::DocumentViewModel& document_;
    vm::DisplayViewModel& display_;
};

} // namespace pollard::app
