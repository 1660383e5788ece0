#include "canvas/focus_ring.hpp"

#include <QEvent>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QPainter>

namespace pollard::app {
namespace {

bool isModifier(int key) {
    return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_AltGr ||
           key == Qt::Key_Meta;
}

/// The edge of a rectangle.
QRegion edgeOf(const QRect& rect, int width) { return QRegion(rect) - rect.adjusted(width, width, -width, -width); }

/// Whether the user uses the keyboard, after an event of the view.
bool isKeyboard(const QEvent& event, bool before) {
    switch (event.type()) {
    case QEvent::FocusIn: {
        const Qt::FocusReason reason = static_cast<const QFocusEvent&>(event).reason();
        const bool isKey =
            reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
        return isKey || (before && reason != Qt::MouseFocusReason);
    }
    case QEvent::KeyPress:
        return before || !isModifier(static_cast<const QKeyEvent&>(event).key());
    case QEvent::MouseButtonPress:
        return false;
    default:
        return before;
    }
}

} // namespace

FocusRing::FocusRing(QWidget& view) : QWidget(&view), view_(view) {
    setObjectName(QStringLiteral("focusRing"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    view_.installEventFilter(this);
    follow();
    hide();
}

void FocusRing::follow() {
    setGeometry(view_.rect());
    setMask(edgeOf(rect(), kOuter + kInner)); // the rest is not repainted
}

void FocusRing::showFor(const QEvent& event) {
    isByKeyboard_ = isKeyboard(event, isByKeyboard_);
    const bool isWanted = isByKeyboard_ && view_.hasFocus();
    if (isWanted != isVisibleTo(&view_)) {
        raise();
        setVisible(isWanted);
    }
}

void FocusRing::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setClipRegion(edgeOf(rect(), kOuter + kInner)); // a surface renders without the mask
    painter.fillRect(rect(), palette().base());
    painter.setClipRegion(edgeOf(rect(), kOuter));
    painter.fillRect(rect(), palette().highlight());
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
        follow();
        break;
    case QEvent::Show:
        view_.installEventFilter(this); // again, before filters that take presses of the mouse
        break;
    case QEvent::FocusIn:
    case QEvent::FocusOut:
    case QEvent::KeyPress:
    case QEvent::MouseButtonPress:
        showFor(*event);
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace pollard::app
