#include "canvas/surface_window.hpp"

#include <QCoreApplication>
#include <QDropEvent>
#include <QEnterEvent>
#include <QEvent>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::app {
namespace {

/// Sends a copy of an event and copies its acceptance back.
template <class Event> void send(QObject& receiver, Event&& copy, QEvent& original) {
    QCoreApplication::sendEvent(&receiver, &copy);
    original.setAccepted(copy.isAccepted());
}

template <class Event> void sendDrop(QObject& receiver, Event&& copy, QDropEvent& original) {
    copy.setDropAction(original.dropAction());
    send(receiver, copy, original);
    original.setDropAction(copy.dropAction());
}

} // namespace

SurfaceWindow::SurfaceWindow(std::function<void()> exposed) : exposed_(std::move(exposed)) {
    setSurfaceType(QSurface::OpenGLSurface);
    setFlags(flags() | Qt::WindowTransparentForInput | Qt::WindowDoesNotAcceptFocus);
}

void SurfaceWindow::exposeEvent(QExposeEvent*) {
    if (isExposed()) {
        exposed_();
    }
}

bool SurfaceWindow::event(QEvent* event) {
    return (parent() != nullptr && forwardToParent(*event)) || QWindow::event(event);
}

bool SurfaceWindow::forwardToParent(QEvent& event) {
    QWindow& around = *parent();
    const QPointF corner = position();
    switch (event.type()) {
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick: {
        const auto& mouse = static_cast<const QMouseEvent&>(event);
        const QPointF place = mouse.position() + corner;
        QMouseEvent copy(mouse.type(), place, place, mouse.globalPosition(), mouse.button(), mouse.buttons(),
                         mouse.modifiers(), mouse.pointingDevice());
        copy.setTimestamp(mouse.timestamp());
        send(around, copy, event);
        return true;
    }
    case QEvent::Wheel: {
        const auto& wheel = static_cast<const QWheelEvent&>(event);
        QWheelEvent copy(wheel.position() + corner, wheel.globalPosition(), wheel.pixelDelta(), wheel.angleDelta(),
                         wheel.buttons(), wheel.modifiers(), wheel.phase(), wheel.inverted(), wheel.source(),
                         wheel.pointingDevice());
        copy.setTimestamp(wheel.timestamp());
        send(around, copy, event);
        return true;
    }
    case QEvent::Enter: {
        const auto& enter = static_cast<const QEnterEvent&>(event);
        send(around, QEnterEvent(enter.position() + corner, enter.position() + corner, enter.globalPosition()), event);
        return true;
    }
    case QEvent::Leave:
        send(around, QEvent(QEvent::Leave), event);
        return true;
    case QEvent::DragEnter: {
        auto& drag = static_cast<QDragEnterEvent&>(event);
        sendDrop(around,
                 QDragEnterEvent((drag.position() + corner).toPoint(), drag.possibleActions(), drag.mimeData(),
                                 drag.buttons(), drag.modifiers()),
                 drag);
        return true;
    }
    case QEvent::DragMove: {
        auto& drag = static_cast<QDragMoveEvent&>(event);
        sendDrop(around,
                 QDragMoveEvent((drag.position() + corner).toPoint(), drag.possibleActions(), drag.mimeData(),
                                drag.buttons(), drag.modifiers()),
                 drag);
        return true;
    }
    case QEvent::Drop: {
        auto& drop = static_cast<QDropEvent&>(event);
        sendDrop(around,
                 QDropEvent(drop.position() + corner, drop.possibleActions(), drop.mimeData(), drop.buttons(),
                            drop.modifiers()),
                 drop);
        return true;
    }
    case QEvent::DragLeave:
        send(around, QDragLeaveEvent(), event);
        return true;
    default:
        return false;
    }
}

namespace {

constexpr int kTile = 64; ///< side of the squares tested for transparency, px

/// All pixels touched by a rectangle.
QRect pixelsOf(const QRect& rect, double ratio) {
    const QPoint first(static_cast<int>(std::floor(rect.left() * ratio)),
                       static_cast<int>(std::floor(rect.top() * ratio)));
    const QPoint end(static_cast<int>(std::ceil((rect.left() + rect.width()) * ratio)),
                     static_cast<int>(std::ceil((rect.top() + rect.height()) * ratio)));
    return {first, end - QPoint(1, 1)};
}

bool isTransparent(const QImage& image, const QRect& part) {
    for (int y = part.top(); y <= part.bottom(); ++y) {
        const auto* row = reinterpret_cast<const QRgb*>(image.constScanLine(y)) + part.left();
        if (std::any_of(row, row + part.width(), [](QRgb pixel) { return pixel != 0; })) {
            return false;
        }
    }
    return true;
}

} // namespace

QRegion ChildLayer::repaint(QSize size, double ratio) {
    if (image_.size() != size || image_.devicePixelRatio() != ratio) {
        image_ = QImage(size, QImage::Format_ARGB32_Premultiplied);
        image_.setDevicePixelRatio(ratio);
        covered_ = {};
        dirty_ = parent_.rect();
    }
    QRegion area = std::exchange(dirty_, {});
    if (ratio != std::floor(ratio)) { // a fractional edge lies within a pixel partly painted by the neighbour
        for (const QRect& rect : QRegion(area)) {
            area += rect.adjusted(-1, -1, 1, 1);
        }
    }
    area &= parent_.rect();
    if (area.isEmpty() || image_.isNull()) {
        return {};
    }
    paintChildren(area);
    QRegion pixels;
    for (const QRect& rect : area) {
        pixels += pixelsOf(rect, ratio) & image_.rect();
    }
    updateCovered(pixels);
    return pixels;
}

void ChildLayer::paintChildren(const QRegion& area) {
    QPainter painter(&image_);
    painter.setClipRegion(area);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.fillRect(area.boundingRect(), Qt::transparent);
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    for (QObject* child : parent_.children()) {
        auto* widget = qobject_cast<QWidget*>(child);
        if (widget == nullptr || !widget->isVisible()) {
            continue;
        }
        const QRegion part = (area & widget->geometry()).translated(-widget->pos());
        if (!part.isEmpty()) {
            widget->render(&painter, widget->pos() + part.boundingRect().topLeft(), part, QWidget::DrawChildren);
        }
    }
}

void ChildLayer::updateCovered(const QRegion& pixels) {
    const QRect all = pixels.boundingRect();
    for (int y = all.top() - all.top() % kTile; y <= all.bottom(); y += kTile) {
        for (int x = all.left() - all.left() % kTile; x <= all.right(); x += kTile) {
            const QRect tile = QRect(x, y, kTile, kTile) & image_.rect();
            if (!pixels.intersects(tile)) {
                continue;
            }
            covered_ = isTransparent(image_, tile) ? covered_ - tile : covered_ + tile;
        }
    }
}

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
