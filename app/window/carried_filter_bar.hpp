#pragma once

#include <QFrame>

class QPushButton;

namespace pollard::vm {
class CarriedFilter;
class EarlierFilters;
} // namespace pollard::vm

namespace pollard::app {

class ElidedLabel;

/// A bar over the picture with buttons to keep or clear the filter carried over from another picture. Visible only
/// then.
class CarriedFilterBar : public QFrame {
    Q_OBJECT

public:
    /// @param carried,earlier must outlive this @param picture parent, which gets the focus when the bar disappears
    CarriedFilterBar(vm::CarriedFilter& carried, vm::EarlierFilters& earlier, QWidget& picture);

    /// Moves the bar to the top of the picture, @p top px below its edge.
    void place(int top);

signals:
    /// Visibility or width has changed.
    void changed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showState();
    void keep();
    void clear();
    void leave();

    vm::CarriedFilter& carried_;
    vm::EarlierFilters& earlier_;
    QWidget& picture_;
    ElidedLabel* text_;
    QPushButton* keep_;
    QPushButton* clear_;
};

} // namespace pollard::app
