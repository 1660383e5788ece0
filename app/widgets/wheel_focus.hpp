#pragma once

#include <QObject>

namespace pollard::app {

/// Number boxes, combo boxes, sliders and tab bars react to the wheel only while focused, and the wheel does not focus
/// them. Otherwise it scrolls the area around them.
class WheelFocus : public QObject {
    Q_OBJECT

public:
    /// Filters events of all widgets of the program.
    explicit WheelFocus(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace pollard::app
