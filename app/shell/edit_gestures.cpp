#include "shell/edit_gestures.hpp"

#include "vm/session/edit_history.hpp"

#include <QCoreApplication>
#include <QKeyEvent>

namespace pollard::app {

EditGestures::EditGestures(vm::EditHistory& history, QObject* parent) : QObject(parent), history_(history) {
    QCoreApplication::instance()->installEventFilter(this);
}

bool EditGestures::eventFilter(QObject* watched, QEvent* event) {
    if (!watched->isWidgetType()) {
        return false; // events of a QWindow are also sent to its widgets
    }
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
        begin();
        break;
    case QEvent::MouseButtonRelease:
        endLater();
        break;
    case QEvent::KeyPress:
        if (!static_cast<QKeyEvent*>(event)->isAutoRepeat()) {
            begin();
        }
        break;
    case QEvent::KeyRelease:
        if (!static_cast<QKeyEvent*>(event)->isAutoRepeat()) {
            endLater();
        }
        break;
    case QEvent::Wheel:
        if (wheeled_ != watched) {
            begin();
            wheeled_ = watched;
        }
        break;
    case QEvent::Leave:
        if (wheeled_ == watched) {
            wheeled_.clear();
            endLater();
        }
        break;
    default:
        break;
    }
    return false;
}

void EditGestures::begin() {
    wheeled_.clear();
    history_.beginGesture();
}

void EditGestures::endLater() {
    // Includes changes made by the release itself.
    QMetaObject::invokeMethod(
        this,
        [this, gesture = history_.gesture()] {
            if (gesture == history_.gesture()) {
                history_.endGesture();
            }
        },
        Qt::QueuedConnection);
}

} // namespace pollard::app
