#include "widgets/wheel_focus.hpp"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QScrollBar>
#include <QTabBar>
#include <QWidget>

namespace pollard::app {
namespace {

/// Whether turning the wheel changes the value of a widget.
bool isTurned(const QWidget& widget) {
    return qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
           qobject_cast<const QComboBox*>(&widget) != nullptr || qobject_cast<const QTabBar*>(&widget) != nullptr ||
           (qobject_cast<const QAbstractSlider*>(&widget) != nullptr &&
            qobject_cast<const QScrollBar*>(&widget) == nullptr);
}

} // namespace

WheelFocus::WheelFocus(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

bool WheelFocus::eventFilter(QObject* watched, QEvent* event) {
    if ((event->type() != QEvent::Wheel && event->type() != QEvent::Polish) || !watched->isWidgetType()) {
        return false;
    }
    auto& widget = static_cast<QWidget&>(*watched);
    if (!isTurned(widget)) {
        return false;
    }
    if (event->type() == QEvent::Polish) {
        if (widget.focusPolicy() == Qt::WheelFocus) {
            widget.setFocusPolicy(Qt::StrongFocus);
        }
        return false;
    }
    if (widget.hasFocus()) {
        return false;
    }
    event->ignore(); // passed to the parent
    return true;
}

} // namespace pollard::app
