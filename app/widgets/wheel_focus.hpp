#pragma once

#include <QObject>

namespace pollard::app {

/// Number boxes, choices, sliders and tab bars take the wheel only while they have the focus, which the wheel does not
/// give them. Over all others the wheel scrolls the area around them.
class WheelFocus : public QObject {
    Q_OBJECT

public:
    /// Watches all widgets of the program.
    explicit WheelFocus(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace pollard::app
