#pragma once

#include <QFrame>

class QPushButton;

namespace pollard::vm {
class CarriedFilter;
class EarlierFilters;
} // namespace pollard::vm

namespace pollard::app {

class ElidedLabel;

/// Says over the picture that the filter of another one is still applied, and offers to keep or to clear it. Seen only
/// then.
class CarriedFilterBar : public QFrame {
    Q_OBJECT

public:
    /// @param carried,earlier must outlive this @param picture that the bar lies over, and that gets the focus after it
    CarriedFilterBar(vm::CarriedFilter& carried, vm::EarlierFilters& earlier, QWidget& picture);

    /// Takes its place at the top of the picture, below so many px.
    void place(int top);

signals:
    /// It has come, gone, or become wider.
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
